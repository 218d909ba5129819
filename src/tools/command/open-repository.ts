import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCommand } from "../../system/run/run.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { failure, type ToolFailure } from "../tool.ts";
import { type CommandDeps, runArgv } from "./run-argv.ts";

/** Where git is called, and until when. */
export interface GitScene {
  readonly deps: CommandDeps;
  readonly workspace: Workspace;
  /** Absolute real path in the workspace. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** A repository in which nothing but git runs when git is called with the variables. */
export interface Repository {
  readonly ok: true;
  /** Absolute; `.git` is in it. */
  readonly top: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Ends a hang: a repository may be large, and the machine busy. */
const TIMEOUT_MS = 30_000;

/** Settings that override those of a repository: what runs programs, or shows contents unasked, is off, or fails. */
const SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.sshCommand", "false"],
  ["core.gitProxy", ""],
  ["core.askPass", "false"],
  ["core.editor", "false"],
  ["sequence.editor", "false"],
  ["core.pager", "cat"],
  ["core.attributesFile", "/dev/null"],
  ["core.alternateRefsCommand", "false"],
  ["core.quotePath", "true"],
  ["credential.helper", ""],
  ["diff.external", ""],
  ["diff.ignoreSubmodules", "dirty"],
  ["diff.submodule", "short"],
  ["status.submoduleSummary", "false"],
  ["commit.verbose", "false"],
  ["interactive.diffFilter", ""],
  ["submodule.recurse", "false"],
  ["commit.gpgSign", "false"],
  ["log.showSignature", "false"],
  ["gpg.program", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.program", "false"],
  ["format.pretty", "medium"],
  ["protocol.allow", "never"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["color.ui", "false"],
];

/** The same for keys with a name of the repository's choice, such as `filter.x.clean`. */
const RUNNING =
  /\.(?:\w*program|\w*command|cmd|driver|textconv|clean|smudge|process|helper|uploadpack|receivepack|vcs)$/iu;

/** Of the user's own settings only who they are and how lines end. */
const OWN_KEYS = "^(user\\.(name|email)|core\\.autocrlf)$";

/** Finds the repository around `cwd` and how git is to be called in it. */
export async function openRepository(scene: GitScene): Promise<Repository | ToolFailure> {
  const top = findRepository(scene);
  if (typeof top !== "string") return top;
  const fixed = toVariables(top);
  const [local, mine] = await Promise.all([readLocalKeys(scene, fixed), readOwnSettings(scene)]);
  if (local === undefined) {
    return failure("unavailable", "Cannot read the repository's configuration; is git installed?");
  }
  const own = mine.filter(([key]) => !local.includes(key));
  const emptied = local.filter((key) => RUNNING.test(key)).map((key): Setting => [key, ""]);
  const required = local.filter((key) => /^filter\..*\.required$/u.test(key));
  const loosened = required.map((key): Setting => [key, "false"]);
  return {
    ok: true,
    top,
    variables: { ...fixed, ...toConfig([...emptied, ...loosened, ...SETTINGS, ...own]) },
  };
}

/** What git answers to a question of our own; undefined when it fails or says too much to know it all. */
export async function askGit(
  { deps, workspace, cwd, signal }: GitScene,
  variables: Repository["variables"],
  args: readonly string[],
): Promise<string | undefined> {
  const { exitCode, output } = await runArgv(deps, {
    workspace,
    argv: ["git", ...args],
    cwd,
    writes: "nothing",
    variables,
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  return exitCode === 0 && !output.includes(" bytes left out …") ? output : undefined;
}

type Setting = readonly [key: string, value: string];

/** The folder whose `.git` counts here; none above the workspace does, and none that leads away. */
function findRepository({ workspace, cwd }: GitScene): string | ToolFailure {
  let top = cwd;
  while (top !== workspace.root && !exists(join(top, ".git"))) top = dirname(top);
  const git = join(top, ".git");
  const stat = lstatSync(git, { throwIfNoEntry: false });
  if (!stat) return failure("not_found", `there is no git repository in "${workspace.name}"`);
  const leadsAway = !stat.isDirectory() || holdsLink(git);
  return leadsAway
    ? failure(
        "denied",
        "Cannot use the repository: its .git leads elsewhere (a worktree, a submodule or a link)",
      )
    : top;
}

/** Folders of `.git` that git writes to by names that anybody can have prepared. */
const WRITTEN = ["logs", "refs", "info", "objects"];

/** Whether a link below `.git` would have git read or write elsewhere. */
function holdsLink(git: string): boolean {
  const folders = WRITTEN.map((name) => join(git, name)).filter(exists);
  const isDeep = (folder: string) => !folder.endsWith("objects");
  return [git, ...folders].some((folder) =>
    readdirSync(folder, { withFileTypes: true, recursive: folder !== git && isDeep(folder) }).some(
      isLink,
    ),
  );
}

function isLink(entry: { isSymbolicLink(): boolean }): boolean {
  return entry.isSymbolicLink();
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Named outright, so that no configuration moves them. */
function toVariables(top: string): Readonly<Record<string, string>> {
  const git = join(top, ".git");
  return {
    GIT_DIR: git,
    GIT_COMMON_DIR: git,
    GIT_WORK_TREE: top,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ALLOW_PROTOCOL: "",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
  };
}

function toConfig(settings: readonly Setting[]): Readonly<Record<string, string>> {
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

/** The repository's own keys that matter here; undefined when they cannot all be known. */
async function readLocalKeys(
  scene: GitScene,
  variables: Repository["variables"],
): Promise<readonly string[] | undefined> {
  const output = await askGit(scene, variables, ["config", "--null", "--name-only", "--list"]);
  return output?.split("\0").slice(0, -1);
}

/** Read outside of the sandbox, from which home folders cannot be seen. */
async function readOwnSettings({ deps, signal }: GitScene): Promise<readonly Setting[]> {
  const { exitCode, output } = await runCommand({
    argv: ["git", "config", "--global", "--includes", "--null", "--get-regexp", OWN_KEYS],
    cwd: "/",
    env: deps.env,
    timeoutMs: TIMEOUT_MS,
    signal,
    maxOutputBytes: 4096,
  });
  if (exitCode !== 0) return [];
  const entries = output.split("\0").map((entry) => /^([^\n]+)\n(.*)$/su.exec(entry));
  return entries.flatMap((entry) => (entry ? [[entry[1] ?? "", entry[2] ?? ""] as const] : []));
}
