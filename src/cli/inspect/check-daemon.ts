import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "../../core/app-error.ts";
import { logPath } from "../../daemon/app/app.ts";
import { findLife } from "../../daemon/life.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import { type DaemonStatus, isDaemonStatus } from "../../daemon/status.ts";
import { findLockHolder } from "../../system/locks/locks.ts";
import { CONNECTIONS, CONNECTIONS_VARIABLE } from "../../system/own/connections.ts";
import { readStatus } from "../daemon-client.ts";

/** What five full files of the log and the last words of a runtime come to at most. */
const MOST_LOG_BYTES = 60 * 1024 * 1024;
const DAY_MS = 24 * 3_600_000;
const START_AGAIN = "papayu restart";

/** What was found of the daemon, and what it said itself. */
export interface CheckedDaemon {
  readonly findings: readonly Finding[];
  readonly status?: DaemonStatus;
}

/** Whether a daemon runs, and answers when it does; with every channel that does not work. */
export async function checkDaemon(home: string, signal: AbortSignal): Promise<CheckedDaemon> {
  const name = "daemon";
  try {
    const holder = findLockHolder(join(home, "daemon.lock"));
    if (!holder) return { findings: [{ name, state: "ok", found: "not running", mend: "" }] };
    const status = await readStatus(join(home, "daemon.sock"), signal);
    if (!status) {
      const found = `pid ${holder.pid} runs, but its socket does not answer`;
      return { findings: [{ name, state: "failed", found, mend: START_AGAIN }] };
    }
    const runs: Finding = { name, state: "ok", found: `runs (pid ${holder.pid})`, mend: "" };
    if (!isDaemonStatus(status)) return { findings: [runs] };
    return { findings: [runs, ...checkState(status), ...checkChannels(status.channels)], status };
  } catch (error) {
    const found = errorMessage(error);
    return { findings: [{ name, state: "failed", found, mend: START_AGAIN }] };
  }
}

function checkState({ state_gone }: DaemonStatus): readonly Finding[] {
  if (!state_gone) return [];
  const found = "it was deleted or replaced under the daemon, which loses what it writes";
  const mend = "papayu stop, which copies what it has; then papayu doctor --repair";
  return [{ name: "state.db", state: "failed", found, mend }];
}

/** Words a channel has for its state when nobody can reach it. */
const BROKEN = /^(?:failed|conflict|offline)/;

function checkChannels(channels: DaemonStatus["channels"]): readonly Finding[] {
  const states = Object.entries(channels).map(([name, channel]) => {
    return { name, state: channel["state"] ?? "", reason: channel["reason"] };
  });
  const pageOff = channels["http"]?.["page_off"];
  const page: readonly Finding[] = pageOff === undefined ? [] : [toPageOff(String(pageOff))];
  const broken = states
    .filter(({ state }) => BROKEN.test(`${state}`))
    .map(
      ({ name, state, reason }): Finding => ({
        name: `channel ${name}`,
        state: "warning",
        found: reason ? `${state}: ${reason}` : `${state}`,
        mend: `${MEND[state] ?? "papayu logs says why"}; then papayu restart`,
      }),
    );
  const turns = channels["telegram"]?.["turns_at_most"];
  return [...broken, ...page, ...(turns === undefined ? [] : [toBoundTurns(Number(turns))])];
}

/** A turn that waits for its model holds a connection, and Bun was told of its most at its start. */
function toBoundTurns(most: number): Finding {
  const found = `${most} messages at a time are answered, fewer than agent.max_parallel_turns says: the daemon was started for so many connections`;
  const mend = `papayu restart, which has it started with ${CONNECTIONS_VARIABLE}=${CONNECTIONS}`;
  return { name: "channel telegram", state: "warning", found, mend };
}

/** Whoever holds that address could show a page under our name. */
function toPageOff(reason: string): Finding {
  const found = `the page of the console is not served: ${reason}`;
  const mend = "end what listens there, or set another http.port; then papayu restart";
  return { name: "web console", state: "warning", found, mend };
}

const MEND: Readonly<Record<string, string>> = {
  conflict: "another program polls this bot: stop it, or make a bot for this one alone",
  "failed: token": "check telegram.bot_token",
  "failed: database": "free some space on the disk; the finding about the database says more",
};

/** Whether the last daemon ended as it should. */
export function checkLastEnd(home: string, now: number): Finding {
  const name = "last end";
  const life = findLife(home);
  const at = life && !life.isOver && !isRunning(home) ? life.aliveAt : life?.crashedAt;
  if (at === undefined) return { name, state: "ok", found: "no crash is known", mend: "" };
  const found = `a daemon ended unexpectedly after ${new Date(at).toLocaleString("sv")}`;
  const mend = `papayu logs, and "${logPath(home)}.stderr", say what came before`;
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
export function checkLogs(home: string): Finding {
  const name = "log";
  const dir = dirname(logPath(home));
  try {
    if (!existsSync(dir)) return { name, state: "ok", found: "none yet", mend: "" };
    const sizes = readdirSync(dir).map((file) => statSync(join(dir, file)).size);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const found = `${dir}: ${sizes.length} files, ${(bytes / 1024 / 1024).toFixed(1)} MB`;
    const mend = "delete what is not papayu.log: it is not rotated";
    return bytes > MOST_LOG_BYTES
      ? { name, state: "warning", found, mend }
      : { name, state: "ok", found, mend: "" };
  } catch (error) {
    return { name, state: "failed", found: errorMessage(error), mend: `make "${dir}" readable` };
  }
}
