import { AppError } from "../../core/app-error.ts";
import type { Amount, Budget } from "../../providers/budget.ts";
import {
  isSameAuthor,
  type PlannedBy,
  type StoredPlan,
  type StoredWay,
} from "../../store/plans/plans.ts";
import type { PreviewView } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { renderTriedBlock } from "../context/context.ts";
import { readonlyRefusal } from "../outcome-view.ts";
import { compare, type Tries, type Try, type Who } from "./compare.ts";
import { MOST_TRIES } from "./spread.ts";
import {
  addTry,
  type MadePlan,
  makeWay,
  noteFailed,
  prepareWay,
  type TryOptions,
  type Way,
  type WayDeps,
  whoOf,
} from "./way.ts";

/** What planning a goal once more, in another way, needs. */
export interface AnotherDeps extends WayDeps, Way {
  /** So many ways, no two alike, as far as there are. */
  readonly ways: (count: number) => readonly Way[];
  /** Counts what it takes for who paid for the first plan; absent where nobody counts. */
  readonly paying?: Pick<Budget, "charge" | "measure">;
}

/** One more way to a goal beside those before it, or why there is none. */
export type Another =
  | {
      readonly ok: true;
      readonly tries: Tries;
      /** How many there may still be. */
      readonly left: number;
      /** What it took. */
      readonly spent: Amount;
    }
  /** Nobody knows by whom the plan was made; there is no other author; there were as many as may be. */
  | { readonly ok: false; readonly why: "unknown" | "alone" | "used up" };

/** Options of {@link tryAnother}. */
export interface AnotherOptions extends Pick<TryOptions, "signal" | "onProgress"> {
  /** Delivered again after a crash, it goes on with the way that it had begun. */
  readonly work: string;
  /** Called with the author, before it is asked. */
  readonly onBegin?: (who: Who) => void;
}

/** A plan, and its folder. */
interface Bound {
  readonly plan: StoredPlan;
  readonly workspace: Workspace;
}

/**
 * Plans the goal of a plan in a way in which it was not planned yet, and compares what comes of it with
 * what was planned before. It counts from the moment it begins; whose goal it is and who pays for it
 * stays as it was. Nothing of the folder is written.
 *
 * @throws AppError denied under readonly, and what the signal was aborted with
 */
export async function tryAnother(
  deps: AnotherDeps,
  bound: Bound,
  options: AnotherOptions,
): Promise<Another> {
  if (deps.transactions.autonomy === "readonly") {
    throw readonlyRefusal("apply");
  }
  const { ways: store } = deps.planner.records.plans;
  const known = waysTo(deps, bound.plan);
  const own = known.find(({ planId }) => planId === bound.plan.planId);
  if (!own) return { ok: false, why: "unknown" };
  const choices = deps.ways(MOST_TRIES);
  const candidates = choices.map(whoOf);
  const wanted = { goalId: own.goalId, work: options.work, candidates, most: MOST_TRIES };
  const begun = store.begin(wanted);
  if (!begun) return { ok: false, why: known.length >= MOST_TRIES ? "used up" : "alone" };
  const way = choices.find((each) => isSameAuthor(whoOf(each), begun.by)) ?? deps;
  options.onBegin?.(toWho(begun.by));
  const earlier = known.filter(({ wayId }) => wayId !== begun.wayId);
  const work = () => compareWith(deps, bound, { earlier, own, begun, way }, options);
  const { value: tries, spent } = await payFor(deps, own.by, work);
  return { ok: true, tries, spent, left: countWhereKnown(deps, bound.plan) };
}

/** The ways to the goal of a plan, in its folder; none where it is not known how they came about. */
export function waysTo(
  { planner }: Pick<AnotherDeps, "planner">,
  { planId: own, goal, notes, workspaceRoot }: StoredPlan,
): readonly StoredWay[] {
  const { plans } = planner.records;
  return plans.ways.listOf(own).filter(({ planId }) => {
    const plan = planId === undefined ? undefined : plans.loadPlan(planId);
    if (!plan) return planId === undefined;
    const isSaid = Bun.deepEquals(plan.notes, notes);
    return plan.goal === goal && isSaid && plan.workspaceRoot === workspaceRoot;
  });
}

/** A preview that says how many more ways to its goal may be tried, where there are any. */
export function offerTries(deps: AnotherDeps, plan: StoredPlan, preview: PreviewView): PreviewView {
  const isDenied = deps.transactions.autonomy === "readonly";
  const triesLeft = isDenied ? 0 : countWhereKnown(deps, plan);
  return triesLeft > 0 ? { ...preview, triesLeft } : preview;
}

/** Who could be asked needs secrets that may be gone; what is planned already is shown without them. */
function countWhereKnown(deps: AnotherDeps, plan: StoredPlan): number {
  try {
    return countLeft(deps, plan);
  } catch (error) {
    if (error instanceof AppError) return 0;
    throw error;
  }
}

function countLeft(deps: AnotherDeps, plan: StoredPlan): number {
  const known = waysTo(deps, plan);
  if (known.length === 0) return 0;
  const others = deps.ways(MOST_TRIES).map(whoOf);
  const untried = others.filter((who) => !known.some(({ by }) => isSameAuthor(by, who)));
  return Math.max(0, Math.min(MOST_TRIES - known.length, untried.length));
}

async function payFor(
  { paying }: AnotherDeps,
  { payer }: PlannedBy,
  work: () => Promise<Tries>,
): Promise<{ readonly value: Tries; readonly spent: Amount }> {
  if (!paying) return { value: await work(), spent: { tokens: 0, cost: 0 } };
  if (!payer) return paying.measure(work);
  const { name, tokens, cost } = payer;
  return paying.charge(name, () => paying.measure(work), { tokens, cost });
}

/** A way that was begun, and those before it. */
interface Begun {
  readonly earlier: readonly StoredWay[];
  /** Of the plan that the other way is asked for. */
  readonly own: StoredWay;
  readonly begun: StoredWay;
  readonly way: Way;
}

async function compareWith(
  deps: AnotherDeps,
  bound: Bound,
  { earlier, own, begun, way }: Begun,
  options: AnotherOptions,
): Promise<Tries> {
  const tries: Try[] = [];
  for (const each of earlier) await recall(deps, bound, each, tries, options);
  const { plan, workspace } = bound;
  const { userId } = own.by;
  const isSameModel = tries.some((each) => hasPlan(each) && isModelOf(each, begun.by));
  const making: TryOptions = {
    ...options,
    ...(userId !== undefined && { userId }),
    ...(plan.notes && { notes: plan.notes }),
    way: { wayId: begun.wayId, ...(isSameModel && { tried: toTriedBlock(tries) }) },
  };
  const stored =
    begun.planId === undefined ? undefined : deps.planner.records.plans.loadPlan(begun.planId);
  const made = stored
    ? await prepareWay(way, workspace, toMadePlan(stored), making)
    : await makeWay(deps, way, workspace, plan.goal, making);
  await addTry(deps, { changes: way.changes, who: toWho(begun.by) }, made, tries, making);
  noteFailed(deps.transactions, tries.at(-1)?.end, (failed) =>
    deps.planner.records.plans.ways.fail(begun.wayId, failed),
  );
  const compared = compare(tries);
  deps.transactions.log("WAYS_COMPARED", { ways: tries.length, basis: compared.basis });
  return compared;
}

/** A way before: nobody is asked for its change set again, or it is told why it has none. */
async function recall(
  deps: AnotherDeps,
  { workspace }: Bound,
  { by, planId = "", failed }: StoredWay,
  tries: Try[],
  options: AnotherOptions,
): Promise<void> {
  const { plans } = deps.planner.records;
  const plan = plans.loadPlan(planId);
  const made = plan?.parts?.map((part) => part.planId) ?? [planId];
  if (!plan || !made.every((each) => plans.loadChangeSet(each))) {
    const end = { kind: "failed" as const, ...(plan && { plan: toMadePlan(plan) }) };
    if (failed) tries.push({ ...toWho(by), end: { ...end, ...failed }, same: [] });
    return;
  }
  const known = await prepareWay(deps, workspace, toMadePlan(plan), options);
  await addTry(deps, { changes: deps.changes, who: toWho(by) }, known, tries, options);
}

function toMadePlan({ planId, summary, protocolVersion, traceId }: StoredPlan): MadePlan {
  const asked = { requestsServed: 0, onlineUsed: false };
  return { ok: true, planId, summary, protocolVersion, traceId, ...asked };
}

function toWho({ provider, model, temperature }: PlannedBy): Who {
  return { provider, model, ...(temperature !== undefined && { temperature }) };
}

function hasPlan({ end }: Try): boolean {
  return end.plan?.ok === true;
}

function isModelOf(one: Try, by: PlannedBy): boolean {
  const all = [one, ...one.same];
  return all.some(({ provider, model }) => provider === by.provider && model === by.model);
}

function toTriedBlock(tries: readonly Try[]) {
  const plans = tries.flatMap(({ end }) => {
    if (!end.plan?.ok) return [];
    const changes = end.kind === "changes" ? end.preview.changes : [];
    const lines = changes.map(({ kind, path, added, removed }) => {
      return `${kind} ${path} +${added} -${removed}`;
    });
    return [{ summary: end.plan.summary, changes: lines }];
  });
  return renderTriedBlock(plans);
}
