import { join } from "node:path";
import { systemClock } from "../core/clock.ts";
import { findLockHolder } from "../system/kernel-lock.ts";
import { type CliContext, EXIT } from "./context.ts";
import { openConfig } from "./open-app.ts";
import { parseCommand } from "./parse.ts";

/** A daemon has 10 s to stop; after that this command gives up waiting. */
const WAIT_MS = 12_000;
const POLL_MS = 50;

/** `papayu stop`: signals the process that holds the daemon's lock and waits until it is gone. */
export async function stop(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, "stop", { positionals: [0, 0] });
  const { home } = await openConfig(parsed, context);
  const lock = join(home, "daemon.lock");
  const holder = findLockHolder(lock);
  if (!holder) {
    context.stdout.write("not running\n");
    return EXIT.notRunning;
  }
  process.kill(holder.pid, "SIGTERM");
  for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += POLL_MS) {
    await systemClock.sleep(POLL_MS, context.signal);
    if (findLockHolder(lock)) continue;
    context.stdout.write(`stopped (pid ${holder.pid})\n`);
    return EXIT.done;
  }
  context.stderr.write(`papayu: pid ${holder.pid} still runs after ${WAIT_MS / 1000} s\n`);
  return EXIT.failed;
}
