import { cutOf } from "../../providers/cut-answer.ts";
import type { ChatRequest, ProviderEvent } from "../../providers/provider.ts";
import { tellCut } from "../../texts/failures/failures.ts";
import { type Answer, type Turn, tell } from "./turn-state.ts";

/**
 * An answer that its model did not finish: the person is told so, and what would make it longer,
 * and the model finds the same in the conversation. What it called for does not run: a call may be
 * cut, too, and what is left of its arguments may mean something else.
 */
export async function endCut(
  turn: Turn,
  request: ChatRequest,
  end: Extract<ProviderEvent, { kind: "end" }>,
  { content, toolCalls }: Answer,
): Promise<Answer> {
  const cut = cutOf(turn.model.provider, request, end);
  if (!cut) return { content, toolCalls };
  const { agent, joins } = turn.voice.texts;
  const isCalling = toolCalls.length > 0;
  const said = tellCut(agent, cut);
  const message = isCalling ? joins.facts([said, agent.cutCalls]) : said;
  const note = behind(content, message);
  const kept = { content: content + note, toolCalls: [] };
  if (content.trim() !== "" && !isCalling) {
    await tell(turn, note);
    return kept;
  }
  // Nothing was answered, or what was to be done was not: that is no success.
  return { ...kept, error: { code: "LLM_ANSWER_CUT", message, isSaid: true } };
}

/** What came of an answer that failed, as the model finds it in the conversation: not for a whole one. */
export function endBroken({ voice: { texts } }: Turn, content: string): string {
  return content === "" ? "" : content + behind(content, texts.agent.brokeOff);
}

function behind(content: string, note: string): string {
  return content === "" ? `(${note})` : `${closeFence(content)}\n\n(${note})`;
}

/** A block of code that was cut would swallow what is said behind it. */
function closeFence(markdown: string): string {
  let open = "";
  for (const [, mark = ""] of markdown.matchAll(/^ {0,3}(`{3,}|~{3,})/gmu)) {
    if (open === "") open = mark;
    else if (mark.startsWith(open)) open = "";
  }
  return open === "" ? "" : `${markdown.endsWith("\n") ? "" : "\n"}${open}`;
}
