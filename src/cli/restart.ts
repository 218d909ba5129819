import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../core/app-error.ts";
import { findLife, type Launch } from "../daemon/life.ts";
import { findLockHolder } from "../system/kernel-lock.ts";
import type { CliContext } from "./context.ts";
import { detach } from "./detach.ts";
import { homeOf } from "./home-of.ts";
import { parseCommand } from "./parse.ts";
import { stopDaemon } from "./stop.ts";

/** A stop that takes longer is no surprise to who waits for it. */
const SLOW_MS = 10_000;

/**
 * `papayu restart`: ends the daemon and starts it in the background, with the --config and from
 * the folder of the one that ran; where none runs, it starts one.
 *
 * @throws AppError of a broken configuration, before anything is stopped
 */
export async function restart(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { positionals: [0, 0] });
  const { json, stderr, signal } = context;
  const home = homeOf(context);
  const launch = chooseLaunch(home, parsed.text("config"), context);
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
  return detach(launch, home, context);
}

/** As the running one was started, but with the --config that is given now. */
function chooseLaunch(home: string, configPath: string | undefined, { cwd }: CliContext): Launch {
  const pid = findLockHolder(join(home, "daemon.lock"))?.pid;
  const life = findLife(home);
  const isKnown = life && life.pid === pid && existsSync(life.launch.cwd);
  const launch = isKnown ? life.launch : { configPath, cwd };
  return configPath === undefined ? launch : { ...launch, configPath, cwd };
}

async function assertConfig({ configPath, cwd }: Launch, context: CliContext): Promise<void> {
  const { loadConfig } = await import("../config/load.ts");
  const { env, userHome } = context;
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
