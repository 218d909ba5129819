import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Log } from "../../core/log.ts";
import { DOOR_URL, type SandboxDoor } from "../../system/sandbox/sandbox.ts";
import type { ChangeSet, CheckResult, CheckStage, Generation } from "../../transaction/change.ts";
import { type GenerateCommand, resolveGenerators } from "../../workspace/checks/checks.ts";
import { type CheckCommand, isOneHost, type Workspace } from "../../workspace/workspace.ts";
import { type Door, openDoor } from "./door.ts";
import type { Ran } from "./generated.ts";
import { concernsLocks } from "./lock-relevant.ts";
import { touchedChecks } from "./touched-checks.ts";

/** What makes the lock files of a change set. */
export async function generatorsOf(
  workspace: Workspace,
  changeSet: ChangeSet,
): Promise<readonly GenerateCommand[]> {
  const { changes, contents } = changeSet;
  const isDetected = (workspace.generate ?? "detect") === "detect";
  const files = changes.filter((change) => {
    if (change.kind === "mkdir" || change.kind === "rmdir") return false;
    return !isDetected || concernsLocks(changeSet, change);
  });
  const after = files.map((change) => {
    return [
      change.path,
      "after" in change ? contents.get(change.after.sha256) : undefined,
    ] as const;
  });
  const generators = await resolveGenerators(workspace, new Map(after));
  // A package.json is a program by its scripts, and most changes to one leave them as they were.
  const touched = new Set(touchedChecks(changeSet, () => false));
  const isRun = (path: string) => !/(?:^|\/)package\.json$/u.test(path) || touched.has(path);
  return generators.map(({ programs, ...command }) => {
    return Object.assign(command, { programs: programs.filter(isRun) });
  });
}

/** What is left to the person, where nothing that makes lock files ran for a change set. */
export async function skippedIn(
  workspace: Workspace,
  changeSet: ChangeSet,
): Promise<Generation | undefined> {
  const generators = await generatorsOf(workspace, changeSet);
  if (generators.length === 0) return undefined;
  return { kind: "skipped", commands: generators.map(({ argv }) => argv.join(" ")) };
}

/** How one of them is run. */
export interface Generating {
  readonly commands: readonly CheckCommand[];
  readonly variables: (cache: string) => Variables;
  readonly door?: SandboxDoor;
}

/** What they run with, and what they may reach. */
export interface GenerateRoom {
  readonly hosts: readonly string[];
  /** The daemon's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

/**
 * Runs commands that make lock files, one after another, up to the first that fails: as checks do, and
 * told to be quiet. Those that may reach hosts do so through one door; without it, or where they
 * would run what the change set changes, they have no network.
 */
export async function runGenerators(
  generators: readonly GenerateCommand[],
  room: GenerateRoom,
  run: (generating: Generating) => Promise<CheckResult>,
): Promise<Ran> {
  const { hosts, log } = room;
  const mayReach = ({ programs }: GenerateCommand) => hosts.length > 0 && programs.length === 0;
  await using door = generators.some(mayReach) ? await openDoor(hosts, log) : undefined;
  const stages: CheckStage[] = [];
  for (const command of generators) {
    const out = mayReach(command) ? door : undefined;
    const check = await run(
      out ? behindDoor(command, out, {}) : generating(command, () => toOffline(room)),
    );
    stages.push(...check.stages);
    if (check.ok) continue;
    const { refused, closed } = out ?? (await findHosts(command, check, log, run));
    const asked = { refused: [...refused].filter(isOneHost), closed: [...closed] };
    return { check: { ...check, stages }, ...asked };
  }
  return { check: { ok: true, stages, sandbox: "bwrap" } };
}

/**
 * Which hosts a command that failed without a network asks for, by running it once more behind a
 * door that is closed to all. A list of what tools ask by default would say nothing of a project that
 * has a registry of its own.
 */
async function findHosts(
  command: GenerateCommand,
  { stages }: CheckResult,
  log: Log,
  run: (generating: Generating) => Promise<CheckResult>,
): Promise<Pick<Door, "refused" | "closed">> {
  const failed = stages.at(-1);
  if (command.programs.length > 0 || failed?.timedOut || failed?.excess) return NOBODY;
  await using door = await openDoor([], log);
  await run(behindDoor(command, door, ONE_TRY));
  return door;
}

const NOBODY: Pick<Door, "refused" | "closed"> = { refused: new Set(), closed: new Set() };

function behindDoor(command: GenerateCommand, door: SandboxDoor, more: Variables): Generating {
  return { ...generating(command, (cache) => ({ ...toOnline(cache), ...more })), door };
}

function generating(
  command: GenerateCommand,
  toNetwork: (cache: string) => Variables,
): Omit<Generating, "door"> {
  const variables = (cache: string) => ({ ...QUIET, ...toCaches(cache), ...toNetwork(cache) });
  return { commands: [toCheck(command)], variables };
}

/** Such a command as one that is run and shown like a check. */
export function toCheck({ argv, from, folder }: GenerateCommand): CheckCommand {
  return { name: argv.join(" "), argv, from, ...(folder !== "" && { folder }) };
}

/** What tools do besides, and would do over a network. */
const QUIET: Readonly<Record<string, string>> = {
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
  COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
  npm_config_manage_package_manager_versions: "false", // a manifest must not choose another pnpm
  COMPOSER_NO_INTERACTION: "1",
  GOTOOLCHAIN: "local", // another one that a go.mod names would be a program from outside
};

type Variables = Readonly<Record<string, string>>;

/** Where tools keep what they fetch: they cannot write to the folders of the person's, and want to. */
function toCaches(cache: string): Variables {
  return {
    BUN_INSTALL_CACHE_DIR: join(cache, "bun-install"),
    UV_CACHE_DIR: join(cache, "uv"),
    POETRY_CACHE_DIR: join(cache, "pypoetry"),
    YARN_GLOBAL_FOLDER: join(cache, "yarn"),
    GOMODCACHE: join(cache, "go-mod"),
    GOFLAGS: "-modcacherw", // or nobody could remove it
  };
}

/** Without a network tools say so at once, instead of trying for minutes. */
function toOffline({ env }: GenerateRoom): Variables {
  return {
    npm_config_offline: "true",
    CARGO_NET_OFFLINE: "true",
    GOPROXY: `${fetchedByGo(env)},off`,
    GOSUMDB: "off", // what is here was compared with it when it was fetched
    UV_OFFLINE: "1",
    COMPOSER_DISABLE_NETWORK: "1",
    YARN_ENABLE_NETWORK: "0",
  };
}

/** Where the door is, in the words of each tool. */
function toOnline(cache: string): Variables {
  const names = "http_proxy https_proxy HTTP_PROXY HTTPS_PROXY YARN_HTTP_PROXY YARN_HTTPS_PROXY";
  const npm = "npm_config_proxy npm_config_https_proxy";
  const all = [...names.split(" "), ...npm.split(" ")].map((name) => [name, DOOR_URL]);
  return {
    ...Object.fromEntries(all),
    NO_PROXY: "",
    no_proxy: "",
    npm_config_noproxy: "",
    CARGO_HOME: join(cache, "cargo-home"), // offline that of the person is read
  };
}

/** For a command that gets nothing: it need not ask again and again. */
const ONE_TRY: Variables = {
  npm_config_fetch_retries: "0",
  BUNDLE_RETRY: "0",
  CARGO_NET_RETRY: "0",
  UV_HTTP_RETRIES: "0",
  YARN_HTTP_RETRY: "0",
};

/** What the person has fetched before, as a place to fetch from: Go only uses a cache it can write. */
function fetchedByGo({ GOMODCACHE, GOPATH, HOME = homedir() }: GenerateRoom["env"]): string {
  const path = GOPATH?.split(":")[0] || join(HOME, "go");
  const cache = GOMODCACHE || join(path, "pkg/mod");
  return pathToFileURL(join(cache, "cache/download")).href;
}
