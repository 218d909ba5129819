import type { LoadedConfig } from "../../config/load/load.ts";
import { AppError } from "../../core/app-error.ts";
import { sandboxOptions } from "../../daemon/app/app.ts";
import { createSandbox } from "../../system/sandbox/sandbox.ts";
import { type CliContext, EXIT } from "../context.ts";
import { findHomeOf } from "../home-of.ts";
import { readConfig, warnOfBroken } from "../open-config.ts";
import { parseCommand, WORKSPACE_OPTION } from "../parse.ts";
import { print } from "../print.ts";
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
  type Finding,
  unsafeHome,
} from "./findings.ts";

/**
 * `papayu doctor`: what is wrong on this machine and how to fix it; changes nothing without
 * `--repair`, which puts a damaged database right. On a terminal, what it found to check the
 * workspace of `-w` with counts as seen. Every check is on its own, for this is the
 * command that has to work when no other does.
 */
export async function doctor(args: readonly string[], context: CliContext): Promise<number> {
  const options = {
    probe: { type: "boolean" },
    repair: { type: "boolean" },
    adopt: { type: "boolean" },
    yes: { type: "boolean" },
    ...WORKSPACE_OPTION,
  } as const;
  const parsed = parseCommand(args, context, { options, positionals: [0, 0] });
  if (parsed.flag("repair")) {
    const { repair } = await import("../setup/repair.ts");
    return repair({ isAgreed: parsed.flag("yes") }, context);
  }
  if (parsed.flag("adopt")) {
    const { adoptDatabase } = await import("../setup/adopt-state.ts");
    return adoptDatabase({ isAgreed: parsed.flag("yes") }, context);
  }
  const loaded = await readConfig(parsed, context).catch(toAppErrorOnly);
  if (!(loaded instanceof AppError)) warnOfBroken(loaded.source.broken, context);
  if (parsed.flag("probe")) {
    const { probeSandbox } = await import("./doctor-probe.ts");
    return probeSandbox(loaded, context);
  }
  const name = parsed.text("workspace");
  const findings = await examine(loaded, context, name);
  const ok = findings.every(({ state }) => state !== "failed");
  print(context, { ok, findings }, findings.map(renderFinding).join("\n"));
  if (ok && name !== undefined && !(loaded instanceof AppError) && isAtTerminal(context)) {
    const { noteShownChecks } = await import("./seen-checks.ts");
    await noteShownChecks(loaded, name, context.caller);
  }
  return ok ? EXIT.done : EXIT.failed;
}

async function examine(
  loaded: LoadedConfig | AppError,
  context: CliContext,
  name: string | undefined,
): Promise<readonly Finding[]> {
  const {
    signal,
    caller: { cwd, env },
  } = context;
  const only = name === undefined ? undefined : { name, cwd };
  const home = findHomeOf(context);
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
    ...(await checkResearch(loaded, env, signal)),
    checkTelegram(loaded, env, listPaired(home)),
    await checkSandbox(loaded, sandbox),
    ...(await checkWorkspaces(loaded, { env, sandbox, signal }, only)),
    ...checkSkills(loaded),
    ...(await checkMcp(loaded, env, signal)),
  ];
}

function isAtTerminal({ stdin, stdout }: CliContext): boolean {
  return stdin.isTTY && stdout.isTTY;
}

const NOT_LOOKED_AT: Finding = {
  name: "provider, telegram, sandbox, workspaces, skills, MCP servers",
  state: "warning",
  found: "not looked at",
  mend: "fix the configuration first",
};

function toAppErrorOnly(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

function renderFinding({ name, state, found, mend }: Finding): string {
  const line = `${state.padEnd(7)}  ${name}: ${found}`;
  return mend === "" ? line : `${line}\n         → ${mend}`;
}
