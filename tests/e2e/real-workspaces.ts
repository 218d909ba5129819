import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { resolveChecks } from "../../src/workspace/checks/checks.ts";
import { startModelServer } from "../support/model-server.ts";
import { areGone } from "../support/processes.ts";
import { tempDir } from "../support/temp.ts";
import { watchFolder } from "../support/watch-folder.ts";
import { createSandbox, type Sandbox } from "./papayu.ts";
import { answer, git, toActions, toConfig, treeOf } from "./real-commits.ts";
import {
  DISTURBANCES,
  type Disturbance,
  faultsOf,
  type PathReport,
  tell,
} from "./real-disturbances.ts";
import { isDoneUnderKills, KILLED, KILLED_AT_STEPS, KILLS, killIn } from "./real-kills.ts";

/**
 * A repository whose own tools are installed and whose own checks pass. It is worked in where it
 * is, and left at the commit it was at.
 */
export interface RealWorkspace {
  readonly name: string;
  readonly path: string;
  readonly kinds: readonly string[];
  /** Lines of the workspace's configuration; none: what papa-yu detects. */
  readonly check?: readonly (readonly string[])[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What a folder of workspaces should have, and how each is known. */
const KINDS: Readonly<Record<string, (has: (name: string) => boolean) => boolean>> = {
  Python: (has) => has("pyproject.toml") || has("setup.py"),
  Rust: (has) => has("Cargo.toml"),
  Go: (has) => has("go.mod"),
  Java: (has) => has("pom.xml") || has("build.gradle"),
  TypeScript: (has) => has("tsconfig.json") && !has("pnpm-workspace.yaml"),
  "TypeScript in a monorepo": (has) => has("tsconfig.json") && has("pnpm-workspace.yaml"),
};

/**
 * The workspaces in a folder, each a repository, with `NAME.json` beside it for what it needs
 * (`check`, `env`); and the kinds that none of them is.
 */
export function readWorkspaces(folder: string): {
  readonly workspaces: readonly RealWorkspace[];
  readonly missed: readonly string[];
} {
  const workspaces = readdirSync(folder)
    .toSorted()
    .filter((name) => existsSync(join(folder, name, ".git")))
    .map((name) => toWorkspace(folder, name));
  const found = new Set(workspaces.flatMap(({ kinds }) => kinds));
  return { workspaces, missed: Object.keys(KINDS).filter((kind) => !found.has(kind)) };
}

function toWorkspace(folder: string, name: string): RealWorkspace {
  const path = realpathSync(join(folder, name));
  const has = (file: string) => existsSync(join(path, file));
  const kinds = Object.entries(KINDS).flatMap(([kind, isOne]) => (isOne(has) ? [kind] : []));
  const beside = join(folder, `${name}.json`);
  const more = existsSync(beside) ? JSON.parse(readFileSync(beside, "utf8")) : {};
  return { name, path, kinds, ...more };
}

/** How one commit went in a workspace. */
export interface DoneIn {
  readonly commit: string;
  readonly how: string;
  readonly files: number;
  /** Commands that ran in the view. */
  readonly ran: number;
  /** As a person would read them, one after the other. */
  readonly steps: readonly string[];
  readonly faults: readonly string[];
  readonly previewMs: number;
  readonly applyMs: number;
}

/** What became of a workspace; `missed` says what kept it from being one, or from being enough. */
export interface DoneInAll {
  readonly done: readonly DoneIn[];
  readonly missed: readonly string[];
}

/** A file that programs are made of. */
const IS_SOURCE = /\.(?:py|rs|go|java|[cm]?[jt]sx?)$/u;
const HANG_S = 5;
const CHECK_S = 300;

/** What disturbs each commit; the first two are left alone. */
const ROUNDS: readonly (Disturbance | undefined)[] = [
  undefined,
  undefined,
  ...DISTURBANCES,
  KILLED,
  KILLED,
  KILLED_AT_STEPS,
];

/**
 * Makes as many of the newest commits again that touch a source file as there are rounds, checked
 * before the yes by what the project is checked with, applied and undone. A watcher sees all that
 * happens to the folder meanwhile.
 */
export async function doInWorkspace(real: RealWorkspace): Promise<DoneInAll> {
  using dir = tempDir("papayu-workspace-");
  const work = real.path;
  const head = git(work, "rev-parse", "--abbrev-ref", "HEAD");
  const start = head === "HEAD" ? git(work, "rev-parse", "HEAD") : head;
  if (git(work, "status", "--porcelain", "-uno") !== "") return missing("it has changes");
  const left = git(work, "ls-files", "-o", "--exclude-standard", "--directory").split("\n");
  const exclude = join(work, ".git/info/exclude");
  const excluded = existsSync(exclude) ? readFileSync(exclude) : "";
  writeFileSync(exclude, [excluded, ".papa-yu", ...left.map((path) => `/${path}`), ""].join("\n"));
  let next: readonly object[] = [];
  await using model = startModelServer((request, n) => answer(request, n, work, next));
  const config = (lines: readonly string[]) =>
    toConfig({ path: work, workspace: lines.join("\n") }, model.url, work);
  const plain = [`check = ${JSON.stringify(real.check ?? [])}`, `check_timeout_s = ${CHECK_S}`];
  // Toolchains and what they downloaded lie in the home of who runs this; papa-yu's own does not.
  const env = { HOME: process.env["HOME"] ?? "", ...real.env };
  const sandbox = createSandbox(dir.path, config(plain), env);
  const set = (lines: readonly string[]) =>
    writeFileSync(join(dir.path, "config.toml"), config(lines));
  try {
    const seen = sandbox.terminal("doctor", "-w", "work"); // its owner sees what will run
    await seen.exited;
    const checked = await sandbox.json("check", "-w", "work");
    if (checked.exitCode !== 0) return missing(`not green: ${JSON.stringify(checked.report)}`);
    const done: DoneIn[] = [];
    for (const commit of git(work, "rev-list", "--no-merges", start).split("\n")) {
      if (done.length === ROUNDS.length) break;
      const actions = toActions(work, commit);
      if (!actions?.some((each) => "path" in each && IS_SOURCE.test(String(each.path)))) continue;
      next = actions;
      git(work, "checkout", "-q", "-f", "--detach", `${commit}^`);
      git(work, "clean", "-fdq");
      const disturbance = ROUNDS[done.length];
      const mark = crypto.randomUUID();
      const checks = disturbance && (await withDisturbance(real, disturbance, mark));
      const limit = disturbance?.how === "hangs" ? HANG_S : CHECK_S;
      set(checks ? [`check = ${JSON.stringify(checks)}`, `check_timeout_s = ${limit}`] : plain);
      const one = await doOne({ sandbox, work, commit, disturbance, mark });
      if (one) done.push(one);
    }
    return { done, missed: done.length < ROUNDS.length ? [`only ${done.length} commits`] : [] };
  } finally {
    git(work, "checkout", "-q", "-f", start);
    git(work, "clean", "-fdq");
    writeFileSync(exclude, excluded);
    rmSync(join(work, ".papa-yu"), { recursive: true, force: true });
  }
}

function missing(why: string): DoneInAll {
  return { done: [], missed: [why] };
}

/** The checks of the project with one of ours among them. */
async function withDisturbance(real: RealWorkspace, { script, at }: Disturbance, mark: string) {
  const rules = { checkTimeoutMs: 1, maxActions: 0, protectedPaths: [] };
  const found = await resolveChecks({
    name: "work",
    root: real.path,
    check: "detect",
    ...rules,
  });
  const own = real.check ?? found.map(({ argv }) => argv);
  const ours = ["sh", "-c", script.replace("MARK", mark)];
  return { first: [ours, ...own], last: [...own, ours], alone: [ours] }[at];
}

interface Doing {
  readonly sandbox: Sandbox;
  readonly work: string;
  readonly commit: string;
  readonly disturbance: Disturbance | undefined;
  readonly mark: string;
}

/** One commit from its parent on and back; undefined where its author may not make it. */
async function doOne(doing: Doing): Promise<DoneIn | undefined> {
  const { sandbox, work, commit, disturbance, mark } = doing;
  const before = git(work, "rev-parse", `${commit}^^{tree}`);
  const after = git(work, "rev-parse", `${commit}^{tree}`);
  const faults: string[] = [];
  const steps: string[] = [];
  const expectTree = (what: string, tree: string) => {
    const found = treeOf(work);
    if (found !== tree) faults.push(`${what}: ${git(work, "diff", "--stat", tree, found).trim()}`);
  };
  const plannedAt = performance.now();
  const planned = await sandbox.json("plan", `do ${commit}`, "-w", "work");
  const planId: string = planned.report["plan_id"] ?? "";
  using watch = watchFolder(work, new Set([".git", ".papa-yu"]));
  const isKilled = disturbance === KILLED;
  // A plan takes about as long as what a yes starts, and a check in between longer.
  const lifeMs = 1.5 * (performance.now() - plannedAt);
  if (isKilled) {
    for (let kill = 0; kill < KILLS; kill++) await killIn(sandbox, 2 * lifeMs, "preview", planId);
    expectTree("after kills of the preview", before);
  }
  const startedAt = performance.now();
  const { report } = await sandbox.json("preview", planId);
  const previewMs = Math.round(performance.now() - startedAt);
  if (report["error_code"] === "ERR_PROTECTED_PATH") return undefined;
  faults.push(...watch.take().map((seen) => `the preview wrote: ${tell(seen)}`));
  const check = checkOf(report);
  const isExcused = check?.baseline?.same_failure === true;
  const told = () => ({
    commit: commit.slice(0, 10),
    how: disturbance?.how ?? "plain",
    files: (report["changes"] ?? ([] as readonly unknown[])).length,
    ran: check?.stages.length ?? 0,
    steps,
    faults,
    previewMs,
  });
  const end = disturbance?.end ?? "passes";
  const isSeen = report["view"] !== "none"; // else the list of what runs is shown first
  const ended = !isSeen
    ? "was not run"
    : check?.ok
      ? "passes"
      : isExcused
        ? "fails without it as well"
        : "fails with the change";
  steps.push(`${report["view"]}: ${ended}`);
  if (end !== "passes" && ended !== end)
    faults.push(`the check ${ended}: ${check?.stages.at(-1)?.output}`);
  expectTree("after the preview", before);
  const yes = check?.ok || isExcused ? ["--approve", String(report["change_set_id"])] : ["--yes"];
  const all: PathReport[] = report["changes"] ?? [];
  const isAfter = async () => {
    await sandbox.json("recover", "-w", "work");
    faults.push(...faultsOf(watch.take(), all));
    const tree = treeOf(work);
    if (tree !== after) expectTree("after a kill", before);
    return tree === after;
  };
  const apply = ["apply", planId, ...yes];
  const killing = { sandbox, folder: work, apply, lifeMs, isAfter, steps, faults };
  if (await isDoneUnderKills(disturbance, killing)) {
    expectTree("after kills and an undo", before);
    return { ...told(), applyMs: 0 };
  }
  const pressedAt = performance.now();
  const applied = await sandbox.json(...apply);
  const applyMs = Math.round(performance.now() - pressedAt);
  const status = String(applied.report["status"]);
  const code = applied.report["error_code"];
  steps.push(code === undefined ? status : `${status} ${String(code)}`);
  const changes: readonly PathReport[] = applied.report["changes"] ?? [];
  faults.push(...faultsOf(watch.take(), status === "committed" ? changes : []));
  const isCommitted = status === "committed";
  if (isSeen && isCommitted !== (check?.ok || isExcused))
    faults.push(`${ended}, and then: ${steps.at(-1)}`);
  expectTree(`after ${status}`, isCommitted ? after : before);
  if (isCommitted) {
    const undone = await sandbox.json("undo", "-w", "work");
    steps.push(String(undone.report["status"]));
    faults.push(...faultsOf(watch.take(), changes));
    expectTree("after the undo", before);
  }
  if (disturbance?.script.includes("MARK") && !(await areGone(mark))) faults.push("it still runs");
  return { ...told(), applyMs };
}

interface CheckReport {
  readonly ok: boolean;
  readonly stages: readonly { readonly output: string }[];
  readonly baseline?: { readonly same_failure?: boolean };
}

function checkOf(report: { readonly check?: never }): CheckReport | undefined {
  return report.check;
}
