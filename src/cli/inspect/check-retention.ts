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
import type { DoctorWords } from "../../texts/doctor/doctor.ts";

type RetentionWords = DoctorWords["retention"];

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
  words: DoctorWords,
): Finding {
  const { joins, retention } = words;
  const limits = Object.entries(config.retention).map(([key, value]) => `${key} ${value}`);
  const { openWork, ...written } = readWritten(home);
  const said = status ? status.retention : written.passes;
  const passes = isRetentionStatus(said) ? said : {};
  const troubles = [
    ...findOldWork(openWork, now, retention),
    ...findTroubles(passes, retention),
    ...(status ? [] : findUnwritten(home, written.lastEnd, retention)),
  ];
  return {
    name: "retention",
    state: troubles.length === 0 ? "ok" : "warning",
    found: joins.facts([joins.list(limits), ...tellLast(passes, words), ...troubles.map(toFound)]),
    mend: joins.facts([...new Set(troubles.map(({ mend }) => mend))]),
  };
}

const toFound = ({ found }: Trouble) => found;

function tellLast(
  passes: RetentionStatus,
  { megabytes, retention: words }: DoctorWords,
): readonly string[] {
  const { last_pass_at, removed = 0, kept_bytes, cut_off, running_since } = passes;
  const runs = running_since === undefined ? [] : [words.runs(toLocalTime(running_since))];
  if (last_pass_at === undefined || kept_bytes === undefined) return [words.nothingYet, ...runs];
  const size = megabytes((kept_bytes / 1024 / 1024).toFixed(1));
  const last = words.last(size, toLocalTime(last_pass_at), removed);
  if (!cut_off || isOpen(passes)) return [last, ...runs];
  return [words.before(last, cut_off.removed, toLocalTime(cut_off.at)), ...runs];
}

/** Nobody went on where the one that was cut off ended. */
function isOpen({ last_pass_at, cut_off }: RetentionStatus): boolean {
  return cut_off !== undefined && (last_pass_at === undefined || cut_off.at > last_pass_at);
}

function* findTroubles(passes: RetentionStatus, words: RetentionWords): Generator<Trouble> {
  const { failed, failed_parts = 1, cut_off, held_since, fits_days } = passes;
  if (failed !== undefined) {
    const found = words.failed(failed);
    const isOne = failed_parts <= 1;
    yield { found: isOne ? found : words.more(found, failed_parts - 1), mend: words.triesAgain };
  }
  if (cut_off && isOpen(passes)) {
    yield { found: words.cutOff(toLocalTime(cut_off.at), cut_off.removed), mend: words.goesOn };
  }
  if (held_since !== undefined) {
    yield { found: words.held(toLocalTime(held_since)), mend: words.setClock };
  }
  if (fits_days !== undefined) {
    yield { found: words.fits(fits_days), mend: words.raise };
  }
}

/** Longer than any work takes, and than a machine is switched off. */
const LONG_OPEN_MS = 30 * 24 * 3_600_000;

function findOldWork(
  openWork: number | undefined,
  now: number,
  words: RetentionWords,
): readonly Trouble[] {
  if (openWork === undefined || now - openWork <= LONG_OPEN_MS) return [];
  return [{ found: words.openWork(toLocalTime(openWork)), mend: words.closeWork }];
}

/** Most that is read of the log for what the database could not take. */
const MOST_LOG_BYTES = 512 * 1024;

/** The last failure of which only the log knows, for the disk was full. */
function findUnwritten(home: string, lastEnd: number, words: RetentionWords): readonly Trouble[] {
  const lines = readTail(logPath(home), MOST_LOG_BYTES).text.split("\n");
  const line = lines.findLast((each) => FAILURE.test(each));
  const [, at = "", what] = FAILURE.exec(line ?? "") ?? [];
  if (what === undefined || Date.parse(at) <= lastEnd) return [];
  return [{ found: words.unwritten(toLocalTime(at), what), mend: words.triesAgain }];
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
