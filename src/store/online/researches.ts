import type { Database } from "bun:sqlite";
import { parseJsonAs } from "../../core/guards.ts";
import { isFindings } from "../stored-json.ts";

/** What research found, as far as it is needed later. */
export interface Findings {
  readonly answerMd: string;
  readonly confidence: number;
  readonly sources: readonly {
    readonly url: string;
    readonly title: string;
    readonly missing?: string;
  }[];
  readonly notes?: string;
}

/** Research that waits for a person to say that a plan may use it. */
export interface StoredResearch {
  readonly researchId: string;
  readonly workspaceRoot: string;
  /** The workspace's name in the configuration; without one the folder itself was named. */
  readonly workspaceEntry?: string;
  /** Who asked; absent for a routine. */
  readonly userId?: string;
  readonly goal: string;
  readonly query: string;
  readonly findings: Findings;
  readonly createdAt: number;
}

/** Keeps research for the button "Use as context (once)". */
export interface ResearchStore {
  /** Of one folder the newest 50 are kept. */
  save(research: StoredResearch): void;
  load(researchId: string): StoredResearch | undefined;
  /** Gives it out for use: to the first who asks, and never again. */
  take(researchId: string): StoredResearch | undefined;
  /** Makes what was taken free again, for a use that came to nothing. */
  giveBack(researchId: string): void;
}

const MOST_RESEARCHES = 50;

interface Row {
  research_id: string;
  workspace_root: string;
  workspace_entry: string | null;
  user_id: string | null;
  goal: string;
  query: string;
  research_json: string;
  created_at: number;
}

/** Research in `state.db`. */
export function createResearchStore(database: Database): ResearchStore {
  return {
    save(research) {
      database
        .transaction(() => {
          insert(database, research);
          dropOld(database, research.workspaceRoot);
        })
        .immediate();
    },
    load(researchId) {
      const sql = "SELECT * FROM researches WHERE research_id = ?";
      const row = database.query<Row, [string]>(sql).get(researchId);
      return row ? toStored(row) : undefined;
    },
    take(researchId) {
      const sql = "UPDATE researches SET used = 1 WHERE research_id = ? AND used = 0 RETURNING *";
      const row = database.query<Row, [string]>(sql).get(researchId);
      return row ? toStored(row) : undefined;
    },
    giveBack(researchId) {
      database.query("UPDATE researches SET used = 0 WHERE research_id = ?").run(researchId);
    },
  };
}

function insert(database: Database, research: StoredResearch): void {
  database
    .query(
      `INSERT INTO researches
         (research_id, workspace_root, workspace_entry, user_id, goal, query, research_json,
          created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      research.researchId,
      research.workspaceRoot,
      research.workspaceEntry ?? null,
      research.userId ?? null,
      research.goal,
      research.query,
      JSON.stringify(research.findings),
      research.createdAt,
    );
}

/** By rowid, the order of saving, whatever the clock did. */
function dropOld(database: Database, workspaceRoot: string): void {
  database
    .query(
      `DELETE FROM researches WHERE rowid IN (SELECT rowid FROM researches
         WHERE workspace_root = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?)`,
    )
    .run(workspaceRoot, MOST_RESEARCHES);
}

function toStored(row: Row): StoredResearch | undefined {
  const findings = parseJsonAs(row.research_json, isFindings);
  return (
    findings && {
      researchId: row.research_id,
      workspaceRoot: row.workspace_root,
      ...(row.workspace_entry !== null && { workspaceEntry: row.workspace_entry }),
      ...(row.user_id !== null && { userId: row.user_id }),
      goal: row.goal,
      query: row.query,
      findings,
      createdAt: row.created_at,
    }
  );
}
