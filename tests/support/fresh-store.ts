import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { openStore, statePath } from "../../src/store/open/open.ts";

/**
 * A store in memory with all its tables, for tests of what is kept in them: a copy of one that was
 * migrated, for every table that is altered on the way costs more than all rows of a test. Tests
 * of opening and of migrations open one themselves. What names no order is read "backwards" where
 * that is said: a statement that needs one and names none is noticed then.
 */
export function memoryStore(unordered?: "backwards"): Database {
  const store = Database.deserialize(migrated(), { strict: true });
  store.run("PRAGMA foreign_keys = ON");
  if (unordered) store.run("PRAGMA reverse_unordered_selects = ON");
  return store;
}

/** Puts the same into a home that has none yet, for tests that are not about a first start. */
export function layState(home: string): void {
  if (existsSync(statePath(home))) return;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(statePath(home), migrated(), { mode: 0o600 });
}

/** Of this test file. */
let template: Uint8Array | undefined;

function migrated(): Uint8Array {
  template ??= migrate();
  return template;
}

function migrate(): Uint8Array {
  using store = openStore(":memory:");
  return store.serialize();
}
