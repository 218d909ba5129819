import { toPrintableText, toVisibleText } from "../core/visible-text.ts";
import type { Texts } from "../texts/texts.ts";
import type { AgentEvent, CallApprovalEvent } from "./channel.ts";

/** What a person reads before a yes to a tool call. */
export interface CallText {
  /** All of it, with nothing that hides: see {@link toCallText}. */
  readonly whole: string;
  /** Its length, beginning and end, when it is too long for one look. */
  readonly ends?: string;
}

/** A longer text does not fit on one screen. */
const MAX_CHARS = 3000;
const END_CHARS = 700;

/**
 * The text of a call for approval. Hidden and reordering characters are spelled out, and so are
 * long runs of blanks or empty lines, behind which the rest would be out of sight.
 */
export function toCallText(shown: string, texts: Texts["call"]): CallText {
  const whole = toVisibleText(shown)
    .replace(/[ \t\u3000]{24,}/gu, (run) => ` ⟨${texts.blanks(run.length)}⟩ `)
    .replace(
      /(?:[ \t\u3000]{0,23}\r?\n){4,}/gu,
      (run) => `\n⟨${texts.emptyLines(run.split("\n").length - 2)}⟩\n`,
    );
  if (whole.length <= MAX_CHARS) return { whole };
  const head = whole.slice(0, END_CHARS).toWellFormed();
  const tail = whole.slice(-END_CHARS).toWellFormed();
  const between = whole.length - head.length - tail.length;
  return { whole, ends: texts.ends(whole.length, head, between, tail) };
}

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
