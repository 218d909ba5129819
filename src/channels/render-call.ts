import { toPrintableText, toVisibleText } from "../core/visible-text.ts";
import type { Texts } from "../texts/texts.ts";
import { toCallText } from "./call-text.ts";
import type { AgentEvent, CallApprovalEvent } from "./channel.ts";

type Shown = Pick<CallApprovalEvent, "tool" | "shown" | "reason">;

/** A call for approval as text for a terminal: all of it, and its ends again when that scrolls. */
export function renderCall({ tool, shown, reason }: Shown, { call }: Texts): string {
  const { whole, ends } = toCallText(shown, call);
  const head = toVisibleText(call.asks(tool, reason));
  const again = ends === undefined ? [] : [`${toVisibleText(tool)}: ${ends}`];
  return [head, whole, ...again].join("\n\n");
}

/** What came of it. */
export function renderCallResult(event: Extract<AgentEvent, { kind: "call_result" }>): string {
  return toPrintableText(`${event.ok ? "✓" : "✗"} ${event.tool}\n${event.text}`);
}
