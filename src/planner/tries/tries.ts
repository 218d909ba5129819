import { AppError } from "../../core/app-error.ts";
import type { WayStore } from "../../store/plans/plans.ts";
import { keepShown } from "../../transaction/last-check.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { compare, type Tries, type Try } from "./compare.ts";
import {
  addTry,
  makeWay,
  noteFailed,
  type TryOptions,
  type Way,
  type WayDeps,
  whoOf,
} from "./way.ts";

export {
  type Another,
  type AnotherDeps,
  type AnotherOptions,
  offerTries,
  tryAnother,
  waysTo,
} from "./another.ts";
export {
  bestOf,
  changedLines,
  type Grade,
  gradeOf,
  type Tries,
  type Try,
} from "./compare.ts";
export { toAnotherLines, toTriesNotes, toTryLines } from "./describe.ts";
export { MOST_TRIES, spread } from "./spread.ts";
export type { TryOptions, Way } from "./way.ts";

/** What trying several ways needs. */
export interface TriesDeps extends WayDeps {
  /** The first of them is shown where nothing else decides. */
  readonly ways: readonly Way[];
}

/**
 * Plans a goal in every way at the same time, makes each plan's change set, and has it checked and
 * corrected in a view like any other, one after another. Each plan is stored whole as soon as it is
 * there; nothing of the folder is written. What fails in one way is told with it and ends no other.
 *
 * @throws AppError where it failed in every way before a model was asked, or what the signal was
 * aborted with; by then nothing of it runs any more
 */
export async function tryWays(
  deps: TriesDeps,
  workspace: Workspace,
  goal: string,
  options: TryOptions,
): Promise<Tries> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const own = { ...options, way: {}, signal };
  const making = deps.ways.map((way) => makeWay(deps, way, workspace, goal, own));
  for (const each of making) each.catch(() => {}); // who waits for it hears of it
  try {
    const tries: Try[] = [];
    for (const [position, way] of deps.ways.entries()) {
      const made = await making[position];
      options.signal.throwIfAborted();
      if (made) await addTry(deps, { ...way, who: whoOf(way) }, made, tries, own);
    }
    const compared = tell(deps, compare(tries));
    const best = compared.order[0]?.end; // of which all is shown
    if (best?.kind === "changes") keepShown(deps.transactions, workspace, best.preview.checked);
    return compared;
  } finally {
    stop.abort();
    await Promise.allSettled(making);
  }
}

function tell({ transactions, ways }: TriesDeps, compared: Tries): Tries {
  const { order, basis } = compared;
  const [first] = order;
  if (order.every(({ end }) => end.plan === undefined) && first?.end.kind === "failed") {
    throw new AppError(first.end.code, first.end.message);
  }
  const store = ways[0]?.planner.records.plans.ways;
  const planIds = order.flatMap(planIdsOf);
  store?.join(planIds);
  if (store) keepFailed(store, transactions, order, planIds[0]);
  transactions.log("WAYS_COMPARED", { ways: order.length, basis });
  return compared;
}

/** Those without a plan belong to the goal as well: nobody asks their authors again. */
function keepFailed(
  store: WayStore,
  transactions: WayDeps["transactions"],
  order: readonly Try[],
  goalId = "",
): void {
  const known = store.listOf(goalId);
  const { userId, payer } = known[0]?.by ?? {};
  const whose = { ...(userId !== undefined && { userId }), ...(payer && { payer }) };
  for (const { end, provider, model, temperature } of order) {
    noteFailed(transactions, end, (failed) => {
      const way = known.find(({ planId }) => end.plan?.ok && planId === end.plan.planId);
      const who = { provider, model, ...(temperature !== undefined && { temperature }) };
      if (way) store.fail(way.wayId, failed);
      else store.addFailed(goalId, { ...who, ...whose }, failed);
    });
  }
}

function planIdsOf({ end, same }: Try): readonly string[] {
  const others = same.map(({ planId }) => planId);
  return end.plan?.ok ? [end.plan.planId, ...others] : others;
}
