import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../../../src/system/sandbox/sandbox.ts";
import { needs } from "../../support/needs.ts";
import { hasOverlay } from "../../support/overlay.ts";
import { createScene, never, PLAN } from "../planner-scene.ts";
import { showSeen } from "./view-scene.ts";

/** A tool that keeps lock files, and a project of its kind with a package beside it. */
interface Tool {
  readonly name: string;
  readonly command: string;
  readonly manifest: string;
  readonly lock: string;
  readonly files: Readonly<Record<string, string>>;
  /** The manifest that its author writes, with the package beside it. */
  readonly near: string;
  /** What the lock file holds then; undefined: it stays as it is. */
  readonly locked: RegExp | undefined;
  /** The same with a package from far away. */
  readonly far: string;
}

const json = (value: unknown) => `${JSON.stringify(value)}\n`;
const toManifest = (dependencies: unknown) => json({ name: "a", version: "1.0.0", dependencies });
const NEAR = {
  "b/package.json": json({ name: "b", version: "2.1.0", scripts: { install: "touch ../ran" } }),
};

const TOOLS: readonly Tool[] = [
  {
    name: "npm",
    command: "npm install --package-lock-only --ignore-scripts",
    manifest: "package.json",
    lock: "package-lock.json",
    files: {
      ...NEAR,
      "package-lock.json": json({ name: "a", version: "1.0.0", lockfileVersion: 3, packages: {} }),
    },
    near: toManifest({ b: "file:./b" }),
    locked: /"resolved": "b"|"version": "2\.1\.0"/u,
    far: toManifest({ "left-pad": "^1.3.0" }),
  },
  {
    name: "bun",
    command: "bun install --lockfile-only --ignore-scripts",
    manifest: "package.json",
    lock: "bun.lock",
    files: {
      ...NEAR,
      "bun.lock": '{"lockfileVersion":1,"workspaces":{"":{"name":"a"}},"packages":{}}\n',
    },
    near: toManifest({ b: "file:./b" }),
    locked: /b@file:b/u,
    far: toManifest({ "left-pad": "^1.3.0" }),
  },
  {
    name: "cargo",
    command: "cargo update --workspace",
    manifest: "Cargo.toml",
    lock: "Cargo.lock",
    files: {
      "src/lib.rs": "",
      "b/src/lib.rs": "",
      "b/Cargo.toml": '[package]\nname = "b"\nversion = "2.1.0"\nedition = "2021"\n',
      "Cargo.lock": 'version = 3\n\n[[package]]\nname = "a"\nversion = "1.0.0"\n',
    },
    near: '[package]\nname = "a"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\nb = { path = "b" }\n',
    locked: /name = "b"\nversion = "2\.1\.0"/u,
    far: '[package]\nname = "a"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\npapa-yu-of-nobody = "1"\n',
  },
  {
    name: "go",
    command: "go mod tidy",
    manifest: "go.mod",
    lock: "go.sum",
    files: {
      "main.go": 'package main\n\nimport _ "example.org/b"\n\nfunc main() {}\n',
      "b/b.go": "package b\n",
      "b/go.mod": "module example.org/b\n\ngo 1.21\n",
      "go.sum": "",
    },
    near: "module example.org/a\n\ngo 1.21\n\nrequire example.org/b v0.0.0\n\nreplace example.org/b => ./b\n",
    locked: undefined,
    far: "module example.org/a\n\ngo 1.21\n\nrequire example.org/b v1.2.3\n",
  },
];

/** npm and bun are there wherever papa-yu is developed; the others are looked for in the long form. */
const ALWAYS: ReadonlySet<string> = new Set(["npm", "bun"]);
const isWanted = ({ name }: Tool) => ALWAYS.has(name) || process.env["LONG"] !== undefined;
const wanted = TOOLS.filter(isWanted);
const there = wanted.filter(
  ({ name }) =>
    ALWAYS.has(name) || needs(`${name}, whose lock files are made`, Bun.which(name) !== null),
);

function toolScene({ manifest, files }: Tool, content: string) {
  const actions = [{ kind: "CREATE_FILE", path: manifest, content }];
  const sandbox = createSandbox({ mode: "bwrap", env: process.env, hidden: [] });
  const rules = { check: "none" } as const;
  const lines = [PLAN, { actions, summary: "adds it" }];
  return createScene(files, [...lines, ...lines], { rules, sandbox });
}

describe.if(hasOverlay)("a tool as it is", () => {
  test.each(there)(
    "$name locks a package of the folder, offline and without its scripts",
    async (tool) => {
      using scene = toolScene(tool, tool.near);
      const { planId, preview, approved } = await showSeen(scene);
      expect(preview.generation).toMatchObject({ kind: "made", commands: [tool.command] });
      const made = preview.changes.filter(({ generated }) => generated).map(({ path }) => path);
      expect(made).toEqual(tool.locked ? [tool.lock] : []);
      const outcome = await scene.operations.apply(planId, { approved, signal: never });
      expect(outcome.status).toBe("committed");
      const lock = readFileSync(join(scene.root, tool.lock), "utf8");
      expect(lock).toMatch(tool.locked ?? /^$/u);
      expect(await Bun.file(join(scene.root, "ran")).exists()).toBe(false);
    },
  );

  test.each(there)(
    "$name says that it needs a network, and papa-yu what would open one",
    async (tool) => {
      using scene = toolScene(tool, tool.far);
      const { preview } = await showSeen(scene);
      expect(preview.changes.map(({ path }) => path)).toEqual([tool.manifest]);
      const { generation } = preview;
      if (generation?.kind !== "failed") throw new Error(`${generation?.kind}`);
      expect(generation.command).toBe(tool.command);
      expect(generation.hosts.join()).toMatch(/^[\w-]+(?:\.[\w-]+)+/u);
      expect(generation.reason).toMatch(/err|fail|cannot|disabled/iu);
    },
  );
});
