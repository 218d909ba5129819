import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Inbox, Item } from "../client/client.ts";
import { isUnderWay, type PressState } from "./press.ts";

/** A plan, and where it was asked for. */
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
  readonly session: string | undefined;
  readonly words: string;
  /** How far the press about the plan was by then: that one took other words along. */
  readonly since: PressState | undefined;
}

/** Kept by plan, also when the window is loaded anew, unless they were sent or passed over by then. */
export function createPlanWords(
  keeper: Pick<Storage, "getItem" | "setItem" | "removeItem">,
  { inbox, states }: PlanWordsContext,
): PlanWords {
  const typed = signal<ReadonlyMap<string, Typed>>(new Map());

  function put({ ref, session_id: session }: PlanAt, words: string | undefined): void {
    const others = [...typed.peek()].filter(([planId]) => planId !== ref);
    const since = states.peek().get(ref);
    if (words === undefined) forget(ref);
    else typed.value = new Map([...others, [ref, { session, words, since }]]);
  }

  function forget(ref: string): void {
    typed.value = new Map([...typed.peek()].filter(([planId]) => planId !== ref));
    keeper.removeItem(toKey(ref));
  }

  /** A press of this window has the words, or goes without them as it said. */
  function isTaken(planId: string, { since }: Typed): boolean {
    const press = states.value.get(planId);
    return press !== undefined && press !== since && (isUnderWay(press) || hasEnded(press));
  }

  /** What was read of the keeper, and what becomes of words whose plan is gone. */
  effect(() => {
    const plans = toPlans(inbox.value);
    for (const plan of plans) {
      const kept = typed.value.has(plan.ref) ? null : keeper.getItem(toKey(plan.ref));
      if (kept !== null) put(plan, kept);
    }
    for (const [planId, each] of typed.value) {
      if (plans.some(({ ref }) => ref === planId)) continue;
      const press = states.value.get(planId);
      if (isTaken(planId, each)) {
        if (press && hasEnded(press)) forget(planId);
        continue;
      }
      const next = plans.find((plan) => takesWords(plan) && plan.session_id === each.session);
      if (!next || each.words.trim() === "" || typed.value.has(next.ref)) continue;
      forget(planId);
      put(next, each.words);
    }
  });

  effect(() => {
    for (const [planId, each] of typed.value) {
      try {
        if (isTaken(planId, each) || each.words.trim() === "") keeper.removeItem(toKey(planId));
        else keeper.setItem(toKey(planId), each.words);
      } catch {
        keeper.removeItem(toKey(planId)); // there is no room for it: the window has it
      }
    }
  });

  const of = ({ ref }: PlanAt) => typed.value.get(ref)?.words;
  return {
    of,
    set: put,
    isLeft() {
      return toPlans(inbox.value).some((plan) => (of(plan) ?? "").trim() !== "");
    },
  };
}

/** A plan of a routine, beside that of its conversation, has no Change… and is another matter. */
function takesWords({ actions, session_id: session }: Item): boolean {
  return session !== undefined && actions.some(({ act }) => act === "change");
}

/** How a press ends that took the words along, or went without them as it said. */
function hasEnded({ phase }: PressState): boolean {
  return phase === "ended" || phase === "open";
}

function toPlans(inbox: Inbox | undefined): readonly Item[] {
  return (inbox?.items ?? []).filter(({ kind }) => kind === "plan");
}

function toKey(planId: string): string {
  return `papayu.plan.${planId}`;
}
