import { Database } from "bun:sqlite";
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { goneFolder } from "../../config/gone-folder.ts";
import { isTelegramIntended } from "../../config/is-telegram-intended.ts";
import { type FoundFile, type LoadedConfig, providerChain } from "../../config/load/load.ts";
import { resolveKey } from "../../config/secret.ts";
import { configFileOf, resolveWorkspace } from "../../config/workspaces.ts";
import { AppError, errorMessage } from "../../core/app-error.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import { createKnownCheckStore, type KnownCheckStore } from "../../store/known-checks.ts";
import { createLedger } from "../../store/ledger.ts";
import { MIGRATIONS, statePath } from "../../store/open/open.ts";
import type { Sandbox } from "../../system/sandbox/sandbox.ts";
import type { DoctorWords } from "../../texts/doctor/doctor.ts";
import { findLeftovers } from "../../transaction/journal/journal.ts";
import { describeCheck, findObstacles, resolveChecks } from "../../workspace/checks/checks.ts";
import { findSkills, skillPlaces } from "../../workspace/skills/skills.ts";
import { readTracked } from "../../workspace/tracked.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Caller } from "../context.ts";
import type { Machine } from "./machine.ts";

type Env = Caller["env"];

const LITTLE_SPACE_BYTES = 100 * 1024 * 1024;

/** The file in force, or every problem that keeps it from being so. */
export function checkConfig(
  loaded: LoadedConfig | AppError,
  { joins, configuration: words }: DoctorWords,
): readonly Finding[] {
  const name = "configuration";
  if (loaded instanceof AppError) {
    const problems = loaded.message.split("\n"); // one a line
    return problems.map((text) => failed(name, text, words.fix));
  }
  const {
    source: { path, found },
    warnings,
  } = loaded;
  return [
    ok(name, path ?? words.none, path ? "" : words.write),
    ...(found ? [describeFound(found)] : []),
    ...warnings.map((text) => warning(name, text, "")),
  ];

  /** What a file that is not trusted changed. */
  function describeFound({ path: at, stricter, added }: FoundFile): Finding {
    const changed = [...stricter, ...added.map((each) => `workspaces.${each}`)];
    return ok(name, words.untrusted(at, joins.list(changed) || words.nothing));
  }
}

/** The daemon's folder: there or possible, writable, for its owner alone, on a disk with room. */
export function checkHome(home: string, { home: words, megabytes }: DoctorWords): Finding {
  const name = "home";
  try {
    if (!existsSync(home)) {
      accessSync(nearestFolder(home), constants.W_OK);
      return ok(name, words.absent(home), words.isMade);
    }
    if (!statSync(home).isDirectory()) {
      return failed(name, words.noFolder(home), words.move);
    }
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return failed(name, errorMessage(error), words.open(home));
  }
  const { bavail, bsize } = statfsSync(home);
  if (bavail * bsize < LITTLE_SPACE_BYTES) {
    const left = megabytes(`${Math.floor((bavail * bsize) / 1024 / 1024)}`);
    return warning(name, words.space(home, left), words.free);
  }
  return ok(name, home);
}

/** A home that others may have written. */
export function unsafeHome({ message }: AppError, { home }: DoctorWords): Finding {
  return failed("home", message, home.again);
}

/** The chain of providers, each with its key. */
export function checkProviders(
  { config, userHome }: LoadedConfig,
  env: Env,
  { provider: words, secret: toMend }: DoctorWords,
): readonly Finding[] {
  const chain = providerChain(config);
  if (chain.length === 0) return [ok("provider", words.offline, words.addOne)];
  return chain.map((each) => {
    const { base_url, model, api_key } = config.providers[each] ?? {};
    const secret = resolveKey(api_key ?? "", { env, home: userHome });
    // Only the host: the rest of an address may hold a key.
    const host = URL.parse(base_url ?? "")?.host;
    const found = words.at(model ?? words.noModel, host ?? words.noAddress);
    return secret.ok
      ? ok(`provider ${each}`, found)
      : failed(`provider ${each}`, found, toMend(secret.message));
  });
}

/** Routines whose webhook cannot be called here, as its secret cannot be had; a service may have other variables. */
export function checkWebhooks(
  { config, userHome: home }: LoadedConfig,
  env: Env,
  { secret: toMend }: DoctorWords,
): readonly Finding[] {
  return config.routines.jobs.flatMap(({ name, trigger_secret: reference }) => {
    const secret = resolveKey(reference, { env, home });
    return secret.ok ? [] : [warning(`routine ${name}`, "trigger_secret", toMend(secret.message))];
  });
}

/** Telegram is not needed; half of it is a fault. `paired` are those whom a code let in. */
export function checkTelegram(
  { config, userHome }: LoadedConfig,
  env: Env,
  paired: readonly number[],
  { telegram: words, secret }: DoctorWords,
): Finding {
  const { bot_token, allowed_user_ids } = config.telegram;
  const token = resolveKey(bot_token, { env, home: userHome });
  if (!token.ok || token.value === undefined) {
    return token.ok || !isTelegramIntended(config, paired)
      ? ok("telegram", words.off, words.how)
      : failed("telegram", words.half, secret(token.message));
  }
  const users = new Set([...allowed_user_ids, ...paired]).size;
  return users > 0
    ? ok("telegram", words.on(users))
    : warning("telegram", words.nobody, words.letIn);
}

/** What checks will run in, tried out. */
export async function checkSandbox(
  { config }: LoadedConfig,
  sandbox: Sandbox,
  { joins, sandbox: words }: DoctorWords,
): Promise<Finding> {
  const name = "sandbox";
  const mode = config.security.sandbox;
  try {
    const state = await sandbox();
    if (state.kind === "bwrap") {
      const found = joins.facts([words.bwrap, ...state.gaps]);
      return state.gaps.length === 0 ? ok(name, found) : warning(name, found, words.mend);
    }
    const found = words.none(state.reason);
    return mode === "none" ? ok(name, found) : warning(name, found, words.mend);
  } catch (error) {
    return failed(name, errorMessage(error), words.mend);
  }
}

/** The skills of the person and of every workspace that is there. */
export function checkSkills(
  loaded: LoadedConfig,
  { joins, skills: words }: DoctorWords,
): readonly Finding[] {
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
    return [ok("skills", joins.list(skills.map(({ name }) => name)) || words.none)];
  return problems.map(({ path, reason }) => warning("skills", joins.of(path, reason), words.mend));
}

/** Every configured folder, or the one that is named: there, writable, nothing left undone, its checks possible. */
export async function checkWorkspaces(
  loaded: LoadedConfig,
  machine: Machine,
  only?: { readonly name: string; readonly cwd: string },
): Promise<readonly Finding[]> {
  const { baseDir: cwd } = loaded;
  const { workspaces: words, joins } = machine.words;
  const workspaces = only ? [only] : loaded.config.workspaces.map(({ name }) => ({ name, cwd }));
  const { describeView, removeEmptyViews } = await import("./describe-view.ts");
  if (workspaces.length === 0) {
    return [warning("workspaces", words.none, words.add)];
  }
  const findings = await Promise.all(
    workspaces.map(async ({ name, cwd: from }) => {
      try {
        using store = readStore(loaded.home);
        const ledger = store && createLedger(store, loaded.home);
        const workspace = resolveWorkspace(loaded, name, from);
        const here = { ...workspace, ...(ledger && { ledger }) };
        const finding = await checkWorkspace(here, store && createKnownCheckStore(store), machine);
        const view = machine.isLocal ? [] : [await describeView(workspace, loaded.home, machine)];
        const { unknown } = readTracked(workspace.root);
        const unread = unknown === undefined ? [] : [words.unread(unknown)];
        return withFound(finding, joins.facts([finding.found, ...view, ...unread]));
      } catch (error) {
        return cannotUse(loaded, name, error, words);
      }
    }),
  );
  removeEmptyViews(loaded.home);
  return findings;
}

/** What keeps a folder from being used, with the entry and the file where that is mended. */
function cannotUse(
  loaded: LoadedConfig,
  name: string,
  error: unknown,
  words: DoctorWords["workspaces"],
): Finding {
  const subject = `workspace ${name}`;
  const gone = goneFolder(error);
  if (gone) return failed(subject, words.gone(gone.path), words.mendGone(name, gone.file));
  const isEntry = loaded.config.workspaces.some((entry) => entry.name === name);
  const mend = isEntry ? words.fix(name, configFileOf(loaded, name)) : words.notOne;
  return failed(subject, errorMessage(error), mend);
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
  { env, words: { joins, workspaces: words } }: Machine,
): Promise<Finding> {
  const { root } = workspace;
  const name = `workspace ${workspace.name}`;
  accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK);
  const { own, uncertain } = findLeftovers(workspace);
  if (own.length + uncertain.length > 0) {
    return warning(name, joins.of(root, words.halfDone), words.recover(workspace.name));
  }
  const checks = await resolveChecks(workspace, { env });
  const obstacles = await findObstacles(workspace, checks, env);
  const listed = checks.length === 0 ? [words.noChecks] : await listChecks();
  const found = words.checks(root, joins.facts(listed));
  if (obstacles.length === 0) return ok(name, found);
  return warning(name, joins.facts([found, ...obstacles]), words.install);

  /** Where each comes from, how long it took the last time, and whether it was ever shown. */
  async function listChecks(): Promise<readonly string[]> {
    const { describeChecks, findUnseen } = await import("../../planner/verify/verify.ts");
    const took = known ? describeChecks(known, workspace, checks) : [];
    const list = checks.map((check, index) => {
      const ms = took[index]?.tookMs;
      return describeCheck(check, ms === undefined ? [] : [words.lastTime((ms / 1000).toFixed(1))]);
    });
    const isNew = known && (await findUnseen(known, workspace)).length > 0;
    return [joins.list(list), ...(isNew ? [words.unseen] : [])];
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}

function withFound(finding: Finding, found: string): Finding {
  return { ...finding, found };
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
