import { Database } from "bun:sqlite";
import type { LoadedConfig } from "../../config/load/load.ts";
import { toLocalTime } from "../../core/clock.ts";
import { logPath } from "../../daemon/app/app.ts";
import {
  describePasses,
  findPasses,
  isRetentionStatus,
  type RetentionStatus,
} from "../../daemon/retention/retention.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import type { DaemonStatus } from "../../daemon/status.ts";
import { oldestOpenWork } from "../../store/ledger.ts";
import { statePath } from "../../store/open/open.ts";
import { createSettings } from "../../store/settings/settings.ts";
import { readTail } from "../../system/logs/logs.ts";

/** Something that keeps things from going, and what helps. */
interface Trouble {
  readonly found: string;
  readonly mend: string;
}

/**
 * How long things are kept, and what passes over all of it came to: as a running daemon says, of
 * which a full disk keeps nothing, or else as it was written down, in the database or the log.
 */
export function checkRetention(
  home: string,
  { config }: LoadedConfig,
  { status, now }: { readonly status: DaemonStatus | undefined; readonly now: number },
): Finding {
  const limits = Object.entries(config.retention).map(([key, value]) => `${key} ${value}`);
  const { openWork, ...written } = readWritten(home);
  const said = status ? status.retention : written.passes;
  const passes = isRetentionStatus(said) ? said : {};
  const troubles = [
    ...findOldWork(openWork, now),
    ...findTroubles(passes),
    ...(status ? [] : findUnwritten(home, written.lastEnd)),
  ];
  return {
    name: "retention",
    state: troubles.length === 0 ? "ok" : "warning",
    found: [limits.join(", "), tellLast(passes), ...troubles.map(({ found }) => found)].join("; "),
    mend: [...new Set(troubles.map(({ mend }) => mend))].join("; "),
  };
}

function tellLast(passes: RetentionStatus): string {
  const { last_pass_at, removed, kept_bytes, cut_off, running_since } = passes;
  const runs = running_since === undefined ? "" : `; one runs since ${toLocalTime(running_since)}`;
  if (last_pass_at === undefined || kept_bytes === undefined) {
    return `nothing was gone over yet${runs}`;
  }
  const size = `${(kept_bytes / 1024 / 1024).toFixed(1)} MB`;
  const at = toLocalTime(last_pass_at);
  const cut =
    cut_off && !isOpen(passes)
      ? `, ${cut_off.removed} of them before the one of ${toLocalTime(cut_off.at)} was cut off`
      : "";
  return `${size} were kept after the last pass of ${at}, ${removed} things went${cut}${runs}`;
}

/** Nobody went on where the one that was cut off ended. */
function isOpen({ last_pass_at, cut_off }: RetentionStatus): boolean {
  return cut_off !== undefined && (last_pass_at === undefined || cut_off.at > last_pass_at);
}

function* findTroubles(passes: RetentionStatus): Generator<Trouble> {
  const { failed, failed_parts = 1, cut_off, held_since, fits_days } = passes;
  if (failed !== undefined) {
    const more = failed_parts > 1 ? `, and ${failed_parts - 1} more parts` : "";
    yield { found: `not gone over: ${failed}${more}`, mend: TRIES_AGAIN };
  }
  if (cut_off && isOpen(passes)) {
    const found = `the pass of ${toLocalTime(cut_off.at)} was cut off after ${cut_off.removed} things`;
    yield { found, mend: "nothing has to be done: the next pass of a running daemon goes on" };
  }
  if (held_since !== undefined) {
    const found = `since ${toLocalTime(held_since)} the clock is more than a week ahead of that pass, so nothing goes for a day`;
    yield { found, mend: "set the clock if it is wrong; if it is right, the next passes go on" };
  }
  if (fits_days !== undefined) {
    const mend =
      "raise retention.max_mb to keep more; what undo, open work and caps need stays anyway";
    yield { found: `only ${fits_days} days of it fit`, mend };
  }
}

const TRIES_AGAIN = "papayu logs says more; the next pass tries again";

/** Longer than any work takes, and than a machine is switched off. */
const LONG_OPEN_MS = 30 * 24 * 3_600_000;

function findOldWork(openWork: number | undefined, now: number): readonly Trouble[] {
  if (openWork === undefined || now - openWork <= LONG_OPEN_MS) return [];
  const since = new Date(openWork).toLocaleString("sv");
  const found = `a message, run or call of ${since} is not over, so nothing newer goes`;
  return [{ found, mend: "papayu start, with the bot that it came to" }];
}

/** Most that is read of the log for what the database could not take. */
const MOST_LOG_BYTES = 512 * 1024;

/** The last failure of which only the log knows, for the disk was full. */
function findUnwritten(home: string, lastEnd: number): readonly Trouble[] {
  const lines = readTail(logPath(home), MOST_LOG_BYTES).text.split("\n");
  const line = lines.findLast((each) => FAILURE.test(each));
  const [, at = "", what] = FAILURE.exec(line ?? "") ?? [];
  if (what === undefined || Date.parse(at) <= lastEnd) return [];
  return [{ found: `not gone over by a pass of ${toLocalTime(at)}: ${what}`, mend: TRIES_AGAIN }];
}

const FAILURE = /^(\S+) \[trace\] RETENTION_FAILED part=(.*)$/u;

interface Written {
  readonly passes: RetentionStatus | undefined;
  /** When the last pass ended of which the database knows. */
  readonly lastEnd: number;
  /** When the oldest work came in that is not over. */
  readonly openWork?: number;
}

function readWritten(home: string): Written {
  try {
    using store = new Database(statePath(home), { readonly: true });
    const known = findPasses(createSettings(store));
    const openWork = oldestOpenWork(store);
    return {
      passes: describePasses(known),
      lastEnd: known.last?.endedAt ?? known.last?.at ?? 0,
      ...(openWork !== undefined && { openWork }),
    };
  } catch {
    return { passes: undefined, lastEnd: 0 }; // none yet, or said of the database
  }
}
