import type { Texts } from "../../texts/texts.ts";
import type { AgentEvent } from "../channel.ts";
import { renderEvent } from "../render-event.ts";
import type { DaemonLine } from "./wire.ts";

/** What is around the text of an event, so that a terminal can write one after the other. */
const FRAMES: Readonly<Record<AgentEvent["kind"], readonly [before: string, after: string]>> = {
  content: ["", ""],
  choice: ["", ""],
  progress: ["", "\n"],
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

/** An event as lines for a terminal, with nothing in them that could command it. */
export function toLines(event: AgentEvent, texts: Texts, color: boolean): readonly DaemonLine[] {
  const { text, hint, question } = renderEvent(event, texts, color);
  if (event.kind === "tool_result") return [];
  if (event.kind === "done") return [{ type: "done" }];
  if (event.kind === "error") return [{ type: "error", message: text }];
  const [before, after] = FRAMES[event.kind];
  const words = hint === undefined ? text : `${text}\n\n${hint}`;
  const shown: DaemonLine = { type: "token", content: before + words + after };
  if (!question) return [shown];
  const { approvalId: request_id, tool, args } = question;
  return [shown, { type: "confirm", request_id, tool, args }];
}
