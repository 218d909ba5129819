import { toVisibleText } from "../../../core/visible-text.ts";
import { toCallText } from "../../call-text.ts";
import type { AgentEvent, CallApprovalEvent } from "../../channel.ts";
import type { Button } from "../../event-buttons.ts";
import { escapeHtml, type Message, textMessage } from "../message/message.ts";
import type { Renderer } from "./renderer.ts";

/** A longer result goes out as a file. */
const MAX_INLINE_LENGTH = 3000;

/**
 * A call for approval. A long one is shown by its ends, and whole as a file; the buttons are
 * below the last of it, so that nothing is approved unseen.
 */
export function renderCall(
  { approvalId: ref, tool, shown, reason }: CallApprovalEvent,
  buttons: readonly Button[],
  { texts: { call }, redact, show }: Renderer,
): Message[] {
  const { whole, ends } = toCallText(redact(shown), call);
  const head = call.asks(`<b>${show(tool)}</b>`, show(reason));
  const html = `${head}\n\n<pre>${escapeHtml(ends ?? whole)}</pre>`;
  if (ends === undefined) return [{ kind: "text", html, buttons }];
  const caption = call.whole;
  return [
    textMessage(html),
    { kind: "document", filename: `${ref}.txt`, content: whole, caption, buttons },
  ];
}

/** What came of a call that was approved. */
export function renderCallResult(
  { tool, ok, text }: Extract<AgentEvent, { kind: "call_result" }>,
  { redact }: Renderer,
): Message {
  const head = `${ok ? "✅" : "❌"} ${toVisibleText(tool)}`;
  const result = toVisibleText(redact(text)).trimEnd();
  if (result.length <= MAX_INLINE_LENGTH) {
    const block = result === "" ? "" : `\n<pre>${escapeHtml(result)}</pre>`;
    return textMessage(escapeHtml(head) + block);
  }
  return { kind: "document", filename: "result.txt", content: result, caption: head, buttons: [] };
}
