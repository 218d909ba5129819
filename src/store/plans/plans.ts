import type { Database } from "bun:sqlite";
import { type Guarded, isListOf, isObject, isText, parseJsonAs } from "../../core/guards.ts";
import type { Action } from "../../protocol/response.ts";
import type { ProtocolVersion } from "../../protocol/version.ts";
import type { ChatMessage } from "../../providers/provider.ts";
import { isAction, isCounts, isMessage, isTextMap, isTexts, isVersion } from "../stored-json.ts";
import { createWayStore, type PlannedBy, type WayStore } from "./ways.ts";

export { findTraced } from "./of-trace.ts";
export {
  type FailedWay,
  isSameAuthor,
  type PlannedBy,
  type StoredWay,
  type WayStore,
} from "./ways.ts";

/** A plan as stored: what was asked, what was answered, and everything the model was shown. */
export interface StoredPlan {
  readonly planId: string;
  readonly workspaceRoot: string;
  readonly workspaceName: string;
  /** The workspace's name in the configuration; without one the folder itself was named. */
  readonly workspaceEntry?: string;
  /** What the person wants, in their words. */
  readonly goal: string;
  /** What was said of plans for it before this one, the oldest first; authors are told it as well. */
  readonly notes?: readonly GoalNote[];
  readonly summary: string;
  readonly protocolVersion: ProtocolVersion;
  /** The conversation that an apply continues; empty: a person brought the changes. */
  readonly messages: readonly ChatMessage[];
  /** sha256 by path of every file the plan saw. */
  readonly files: Readonly<Record<string, string>>;
  /** Those of them that it saw from the first line to the last. */
  readonly wholeFiles: readonly string[];
  /** How much context the model was shown, for the traces of its applies. */
  readonly contextStats: Readonly<Record<string, number>>;
  readonly traceId: string;
  readonly createdAt: number;
  /** Of a plan over more files than one request can show: at least two, in their order. */
  readonly parts?: readonly PlannedPart[];
}

const isGoalNote = isObject({ said: isText }, { about: isText });

/** What was said of a plan for a goal: the words, and the places and lines that they are about. */
export type GoalNote = Guarded<typeof isGoalNote>;

const isPlannedPart = isObject({ planId: isText, paths: isTexts });

/** A part of a plan: the files that it is about, and the plan that it becomes when it is asked for. */
export type PlannedPart = Guarded<typeof isPlannedPart>;

/** The actions of a plan once they are known, and the change set they gave. */
export interface StoredChangeSet {
  readonly planId: string;
  /** Of the change set, whatever modes files have that it leaves as they are. */
  readonly contentId: string;
  readonly summary: string;
  readonly actions: readonly Action[];
  /** Versions of the protocol in the order they were tried; the actions follow the last. */
  readonly attempts: readonly ProtocolVersion[];
  /** Files that were shown whole on the way down to another version. */
  readonly wholeFiles: readonly string[];
  readonly traceId: string;
  readonly createdAt: number;
}

/** Keeps plans and their change sets, so that an "ok" works tomorrow and after a restart. */
export interface PlanStore {
  /**
   * Of one folder the newest plans are kept; older ones go, with their change sets. `by` is noted
   * with it: as the end of the way `wayId`, or of one to a goal of its own.
   */
  savePlan(plan: StoredPlan, by?: PlannedBy, wayId?: number): void;
  loadPlan(planId: string): StoredPlan | undefined;
  /** The newest ones of all folders, the newest first. */
  newest(most: number): readonly Pick<StoredPlan, "planId" | "goal">[];
  /** Those of a folder that became change sets, the newest first: at most {@link MOST_PLANS}. */
  ofFolder(workspaceRoot: string): readonly MadePlan[];
  /** Forgets a plan and its change set. */
  dropPlan(planId: string): void;
  /** A plan has one change set: false when it has one already, which stays as it is. */
  addChangeSet(changeSet: StoredChangeSet): boolean;
  loadChangeSet(planId: string): StoredChangeSet | undefined;
  /** By whom plans were made, and which are for one goal. */
  readonly ways: WayStore;
}

/** A plan by what became of it. */
export interface MadePlan extends Pick<StoredPlan, "planId" | "goal"> {
  /** Of the request whose answer was the change set. */
  readonly traceId: string;
  /** Of its change set, and of that with what checks and corrections added. */
  readonly contentId: string;
  readonly checkedId: string | null;
}

/** Plans hold what the model was shown, so that they take about 100 kB each. */
const MOST_PLANS = 200;

interface PlanRow {
  plan_id: string;
  workspace_root: string;
  workspace_name: string;
  workspace_entry: string | null;
  goal: string;
  summary: string;
  protocol_version: number;
  messages_json: string;
  files_json: string;
  whole_files_json: string;
  context_stats_json: string;
  trace_id: string;
  created_at: number;
  parts_json: string | null;
  notes_json: string | null;
}

interface ChangeSetRow {
  plan_id: string;
  change_set_id: string;
  summary: string;
  actions_json: string;
  attempts_json: string;
  whole_files_json: string;
  trace_id: string;
  created_at: number;
}

/** Plans in `state.db`. */
export function createPlanStore(database: Database): PlanStore {
  const ways = createWayStore(database);
  return {
    ways,
    savePlan(plan, by, wayId) {
      const save = database.transaction(() => {
        insertPlan(database, plan);
        if (by && wayId === undefined) ways.addFirst(plan.planId, by);
        else if (by && wayId !== undefined) ways.end(wayId, plan.planId, by);
        dropOldPlans(database, plan.workspaceRoot);
      });
      save.immediate();
    },
    newest: (most) =>
      database
        .query<{ planId: string; goal: string }, [number]>(
          "SELECT plan_id AS planId, goal FROM plans ORDER BY rowid DESC LIMIT ?",
        )
        .all(most),
    ofFolder: (workspaceRoot) =>
      database
        .query<MadePlan, [string]>(
          `SELECT plan_id AS planId, goal, made.trace_id AS traceId,
             made.change_set_id AS contentId, checked.change_set_id AS checkedId
           FROM plans JOIN change_sets AS made USING (plan_id)
             LEFT JOIN verifications AS checked USING (plan_id)
           WHERE workspace_root = ? ORDER BY plans.created_at DESC`,
        )
        .all(workspaceRoot),
    dropPlan(planId) {
      database.query("DELETE FROM plans WHERE plan_id = ?").run(planId);
    },
    loadPlan(planId) {
      const row = database
        .query<PlanRow, [string]>("SELECT * FROM plans WHERE plan_id = ?")
        .get(planId);
      return row ? toPlan(row) : undefined;
    },
    addChangeSet(changeSet) {
      const add = database.transaction(() => {
        // One that cannot be read is none, and would get in the way of any other.
        const found = findChangeSet(database, changeSet.planId);
        if (found && toChangeSet(found)) return false;
        insertChangeSet(database, changeSet);
        return true;
      });
      return add.immediate();
    },
    loadChangeSet(planId) {
      const row = findChangeSet(database, planId);
      return row ? toChangeSet(row) : undefined;
    },
  };
}

function findChangeSet(database: Database, planId: string): ChangeSetRow | undefined {
  const sql = "SELECT * FROM change_sets WHERE plan_id = ?";
  return database.query<ChangeSetRow, [string]>(sql).get(planId) ?? undefined;
}

function insertChangeSet(database: Database, changeSet: StoredChangeSet): void {
  database
    .query(
      `INSERT OR REPLACE INTO change_sets
         (plan_id, change_set_id, summary, actions_json, attempts_json, whole_files_json,
          trace_id, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      changeSet.planId,
      changeSet.contentId,
      changeSet.summary,
      JSON.stringify(changeSet.actions),
      JSON.stringify(changeSet.attempts),
      JSON.stringify(changeSet.wholeFiles),
      changeSet.traceId,
      changeSet.createdAt,
    );
}

function insertPlan(database: Database, plan: StoredPlan): void {
  database
    .query(
      `INSERT INTO plans (plan_id, workspace_root, workspace_name, workspace_entry, goal, summary,
         protocol_version, messages_json, files_json, whole_files_json, context_stats_json,
         trace_id, created_at, parts_json, notes_json)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      plan.planId,
      plan.workspaceRoot,
      plan.workspaceName,
      plan.workspaceEntry ?? null,
      plan.goal,
      plan.summary,
      plan.protocolVersion,
      JSON.stringify(plan.messages),
      JSON.stringify(plan.files),
      JSON.stringify(plan.wholeFiles),
      JSON.stringify(plan.contextStats),
      plan.traceId,
      plan.createdAt,
      plan.parts ? JSON.stringify(plan.parts) : null,
      plan.notes?.length ? JSON.stringify(plan.notes) : null,
    );
}

/** By rowid, the order of saving, whatever the clock did. */
function dropOldPlans(database: Database, workspaceRoot: string): void {
  database
    .query(
      `DELETE FROM plans WHERE rowid IN (
         SELECT rowid FROM plans WHERE workspace_root = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?)`,
    )
    .run(workspaceRoot, MOST_PLANS);
}

function toPlan(row: PlanRow): StoredPlan | undefined {
  const messages = parseJsonAs(row.messages_json, isListOf(isMessage));
  const files = parseJsonAs(row.files_json, isTextMap);
  const wholeFiles = parseJsonAs(row.whole_files_json, isTexts);
  // For traces alone.
  const contextStats = parseJsonAs(row.context_stats_json, isCounts) ?? {};
  if (!messages || !files || !wholeFiles || !isVersion(row.protocol_version)) return undefined;
  const parts = row.parts_json === null ? [] : parseJsonAs(row.parts_json, isListOf(isPlannedPart));
  const notes = row.notes_json === null ? [] : parseJsonAs(row.notes_json, isListOf(isGoalNote));
  if (!parts || !notes) return undefined;
  return {
    planId: row.plan_id,
    workspaceRoot: row.workspace_root,
    workspaceName: row.workspace_name,
    ...(row.workspace_entry !== null && { workspaceEntry: row.workspace_entry }),
    goal: row.goal,
    ...(notes.length > 0 && { notes }),
    summary: row.summary,
    protocolVersion: row.protocol_version,
    messages,
    files,
    wholeFiles,
    contextStats,
    traceId: row.trace_id,
    createdAt: row.created_at,
    ...(parts.length > 0 && { parts }),
  };
}

function toChangeSet(row: ChangeSetRow): StoredChangeSet | undefined {
  const actions = parseJsonAs(row.actions_json, isListOf(isAction));
  const attempts = parseJsonAs(row.attempts_json, isListOf(isVersion));
  const wholeFiles = parseJsonAs(row.whole_files_json, isTexts);
  if (!actions || !attempts || !wholeFiles) return undefined;
  return {
    planId: row.plan_id,
    contentId: row.change_set_id,
    summary: row.summary,
    actions,
    attempts,
    wholeFiles,
    traceId: row.trace_id,
    createdAt: row.created_at,
  };
}
