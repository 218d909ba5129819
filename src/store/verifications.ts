import type { Database } from "bun:sqlite";
import { createKnownCheckStore, type KnownCheckStore, type OwnFolder } from "./known-checks.ts";

/** What the checks of a plan's change set came to, bound to that change set and to the files. */
export interface StoredVerification {
  readonly planId: string;
  /** The change set that the author's actions gave. */
  readonly baseId: string;
  /** That with what came to it: the one that is shown and approved. Both are ids of contents. */
  readonly changeSetId: string;
  /** Of the folder's files and of what was run on them. */
  readonly fingerprint: string;
  /** How it went, as who stored it reads it. */
  readonly resultJson: string;
  /** What leads from the one change set to the other. */
  readonly addedJson: string | undefined;
  readonly createdAt: number;
}

/** What checks of a folder came to without any change; the newest of each folder is kept. */
export interface StoredBaseline {
  readonly workspaceRoot: string;
  /** Of the folder's files and of what was run on them. */
  readonly fingerprint: string;
  readonly checkJson: string;
  readonly createdAt: number;
}

/** The corrections of a plan's change set, bound to that. */
export interface StoredCorrections {
  readonly planId: string;
  /** The change set that the author's actions gave. */
  readonly baseId: string;
  /** Grows with each; whoever has not seen the newest does not write over it. */
  readonly step: number;
  /** What they came to, as who stored it reads it. */
  readonly correctionsJson: string;
}

/** Keeps results of checks for as long as their plans, so that a yes tomorrow needs no new run. */
export interface VerificationStore {
  /** A plan has one: the newest. Without the plan it is not kept. */
  save(verification: StoredVerification): void;
  load(planId: string): StoredVerification | undefined;
  /** After this the change set counts as not checked. */
  drop(planId: string): void;
  /** False where a plan's corrections of the same change set have come as far: those stay. */
  saveCorrections(corrections: StoredCorrections): boolean;
  loadCorrections(planId: string): StoredCorrections | undefined;
  /** After this the change set counts as never corrected. */
  dropCorrections(planId: string): void;
  saveBaseline(baseline: StoredBaseline): void;
  /** Notes what was shown of a plan for approval, by the id of that and the one of its contents. */
  noteShown(planId: string, id: string, contentId: string): void;
  /** The contents that were shown by this id; undefined: none of the plan was. */
  loadShown(planId: string, id: string): string | undefined;
  /** The one id that begins so and was shown of the plan; undefined: none was, or more than one. */
  findShown(planId: string, beginning: string): string | undefined;
  /** Of exactly these files. */
  loadBaseline(workspaceRoot: string, fingerprint: string): string | undefined;
  /** What is known of the commands themselves. */
  readonly known: KnownCheckStore;
}

/** Folders of which a result is kept: one each. */
const MOST_BASELINES = 50;

interface Row {
  plan_id: string;
  base_id: string;
  change_set_id: string;
  fingerprint: string;
  result_json: string;
  added_json: string | null;
  created_at: number;
}

interface CorrectionsRow {
  plan_id: string;
  base_id: string;
  step: number;
  corrections_json: string;
}

/** Results of checks in `state.db`. */
export function createVerificationStore(
  database: Database,
  own: readonly OwnFolder[] = [],
): VerificationStore {
  return {
    save({ planId, baseId, changeSetId, fingerprint, resultJson, addedJson, createdAt }) {
      const sql = `INSERT OR REPLACE INTO verifications
          (plan_id, base_id, change_set_id, fingerprint, result_json, added_json, created_at)
        SELECT plan_id, ?, ?, ?, ?, ?, ? FROM plans WHERE plan_id = ?`;
      const added = addedJson ?? null;
      const query = database.query(sql);
      query.run(baseId, changeSetId, fingerprint, resultJson, added, createdAt, planId);
    },
    load(planId) {
      const sql = "SELECT * FROM verifications WHERE plan_id = ?";
      const row = database.query<Row, [string]>(sql).get(planId);
      if (!row) return undefined;
      return {
        planId: row.plan_id,
        baseId: row.base_id,
        changeSetId: row.change_set_id,
        fingerprint: row.fingerprint,
        resultJson: row.result_json,
        addedJson: row.added_json ?? undefined,
        createdAt: row.created_at,
      };
    },
    drop(planId) {
      database.query("DELETE FROM verifications WHERE plan_id = ?").run(planId);
    },
    saveCorrections({ planId, baseId, step, correctionsJson }) {
      const sql = `INSERT OR REPLACE INTO corrections (plan_id, base_id, step, corrections_json)
        SELECT plan_id, ?, ?, ? FROM plans WHERE plan_id = ? AND NOT EXISTS (
          SELECT 1 FROM corrections AS newest
          WHERE newest.plan_id = plans.plan_id AND newest.base_id = ? AND newest.step >= ?)`;
      const query = database.query(sql);
      return query.run(baseId, step, correctionsJson, planId, baseId, step).changes > 0;
    },
    loadCorrections(planId) {
      const sql = "SELECT * FROM corrections WHERE plan_id = ?";
      const row = database.query<CorrectionsRow, [string]>(sql).get(planId);
      if (!row) return undefined;
      const { base_id: baseId, step, corrections_json: correctionsJson } = row;
      return { planId, baseId, step, correctionsJson };
    },
    dropCorrections(planId) {
      database.query("DELETE FROM corrections WHERE plan_id = ?").run(planId);
    },
    noteShown(planId, id, contentId) {
      const sql = `INSERT OR REPLACE INTO shown_change_sets (plan_id, change_set_id, content_id)
        SELECT plan_id, ?, ? FROM plans WHERE plan_id = ?`;
      database.query(sql).run(id, contentId, planId);
    },
    loadShown(planId, id) {
      const sql = `SELECT content_id AS contentId FROM shown_change_sets
        WHERE plan_id = ? AND change_set_id = ?`;
      return database.query<{ contentId: string }, [string, string]>(sql).get(planId, id)
        ?.contentId;
    },
    findShown(planId, beginning) {
      const sql = `SELECT change_set_id AS id FROM shown_change_sets
        WHERE plan_id = ? AND substr(change_set_id, 1, ?) = ?`;
      const query = database.query<{ id: string }, [string, number, string]>(sql);
      const [found, another] = query.all(planId, beginning.length, beginning);
      return another === undefined ? found?.id : undefined;
    },
    saveBaseline({ workspaceRoot, fingerprint, checkJson, createdAt }) {
      const save = database.transaction(() => {
        const sql = `INSERT OR REPLACE INTO baselines
          (workspace_root, fingerprint, check_json, created_at) VALUES (?, ?, ?, ?)`;
        database.query(sql).run(workspaceRoot, fingerprint, checkJson, createdAt);
        const surplus = `DELETE FROM baselines WHERE rowid IN (
          SELECT rowid FROM baselines ORDER BY rowid DESC LIMIT -1 OFFSET ?)`;
        database.query(surplus).run(MOST_BASELINES);
      });
      save.immediate();
    },
    loadBaseline(workspaceRoot, fingerprint) {
      const sql = `SELECT check_json AS json FROM baselines
        WHERE workspace_root = ? AND fingerprint = ?`;
      return database.query<{ json: string }, [string, string]>(sql).get(workspaceRoot, fingerprint)
        ?.json;
    },
    known: createKnownCheckStore(database, own),
  };
}
