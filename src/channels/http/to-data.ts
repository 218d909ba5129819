import { keepLooks } from "../../system/run/run.ts";
import type { Texts } from "../../texts/texts.ts";
import type { AgentEvent } from "../channel.ts";
import { toFailureText } from "../failure-lines.ts";
import { renderEvent } from "../render-event.ts";

/** An event as the JSON documents of a server-sent event stream; none for the end, which is `[DONE]`. */
export function toData(
  event: AgentEvent,
  texts: Texts,
): readonly Readonly<Record<string, unknown>>[] {
  const { text, question, buttons } = renderEvent(event, texts);
  switch (event.kind) {
    case "content":
      return [{ content: event.text }];
    case "tool_call":
      return [{ tool_calls: [{ id: event.id, name: event.name, arguments: event.args }] }];
    case "tool_result":
      return [{ tool_result: { tool_call_id: event.id, name: event.name, result: event.content } }];
    case "progress":
      return [{ progress: event.text }];
    case "check_output": {
      const looks = keepLooks(event.looks ?? [], event.text, text);
      return [{ check_output: text, ...(looks.length > 0 && { looks }) }];
    }
    case "counted":
      return []; // for terminals, which have a line that is written over
    case "approval":
      return [
        { content: text },
        { approval: { approval_id: event.approvalId, ...question?.args } },
      ];
    case "plan":
      return [{ content: text }, { plan: { plan_id: event.planId, workspace: event.workspace } }];
    case "call_approval": {
      const { approvalId, tool, args, reason } = event;
      return [
        { content: `${text}\n` },
        { approval: { approval_id: approvalId, tool, args, reason } },
      ];
    }
    case "call_result":
      return [{ content: `${text}\n` }];
    case "file": {
      const { fileId, workspace, path, absolute, sizeBytes, sha256 } = event;
      const file = { file_id: fileId, workspace, path, absolute, size_bytes: sizeBytes, sha256 };
      return [{ content: `\n${text}\n` }, { file }];
    }
    case "research":
    case "choice":
    case "outcome": {
      const content = event.kind === "choice" ? event.text : text;
      const actions = buttons.map(({ label, press: { act, ref } }) => ({ act, ref, label }));
      const isFailed = event.kind === "outcome" && !event.outcome.ok;
      return [
        { content, ...(isFailed && { ok: false }) },
        ...(actions.length > 0 ? [{ actions }] : []),
      ];
    }
    case "error":
      return [{ error: toFailureText(event, texts, "as shown"), error_category: event.code }];
    case "done":
      return [];
    default:
      return event satisfies never;
  }
}
