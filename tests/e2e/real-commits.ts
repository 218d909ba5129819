import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { createSandbox, type Sandbox } from "./papayu.ts";

/** A repository whose commits are done again, each on a clone of its own state before. */
export interface RealRepository {
  /** A folder with the history; it is only read. */
  readonly path: string;
  /** Runs once in the clone, at the newest commit: installs what the checks need. */
  readonly prepare?: readonly (readonly string[])[];
  /** What `prepare` makes and the repository does not ignore by itself. */
  readonly ignored?: readonly string[];
  /** Lines of the workspace's configuration; none: `check = false`. */
  readonly workspace?: string;
  /** For `prepare` and the checks, beside the tests' own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How one commit went. */
export interface DoneAgain {
  readonly commit: string;
  readonly status: string;
  readonly code?: string;
  readonly error?: string;
  /** What is not as it must be; empty is good. */
  readonly faults: readonly string[];
}

/** What became of all of them, and how many commits no change set can hold. */
export interface DoneAgainAll {
  readonly done: readonly DoneAgain[];
  /** Links, submodules, binary files and modes, or more files than a plan may change. */
  readonly leftOut: number;
}

/** As many actions as one answer may have. */
const MOST_FILES = 200;
/** As many as one answer may ask for. */
const MOST_REQUESTS = 64;

/**
 * Applies and undoes up to `count` commits of the newest part of a history as a person would: a
 * plan, one answer of the model with the commit's own patches, `apply --yes`, `undo`. After each
 * step what git would record of the folder is compared with what it recorded then.
 */
export async function doCommitsAgain(
  repository: RealRepository,
  count: number,
): Promise<DoneAgainAll> {
  using dir = tempDir("papayu-commits-");
  const work = join(dir.path, "work");
  const env = { ...process.env, ...repository.env };
  run(["git", "clone", "-q", repository.path, work], dir.path);
  writeFileSync(
    join(work, ".git/info/exclude"),
    [".papa-yu", ...(repository.ignored ?? []), ""].join("\n"),
  );
  for (const argv of repository.prepare ?? []) run(argv, work, env);
  const history = git(work, "rev-list", "--no-merges", "HEAD").split("\n").filter(Boolean);
  let next: readonly object[] = [];
  await using model = startModelServer((request, n) => answer(request, n, work, next));
  const sandbox = createSandbox(dir.path, toConfig(repository, model.url), repository.env);
  const done: DoneAgain[] = [];
  let leftOut = 0;
  for (const commit of history) {
    if (done.length === count) break;
    if (git(work, "rev-list", "--parents", "-n1", commit).split(" ").length !== 2) continue;
    const actions = toActions(work, commit);
    if (!actions) {
      leftOut += 1;
      continue;
    }
    next = actions;
    done.push(await doAgain(sandbox, work, commit));
  }
  return { done, leftOut };
}

/** A configuration whose one workspace is that folder, and whose model is at that address. */
export function toConfig(
  { workspace = "check = false" }: RealRepository,
  url: string,
  path = "./work",
): string {
  return `[default]
provider = "scripted"
[providers.scripted]
base_url = "${url}"
model = "scripted"
[context]
max_files = 200
max_file_chars = 200000
max_total_chars = 2000000
[[workspaces]]
name = "work"
path = "${path}"
max_actions = ${MOST_FILES}
${workspace}
`;
}

/** One commit, from its parent on and back. */
async function doAgain(sandbox: Sandbox, work: string, commit: string): Promise<DoneAgain> {
  git(work, "checkout", "-q", "-f", "--detach", `${commit}^`);
  git(work, "clean", "-fdq");
  const before = git(work, "rev-parse", `${commit}^^{tree}`);
  const after = git(work, "rev-parse", `${commit}^{tree}`);
  const faults: string[] = [];
  const expectTree = (what: string, tree: string) => {
    const found = treeOf(work);
    if (found !== tree) faults.push(`${what}: ${git(work, "diff", "--stat", tree, found).trim()}`);
  };
  const planned = await sandbox.json("plan", `do ${commit}`, "-w", "work");
  const planId: string = planned.report["plan_id"] ?? "";
  const { report } = await sandbox.json("apply", planId, "--yes");
  const { error_code: code, error } = report;
  const status: string = report["status"] ?? "none";
  expectTree(`after ${status}`, status === "committed" ? after : before);
  if (status === "committed") {
    const undone = await sandbox.json("undo", "-w", "work");
    expectTree(`after undo (${undone.report["status"]})`, before);
  }
  return { commit, status, ...(code !== undefined && { code, error }), faults };
}

/** What `git add -A` would record now, without touching the index of the folder. */
export function treeOf(work: string): string {
  const index = join(work, ".git/again.index");
  cpSync(join(work, ".git/index"), index);
  const env = { ...process.env, GIT_INDEX_FILE: index };
  run(["git", "add", "-A"], work, env);
  return run(["git", "write-tree"], work, env).trim();
}

/** The commit as the actions of protocol v2; undefined: one that they cannot express. */
export function toActions(work: string, commit: string): readonly object[] | undefined {
  const raw = git(work, "diff-tree", "-r", "--no-renames", "--no-commit-id", "-z", commit);
  const fields = raw.split("\0").filter(Boolean);
  const actions: object[] = [];
  for (let at = 0; at < fields.length; at += 2) {
    const [, modeBefore, modeAfter, , , kind] =
      /^:(\d+) (\d+) (\w+) (\w+) ([A-Z])/.exec(fields[at] ?? "") ?? [];
    const path = fields[at + 1] ?? "";
    const isPlain = (mode: string | undefined) => mode === "100644" || mode === "000000";
    const isKept = modeBefore === modeAfter && modeBefore === "100755";
    if (!isKept && !(isPlain(modeBefore) && isPlain(modeAfter))) return undefined;
    const action = toAction(work, commit, path, kind ?? "");
    if (!action) return undefined;
    actions.push(action);
  }
  return actions.length > 0 && actions.length <= MOST_FILES ? actions : undefined;
}

function toAction(work: string, commit: string, path: string, kind: string): object | undefined {
  if (kind === "D") return { kind: "DELETE_FILE", path };
  const content = blob(work, `${commit}:${path}`);
  if (!isText(content)) return undefined;
  if (kind === "A") return { kind: "CREATE_FILE", path, content: content.toString("utf8") };
  const before = blob(work, `${commit}^:${path}`);
  if (!isText(before)) return undefined;
  const diff = git(work, "diff", "--no-ext-diff", "-U3", `${commit}^`, commit, "--", path);
  const patch = diff.slice(diff.indexOf("\n@@") + 1);
  return { kind: "PATCH_FILE", path, base_sha256: sha256(before), patch };
}

function isText(bytes: Buffer): boolean {
  return !bytes.includes(0) && Buffer.from(bytes.toString("utf8"), "utf8").equals(bytes);
}

/** Asks for every file that is patched or deleted, tells of a plan, then gives the actions. */
export function answer(
  { text }: ModelRequest,
  _n: number,
  work: string,
  actions: readonly object[],
): Reply {
  const reply = (document: object): Reply => ({ kind: "text", text: JSON.stringify(document) });
  const isApply = text.includes("1. Do it again");
  if (isApply) return reply({ actions, summary: "Done again" });
  const paths = actions.flatMap((action) =>
    "path" in action && existsSync(join(work, String(action.path))) ? [String(action.path)] : [],
  );
  const unseen = paths.filter((path) => !text.includes(`FILE[${path}]`));
  if (unseen.length === 0 || text.includes("REFUSED[")) {
    return reply({ actions: [], summary: "1. Do it again" });
  }
  const requests = unseen.slice(0, MOST_REQUESTS).map((path) => ({
    type: "read_file",
    path,
    start_line: 1,
    end_line: 1e6,
  }));
  return reply({ actions: [], summary: "Files first", context_requests: requests });
}

/** What git prints, without the end of the last line. */
export function git(work: string, ...args: readonly string[]): string {
  return run(["git", ...args], work).replace(/\n$/, "");
}

function blob(work: string, name: string): Buffer {
  const { stdout, success } = Bun.spawnSync(["git", "cat-file", "blob", name], { cwd: work });
  if (!success) throw new Error(`Cannot read ${name} of ${basename(work)}`);
  return stdout;
}

function run(
  argv: readonly string[],
  cwd: string,
  env: Record<string, string | undefined> = process.env,
): string {
  const { stdout, stderr, success } = Bun.spawnSync([...argv], { cwd, env });
  if (!success) throw new Error(`${argv.join(" ")}: ${stderr.toString().slice(-2000)}`);
  return stdout.toString();
}

/** The repositories that `REAL_REPOSITORIES`, a JSON file with a list of them, names. */
export function readRepositories(file: string): readonly RealRepository[] {
  const list: readonly RealRepository[] = JSON.parse(readFileSync(file, "utf8"));
  return list;
}
