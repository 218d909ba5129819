import type { LoadedConfig } from "../../config/load/load.ts";
import { AppError } from "../../core/app-error.ts";
import { sandboxOptions } from "../../daemon/app/app.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import { createSandbox } from "../../system/sandbox/sandbox.ts";
import type { Caller } from "../context.ts";
import { checkDaemon, checkLastEnd, checkLogs } from "./check-daemon.ts";
import { checkMcp } from "./check-mcp.ts";
import { checkResearch } from "./check-research.ts";
import { checkRetention } from "./check-retention.ts";
import { checkCopies, checkDatabase, listPaired } from "./check-state.ts";
import {
  checkConfig,
  checkHome,
  checkProviders,
  checkSandbox,
  checkSkills,
  checkTelegram,
  checkWorkspaces,
  unsafeHome,
} from "./findings.ts";

/** What is looked at, and from where. */
export interface Examined {
  readonly env: Caller["env"];
  /** The daemon's folder. */
  readonly home: string;
  readonly signal: AbortSignal;
  /** One workspace instead of all. */
  readonly only?: { readonly name: string; readonly cwd: string } | undefined;
  /** Nothing is asked of anybody else, no server is started and no view is tried. */
  readonly isLocal?: boolean;
}

/** Looks at everything, one by one; an error is that of the configuration. */
export async function examine(
  loaded: LoadedConfig | AppError,
  { env, home, signal, only, isLocal = false }: Examined,
): Promise<readonly Finding[]> {
  // Nothing there is worth a look: somebody else may have written it.
  if (loaded instanceof AppError && loaded.code === "ERR_HOME_UNSAFE") {
    return [unsafeHome(loaded), NOT_LOOKED_AT];
  }
  const daemon = await checkDaemon(home, signal);
  const machine = [
    checkHome(home),
    checkDatabase(home),
    checkCopies(home, Date.now()),
    ...daemon.findings,
    checkLastEnd(home, Date.now()),
    checkLogs(home),
  ];
  if (loaded instanceof AppError) return [...checkConfig(loaded), ...machine, NOT_LOOKED_AT];
  const sandbox = createSandbox(sandboxOptions(loaded, env));
  return [
    ...checkConfig(loaded),
    ...machine,
    checkRetention(home, loaded, { status: daemon.status, now: Date.now() }),
    ...checkProviders(loaded, env),
    ...(isLocal ? [] : await checkResearch(loaded, env, signal)),
    checkTelegram(loaded, env, listPaired(home)),
    await checkSandbox(loaded, sandbox),
    ...(await checkWorkspaces(loaded, { env, sandbox, signal, isLocal }, only)),
    ...checkSkills(loaded),
    ...(isLocal ? [] : await checkMcp(loaded, env, signal)),
  ];
}

const NOT_LOOKED_AT: Finding = {
  name: "provider, telegram, sandbox, workspaces, skills, MCP servers",
  state: "warning",
  found: "not looked at",
  mend: "fix the configuration first",
};
