import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { createSandbox, type SandboxState } from "../../src/system/sandbox/sandbox.ts";
import type { ChangeSet, CheckResult } from "../../src/transaction/change.ts";
import { type CheckOptions, runChecks } from "../../src/transaction/check.ts";
import { openView, type View, type ViewRequest } from "../../src/transaction/view/view.ts";
import { ensureStateSubdir } from "../../src/workspace/state-dir.ts";
import type { CheckCommand, Workspace } from "../../src/workspace/workspace.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { changeSetOf, workspaceAt } from "./scene.ts";

/** A workspace beside a home with views, and what opens and uses them. */
export interface ViewScene extends Disposable {
  readonly base: string;
  readonly root: string;
  readonly viewsDir: string;
  readonly workspace: Workspace;
  readonly sandbox: SandboxState;
  changeSet(actions: readonly Action[]): ChangeSet;
  open(options?: Partial<ViewRequest>): Promise<View>;
  check(
    view: View,
    commands: readonly CheckCommand[],
    options?: Partial<CheckOptions>,
  ): Promise<CheckResult>;
  /** Everything that a look at the real folder can tell. */
  look(): Readonly<Record<string, string>>;
}

export const FILES = {
  "a.txt": "a\n",
  "bin/run.sh": "#!/bin/sh\necho run\n",
  "d/one.txt": "one\n",
  "d/two.txt": "two\n",
  "d/deep/three.txt": "three\n",
  "build/cache.bin": "cached\n",
  ".gitignore": "/build\n*.log\n",
};

/** Makes a scene; `name` is that of the workspace's folder. */
export async function createViewScene(
  options: { readonly name?: string; readonly limits?: { readonly maxDiskBytes: number } } = {},
): Promise<ViewScene> {
  const dir = tempDir();
  const root = join(dir.path, options.name ?? "site");
  mkdirSync(root);
  writeTree(root, FILES);
  const home = join(dir.path, "home");
  mkdirSync(join(home, "person"), { recursive: true });
  const viewsDir = join(home, "views");
  const env = { ...process.env, HOME: join(home, "person") };
  const { limits } = await import("../../src/system/limits.ts").then(({ DEFAULT_LIMITS }) => ({
    limits: { ...DEFAULT_LIMITS, ...options.limits },
  }));
  const sandbox = await createSandbox({ mode: "bwrap", env, hidden: [home], limits })();
  const workspace = workspaceAt(root);
  ensureStateSubdir(workspace, "cache"); // papa-yu's own, as any check makes it
  const signal = new AbortController().signal;
  return {
    base: dir.path,
    root,
    viewsDir,
    workspace,
    sandbox,
    changeSet: (actions) => changeSetOf(workspace, actions),
    async open(request = {}) {
      const opened = await openView({ workspace, viewsDir, sandbox, env, signal, ...request });
      if (opened.kind === "none") throw new Error(`no view: ${opened.reason}`);
      return opened;
    },
    check: (view, commands, more = {}) =>
      runChecks(workspace, commands, {
        timeoutMs: 60_000,
        signal,
        env,
        sandbox,
        view,
        mark: `test-${crypto.randomUUID()}`,
        ...more,
      }),
    look: () => lookClosely(root),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

/** Times, ids, links and owners of everything below a folder, papa-yu's own left out. */
export function lookClosely(root: string): Readonly<Record<string, string>> {
  const seen: Record<string, string> = {};
  const walk = (path: string) => {
    const full = join(root, path);
    const { mode, uid, gid, ino, nlink, size, mtimeNs, ctimeNs } = lstatSync(full, {
      bigint: true,
    });
    const stat = lstatSync(full);
    const content = stat.isFile()
      ? sha256(readFileSync(full))
      : stat.isSymbolicLink()
        ? readlinkSync(full)
        : "";
    seen[path] = [mode, uid, gid, ino, nlink, size, mtimeNs, ctimeNs, content].join(" ");
    if (!stat.isDirectory()) return;
    for (const name of readdirSync(full)) if (name !== ".papa-yu") walk(join(path, name));
  };
  walk(".");
  return seen;
}

export const sh = (script: string, name = "test"): CheckCommand => ({
  name,
  argv: ["sh", "-c", script],
});

export const outputOf = ({ stages }: CheckResult): string => stages.at(-1)?.output ?? "";
