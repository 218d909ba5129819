import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Inbox, Item } from "../client/client.ts";
import { isUnderWay, type PressState } from "./press.ts";

/** A plan, and where it was asked for: another plan takes its place there. */
export type PlanAt = Pick<Item, "ref"> & Partial<Pick<Item, "session_id">>;

/** What should be different about plans, as far as it is typed and not sent, in this window alone. */
export interface PlanWords {
  /** Also what was typed about the plan before, where that was answered elsewhere; undefined: nothing. */
  readonly of: (plan: PlanAt) => string | undefined;
  /** Undefined: nobody is about to say anything. */
  readonly set: (plan: PlanAt, words: string | undefined) => void;
  /** Whether there are words about a plan that waits. */
  readonly isLeft: () => boolean;
}

/** What tells when words are needed no more. */
interface PlanWordsContext {
  readonly inbox: ReadonlySignal<Inbox | undefined>;
  /** Of presses of this window, by what they are about. */
  readonly states: ReadonlySignal<ReadonlyMap<string, PressState>>;
}

interface Typed {
  readonly planId: string;
  /** Undefined: forgotten. */
  readonly words: string | undefined;
}

/** Kept by conversation, also when the window is loaded anew. */
export function createPlanWords(
  keeper: Pick<Storage, "getItem" | "setItem" | "removeItem">,
  { inbox, states }: PlanWordsContext,
): PlanWords {
  const typed = signal<ReadonlyMap<string, Typed>>(new Map());

  function read(place: string): Typed | undefined {
    const known = typed.value.get(place);
    if (known) return known;
    const [planId = "", ...words] = (keeper.getItem(place) ?? "").split("\n");
    return planId === "" ? undefined : { planId, words: words.join("\n") };
  }

  function write(place: string, planId: string, words: string | undefined): void {
    typed.value = new Map(typed.peek()).set(place, { planId, words });
    try {
      if (words === undefined || words.trim() === "") keeper.removeItem(place);
      else keeper.setItem(place, `${planId}\n${words}`);
    } catch {
      keeper.removeItem(place); // there is no room for it: the window has it
    }
  }

  function of(plan: PlanAt): string | undefined {
    const { planId, words } = read(toPlace(plan)) ?? {};
    // The plan before is being answered from here: its words are on their way.
    const isSent = planId !== undefined && planId !== plan.ref && isUnderWay(pressOn(planId));
    return isSent ? undefined : words;
  }

  const pressOn = (planId: string) => states.value.get(planId);
  effect(() => {
    const plans = toPlans(inbox.value);
    for (const plan of plans) {
      const place = toPlace(plan);
      const { planId = "", words } = read(place) ?? {};
      if (words === undefined || plans.some(({ ref }) => ref === planId)) continue;
      const press = pressOn(planId);
      if (isUnderWay(press)) continue;
      write(place, plan.ref, ANSWERED.has(press?.phase ?? "") ? undefined : words);
    }
  });
  return {
    of,
    set: (plan, words) => write(toPlace(plan), plan.ref, words),
    isLeft() {
      return toPlans(inbox.value).some((plan) => (of(plan) ?? "").trim() !== "");
    },
  };
}

/** How a press ends that took the words along, or went without them as it said. */
const ANSWERED: ReadonlySet<string> = new Set(["ended", "open"]);

function toPlans(inbox: Inbox | undefined): readonly Item[] {
  return (inbox?.items ?? []).filter(({ kind }) => kind === "plan");
}

function toPlace({ ref, session_id: session }: PlanAt): string {
  return `papayu.plan.${session ?? ref}`;
}
