import type { Database } from "bun:sqlite";
import { type KnownRows, NOTHING_KNOWN } from "../known-rows.ts";
import { oldestOpenWork } from "../ledger.ts";
import { pruneSettings } from "../settings/settings.ts";
import { unsynced } from "../writer/writer.ts";
import { KINDS, type RowKind, type RowLimits, SPENDING } from "./row-kinds.ts";

export type { RowKind, RowLimits } from "./row-kinds.ts";

/** What one step came to. */
export interface RowStep {
  readonly kind: RowKind;
  readonly removed: number;
  /** The pass over everything is at its end. */
  readonly isLast: boolean;
}

/** Goes over all rows of papa-yu's past, a step at a time. */
export interface ForgettingRows {
  /** One transaction over at most {@link MOST_ROWS} rows; the next step goes on behind it. */
  step(limits: RowLimits, now: number): RowStep;
}

/** Rows that a step looks at: whoever writes meanwhile waits no longer than this takes. */
export const MOST_ROWS = 250;

/**
 * Forgets what is over its limit and not needed any more, from the oldest row of each table on; a
 * table is left at the first step that finds nothing old. A step that is cut off has done nothing;
 * two processes that do the same do it once. Nothing waits for the disk: what a power cut brings
 * back goes with the next pass.
 */
export function createForgettingRows(
  database: Database,
  known: KnownRows = NOTHING_KNOWN,
): ForgettingRows {
  let [index, after] = [0, 0];
  return {
    step(limits, now) {
      const name = NAMES[index] ?? "settings";
      const { removed, last } = unsynced(database, () =>
        database.transaction(() => forget(database, name, { after, limits, now })).immediate(),
      );
      if (removed > 0) known.forget();
      after = last ?? 0;
      if (last === undefined) index = (index + 1) % NAMES.length;
      return { kind: name, removed, isLast: last === undefined && index === 0 };
    },
  };
}

const NAMES = [...KINDS.keys(), "spending", "settings"] as const;

interface Part {
  readonly after: number;
  readonly limits: RowLimits;
  readonly now: number;
}

/** `last`: the row behind which there may be more. */
interface Forgotten {
  readonly removed: number;
  readonly last?: number;
}

function forget(database: Database, name: RowKind, { after, limits, now }: Part): Forgotten {
  if (name === "settings") {
    const { removed, hasMore } = pruneSettings(database, now);
    return { removed, ...(hasMore && { last: after }) };
  }
  if (name === "spending") {
    const { changes } = database.query(SPENDING).run(now, MOST_ROWS);
    return { removed: changes, ...(changes === MOST_ROWS && { last: after }) };
  }
  const kind = KINDS.get(name);
  const before = kind?.before(limits, now);
  if (!kind || before === undefined) return { removed: 0 };
  const window = database
    .query<Window, [number, number, number]>(kind.window)
    .get(after, MOST_ROWS, before);
  if (window?.last == null || window.old === 0) return { removed: 0 };
  const open = Math.min(oldestOpenWork(database) ?? now, now);
  const place = { after, last: window.last, before: Math.min(before, kind.isOfWork ? open : now) };
  const values = { ...place, now, open };
  if (kind.first !== undefined) database.query(kind.first).run(values);
  const { changes } = database.query(kind.forget).run(values);
  return { removed: changes, ...(window.rows === MOST_ROWS && { last: window.last }) };
}

interface Window {
  readonly last: number | null;
  readonly rows: number;
  readonly old: number;
}
