import type { Database } from "bun:sqlite";
import { type Few, fewOf } from "../../core/few.ts";
import { toQuery, toWords } from "./memory-words.ts";

/** Whose memories, and in which folder; those that hold everywhere are found in each. */
export interface MemoryOwner {
  readonly userId: string;
  readonly workspaceRoot: string;
}

/** Something to be known in later conversations. */
export interface Memory {
  /** Names it: saved again under the same key, it is replaced. */
  readonly key: string;
  readonly category: string;
  readonly text: string;
  /** Holds in every workspace. */
  readonly isEverywhere: boolean;
}

/** A memory as it is kept. */
export interface StoredMemory extends Memory {
  readonly savedAt: number;
}

/** What is asked for; without words the newest. */
export interface MemoryQuestion {
  readonly words: string;
  readonly category?: string;
  readonly limit: number;
}

/** Keeps memories, each person's apart. */
export interface MemoryStore {
  /** "full": the person has {@link MOST_MEMORIES} already. */
  save(owner: MemoryOwner, memory: Memory, now: number): "saved" | "replaced" | "full";
  /** The best match first. Words need not be whole, and no sign in them has a meaning. */
  find(owner: MemoryOwner, question: MemoryQuestion): Few<StoredMemory>;
  /** Of this folder and everywhere; gives how many there were. */
  remove(owner: MemoryOwner, key: string): number;
}

/** Most memories of one person, in all folders together. */
export const MOST_MEMORIES = 500;

interface Row {
  readonly key: string;
  readonly category: string;
  readonly text: string;
  readonly workspace_root: string;
  readonly saved_at: number;
}

/** Memories in `state.db`. */
export function createMemoryStore(database: Database): MemoryStore {
  return {
    save(owner, memory, now) {
      return database.transaction(() => save(database, owner, memory, now)).immediate();
    },
    find: (owner, question) => find(database, owner, question),
    remove(owner, key) {
      return database.transaction(() => remove(database, owner, key)).immediate();
    },
  };
}

/** Makes the words by which memories are found, for a database that was put together without any. */
export function indexMemories(database: Database): void {
  const rows = database
    .query<{ id: number; words: string }, []>(
      "SELECT id, key || ' ' || category || ' ' || text AS words FROM memories",
    )
    .all();
  for (const { id, words } of rows) addWords(database, id, words);
}

function addWords(database: Database, id: number | bigint, words: string): void {
  database.query("INSERT INTO memory_words (rowid, words) VALUES (?, ?)").run(id, toWords(words));
}

function save(
  database: Database,
  { userId, workspaceRoot }: MemoryOwner,
  { key, category, text, isEverywhere }: Memory,
  now: number,
): "saved" | "replaced" | "full" {
  const root = isEverywhere ? "" : workspaceRoot;
  const isReplaced = removeOne(database, userId, root, key);
  if (!isReplaced && count(database, userId) >= MOST_MEMORIES) return "full";
  const { lastInsertRowid } = database
    .query(
      `INSERT INTO memories (user_id, workspace_root, key, category, text, saved_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(userId, root, key, category, text, now);
  addWords(database, lastInsertRowid, `${key} ${category} ${text}`);
  return isReplaced ? "replaced" : "saved";
}

function find(
  database: Database,
  { userId, workspaceRoot }: MemoryOwner,
  { words, category = "", limit }: MemoryQuestion,
): Few<StoredMemory> {
  const query = toQuery(words);
  if (query === undefined && words.trim() !== "") return fewOf([], 0);
  const sql = query === undefined ? NEWEST : BEST;
  const rows = database
    .query<Row & { total: number }, [string, string, string, string, number]>(sql)
    .all(query ?? "", userId, workspaceRoot, category, limit);
  return fewOf(rows.map(toMemory), rows[0]?.total ?? 0);
}

const NEWEST = `
  SELECT key, category, text, workspace_root, saved_at, count(*) OVER () AS total FROM memories
  WHERE user_id = ?2 AND workspace_root IN ('', ?3) AND (?4 = '' OR category = ?4)
  ORDER BY saved_at DESC, id DESC LIMIT ?5`;

const BEST = `
  SELECT key, category, text, workspace_root, saved_at, count(*) OVER () AS total
  FROM memory_words JOIN memories ON id = memory_words.rowid
  WHERE memory_words MATCH ?1 AND user_id = ?2 AND workspace_root IN ('', ?3)
    AND (?4 = '' OR category = ?4)
  ORDER BY rank, saved_at DESC LIMIT ?5`;

function remove(database: Database, { userId, workspaceRoot }: MemoryOwner, key: string): number {
  const roots = new Set(["", workspaceRoot]);
  return [...roots].filter((root) => removeOne(database, userId, root, key)).length;
}

function removeOne(database: Database, userId: string, root: string, key: string): boolean {
  const sql =
    "DELETE FROM memories WHERE user_id = ? AND workspace_root = ? AND key = ? RETURNING id";
  const row = database.query<{ id: number }, [string, string, string]>(sql).get(userId, root, key);
  if (row) database.query("DELETE FROM memory_words WHERE rowid = ?").run(row.id);
  return row !== null;
}

function count(database: Database, userId: string): number {
  const sql = "SELECT count(*) AS count FROM memories WHERE user_id = ?";
  return database.query<{ count: number }, [string]>(sql).get(userId)?.count ?? 0;
}

function toMemory({ key, category, text, workspace_root, saved_at }: Row): StoredMemory {
  return { key, category, text, isEverywhere: workspace_root === "", savedAt: saved_at };
}
