import { Database } from "bun:sqlite";
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isTelegramIntended } from "../../config/is-telegram-intended.ts";
import type { FoundFile, LoadedConfig } from "../../config/load/load.ts";
import { resolveSecret } from "../../config/secret.ts";
import { resolveWorkspace } from "../../config/workspaces.ts";
import { AppError, errorMessage } from "../../core/app-error.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import { createKnownCheckStore, type KnownCheckStore } from "../../store/known-checks.ts";
import { createLedger } from "../../store/ledger.ts";
import { MIGRATIONS, statePath } from "../../store/open/open.ts";
import type { Sandbox } from "../../system/sandbox/sandbox.ts";
import { findLeftovers } from "../../transaction/journal/journal.ts";
import { describeCheck, findObstacles, resolveChecks } from "../../workspace/checks/checks.ts";
import { findSkills, skillPlaces } from "../../workspace/skills/skills.ts";
import { readTracked } from "../../workspace/tracked.ts";
import type { CheckCommand, Workspace } from "../../workspace/workspace.ts";
import type { Caller } from "../context.ts";

type Env = Caller["env"];

const LITTLE_SPACE_BYTES = 100 * 1024 * 1024;

/** The file in force, or every problem that keeps it from being so. */
export function checkConfig(loaded: LoadedConfig | AppError): readonly Finding[] {
  const name = "configuration";
  if (loaded instanceof AppError) {
    const problems = loaded.message.split("\n"); // one a line
    return problems.map((text) =>
      failed(name, text, "fix it; papayu config check checks it again"),
    );
  }
  const {
    source: { path, found },
    warnings,
  } = loaded;
  return [
    ok(name, path ?? "none; built-in defaults", path ? "" : "papayu init writes one"),
    ...(found ? [describeFound(found)] : []),
    ...warnings.map((text) => warning(name, text, "")),
  ];
}

/** What a file that is not trusted changed. */
function describeFound({ path, stricter, added }: FoundFile): Finding {
  const changed = [...stricter, ...added.map((each) => `workspaces.${each}`)].join(", ");
  return ok("configuration", `${path} is not trusted; it decided: ${changed || "nothing"}`);
}

/** The daemon's folder: there or possible, writable, for its owner alone, on a disk with room. */
export function checkHome(home: string): Finding {
  const name = "home";
  try {
    if (!existsSync(home)) {
      accessSync(nearestFolder(home), constants.W_OK);
      return ok(name, `${home} is not there yet`, "the first command makes it");
    }
    if (!statSync(home).isDirectory()) {
      return failed(name, `${home} is no folder`, "move it away, or set PAPAYU_HOME");
    }
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return failed(name, errorMessage(error), `make "${home}" writable, or set PAPAYU_HOME`);
  }
  const { bavail, bsize } = statfsSync(home);
  if (bavail * bsize < LITTLE_SPACE_BYTES) {
    const found = `${home}: ${Math.floor((bavail * bsize) / 1024 / 1024)} MB are left on its disk`;
    return warning(name, found, "free some space");
  }
  return ok(name, home);
}

/** A home that others may have written. */
export function unsafeHome({ message }: AppError): Finding {
  return failed("home", message, "then run papayu doctor again");
}

/** The chain of providers, each with its key. */
export function checkProviders({ config, userHome }: LoadedConfig, env: Env): readonly Finding[] {
  const { provider } = config.default;
  if (provider === "offline") {
    const mend = "for answers from a model: add [providers.NAME] and set default.provider";
    return [ok("provider", "built-in rules, no model", mend)];
  }
  return [provider, ...config.reliability.fallback_providers].map((each) => {
    const { base_url, model, api_key } = config.providers[each] ?? {};
    const secret = resolveSecret(api_key ?? "", { env, home: userHome });
    // Only the host: the rest of an address may hold a key.
    const found = `${model ?? "no model"} at ${URL.parse(base_url ?? "")?.host ?? "no address"}`;
    return secret.ok
      ? ok(`provider ${each}`, found)
      : failed(`provider ${each}`, found, secret.message);
  });
}

/** Telegram is not needed; half of it is a fault. `paired` are those whom a code let in. */
export function checkTelegram(
  { config, userHome }: LoadedConfig,
  env: Env,
  paired: readonly number[],
): Finding {
  const { bot_token, allowed_user_ids } = config.telegram;
  const token = resolveSecret(bot_token, { env, home: userHome });
  if (!token.ok || token.value === undefined) {
    return token.ok || !isTelegramIntended(config, paired)
      ? ok("telegram", "off", "docs/telegram.md says how to switch it on")
      : failed("telegram", "off, though it is configured", token.message);
  }
  const users = new Set([...allowed_user_ids, ...paired]).size;
  return users > 0
    ? ok("telegram", `on for ${users} ${users === 1 ? "user" : "users"}`)
    : warning("telegram", "on for nobody yet", LET_IN);
}

const LET_IN =
  "write anything to the bot, then papayu pair CODE with its code; or add your id to telegram.allowed_user_ids";

/** What checks will run in, tried out. */
export async function checkSandbox({ config }: LoadedConfig, sandbox: Sandbox): Promise<Finding> {
  const name = "sandbox";
  const mode = config.security.sandbox;
  try {
    const state = await sandbox();
    if (state.kind === "bwrap") {
      const found = ["checks run in bubblewrap", ...state.gaps].join("; ");
      return state.gaps.length === 0 ? ok(name, found) : warning(name, found, MEND_SANDBOX);
    }
    const found = `none: ${state.reason}; checks run with your rights`;
    return mode === "none" ? ok(name, found) : warning(name, found, MEND_SANDBOX);
  } catch (error) {
    return failed(name, errorMessage(error), MEND_SANDBOX);
  }
}

const MEND_SANDBOX = "install bubblewrap, or see docs/security.md for what it needs";

/** The skills of the person and of every workspace that is there. */
export function checkSkills(loaded: LoadedConfig): readonly Finding[] {
  const places = loaded.config.workspaces.flatMap(({ name }) => {
    try {
      return skillPlaces(loaded.home, resolveWorkspace(loaded, name, loaded.baseDir));
    } catch {
      return []; // said of the workspace
    }
  });
  const unique = new Map(
    [...places, ...skillPlaces(loaded.home)].map((each) => [join(each.base, each.folder), each]),
  );
  const { skills, problems } = findSkills([...unique.values()]);
  if (problems.length === 0)
    return [ok("skills", skills.map(({ name }) => name).join(", ") || "none")];
  return problems.map(({ path, reason }) =>
    warning("skills", `${path}: ${reason}`, "fix it or move it away; the skill is not used"),
  );
}

/** What workspaces are looked at with. */
export interface Machine {
  readonly env: Env;
  /** One for all of them: it is tried out once. */
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  /** No view is tried: to make one may mean to copy all of it. */
  readonly isLocal: boolean;
}

/** Every configured folder, or the one that is named: there, writable, nothing left undone, its checks possible. */
export async function checkWorkspaces(
  loaded: LoadedConfig,
  machine: Machine,
  only?: { readonly name: string; readonly cwd: string },
): Promise<readonly Finding[]> {
  const { baseDir: cwd } = loaded;
  const workspaces = only ? [only] : loaded.config.workspaces.map(({ name }) => ({ name, cwd }));
  const { describeView, removeEmptyViews } = await import("./describe-view.ts");
  if (workspaces.length === 0) {
    return [warning("workspaces", "none", "add [[workspaces]] to config.toml, or use -w FOLDER")];
  }
  const findings = await Promise.all(
    workspaces.map(async ({ name, cwd: from }) => {
      try {
        using store = readStore(loaded.home);
        const ledger = store && createLedger(store, loaded.home);
        const workspace = resolveWorkspace(loaded, name, from);
        const here = { ...workspace, ...(ledger && { ledger }) };
        const finding = await checkWorkspace(
          here,
          store && createKnownCheckStore(store),
          machine.env,
        );
        const view = machine.isLocal
          ? ""
          : `; ${await describeView(workspace, loaded.home, machine)}`;
        const { unknown } = readTracked(workspace.root);
        const unread =
          unknown === undefined
            ? ""
            : `; git's index: ${unknown}, so files that are added although ignored count as ignored`;
        return withMore(finding, `${view}${unread}`);
      } catch (error) {
        return failed(`workspace ${name}`, errorMessage(error), "fix [[workspaces]]");
      }
    }),
  );
  removeEmptyViews(loaded.home);
  return findings;
}

/**
 * Only looked at: a doctor changes nothing, and an older version is left for the next command. What
 * is wrong with the database is said of that.
 */
function readStore(home: string): Database | undefined {
  const path = statePath(home);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  let store: Database | undefined;
  try {
    store = new Database(path, { readonly: true });
    const row = store.query<{ user_version: number }, []>("PRAGMA user_version").get();
    if (row?.user_version === MIGRATIONS.length) return store;
  } catch {}
  store?.close();
  return undefined;
}

async function checkWorkspace(
  workspace: Workspace,
  known: KnownCheckStore | undefined,
  env: Env,
): Promise<Finding> {
  const { root } = workspace;
  const name = `workspace ${workspace.name}`;
  accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK);
  const { own, uncertain } = findLeftovers(workspace);
  if (own.length + uncertain.length > 0) {
    const found = `${root}: a transaction is running, or a crash left it half done`;
    return warning(name, found, `papayu recover -w ${workspace.name}`);
  }
  const checks = await resolveChecks(workspace, { env });
  const obstacles = await findObstacles(workspace, checks, env);
  const found = `${root}, checks: ${await listChecks(workspace, checks, known)}`;
  if (obstacles.length === 0) return ok(name, found);
  const mend = "install what is missing, or set check in [[workspaces]]";
  return warning(name, `${found}; ${obstacles.join("; ")}`, mend);
}

/** Where each comes from, how long it took the last time, and whether it was ever shown. */
async function listChecks(
  workspace: Workspace,
  checks: readonly CheckCommand[],
  known: KnownCheckStore | undefined,
): Promise<string> {
  if (checks.length === 0) return "none";
  const { describeChecks, findUnseen } = await import("../../planner/verify/verify.ts");
  const took = known ? describeChecks(known, workspace, checks) : [];
  const list = checks.map((check, index) => {
    const ms = took[index]?.tookMs;
    return describeCheck(check, ms === undefined ? [] : [`${(ms / 1000).toFixed(1)} s last time`]);
  });
  const isNew = known && (await findUnseen(known, workspace)).length > 0;
  return `${list.join(", ")}${isNew ? "; not run unasked before you have seen them" : ""}`;
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}

function withMore(finding: Finding, more: string): Finding {
  return { ...finding, found: `${finding.found}${more}` };
}

function ok(name: string, found: string, mend = ""): Finding {
  return { name, state: "ok", found, mend };
}

function warning(name: string, found: string, mend: string): Finding {
  return { name, state: "warning", found, mend };
}

function failed(name: string, found: string, mend: string): Finding {
  return { name, state: "failed", found, mend };
}
