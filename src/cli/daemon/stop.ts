import { join } from "node:path";
import { AppError, systemErrorCode } from "../../core/app-error.ts";
import { systemClock } from "../../core/clock.ts";
import { findLockHolder } from "../../system/locks/locks.ts";
import { type CliContext, EXIT } from "../context.ts";
import { homeOf } from "../home-of.ts";
import { parseCommand } from "../parse.ts";
import { print } from "../print.ts";

/** A daemon has 10 s to stop; after that this command gives up waiting. */
const WAIT_MS = 12_000;
const POLL_MS = 50;

/** `papayu stop`: signals the process that holds the daemon's lock and waits until it is gone. */
export async function stop(args: readonly string[], context: CliContext): Promise<number> {
  parseCommand(args, context, { positionals: [0, 0] });
  const pid = await stopDaemon(homeOf(context), context.signal);
  if (pid === undefined) {
    throw new AppError("ERR_DAEMON_NOT_RUNNING", "The daemon is not running");
  }
  print(context, { ok: true, pid }, `stopped (pid ${pid})`);
  return EXIT.done;
}

/**
 * Ends the daemon of a home and resolves when it is gone, with its pid; undefined: there was none.
 *
 * @throws AppError ERR_DAEMON_RUNNING when it cannot be ended, or not in time
 */
export async function stopDaemon(
  home: string,
  signal: AbortSignal,
  waitMs = WAIT_MS,
): Promise<number | undefined> {
  const lock = join(home, "daemon.lock");
  const pid = findLockHolder(lock)?.pid;
  if (pid === undefined) return undefined;
  signalToStop(pid);
  for (let waitedMs = 0; findLockHolder(lock)?.pid === pid; waitedMs += POLL_MS) {
    if (waitedMs >= waitMs) {
      const late = `pid ${pid} was told to stop and still runs after ${waitMs / 1000} s; kill -9 ${pid} ends it, and papayu start --detach starts another one`;
      throw new AppError("ERR_DAEMON_RUNNING", `Cannot stop the daemon: ${late}`);
    }
    await systemClock.sleep(POLL_MS, signal);
  }
  return pid;
}

function signalToStop(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    if (systemErrorCode(error) === "ESRCH") return; // it went by itself
    const reason = `pid ${pid} is not ours to signal`;
    throw new AppError("ERR_DAEMON_RUNNING", `Cannot stop the daemon: ${reason}`, { cause: error });
  }
}
