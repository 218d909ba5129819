import { join } from "node:path";
import { AppError, systemErrorCode } from "../core/app-error.ts";
import { systemClock } from "../core/clock.ts";
import { findLockHolder } from "../system/kernel-lock.ts";
import { type CliContext, EXIT } from "./context.ts";
import { findHome } from "./open-config.ts";
import { parseCommand } from "./parse.ts";
import { print } from "./print.ts";

/** A daemon has 10 s to stop; after that this command gives up waiting. */
const WAIT_MS = 12_000;
const POLL_MS = 50;

/** `papayu stop`: signals the process that holds the daemon's lock and waits until it is gone. */
export async function stop(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { positionals: [0, 0] });
  const home = findHome(parsed, context);
  const lock = join(home, "daemon.lock");
  const holder = findLockHolder(lock);
  if (!holder) throw new AppError("ERR_DAEMON_NOT_RUNNING", "The daemon is not running");
  const { pid } = holder;
  signalToStop(pid);
  for (let waitedMs = 0; findLockHolder(lock)?.pid === pid; waitedMs += POLL_MS) {
    if (waitedMs >= WAIT_MS) {
      const late = `pid ${pid} still runs after ${WAIT_MS / 1000} s; kill -9 ${pid} ends it`;
      throw new AppError("ERR_DAEMON_RUNNING", `Cannot stop the daemon: ${late}`);
    }
    await systemClock.sleep(POLL_MS, context.signal);
  }
  print(context, { ok: true, pid }, `stopped (pid ${pid})`);
  return EXIT.done;
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
