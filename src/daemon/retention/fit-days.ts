import type { Config } from "../../config/schema/schema.ts";
import type { Workspace } from "../../workspace/workspace.ts";

const DAY_MS = 86_400_000;

/** How much there is of each day, by its number since 1970. */
export type BytesByDay = Map<number, number>;

/** What a pass found to be there. */
export interface Found {
  /** Rows, logs and before-images: what this home made. */
  readonly own: BytesByDay;
  /** Of each workspace by its root: whoever made the folder may have put anything there. */
  readonly traces: Map<string, BytesByDay>;
}

/** How many of the newest days fit, where not all do. */
export interface Fitting {
  readonly own?: number;
  readonly traces: ReadonlyMap<string, number>;
}

/**
 * What of everything fits into `mostBytes`. Traces have what the home's own leave free, those of each
 * workspace an equal part: none makes anything else go.
 */
export function fitAll({ own, traces }: Found, mostBytes: number, now: number): Fitting {
  const ownFits = fitDays(own, mostBytes, now);
  const some = [...traces].filter(([, days]) => days.size > 0);
  const share = Math.max(0, mostBytes - sumBytes(own)) / Math.max(1, some.length);
  const fitting = some.flatMap(([root, days]) => {
    const fits = fitDays(days, share, now);
    return fits === undefined ? [] : [[root, fits] as const];
  });
  return { ...(ownFits !== undefined && { own: ownFits }), traces: new Map(fitting) };
}

/** What goes by a pass. */
export interface KeptBy {
  /** Days as configured, or the fewer that fit. */
  readonly limits: Omit<Config["retention"], "traces_days" | "max_mb">;
  /** The instant before which traces go; undefined: none do. */
  readonly tracesFrom: (workspace: Workspace) => number | undefined;
}

/** What is configured, and what fits where that is less. */
export function keptBy(configured: Config["retention"], fitting: Fitting, now: number): KeptBy {
  const { own = Infinity, traces } = fitting;
  const fewer = (days: number) => (own === Infinity || (days > 0 && days < own) ? days : own);
  const { traces_days: most } = configured;
  return {
    limits: {
      messages_days: fewer(configured.messages_days),
      history_days: fewer(configured.history_days),
      logs_days: fewer(configured.logs_days),
      approvals_days: configured.approvals_days,
    },
    tracesFrom({ root }) {
      const fits = traces.get(root);
      // As many whole days, of which today is the newest.
      const byBytes = fits === undefined ? -1 : (Math.floor(now / DAY_MS) - fits + 1) * DAY_MS;
      const from = Math.max(byBytes, most > 0 ? now - most * DAY_MS : -1);
      return from < 0 ? undefined : from;
    },
  };
}

/** Notes something of an instant. */
export function addBytes(days: BytesByDay, at: number, bytes: number): void {
  const day = Math.floor(at / DAY_MS);
  days.set(day, (days.get(day) ?? 0) + bytes);
}

/** Notes what came in little by little from one instant to another. */
export function spreadBytes(
  days: BytesByDay,
  bytes: number,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const count = Math.max(1, Math.ceil((to - from) / DAY_MS));
  for (let n = 0; n < count; n++) addBytes(days, to - n * DAY_MS, bytes / count);
}

/** All of it. */
export function sumBytes(days: BytesByDay): number {
  return days.values().reduce((sum, bytes) => sum + bytes, 0);
}

/** All that was found. */
export function sumAll({ own, traces }: Found): number {
  return [own, ...traces.values()].reduce((sum, days) => sum + sumBytes(days), 0);
}

/** How many of the newest days fit into `mostBytes`, one at least; undefined: all of them. */
export function fitDays(days: BytesByDay, mostBytes: number, now: number): number | undefined {
  if (sumBytes(days) <= mostBytes) return undefined;
  let bytes = 0;
  for (const [day, more] of [...days].toSorted(([a], [b]) => b - a)) {
    bytes += more;
    if (bytes > mostBytes) return Math.max(1, Math.floor(now / DAY_MS) - day);
  }
  return undefined;
}
