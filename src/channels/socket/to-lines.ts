import { toPrintableText, toVisibleText } from "../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import type { AgentEvent } from "../channel.ts";
import { toFailureLines } from "../failure-lines.ts";
import { renderCall, renderCallResult } from "../render-call.ts";
import { renderFile } from "../render-file.ts";
import { renderResearch } from "../render-research.ts";
import { renderOutcome, renderPreview } from "../render-text.ts";
import type { DaemonLine } from "./wire.ts";

/** An event as lines for a terminal, with nothing in them that could command it. */
export function toLines(event: AgentEvent, texts: Texts, color: boolean): readonly DaemonLine[] {
  switch (event.kind) {
    case "content":
    case "choice":
      return [token(toPrintableText(event.text))];
    case "progress":
      return [token(`${toPrintableText(event.text)}\n`)];
    case "tool_call":
      return [token(`\n[${toPrintableText(event.name)}]\n`)];
    case "tool_result":
      return [];
    case "plan":
      return [token(`${toVisibleText(event.summary)}\n\n${texts.plan.goOn}\n`)];
    case "research":
      return [token(`${renderResearch(event, texts)}\n`)];
    case "approval": {
      const { planId, changeSetId, workspace, changes } = event.preview;
      const paths = changes.map((change) => change.path);
      return [
        token(`${renderPreview(event.preview, texts, color)}\n`),
        {
          type: "confirm",
          request_id: event.approvalId,
          tool: "apply_change_set",
          args: { plan_id: planId, change_set_id: changeSetId, workspace, paths },
        },
      ];
    }
    case "call_approval": {
      const { approvalId, tool, args } = event;
      return [
        token(`\n${renderCall(event, texts)}`),
        { type: "confirm", request_id: approvalId, tool, args },
      ];
    }
    case "call_result":
      return [token(`\n${renderCallResult(event)}\n`)];
    case "file":
      return [token(`\n${renderFile(event, texts)}\n`)];
    case "outcome":
      return [token(`${renderOutcome(event.outcome, texts)}\n`)];
    case "error":
      return [{ type: "error", message: toPrintableText(renderFailure(event, texts)) }];
    case "done":
      return [{ type: "done" }];
    default:
      return event satisfies never;
  }
}

function renderFailure(event: Extract<AgentEvent, { kind: "error" }>, texts: Texts): string {
  return `${event.code}: ${toFailureLines(event, texts).join(" ")}`;
}

function token(content: string): DaemonLine {
  return { type: "token", content };
}
