import { Database } from "bun:sqlite";
import { openStore } from "../../src/store/open/open-database.ts";

/**
 * A store in memory with all its tables, for tests of what is kept in them: a copy of one that was
 * migrated, for every table that is altered on the way costs more than all rows of a test. Tests
 * of opening and of migrations open one themselves.
 */
export function memoryStore(): Database {
  template ??= migrate();
  const store = Database.deserialize(template, { strict: true });
  store.run("PRAGMA foreign_keys = ON");
  return store;
}

/** Of this test file. */
let template: Uint8Array | undefined;

function migrate(): Uint8Array {
  using store = openStore(":memory:");
  return store.serialize();
}
