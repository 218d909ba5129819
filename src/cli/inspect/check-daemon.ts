import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "../../core/app-error.ts";
import { toLocalTime } from "../../core/clock.ts";
import { toVisibleName, toVisibleText } from "../../core/visible-text.ts";
import { logPath } from "../../daemon/app/app.ts";
import { findHeartbeat } from "../../daemon/heartbeat.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import { type DaemonStatus, isDaemonStatus } from "../../daemon/status.ts";
import { findLockHolder } from "../../system/locks/locks.ts";
import { CONNECTIONS, CONNECTIONS_VARIABLE } from "../../system/own/connections.ts";
import type { DoctorWords } from "../../texts/doctor/doctor.ts";
import { readStatus } from "../daemon-client.ts";

/** What five full files of the log and the last words of a runtime come to at most. */
const MOST_LOG_BYTES = 60 * 1024 * 1024;
const DAY_MS = 24 * 3_600_000;

/** What was found of the daemon, and what it said itself. */
export interface CheckedDaemon {
  readonly findings: readonly Finding[];
  readonly status?: DaemonStatus;
}

/** Whether a daemon runs, and answers when it does; with every channel that does not work. */
export async function checkDaemon(
  home: string,
  words: DoctorWords,
  signal: AbortSignal,
): Promise<CheckedDaemon> {
  const name = "daemon";
  const { off, runs: running, deaf, restart: mend } = words.daemon;
  try {
    const holder = findLockHolder(join(home, "daemon.lock"));
    if (!holder) return { findings: [{ name, state: "ok", found: off, mend: "" }] };
    const status = await readStatus(join(home, "daemon.sock"), signal);
    if (!status) {
      return { findings: [{ name, state: "failed", found: deaf(holder.pid), mend }] };
    }
    const runs: Finding = { name, state: "ok", found: running(holder.pid), mend: "" };
    if (!isDaemonStatus(status)) return { findings: [runs] };
    const channels = checkChannels(status.channels, words);
    const own = [...checkState(status, words), ...checkRoutines(status, words)];
    return { findings: [runs, ...own, ...channels], status };
  } catch (error) {
    return { findings: [{ name, state: "failed", found: errorMessage(error), mend }] };
  }
}

function checkState({ state_gone }: DaemonStatus, { database }: DoctorWords): readonly Finding[] {
  if (!state_gone) return [];
  const { gone: found, goneMend: mend } = database;
  return [{ name: "state.db", state: "failed", found, mend }];
}

function checkRoutines(
  { routines_held: held, routines }: DaemonStatus,
  { daemon }: DoctorWords,
): readonly Finding[] {
  if (!held) {
    return routines.flatMap(({ name, unwatched }): readonly Finding[] => {
      if (unwatched === undefined) return [];
      const found = daemon.unwatched(toVisibleName(name), toVisibleText(unwatched));
      return [{ name: "routines", state: "warning", found, mend: daemon.unwatchedMend }];
    });
  }
  const found = daemon.held(held.home ?? "?", String(held.pid ?? "?"));
  return [{ name: "routines", state: "warning", found, mend: daemon.heldMend }];
}

/** Words a channel has for its state when nobody can reach it. */
const BROKEN = /^(?:failed|conflict|offline)/;

function checkChannels(
  channels: DaemonStatus["channels"],
  { joins, channels: words }: DoctorWords,
): readonly Finding[] {
  const states = Object.entries(channels).map(([name, channel]) => {
    return { name, state: channel["state"] ?? "", reason: channel["reason"] };
  });
  const pageOff = channels["http"]?.["page_off"];
  const page: readonly Finding[] = pageOff === undefined ? [] : [toPageOff(String(pageOff), words)];
  const broken = states
    .filter(({ state }) => BROKEN.test(`${state}`))
    .map(
      ({ name, state, reason }): Finding => ({
        name: `channel ${name}`,
        state: "warning",
        found: reason ? joins.of(`${state}`, `${reason}`) : `${state}`,
        mend: words.thenRestart(words.mend[MEND[state] ?? "other"]),
      }),
    );
  const turns = channels["telegram"]?.["turns_at_most"];
  return [...broken, ...page, ...(turns === undefined ? [] : [toBoundTurns(Number(turns), words)])];
}

/** A turn that waits for its model holds a connection, and Bun was told of its most at its start. */
function toBoundTurns(most: number, { turns, turnsMend }: DoctorWords["channels"]): Finding {
  const found = turns(most);
  const mend = turnsMend(`${CONNECTIONS_VARIABLE}=${CONNECTIONS}`);
  return { name: "channel telegram", state: "warning", found, mend };
}

/** Whoever holds that address could show a page under our name. */
function toPageOff(reason: string, { pageOff, pageMend }: DoctorWords["channels"]): Finding {
  return { name: "web console", state: "warning", found: pageOff(reason), mend: pageMend };
}

const MEND: Readonly<Record<string, keyof DoctorWords["channels"]["mend"]>> = {
  conflict: "conflict",
  "failed: token": "token",
  "failed: database": "database",
};

/** Whether the last daemon ended as it should. */
export function checkLastEnd(home: string, now: number, { daemon }: DoctorWords): Finding {
  const name = "last end";
  const life = findHeartbeat(home);
  const at = life && !life.isOver && !isRunning(home) ? life.aliveAt : life?.crashedAt;
  if (at === undefined) return { name, state: "ok", found: daemon.noCrash, mend: "" };
  const found = daemon.crashed(toLocalTime(at));
  const mend = daemon.before(`${logPath(home)}.stderr`);
  return { name, state: now - at < DAY_MS ? "warning" : "ok", found, mend };
}

/** A lock that cannot be looked at is said of the daemon. */
function isRunning(home: string): boolean {
  try {
    return findLockHolder(join(home, "daemon.lock")) !== undefined;
  } catch {
    return false;
  }
}

/** What the log takes of the disk. */
export function checkLogs(home: string, { log: words, megabytes }: DoctorWords): Finding {
  const name = "log";
  const dir = dirname(logPath(home));
  try {
    if (!existsSync(dir)) return { name, state: "ok", found: words.none, mend: "" };
    const sizes = readdirSync(dir).map((file) => statSync(join(dir, file)).size);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const found = words.files(dir, sizes.length, megabytes((bytes / 1024 / 1024).toFixed(1)));
    return bytes > MOST_LOG_BYTES
      ? { name, state: "warning", found, mend: words.tooLarge }
      : { name, state: "ok", found, mend: "" };
  } catch (error) {
    return { name, state: "failed", found: errorMessage(error), mend: words.open(dir) };
  }
}
