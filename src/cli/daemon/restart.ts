import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../core/app-error.ts";
import { systemClock } from "../../core/clock.ts";
import { logPath } from "../../daemon/app/app.ts";
import { findHeartbeat, type Launch } from "../../daemon/heartbeat.ts";
import { findLockHolder, takeLock } from "../../system/locks/locks.ts";
import { makePrivateDir } from "../../system/make-private-dir.ts";
import { type CliContext, EXIT } from "../context.ts";
import { homeOf } from "../home-of.ts";
import { parseCommand } from "../parse.ts";
import { print } from "../print.ts";
import { detach } from "./detach.ts";
import { stopDaemon } from "./stop.ts";

/** A stop that takes longer is no surprise to who waits for it. */
const SLOW_MS = 10_000;
/** How long another restart may take: its stop, and its start. */
const TURN_MS = 25_000;
const POLL_MS = 50;

/**
 * `papayu restart`: ends the daemon and starts it in the background, with the --config and from
 * the folder of the one that ran; where none runs, it starts one. Of several at once one works and
 * the others wait for it: what it started is as new as they wanted, unless they name a --config.
 *
 * @throws AppError of a broken configuration, before anything is stopped
 */
export async function restart(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { positionals: [0, 0] });
  const home = homeOf(context);
  const configPath = parsed.text("config");
  const askedAt = Date.now();
  const release = await takeTurn(home, context.signal);
  try {
    const holder = findLockHolder(daemonLock(home));
    const isNew = configPath === undefined && holder !== undefined && holder.since > askedAt;
    if (isNew) return sayStarted(holder.pid, home, context);
    return await restartNow(home, configPath, context);
  } finally {
    release();
  }
}

/** One restart at a time; the kernel ends a turn with its process. */
async function takeTurn(home: string, signal: AbortSignal): Promise<() => void> {
  makePrivateDir(home);
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const turn = takeLock(join(home, "restart.lock"), "papayu restart");
    if (turn.ok) return turn.release;
    if (waitedMs >= TURN_MS) {
      const who = turn.holder ? ` (pid ${turn.holder.pid})` : "";
      const message = `Cannot restart: another papayu restart${who} is still at it; look with papayu status`;
      throw new AppError("ERR_DAEMON_RUNNING", message);
    }
    await systemClock.sleep(POLL_MS, signal);
  }
}

async function restartNow(
  home: string,
  configPath: string | undefined,
  context: CliContext,
): Promise<number> {
  const {
    command: { json },
    stderr,
    signal,
  } = context;
  const launch = chooseLaunch(home, configPath, context);
  if (launch.isService === true) {
    const message = "Cannot restart a service from here; systemctl --user restart papayu does";
    throw new AppError("ERR_USAGE", message);
  }
  await assertConfig(launch, context);
  const slow = setTimeout(() => {
    stderr.write(`papayu: the daemon takes more than ${SLOW_MS / 1000} s to stop; waiting …\n`);
  }, SLOW_MS);
  const pid = await stopDaemon(home, signal).finally(() => clearTimeout(slow));
  if (pid !== undefined && !json) context.stdout.write(`stopped (pid ${pid})\n`);
  try {
    return await detach(launch, home, context);
  } catch (error) {
    // Somebody's papayu start came between: a new daemon runs, as was wanted.
    const other = findLockHolder(daemonLock(home))?.pid;
    const isOther = error instanceof AppError && error.code === "ERR_DAEMON_RUNNING";
    if (!isOther || other === undefined || other === pid) throw error;
    return sayStarted(other, home, context);
  }
}

function sayStarted(pid: number, home: string, context: CliContext): number {
  const log = logPath(home);
  const text = `started by another command (pid ${pid}), log: ${log}`;
  print(context, { ok: true, pid, log }, text);
  return EXIT.done;
}

function daemonLock(home: string): string {
  return join(home, "daemon.lock");
}

/** As the running one was started, but with the --config that is given now. */
function chooseLaunch(
  home: string,
  configPath: string | undefined,
  { caller: { cwd } }: CliContext,
): Launch {
  const pid = findLockHolder(daemonLock(home))?.pid;
  const life = findHeartbeat(home);
  const isKnown = life && life.pid === pid && existsSync(life.launch.cwd);
  const launch = isKnown ? life.launch : { configPath, cwd };
  return configPath === undefined ? launch : { ...launch, configPath, cwd };
}

async function assertConfig({ configPath, cwd }: Launch, context: CliContext): Promise<void> {
  const { loadConfig } = await import("../../config/load/load.ts");
  const { env, userHome } = context.caller;
  try {
    await loadConfig({
      ...(configPath !== undefined && { path: configPath }),
      cwd,
      env,
      home: userHome,
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = `Cannot restart, the daemon was left as it is: ${error.message}`;
    throw new AppError(error.code, message, { cause: error, details: { ...error.details } });
  }
}
