import { AppError } from "../../core/app-error.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import { doctorWordsIn } from "../../texts/doctor/doctor.ts";
import { type CliContext, EXIT } from "../context.ts";
import { findHomeOf } from "../home-of.ts";
import { readConfig, warnOfBroken } from "../open-config.ts";
import { parseCommand, usageError, WORKSPACE_OPTION } from "../parse.ts";
import { print, readLanguage } from "../print.ts";
import { examine } from "./examine.ts";

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
  const chosen = (["probe", "repair", "adopt"] as const).filter((name) => parsed.flag(name));
  if (chosen.length > 1) {
    const both = chosen.map((name) => `--${name}`).join(" and ");
    throw usageError(`Cannot do ${both} at once`, context);
  }
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
  const { signal, caller } = context;
  const only = name === undefined ? undefined : { name, cwd: caller.cwd };
  const { env } = caller;
  const home = findHomeOf(context);
  const words = doctorWordsIn(await readLanguage(parsed.text("config"), caller));
  const findings = await examine(loaded, { env, home, signal, words, only });
  const ok = findings.every(({ state }) => state !== "failed");
  print(context, { ok, findings }, findings.map(renderFinding).join("\n"));
  if (ok && name !== undefined && !(loaded instanceof AppError) && isAtTerminal(context)) {
    const { noteShownChecks } = await import("./seen-checks.ts");
    await noteShownChecks(loaded, name, context.caller);
  }
  return ok ? EXIT.done : EXIT.failed;
}

function isAtTerminal({ stdin, stdout }: CliContext): boolean {
  return stdin.isTTY && stdout.isTTY;
}

function toAppErrorOnly(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

function renderFinding({ name, state, found, mend }: Finding): string {
  const line = `${state.padEnd(7)}  ${name}: ${found}`;
  return mend === "" ? line : `${line}\n         → ${mend}`;
}
