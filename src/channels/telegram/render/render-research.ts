import type { AgentEvent } from "../../channel.ts";
import type { Button } from "../../event-buttons.ts";
import { type Message, textMessage } from "../message/message.ts";
import type { Renderer } from "./renderer.ts";

/** A longer answer goes out as a file. */
const MAX_INLINE_LENGTH = 3000;

/** Findings from the web; the button is below the whole answer, so nothing is used unseen. */
export function renderResearch(
  event: Extract<AgentEvent, { kind: "research" }>,
  buttons: readonly Button[],
  { texts: { answer, research }, clean, quote, show, write }: Renderer,
): Message[] {
  const { researchId: ref, query, answerMd, notes, sources, autoUsed } = event;
  const head = `<b>${research.head}</b> ${quote(query)}`;
  const list = sources.map(({ url, title }, index) => `${index + 1}. ${quote(title)} ${show(url)}`);
  const tail = [
    ...(notes === undefined ? [] : [quote(notes, "i")]),
    list.join("\n"),
    ...(autoUsed ? [research.autoUsed] : []),
  ];
  if (answerMd.length <= MAX_INLINE_LENGTH) {
    const html = [head, write(answerMd), ...tail].join("\n\n");
    return [{ kind: "text", html, buttons }];
  }
  const file = {
    kind: "document",
    filename: `${ref}.md`,
    content: clean(answerMd),
    caption: answer.wholeAnswer,
    buttons,
  } as const;
  return [textMessage([head, ...tail].join("\n\n")), file];
}
