import type { AgentEvent } from "../../channel.ts";
import { type Button, type Message, textMessage } from "../message/message.ts";
import type { Renderer } from "./renderer.ts";

/** A longer answer goes out as a file. */
const MAX_INLINE_LENGTH = 3000;

/** Findings from the web; the button stands below the whole answer, so nothing is used unseen. */
export function renderResearch(
  event: Extract<AgentEvent, { kind: "research" }>,
  { texts: { answer, research, buttons: labels }, clean, quote, show, write }: Renderer,
): Message[] {
  const { researchId: ref, query, answerMd, notes, sources, autoUsed } = event;
  const head = `<b>${research.head}</b> ${quote(query)}`;
  const list = sources.map(({ url, title }, index) => `${index + 1}. ${quote(title)} ${show(url)}`);
  const tail = [
    ...(notes === undefined ? [] : [quote(notes, "i")]),
    list.join("\n"),
    ...(autoUsed ? [research.autoUsed] : []),
  ];
  const button: Button = autoUsed
    ? { label: labels.stopAutoUse, press: { act: "stop_auto_use", ref } }
    : { label: labels.useResearch, press: { act: "use_research", ref } };
  if (answerMd.length <= MAX_INLINE_LENGTH) {
    const html = [head, write(answerMd), ...tail].join("\n\n");
    return [{ kind: "text", html, buttons: [button] }];
  }
  const file = {
    kind: "document",
    filename: `${ref}.md`,
    content: clean(answerMd),
    caption: answer.wholeAnswer,
    buttons: [button],
  } as const;
  return [textMessage([head, ...tail].join("\n\n")), file];
}
