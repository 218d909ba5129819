import { toVisibleText } from "../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import type { AgentEvent } from "../channel.ts";
import { renderCall, renderCallResult } from "../render-call.ts";
import { renderFile } from "../render-file.ts";
import { renderResearch } from "../render-research.ts";
import { renderOutcome, renderPreview } from "../render-text.ts";

/** An event as the JSON documents of a server-sent event stream; none for the end, which is `[DONE]`. */
export function toData(
  event: AgentEvent,
  texts: Texts,
): readonly Readonly<Record<string, unknown>>[] {
  switch (event.kind) {
    case "content":
      return [{ content: event.text }];
    case "tool_call":
      return [{ tool_calls: [{ id: event.id, name: event.name, arguments: event.args }] }];
    case "tool_result":
      return [{ tool_result: { tool_call_id: event.id, name: event.name, result: event.content } }];
    case "progress":
      return [{ progress: event.text }];
    case "approval": {
      const { planId, changeSetId, workspace, changes } = event.preview;
      const paths = changes.map(({ path }) => path);
      const asked = { plan_id: planId, change_set_id: changeSetId, workspace, paths };
      return [
        { content: renderPreview(event.preview, texts, false) },
        { approval: { approval_id: event.approvalId, ...asked } },
      ];
    }
    case "plan":
      return [
        { content: toVisibleText(event.summary) },
        { plan: { plan_id: event.planId, workspace: event.workspace } },
      ];
    case "call_approval": {
      const { approvalId, tool, args, reason } = event;
      return [
        { content: renderCall(event, texts) },
        { approval: { approval_id: approvalId, tool, args, reason } },
      ];
    }
    case "call_result":
      return [{ content: renderCallResult(event) }];
    case "research":
      return [{ content: renderResearch(event, texts) }];
    case "file": {
      const { workspace, path, absolute, sizeBytes, sha256 } = event;
      return [
        { content: `\n${renderFile(event, texts)}\n` },
        { file: { workspace, path, absolute, size_bytes: sizeBytes, sha256 } },
      ];
    }
    case "outcome":
      return [{ content: renderOutcome(event.outcome, texts) }];
    case "choice":
      return [{ content: event.text }];
    case "error":
      return [{ error: event.message, error_category: event.code }];
    case "done":
      return [];
    default:
      return event satisfies never;
  }
}
