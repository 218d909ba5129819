import type { AgentEvent } from "../../channels/channel.ts";
import { buttonsOf } from "../../channels/event-buttons.ts";
import { renderEvent } from "../../channels/render-event.ts";
import type { Shown } from "../../store/sessions.ts";
import type { Texts } from "../../texts/texts.ts";

/** What goes on later, and what is true of a button that did not count. */
const PASSING: ReadonlySet<string> = new Set(["ERR_INTERRUPTED", "APPROVAL_INVALID"]);

/** What of an event a person may want to read again; undefined: it passes. */
export function toShown(event: AgentEvent, texts: Texts): Shown | undefined {
  const text = () => renderEvent(event, texts).text;
  switch (event.kind) {
    case "plan":
      return { kind: "plan", text: event.summary, ref: event.planId, workspace: event.workspace };
    case "approval": {
      const { summary, workspace } = event.preview;
      return { kind: "change_set", text: summary, ref: event.approvalId, workspace };
    }
    case "call_approval":
      return { kind: "call", text: text(), ref: event.approvalId };
    case "call_result":
      return { kind: "call_result", text: text() };
    case "outcome": {
      const { workspace, txId } = event.outcome;
      const ref = txId === undefined ? {} : { ref: txId };
      return { kind: "outcome", text: text(), workspace, ...ref, ...withActions(event, texts) };
    }
    case "research":
      return {
        kind: "research",
        text: text(),
        ref: event.researchId,
        ...withActions(event, texts),
      };
    case "choice":
      return { kind: "choice", text: event.text, ...withActions(event, texts) };
    case "file": {
      const { fileId: ref, workspace, path, absolute, sha256, sizeBytes } = event;
      return {
        kind: "file",
        text: path,
        ref,
        workspace,
        file: { path, absolute, sha256, sizeBytes },
      };
    }
    case "error":
      return PASSING.has(event.code) ? undefined : { kind: "error", text: text() };
    case "content":
    case "progress":
    case "counted":
    case "check_output":
    case "tool_call":
    case "tool_result":
    case "done":
      return undefined;
    default:
      return event satisfies never;
  }
}

function withActions(event: AgentEvent, { buttons }: Texts): Pick<Shown, "actions"> {
  const actions = buttonsOf(event, buttons).map(({ label, press: { act, ref } }) => ({
    act,
    ref,
    label,
  }));
  return actions.length === 0 ? {} : { actions };
}
