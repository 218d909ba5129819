import type { Database } from "bun:sqlite";
import { isListOf, isText, parseJsonAs } from "../core/guards.ts";

/** Which folder checks are of: another one at the same path is another. */
export interface CheckedFolder {
  readonly root: string;
  /** What the disk calls the folder there. */
  readonly id: string;
}

/** What is known of one command as a check of a folder. */
export interface KnownCheck {
  /** Its owner has seen that it was found. */
  readonly isSeen: boolean;
  /** How long it took the last time, in milliseconds. */
  readonly tookMs?: number;
}

/** Remembers checks of folders, each by its words as JSON: in the home, never in the folder. */
export interface KnownCheckStore {
  load(folder: CheckedFolder): ReadonlyMap<string, KnownCheck>;
  /** The owner has seen these. */
  see(folder: CheckedFolder, commands: readonly string[]): void;
  /** How long each took, in milliseconds. */
  took(folder: CheckedFolder, times: ReadonlyMap<string, number>): void;
  /** These are shown with a plan that is stored: {@link seeShown} when its change set is approved. */
  show(planId: string, folder: CheckedFolder, commands: readonly string[]): void;
  /** What was shown with the plan counts as seen, if this is the folder that it was shown of. */
  seeShown(planId: string, folder: CheckedFolder): void;
}

/** Commands that are remembered of one folder, and of all: the newest. */
const MOST_OF_FOLDER = 200;
const MOST_ROWS = 5_000;

interface Row {
  command: string;
  is_seen: number;
  took_ms: number | null;
}

/** A folder that comes with papa-yu, and its checks: who installed it has nothing to look at. */
export interface OwnFolder {
  readonly root: string;
  readonly commands: readonly string[];
}

/** Checks of folders in `state.db`. */
export function createKnownCheckStore(
  database: Database,
  own: readonly OwnFolder[] = [],
): KnownCheckStore {
  function write(
    { root, id }: CheckedFolder,
    rows: readonly { readonly command: string; readonly tookMs?: number }[],
    isSeen: boolean,
  ): void {
    if (rows.length === 0) return;
    const store = database.transaction(() => {
      const other = "DELETE FROM known_checks WHERE workspace_root = ? AND folder_id <> ?";
      database.query(other).run(root, id);
      for (const { command, tookMs } of rows) {
        const sql = `INSERT INTO known_checks (workspace_root, folder_id, command, is_seen, took_ms)
          VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
            is_seen = max(is_seen, excluded.is_seen), took_ms = coalesce(excluded.took_ms, took_ms)`;
        database.query(sql).run(root, id, command, Number(isSeen), tookMs ?? null);
      }
      const crowd = `DELETE FROM known_checks WHERE workspace_root = ?1 AND rowid NOT IN (
        SELECT rowid FROM known_checks WHERE workspace_root = ?1 ORDER BY is_seen DESC, rowid DESC LIMIT ?2)`;
      database.query(crowd).run(root, MOST_OF_FOLDER);
      const surplus = `DELETE FROM known_checks WHERE rowid IN (
        SELECT rowid FROM known_checks ORDER BY is_seen DESC, rowid DESC LIMIT -1 OFFSET ?)`;
      database.query(surplus).run(MOST_ROWS);
    });
    store.immediate();
  }

  return {
    load({ root, id }) {
      const sql = `SELECT command, is_seen, took_ms FROM known_checks
        WHERE workspace_root = ? AND folder_id = ?`;
      const rows = database.query<Row, [string, string]>(sql).all(root, id);
      const ours = own.filter((each) => each.root === root).flatMap(({ commands }) => commands);
      return new Map<string, KnownCheck>([
        ...ours.map((command) => [command, { isSeen: true }] as const),
        ...rows.map(({ command, is_seen, took_ms }) => {
          const isSeen = is_seen === 1 || ours.includes(command);
          return [command, { isSeen, ...(took_ms !== null && { tookMs: took_ms }) }] as const;
        }),
      ]);
    },
    see(folder, commands) {
      const rows = commands.map((command) => ({ command }));
      write(folder, rows, true);
    },
    took(folder, times) {
      const rows = [...times].map(([command, tookMs]) => ({ command, tookMs: Math.round(tookMs) }));
      write(folder, rows, false);
    },
    show(planId, { id }, commands) {
      const sql = `INSERT OR REPLACE INTO shown_checks (plan_id, folder_id, commands_json)
        SELECT plan_id, ?, ? FROM plans WHERE plan_id = ?`;
      database.query(sql).run(id, JSON.stringify(commands), planId);
    },
    seeShown(planId, folder) {
      const sql =
        "SELECT commands_json AS json FROM shown_checks WHERE plan_id = ? AND folder_id = ?";
      const row = database.query<{ json: string }, [string, string]>(sql).get(planId, folder.id);
      const commands = row ? parseJsonAs(row.json, isListOf(isText)) : undefined;
      if (commands) this.see(folder, commands);
    },
  };
}
