import type { Texts } from "../../texts/texts.ts";
import type { AgentEvent } from "../channel.ts";
import { renderEvent } from "../render-event.ts";
import { toPreviewParts } from "../render-text.ts";
import type { DaemonLine, Format } from "./wire.ts";

/** What is around the text of an event, so that a terminal can write one after the other. */
const FRAMES: Readonly<Record<AgentEvent["kind"], readonly [before: string, after: string]>> = {
  content: ["", ""],
  choice: ["", ""],
  progress: ["", "\n"],
  check_output: ["", "\n"],
  counted: ["", ""],
  tool_call: ["\n", "\n"],
  tool_result: ["", ""],
  plan: ["", "\n"],
  research: ["", "\n"],
  approval: ["", "\n"],
  call_approval: ["\n", "\n"],
  call_result: ["\n", "\n\n"],
  file: ["\n", "\n"],
  outcome: ["", "\n"],
  error: ["", ""],
  done: ["", ""],
};

/** What the text of an event is, for a terminal that renders by itself. */
const FORMATS: Readonly<Partial<Record<AgentEvent["kind"], Format>>> = {
  content: "markdown",
  plan: "markdown",
  research: "markdown",
  progress: "step",
  check_output: "output",
  tool_call: "step",
};

/** What a client said that it shows. */
export interface Wanted {
  readonly color: boolean;
  readonly formats: boolean;
  readonly counts: boolean;
}

/** An event as lines for a terminal, with nothing in them that could command it. */
export function toLines(
  event: AgentEvent,
  texts: Texts,
  { color, formats, counts }: Wanted,
): readonly DaemonLine[] {
  const { text, hint, question } = renderEvent(event, texts, color && !formats);
  if (event.kind === "tool_result") return [];
  if (event.kind === "counted") {
    return counts ? [toToken(`${event.counted}/${event.of}`, "count")] : [];
  }
  // Somebody without a line that is written over would have all of it among the answers.
  if (event.kind === "check_output" && !formats) return [];
  if (event.kind === "done") return [{ type: "done" }];
  if (event.kind === "error") return [{ type: "error", message: text }];
  const [before, after] = FRAMES[event.kind];
  const words = hint === undefined ? text : `${text}\n\n${hint}`;
  const shown = before + words + after;
  const tokens = formats ? toFormatted(event, texts, shown) : [toToken(shown)];
  if (!question) return tokens;
  const { approvalId: request_id, tool, args } = question;
  return [...tokens, { type: "confirm", request_id, tool, args }];
}

function toFormatted(event: AgentEvent, texts: Texts, shown: string): readonly DaemonLine[] {
  if (event.kind !== "approval") return [toToken(shown, FORMATS[event.kind])];
  const { head, diff } = toPreviewParts(event.preview, texts);
  return [toToken(`${head}\n\n`), toToken(`${diff}\n`, "diff")];
}

function toToken(content: string, format?: Format): DaemonLine {
  return { type: "token", content, ...(format && { format }) };
}
