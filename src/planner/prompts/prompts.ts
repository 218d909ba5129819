import type { ProtocolVersion } from "../../protocol/version.ts";
import type { ChatMessage } from "../../providers/provider.ts";
import { cutMiddle } from "../context/context.ts";
import { systemPrompt } from "./system-prompt.ts";

export { PROMPT_VERSIONS } from "./system-prompt.ts";

const PLAN_INSTRUCTION = `Answer with a PLAN: actions must be []. In summary give the diagnosis, a numbered plan naming the files, and how to check the result. At most two questions, at the end of summary, only when you cannot go on without the answer. Answer in the language of the goal.`;

const RESEARCH_OFFER = `If you cannot plan without facts that only the web has, answer with the summary "NEEDS_ONLINE_RESEARCH: <query>" and nothing else in it.`;

const MEMORY_OFFER = `Lasting preferences that the goal states may go into memory_patch, with keys such as "user.preferred_style" or "project.default_test_command"; otherwise leave it out.`;

const LAST_ROUND = `Nothing more can be shown: leave context_requests empty and plan with what you have seen.`;

const APPLY_INSTRUCTION = `Now APPLY the plan: answer with the actions that carry it out, complete and final. Leave context_requests empty. If nothing has to change, answer with actions [] and a summary that starts with "NO_CHANGES:" and says why.`;

/** What a plan may use beside context: told only where it is there. */
export interface Offers {
  /** The model may ask for research on the web. */
  readonly research: boolean;
  /** The model may have something remembered. */
  readonly memory: boolean;
}

/** The instruction that ends every request of a plan. */
export function planInstruction({ research, memory }: Offers): string {
  const offers = [...(research ? [RESEARCH_OFFER] : []), ...(memory ? [MEMORY_OFFER] : [])];
  return [PLAN_INSTRUCTION, ...offers].join(" ");
}

/** The first request of a plan. */
export function planMessages(
  request: { readonly version: ProtocolVersion; readonly goal: string; readonly context: string },
  instruction: string,
): readonly ChatMessage[] {
  const { version, goal, context } = request;
  return [
    { role: "system", content: systemPrompt(version) },
    { role: "user", content: `${context}\n\nGOAL: ${goal}\n\n${instruction}` },
  ];
}

/** Continues a conversation with what the model asked to see; in the last round it says so. */
export function contextMessages(
  conversation: readonly ChatMessage[],
  request: { readonly answer: string; readonly context: string; readonly isLastRound: boolean },
  instruction: string,
): readonly ChatMessage[] {
  const { answer, context, isLastRound } = request;
  const parts = [context, ...(isLastRound ? [LAST_ROUND] : []), instruction];
  return [
    ...conversation,
    { role: "assistant", content: quote(answer) },
    { role: "user", content: parts.join("\n\n") },
  ];
}

/**
 * The request that turns a stored plan into actions; continues its conversation under `version`.
 * `note` says what an answer under a higher version ran into.
 */
export function applyMessages(
  plan: { readonly messages: readonly ChatMessage[]; readonly summary: string },
  version: ProtocolVersion,
  note?: string,
): readonly ChatMessage[] {
  const [, ...conversation] = plan.messages;
  const parts = [...(note === undefined ? [] : [note]), APPLY_INSTRUCTION];
  return [
    { role: "system", content: systemPrompt(version) },
    ...conversation,
    { role: "assistant", content: JSON.stringify({ actions: [], summary: plan.summary }) },
    { role: "user", content: parts.join("\n\n") },
  ];
}

/** What the next rung of the ladder is told: why it is asked, and the files as they are. */
export function fallbackNote(reason: string, files: string): string {
  const shown = files === "" ? "" : `\nThe files in question, whole:\n\n${files}`;
  return `Another form of answer was tried and could not be used:\n${reason}\nUse only the kinds of action that are described at the top.${shown}`;
}

/** Continues a conversation with the one specific instruction of the repair turn. */
export function repairMessages(
  conversation: readonly ChatMessage[],
  answer: string,
  instruction: string,
): readonly ChatMessage[] {
  return [
    ...conversation,
    { role: "assistant", content: quote(answer) },
    {
      role: "user",
      content: `Your answer cannot be used:\n${instruction}\nAnswer again with the whole corrected JSON object and nothing else.`,
    },
  ];
}

/** Some servers refuse an empty message, and nobody reads an endless one. */
function quote(answer: string): string {
  return answer.trim() === "" ? "(nothing)" : cutMiddle(answer, MOST_QUOTED_CHARS);
}

const MOST_QUOTED_CHARS = 60_000;
