import { statSync } from "node:fs";
import type { App } from "../app.ts";
import { errorMessage } from "../core/app-error.ts";
import { resolveChecks } from "../workspace/checks.ts";
import { type CliContext, EXIT } from "./context.ts";
import { openApp, print } from "./open-app.ts";
import { JSON_OPTION, parseCommand } from "./parse.ts";

interface Finding {
  readonly name: string;
  readonly state: "ok" | "warning" | "failed";
  readonly found: string;
  /** What to do; empty when all is well. */
  readonly mend: string;
}

/** `papayu doctor`: what is wrong on this machine and how to mend it; changes nothing. */
export async function doctor(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, "doctor [--json]", {
    options: JSON_OPTION,
    positionals: [0, 0],
  });
  using app = await openApp(parsed, context);
  const findings = [
    checkConfig(app),
    checkHome(app),
    checkProvider(app),
    checkTelegram(app),
    ...checkPrograms(),
    ...(await checkWorkspaces(app)),
  ];
  const failed = findings.some((finding) => finding.state === "failed");
  const lines = findings.map((finding) => {
    const mend = finding.mend === "" ? "" : `\n          ${finding.mend}`;
    return `${finding.state.padEnd(8)}  ${finding.name}: ${finding.found}${mend}`;
  });
  print(context, parsed.flag("json"), { ok: !failed, findings }, lines.join("\n"));
  return failed ? EXIT.failed : EXIT.done;
}

function checkConfig({ loaded }: App): Finding {
  const { path, warnings } = loaded;
  const found = path ?? "none; built-in defaults";
  if (warnings.length === 0) return { name: "configuration", state: "ok", found, mend: "" };
  return { name: "configuration", state: "warning", found, mend: warnings.join("; ") };
}

function checkHome({ loaded }: App): Finding {
  const mode = statSync(loaded.home).mode & 0o777;
  const found = `${loaded.home}, mode ${mode.toString(8)}`;
  return (mode & 0o077) === 0
    ? { name: "home", state: "ok", found, mend: "" }
    : { name: "home", state: "warning", found, mend: `chmod 700 ${loaded.home}` };
}

/** A missing key was refused before: an app with a provider is an app whose key is there. */
function checkProvider({ agent }: App): Finding {
  const { name, model } = agent.provider;
  if (name !== "offline")
    return { name: "provider", state: "ok", found: `${name}, ${model}`, mend: "" };
  const mend = "for answers from a model set default.provider and add [providers.NAME]";
  return { name: "provider", state: "ok", found: "offline: built-in rules, no model", mend };
}

function checkTelegram(app: App): Finding {
  const { bot_token, allowed_user_ids } = app.loaded.config.telegram;
  try {
    if (app.secret(bot_token) === undefined) throw new Error("no token is configured");
  } catch (error) {
    const mend = "optional: get a token from @BotFather, see docs/telegram.md";
    return { name: "telegram", state: "ok", found: `off: ${errorMessage(error)}`, mend };
  }
  const found = `${allowed_user_ids.length} allowed users`;
  if (allowed_user_ids.length > 0) return { name: "telegram", state: "ok", found, mend: "" };
  return {
    name: "telegram",
    state: "warning",
    found,
    mend: "add your id to telegram.allowed_user_ids",
  };
}

function checkPrograms(): readonly Finding[] {
  return [
    { program: "git", why: "commands on repositories" },
    { program: "bwrap", why: "the sandbox of checks" },
  ].map(({ program, why }) => {
    const path = Bun.which(program);
    if (path !== null) return { name: program, state: "ok", found: path, mend: "" };
    return { name: program, state: "warning", found: "not on PATH", mend: `install it for ${why}` };
  });
}

async function checkWorkspaces(app: App): Promise<readonly Finding[]> {
  return Promise.all(
    app.loaded.config.workspaces.map(async ({ name }): Promise<Finding> => {
      try {
        const workspace = app.agent.workspaces.get(name);
        const checks = await resolveChecks(workspace);
        const commands = checks.map((check) => check.argv.join(" ")).join(", ");
        const found = `${workspace.root}, checks: ${commands || "none"}`;
        return { name: `workspace ${name}`, state: "ok", found, mend: "" };
      } catch (error) {
        return {
          name: `workspace ${name}`,
          state: "failed",
          found: errorMessage(error),
          mend: "mend [[workspaces]] in config.toml",
        };
      }
    }),
  );
}
