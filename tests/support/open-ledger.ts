import type { Database } from "bun:sqlite";
import { systemClock } from "../../src/core/clock.ts";
import { createSpendingStore } from "../../src/store/spending.ts";
import { createWriter } from "../../src/store/writer/writer.ts";

/** What models cost, in a database that nothing else is written to. */
export function openLedger(database: Database) {
  return createSpendingStore(database, createWriter(database, systemClock));
}
