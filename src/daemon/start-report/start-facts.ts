import type { Database } from "bun:sqlite";
import type { AgentCore } from "../../agent/deps.ts";
import { listUnreported } from "../../agent/interrupted/interrupted.ts";
import { closeInterrupted } from "../../agent/run-approved.ts";
import { toHeadline } from "../../channels/to-headline.ts";
import { goneFolder } from "../../config/gone-folder.ts";
import { errorMessage } from "../../core/app-error.ts";
import type { Approval } from "../../store/approvals.ts";
import { createPlanStore } from "../../store/plans/plans.ts";
import { createRoutineRuns } from "../../store/routines/routines.ts";
import { killMarked } from "../../system/processes/processes.ts";
import type { Texts } from "../../texts/texts.ts";
import { describeState } from "../../transaction/describe-state.ts";
import { listUnknown } from "../../transaction/journal/journal.ts";
import { describeLooked, listKept } from "../../transaction/look-again.ts";
import { type Recovery, recover } from "../../transaction/recover/recover.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Current } from "../app/app.ts";
import { readHeartbeat } from "../heartbeat.ts";
import type { StartFacts } from "./render-start-report.ts";

/** Runs that one start can have recorded; of more the oldest are not counted, and the list says so. */
const MOST_RUNS = 1000;

/** What a start sets right before anything works, and what it found. */
export type LeftOver = Pick<StartFacts, "down" | "recovered" | "unreported" | "interrupted">;

/** Puts back, closes and withdraws what the last daemon left in the middle. */
export async function clearLeftOver(current: Current): Promise<LeftOver> {
  const { agent, texts } = current;
  const { clock } = agent.core;
  const life = readHeartbeat(agent.core.settings);
  const recovered = recoverWorkspaces(current);
  const calls = await closeInterrupted(agent.turns);
  const runners = new Set(calls.map(({ runner }) => runner));
  if (life && !life.isOver) runners.add(life.runner);
  // Commands that outlived the one who ran them.
  for (const runner of runners) if (runner !== undefined) killMarked(runner);
  const interrupted = calls.map(({ tool, argsJson }) => `${tool} ${argsJson}`);
  agent.core.approvals.replaceAll("terminal:"); // each ended with its connection
  const to = clock.now();
  const down = life && { from: Math.min(life.aliveAt, to), to, wasClean: life.isOver };
  return {
    ...(down && { down }),
    recovered,
    unreported: listUnreported(agent.core).map(
      (outcome) => toHeadline(outcome, texts(), outcome.workspace, (path) => path).text,
    ),
    interrupted,
  };
}

/**
 * All that the owner is told of a start; to be asked when routines have looked at the clock, but
 * `answering` before a channel works messages off.
 */
export function gatherStartFacts(
  { approvals, clock }: AgentCore,
  store: Database,
  leftOver: LeftOver & Pick<StartFacts, "answering">,
): StartFacts {
  const to = leftOver.down?.to ?? clock.now();
  const runs = createRoutineRuns(store).list(undefined, MOST_RUNS);
  const isCut = runs.length === MOST_RUNS;
  const namesOf = (isSelected: (run: (typeof runs)[number]) => boolean) => {
    const names = countNames(runs.filter(isSelected).map(({ routine }) => routine));
    return isCut && names.length > 0 ? [...names, "…"] : names;
  };
  const isNew = (finishedAt: number | null) => finishedAt !== null && finishedAt >= to;
  return {
    ...leftOver,
    cutOff: namesOf(({ state, finishedAt }) => state === "unknown" && isNew(finishedAt)),
    missed: namesOf(({ state, finishedAt }) => state === "missed" && isNew(finishedAt)),
    madeUp: namesOf(({ state, dueAt }) => (state === "due" || state === "running") && dueAt < to),
    waiting: approvals.listWaiting(clock.now()).map((each) => describeApproval(store, each)),
  };
}

/** One line for each change that was taken back; one broken workspace must not stop the start. */
function recoverWorkspaces({ agent, loaded, texts }: Current): readonly string[] {
  const { workspaces, log } = agent.core;
  const words = texts().start;
  return loaded.config.workspaces.flatMap(({ name }) => {
    try {
      const workspace = workspaces.get(name);
      for (const sentence of describeState(workspace)) log("STATE_FOUND", { text: sentence });
      const recovered = recover(workspace, { log });
      // Without reading the journals of its own past: a start does not wait for that.
      for (const { txId, why } of listUnknown(workspace).items) {
        log("FOREIGN_TRANSACTION", { workspace: name, tx_id: txId, why });
      }
      return recovered.map((each) => `${name}: ${describeRecovery(workspace, each, words)}`);
    } catch (error) {
      const gone = goneFolder(error);
      if (gone) log("WORKSPACE_GONE", { workspace: name, path: gone.path });
      else log("RECOVERY_FAILED", { workspace: name, error: errorMessage(error) });
      return [];
    }
  });
}

function describeRecovery(
  workspace: Workspace,
  { txId, summary, looked }: Recovery,
  texts: Texts["start"],
): string {
  switch (looked.status) {
    case "rolled_back":
      return texts.putBack(summary);
    case "conflict":
      return texts.putBackExcept(summary, listKept(looked.kept, txId));
    case "incomplete":
      return texts.notPutBack(summary, describeLooked(looked, workspace, txId));
    default:
      return looked.status satisfies never;
  }
}

function describeApproval(store: Database, approval: Approval): string {
  if (approval.kind === "tool_call") return `${approval.tool} ${approval.argsJson}`;
  const plan = createPlanStore(store).loadPlan(approval.planId);
  return plan ? `${plan.workspaceName}: ${plan.summary}` : approval.planId;
}

/** `tidy`, or `tidy ×3` for a name that is there three times. */
function countNames(names: readonly string[]): readonly string[] {
  const counts = Map.groupBy(names, (name) => name);
  return [...counts].map(([name, { length }]) => (length === 1 ? name : `${name} ×${length}`));
}
