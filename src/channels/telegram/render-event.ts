import type { Texts } from "../../texts/texts.ts";
import type { AgentEvent } from "../channel.ts";
import { createHand, type Hand, type Redact } from "./hand.ts";
import { type Message, textMessage } from "./message.ts";
import { renderApproval } from "./render-approval.ts";
import { renderCall, renderCallResult } from "./render-call.ts";
import { renderOutcome } from "./render-outcome.ts";
import { renderResearch } from "./render-research.ts";

const SHOWN = [
  "plan",
  "research",
  "approval",
  "call_approval",
  "call_result",
  "outcome",
  "error",
] as const satisfies AgentEvent["kind"][];

/** An event that is shown at once as messages of its own. */
export type ShownEvent = Extract<AgentEvent, { readonly kind: (typeof SHOWN)[number] }>;

/** Whether an event has messages of its own. */
export function isShown(event: AgentEvent): event is ShownEvent {
  return SHOWN.some((kind) => kind === event.kind);
}

/** Messages for an event, with nothing in them that a reader could not see. */
export function renderEvent(event: ShownEvent, texts: Texts, redact: Redact): Message[] {
  const hand = createHand(texts, redact);
  switch (event.kind) {
    case "plan":
      return [renderPlan(event, hand)];
    case "research":
      return renderResearch(event, hand);
    case "approval":
      return renderApproval(event.approvalId, event.preview, hand);
    case "call_approval":
      return renderCall(event, hand);
    case "call_result":
      return [renderCallResult(event, hand)];
    case "outcome":
      return [renderOutcome(event.outcome, hand)];
    case "error":
      return [renderError(event, hand)];
    default:
      return event satisfies never;
  }
}

function renderError(
  { code, message }: Extract<AgentEvent, { kind: "error" }>,
  { texts: { failure }, show }: Hand,
): Message {
  const lines = [failure(code), show(message), `<code>${code}</code>`];
  return textMessage(`❌ ${lines.filter((line) => line !== "").join("\n")}`);
}

function renderPlan(
  { planId: ref, workspace, summary }: Extract<AgentEvent, { kind: "plan" }>,
  { texts: { plan, buttons }, show, write }: Hand,
): Message {
  return {
    kind: "text",
    html: `<b>${plan.head(show(workspace))}</b>\n\n${write(summary)}`,
    buttons: [
      { label: buttons.apply, press: { act: "apply", ref } },
      { label: buttons.change, press: { act: "change", ref } },
      { label: buttons.drop, press: { act: "drop", ref } },
    ],
  };
}
