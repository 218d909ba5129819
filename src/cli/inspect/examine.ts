import type { LoadedConfig } from "../../config/load/load.ts";
import { AppError } from "../../core/app-error.ts";
import { sandboxOptions } from "../../daemon/app/app.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import { createSandbox } from "../../system/sandbox/sandbox.ts";
import type { DoctorWords } from "../../texts/doctor/doctor.ts";
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
  checkWebhooks,
  checkWorkspaces,
  unsafeHome,
} from "./findings.ts";

/** What is looked at, and from where. */
export interface Examined {
  readonly env: Caller["env"];
  /** The daemon's folder. */
  readonly home: string;
  readonly signal: AbortSignal;
  /** Those of errors stay as they are. */
  readonly words: DoctorWords;
  /** One workspace instead of all. */
  readonly only?: { readonly name: string; readonly cwd: string } | undefined;
  /** Nothing is asked of anybody else, no server is started and no view is tried. */
  readonly isLocal?: boolean;
}

/** Looks at everything, one by one; an error is that of the configuration. */
export async function examine(
  loaded: LoadedConfig | AppError,
  { env, home, signal, words, only, isLocal = false }: Examined,
): Promise<readonly Finding[]> {
  // Nothing there is worth a look: somebody else may have written it.
  if (loaded instanceof AppError && loaded.code === "ERR_HOME_UNSAFE") {
    return [unsafeHome(loaded, words), notLookedAt(words)];
  }
  const daemon = await checkDaemon(home, words, signal);
  const machine = [
    checkHome(home, words),
    checkDatabase(home, words),
    checkCopies(home, Date.now(), words),
    ...daemon.findings,
    checkLastEnd(home, Date.now(), words),
    checkLogs(home, words),
  ];
  if (loaded instanceof AppError)
    return [...checkConfig(loaded, words), ...machine, notLookedAt(words)];
  const sandbox = createSandbox(sandboxOptions(loaded, env));
  return [
    ...checkConfig(loaded, words),
    ...machine,
    checkRetention(home, loaded, { status: daemon.status, now: Date.now() }, words),
    ...checkProviders(loaded, env, words),
    ...(isLocal ? [] : await checkResearch(loaded, env, words, signal)),
    checkTelegram(loaded, env, listPaired(home), words),
    ...checkWebhooks(loaded, env, words),
    await checkSandbox(loaded, sandbox, words),
    ...(await checkWorkspaces(loaded, { env, sandbox, signal, isLocal, words }, only)),
    ...checkSkills(loaded, words),
    ...(isLocal ? [] : await checkMcp(loaded, env, words, signal)),
  ];
}

function notLookedAt({ notLookedAt: found, fixConfigFirst: mend }: DoctorWords): Finding {
  const name = "provider, telegram, sandbox, workspaces, skills, MCP servers";
  return { name, state: "warning", found, mend };
}
