import type { Database } from "bun:sqlite";
import { isErrorCode } from "../../core/error-code-prefix.ts";
import {
  type Guard,
  type Guarded,
  isFields,
  isListOf,
  isNumber,
  isObject,
  isText,
  parseJsonAs,
} from "../../core/guards.ts";

const isPayer = isObject({ name: isText, tokens: isNumber, cost: isNumber });

const isBy = isObject(
  { provider: isText, model: isText },
  { temperature: isNumber, userId: isText, payer: isPayer },
);

/** The author of a plan; the person whose goal it was or, where nobody's, who paid, with its own caps. */
export type PlannedBy = Guarded<typeof isBy>;

const isFailed = isObject({ code: isErrorCode, message: isText });

/** Why no change set came of a way: a code, and a sentence without secrets. */
export type FailedWay = Guarded<typeof isFailed>;

/** One way to a goal, from the moment when its author is asked. */
export interface StoredWay {
  readonly wayId: number;
  /** The first plan of the goal; every other way to it hangs on that. */
  readonly goalId: string;
  readonly by: PlannedBy;
  /** Missing while it is planned, and where nothing came of it. */
  readonly planId?: string;
  /** Missing where a change set came of it, and while nobody knows. */
  readonly failed?: FailedWay;
}

/** One way to be begun: for the goal of which plan, for which work, by one of whom, how many at most. */
export interface WayWanted {
  readonly goalId: string;
  /** Delivered again after a crash, a work goes on with the way that it had begun. */
  readonly work: string;
  readonly candidates: readonly PlannedBy[];
  /** Of the goal, all together. */
  readonly most: number;
}

/** What an author wants remembered. */
type Patch = Readonly<Record<string, unknown>>;

/** Keeps how many ways a goal has had, and by whom each was planned. */
export interface WayStore {
  /** Notes a plan that was made for a goal of its own. */
  addFirst(planId: string, by: PlannedBy): void;
  /**
   * Every way to the goal of a plan in the order in which they began; none where it is not known by
   * whom one of them was planned.
   */
  listOf(planId: string): readonly StoredWay[];
  /** Begins the first that no way to the goal has been by; undefined: there is none, or no more room. */
  begin(wanted: WayWanted): StoredWay | undefined;
  /** Notes the plan that a way came to, and by whom in the end. */
  end(wayId: number, planId: string, by: PlannedBy): void;
  /** Notes why no change set came of a way, until one does. */
  fail(wayId: number, failed: FailedWay): void;
  /** The same of one that was made side by side with the first plan of a goal, and has no plan. */
  addFailed(goalId: string, by: PlannedBy, failed: FailedWay): void;
  /** Makes plans for one goal that were made side by side ways to the first of them. */
  join(planIds: readonly string[]): void;
  /** Has what the author of a plan wants remembered wait from now on. */
  putOff(planId: string): void;
  /** Keeps it where it waits; false: it does not. */
  keepPatch(planId: string, patch: Patch): boolean;
  /** What waited, once. */
  takePatches(planId: string): readonly Patch[];
}

interface Row {
  way_id: number;
  goal_id: string;
  plan_id: string | null;
  by_json: string;
  failed_json: string | null;
}

/** Ways in `state.db`. */
export function createWayStore(database: Database): WayStore {
  const store: WayStore = {
    addFirst(planId, by) {
      const sql = "INSERT INTO ways (goal_id, plan_id, by_json) VALUES (?, ?, ?)";
      database.query(sql).run(planId, planId, JSON.stringify(by));
    },
    listOf(planId) {
      const sql = `SELECT way_id, goal_id, plan_id, by_json, failed_json FROM ways
        WHERE goal_id = (SELECT goal_id FROM ways WHERE plan_id = ?) ORDER BY way_id`;
      const rows = database.query<Row, [string]>(sql).all(planId);
      const ways = rows.flatMap(toWay);
      return ways.length === rows.length ? ways : [];
    },
    begin(wanted) {
      return database.transaction(() => begin(database, wanted)).immediate();
    },
    end(wayId, planId, by) {
      const sql =
        "UPDATE ways SET plan_id = ?, by_json = ?, patches_json = '[]', failed_json = NULL WHERE way_id = ?";
      database.query(sql).run(planId, JSON.stringify(by), wayId);
    },
    fail(wayId, failed) {
      const sql = "UPDATE ways SET failed_json = ? WHERE way_id = ?";
      database.query(sql).run(JSON.stringify(failed), wayId);
    },
    addFailed(goalId, by, failed) {
      const sql = `INSERT INTO ways (goal_id, by_json, failed_json)
        SELECT plan_id, ?, ? FROM plans WHERE plan_id = ?`;
      database.query(sql).run(JSON.stringify(by), JSON.stringify(failed), goalId);
    },
    join([first, ...others]) {
      const sql = "UPDATE ways SET goal_id = ? WHERE goal_id = plan_id AND plan_id = ?";
      const move = database.query(sql);
      const all = () => {
        for (const planId of others) if (first !== undefined) move.run(first, planId);
      };
      database.transaction(all).immediate();
    },
    putOff(planId) {
      database.query("UPDATE ways SET patches_json = '[]' WHERE plan_id = ?").run(planId);
    },
    keepPatch(planId, patch) {
      const keep = database.transaction(() => {
        const patches = readPatches(database, planId);
        if (patches) writePatches(database, planId, [...patches, patch]);
        return patches !== undefined;
      });
      return keep.immediate();
    },
    takePatches(planId) {
      const take = database.transaction(() => {
        const patches = readPatches(database, planId) ?? [];
        if (patches.length > 0) writePatches(database, planId, []);
        return patches;
      });
      return take.immediate();
    },
  };
  return store;
}

function begin(
  database: Database,
  { goalId, work, candidates, most }: WayWanted,
): StoredWay | undefined {
  const find = database.query<Row & { work: string | null }, [string]>(
    "SELECT way_id, goal_id, plan_id, by_json, failed_json, work FROM ways WHERE goal_id = ? ORDER BY way_id",
  );
  const rows = find.all(goalId);
  const begun = rows.find((row) => row.work === work);
  if (begun?.plan_id !== undefined && begun.plan_id !== null) return toWay(begun)[0];
  const others = rows.filter((row) => row !== begun);
  if (others.length === 0 || others.length >= most) return undefined;
  const known = others.flatMap(toWay);
  const by = candidates.find((each) => !known.some((way) => isSameAuthor(way.by, each)));
  if (!by) return undefined;
  if (begun) {
    const change = database.query("UPDATE ways SET by_json = ? WHERE way_id = ?");
    change.run(JSON.stringify(by), begun.way_id);
    return { wayId: begun.way_id, goalId, by };
  }
  const add = database.query<{ wayId: number }, [string, string, string]>(
    "INSERT INTO ways (goal_id, work, by_json) VALUES (?, ?, ?) RETURNING way_id AS wayId",
  );
  const wayId = add.get(goalId, work, JSON.stringify(by))?.wayId;
  return wayId === undefined ? undefined : { wayId, goalId, by };
}

/** Whether nothing tells two authors apart. */
export function isSameAuthor(one: PlannedBy, other: PlannedBy): boolean {
  const names = ["provider", "model", "temperature"] as const;
  return names.every((name) => one[name] === other[name]);
}

const isPatch: Guard<Patch> = isFields;

function readPatches(database: Database, planId: string): readonly Patch[] | undefined {
  const sql = "SELECT patches_json AS json FROM ways WHERE plan_id = ? AND patches_json NOT NULL";
  const row = database.query<{ json: string }, [string]>(sql).get(planId);
  return row ? (parseJsonAs(row.json, isListOf(isPatch)) ?? []) : undefined;
}

function writePatches(database: Database, planId: string, patches: readonly Patch[]): void {
  const sql = "UPDATE ways SET patches_json = ? WHERE plan_id = ?";
  database.query(sql).run(JSON.stringify(patches), planId);
}

function toWay(row: Row): StoredWay[] {
  const by = parseJsonAs(row.by_json, isBy);
  if (!by) return [];
  const { way_id: wayId, goal_id: goalId, plan_id: planId } = row;
  const failed = row.failed_json === null ? undefined : parseJsonAs(row.failed_json, isFailed);
  return [{ wayId, goalId, by, ...(planId !== null && { planId }), ...(failed && { failed }) }];
}
