import type { Texts } from "../texts/texts.ts";
import { leftOutOf, refusedHosts } from "../transaction/change.ts";
import type { OutcomeView, PreviewView } from "../transaction/views.ts";
import type { AgentEvent, Press } from "./channel.ts";

/** Something that can be pressed. */
export interface Button {
  readonly label: string;
  readonly press: Press;
  /** A yes although something failed: not what a hand should fall on first. */
  readonly isAnyway?: true;
}

/** What a person may press below an event; the same on every surface that has buttons. */
export function buttonsOf(event: AgentEvent, labels: Texts["buttons"]): readonly Button[] {
  switch (event.kind) {
    case "plan": {
      const { planId: ref, isLocked } = event;
      const apply = { label: labels.apply, press: { act: "apply", ref } } as const;
      return [
        ...(isLocked ? [] : [apply]),
        { label: labels.change, press: { act: "change", ref } },
        { label: labels.drop, press: { act: "drop", ref } },
      ];
    }
    case "approval":
    case "call_approval": {
      const { approvalId: ref } = event;
      const isFailing = event.kind === "approval" && hasFailed(event.preview);
      const mayKeep = event.kind === "approval" && hasLeftOut(event.preview);
      const mayReach =
        event.kind === "approval" && refusedHosts(event.preview.generation).length > 0;
      const label = isFailing ? labels.approveAnyway : labels.approve;
      const mayCheck = event.kind === "approval" && event.preview.unseen === "before";
      return [
        { label, press: { act: "approve", ref }, ...(isFailing && { isAnyway: true as const }) },
        ...(mayKeep ? [{ label: labels.keep, press: { act: "keep", ref } } as const] : []),
        ...(mayReach ? [{ label: labels.reach, press: { act: "reach", ref } } as const] : []),
        { label: labels.reject, press: { act: "reject", ref } },
        ...(mayCheck
          ? [{ label: labels.checkFirst, press: { act: "check_first", ref } as const }]
          : []),
        ...(event.kind === "approval" && event.preview.triesLeft !== undefined
          ? [{ label: labels.tryAnother, press: { act: "try_another", ref } as const }]
          : []),
        ...(event.kind === "approval" ? aboutFailed(event.preview.checkRef, labels) : []),
      ];
    }
    case "research": {
      const { researchId: ref, autoUsed } = event;
      return autoUsed
        ? [{ label: labels.stopAutoUse, press: { act: "stop_auto_use", ref } }]
        : [{ label: labels.useResearch, press: { act: "use_research", ref } }];
    }
    case "outcome":
      return afterOutcome(event.outcome, labels);
    case "choice":
      return event.options;
    case "content":
    case "progress":
    case "check_output":
    case "counted":
    case "tool_call":
    case "tool_result":
    case "call_result":
    case "file":
    case "error":
    case "done":
      return [];
    default:
      return event satisfies never;
  }
}

/** Whether a person has to have seen it before a yes, so that none in advance counts. */
export function needsLook(preview: PreviewView): boolean {
  return hasFailed(preview) || preview.fixPaths !== undefined;
}

/** Whether something failed: then a yes is one in spite of it. */
export function hasFailed({ checked, generation }: PreviewView): boolean {
  return checked?.check.ok === false || generation?.kind === "failed";
}

/** Whether its commands changed files that could be part of it; what fails keeps nothing. */
function hasLeftOut({ checked, generation }: PreviewView): boolean {
  if (checked?.check.ok !== true) return false;
  const found = { sideEffects: checked.sideEffects, ...(generation && { generation }) };
  return leftOutOf(found).length > 0;
}

function afterOutcome(
  { ok, status, txId, checkRef, check, row, planAgain }: OutcomeView,
  labels: Texts["buttons"],
): readonly Button[] {
  if (planAgain) {
    return [{ label: labels.planAgain, press: { act: "plan_again", ref: planAgain.planId } }];
  }
  const made = row?.parts.findLast((part) => part.status === "committed")?.txId;
  if (made !== undefined) return [{ label: labels.undo, press: { act: "undo", ref: made } }];
  const ref = txId ?? checkRef;
  if (ref === undefined) return [];
  if (status === "committed") return [{ label: labels.undo, press: { act: "undo", ref } }];
  if (ok || check === undefined || check.ok) return [];
  return aboutFailed(ref, labels);
}

/** What may be pressed below checks that failed. */
function aboutFailed(ref: string | undefined, labels: Texts["buttons"]): readonly Button[] {
  if (ref === undefined) return [];
  return [
    { label: labels.showOutput, press: { act: "show_output", ref } },
    { label: labels.planFix, press: { act: "plan_fix", ref } },
  ];
}
