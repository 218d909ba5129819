import { Database } from "bun:sqlite";
import { PATIENCE_MS } from "./patience.ts";

/** A database that other processes use, too: what they do with it just now is waited for. */
export function openBeside(path: string, mode: { readonly readonly?: true } = {}): Database {
  const database = mode.readonly ? new Database(path, { readonly: true }) : new Database(path);
  database.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
  return database;
}
