import type { PlannedPart, StoredPlan } from "../../store/plans/plans.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { buildChangeSet } from "../../transaction/change-set.ts";
import { composeChangeSets } from "../../transaction/compute/compute.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { committedIn } from "./committed.ts";
import { prepareOne } from "./one.ts";
import { openPart } from "./part.ts";
import {
  type ChangeDeps,
  fail,
  type MadePart,
  type Part,
  type Prepared,
  type Waiting,
} from "./prepared.ts";

/** A plan that is carried out part by part. */
export type SeriesPlan = StoredPlan & { readonly parts: readonly PlannedPart[] };

/**
 * The change sets of a plan's parts, each made for what those before it leave. A part is asked for
 * once, as a plan of its own; what is stored of it is evaluated like that of any plan. Those that
 * are in the folder already have no part in it.
 */
export async function prepareSeries(
  deps: ChangeDeps,
  plan: SeriesPlan,
  workspace: Workspace,
  { signal, onProgress }: Waiting,
): Promise<Prepared> {
  const { plans } = deps.records;
  const committed = committedIn(workspace);
  const made: MadePart[] = [];
  const parts: Part[] = [];
  const said: string[] = [];
  let on: ChangeSet | undefined;
  let last: Prepared | undefined;
  for (const [index, { planId }] of plan.parts.entries()) {
    const stored = plans.loadChangeSet(planId);
    const entry = stored && committed.get(stored.contentId);
    if (entry) {
      made.push(entry);
      said.push(stored.summary);
      continue;
    }
    signal.throwIfAborted();
    if (!stored) onProgress?.({ part: index + 1, of: plan.parts.length });
    const asked =
      plans.loadPlan(planId) ?? (await openPart(deps, plan, { index, said, on }, workspace));
    last = await prepareOne(deps, asked, workspace, signal, { on, headId: plan.planId });
    if (!last.ok) return { ...last, message: `Part ${index + 1}: ${last.message}` };
    const { changeSet, summary } = last;
    said.push(summary);
    if (changeSet.changes.length === 0) continue;
    const composed = on ? composeChangeSets(on, changeSet) : ({ ok: true, changeSet } as const);
    if (!composed.ok) return conflict(last, index, composed.paths);
    on = withCutFiles(composed.changeSet, asked);
    parts.push({ planId, changeSet, upTo: on, summary });
  }
  if (!on && made.length === 0 && last) return last;
  const { traceId, attempts } = last ?? { traceId: plan.traceId, attempts: [plan.protocolVersion] };
  const series = parts.length + made.length > 1 ? { series: { parts, made } } : {};
  const changeSet = withPassing(on ?? buildChangeSet([], new Map()), parts);
  return { ok: true, changeSet, summary: plan.summary, traceId, attempts, ...series };
}

/** Files that come and go again are named: no diff shows them, and they stay where the series stops. */
function withPassing(all: ChangeSet, parts: readonly Part[]): ChangeSet {
  const shown = new Set(all.changes.map(({ path }) => path));
  const paths = parts.flatMap((part) => part.changeSet.changes.map(({ path }) => path));
  const passing = [...new Set(paths)].filter((path) => !shown.has(path));
  const notes = passing.map((path) => ({ kind: "passing", facts: { path } }) as const);
  return notes.length === 0 ? all : { ...all, notes: [...all.notes, ...notes] };
}

/** Files that were too long to be shown whole are named: what stands in the middle nobody saw. */
function withCutFiles(changeSet: ChangeSet, { files, wholeFiles }: StoredPlan): ChangeSet {
  const whole = new Set(wholeFiles);
  const cut = Object.keys(files).filter((path) => !whole.has(path));
  const notes = cut.map((path) => ({ kind: "shown in part", facts: { path } }) as const);
  return notes.length === 0 ? changeSet : { ...changeSet, notes: [...changeSet.notes, ...notes] };
}

function conflict(origin: Prepared, index: number, paths: readonly string[]): Prepared {
  const message = `Part ${index + 1} cannot follow those before it: "${paths.join('", "')}" would have to be a file and a folder`;
  return fail({ code: "ERR_ACTION_CONFLICT", message }, origin);
}
