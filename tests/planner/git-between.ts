import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { toPatchActions } from "../../src/planner/prepare/patch-actions.ts";
import { computeChangeSet } from "../../src/transaction/compute/compute.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { filesAfter } from "./files-after.ts";
import { toWorkspace } from "./planner-scene.ts";

/** What a folder holds, by path. */
export type Files = Readonly<Record<string, string>>;

/** What git says is between two states of a folder; git is told of each state once. */
export function createGitBetween(
  dir: string,
): (before: Files, after: Files, options: readonly string[]) => string {
  const work = join(dir, "work");
  const env = {
    PATH: process.env["PATH"],
    HOME: dir,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_DIR: join(dir, "git"),
    GIT_WORK_TREE: work,
  };
  const git = (...args: string[]): string => {
    const ran = spawnSync("git", ["-c", "core.autocrlf=false", ...args], { cwd: work, env });
    if (ran.status !== 0) throw new Error(`git ${args.join(" ")}: ${ran.stderr.toString()}`);
    return ran.stdout.toString();
  };
  const trees = new Map<string, string>();
  const put = (files: Files): string => {
    const key = JSON.stringify(files);
    const known = trees.get(key);
    if (known !== undefined) return known;
    for (const name of readdirSync(work)) rmSync(join(work, name), { recursive: true });
    writeTree(work, files);
    git("add", "-A");
    const tree = git("write-tree").trim();
    trees.set(key, tree);
    return tree;
  };
  writeTree(work, { first: "" });
  git("init", "-q");
  return (before, after, options) => {
    const config = options[0] === "-c" ? options.slice(0, 2) : [];
    const others = options.slice(config.length);
    return git(...config, "diff", "-M", ...others, put(before), put(after));
  };
}

/** What a folder of `before` holds once a patch is carried out, or the refusal. */
export function carryOut(before: Files, patch: string): Files | { readonly code: string } {
  using dir = tempDir();
  writeTree(dir.path, before);
  const workspace = toWorkspace(dir.path);
  const made = toPatchActions(workspace, patch);
  if (!made.ok) return { code: made.code };
  const computed = computeChangeSet(workspace, made.actions);
  if (!computed.ok) return { code: computed.problems[0]?.code ?? "none" };
  return filesAfter(before, computed.changeSet);
}
