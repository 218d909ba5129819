import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { DEFAULT_LIMITS } from "../../src/system/limits.ts";
import type { SandboxRoom } from "../../src/system/sandbox/sandbox.ts";
import type { Change } from "../../src/transaction/change.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import { type CopyRequest, createCopyView } from "../../src/transaction/view/copy-view.ts";
import { hasOverlay } from "../support/overlay.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const [OLD, NEW] = ["old\n", "new\n"];
const contents = new Map([OLD, NEW].map((text) => [sha256(text), Buffer.from(text)]));
const stateOf = (text: string, mode = 0o644) => {
  return { sha256: sha256(text), mode, sizeBytes: text.length };
};

const CHANGES: readonly Change[] = [
  { kind: "mkdir", path: "made", mode: 0o711 },
  { kind: "create", path: "made/new", after: stateOf(NEW, 0o640) },
  { kind: "update", path: "a", before: stateOf(OLD), after: stateOf(NEW, 0o600) },
  { kind: "delete", path: "d/gone", before: stateOf(OLD) },
  { kind: "rmdir", path: "d", mode: 0o755 },
];

/** A folder, and a view of it by copy that needs no program but those that run in it. */
function openScene(changes: readonly Change[] = []) {
  const dir = tempDir();
  const [root, viewsDir] = [join(dir.path, "ws"), join(dir.path, "views")];
  writeTree(root, { a: OLD, "d/gone": OLD, ".papa-yu/x": "x", "kept/y": "y" });
  mkdirSync(viewsDir);
  const rooms: SandboxRoom[] = [];
  const prepared: unknown[] = [];
  const { signal } = new AbortController();
  const request: CopyRequest = {
    root,
    viewsDir,
    changeSet: buildChangeSet(changes, contents),
    protectedPaths: [],
    sandbox: {
      kind: "bwrap",
      limits: DEFAULT_LIMITS,
      gaps: [],
      seen: new Set(),
      enclose: (room) => {
        rooms.push(room);
        return { toArgv: () => ["/usr/bin/env"], privateFolders: [], countsOwnProcesses: false };
      },
    },
    env: process.env,
    signal,
    reason: "no overlay",
    leftOut: ".papa-yu",
    prepare: (copy) => void prepared.push(readdirSync(copy).toSorted()),
  };
  return {
    root,
    viewsDir,
    rooms,
    prepared,
    request,
    signal,
    async open(options: Partial<CopyRequest> = {}) {
      const opened = await createCopyView({ ...request, ...options });
      if (opened.kind === "none") throw new Error(opened.reason);
      return opened;
    },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

const toLine = ({ kind, path }: Change) => `${kind} ${path}`;

describe.if(hasOverlay)("createCopyView()", () => {
  test("holds the folder with every kind of change, whatever the umask, but for one name", async () => {
    using scene = openScene(CHANGES);
    const before = readTree(scene.root);
    const umask = process.umask(0o077);
    const view = await scene.open().finally(() => process.umask(umask));
    expect(["clone", "copy"]).toContain(view.kind);
    expect(view.reason).toBe("no overlay");
    expect(readTree(view.root)).toEqual({
      a: `file 600 ${sha256(NEW)}`,
      "kept/": "dir 755",
      "kept/y": `file 644 ${sha256("y")}`,
      "made/": "dir 711",
      "made/new": `file 640 ${sha256(NEW)}`,
    });
    expect(scene.prepared).toEqual([["a", "d", "kept"]]);
    expect(readTree(scene.root)).toEqual(before);
    await view.keep();
    await view[Symbol.asyncDispose]();
    expect(readdirSync(scene.viewsDir)).toEqual([]);
  });

  test("runs commands in it, which do not see the folder, and tells what they did", async () => {
    using scene = openScene(CHANGES);
    await using view = await scene.open();
    const room = { program: "sh", root: view.root, readOnly: [], writable: [], network: false };
    const script = "pwd; echo more >>a; rm made/new; echo n >n";
    const command = {
      argv: ["/bin/sh", "-c", script],
      env: process.env,
      timeoutMs: 60_000,
      signal: scene.signal,
      maxOutputBytes: 1000,
      mark: "test-copy",
      room,
    };
    expect(await view.run(command)).toMatchObject({ exitCode: 0, output: `${view.root}\n` });
    expect(scene.rooms).toEqual([{ ...room, hidden: [scene.root] }]);
    const told = async (since?: ReturnType<typeof buildChangeSet>) =>
      (await view.sideEffects(scene.signal, since)).changes.map(toLine).toSorted();
    expect(await told()).toEqual(["create n", "delete made/new", "update a"]);
    const since = buildChangeSet(CHANGES.slice(0, 1), contents);
    expect(await told(since)).toEqual(["create n", "delete d/gone", "rmdir d", "update a"]);
    await view[Symbol.asyncDispose]();
    const late = view.run(command).catch((error: unknown) => error);
    expect(String(await late)).toBe("Error: the view is closed");
  });

  test.each<readonly [string, string, Change]>([
    ["ERR_CHANGE_SET_STALE", "ENOENT", { kind: "delete", path: "none", before: stateOf(OLD) }],
    ["ERR_CHANGE_SET_STALE", "EEXIST", { kind: "create", path: "a", after: stateOf(NEW) }],
    ["ERR_CHANGE_SET_STALE", "EEXIST", { kind: "mkdir", path: "d", mode: 0o755 }],
    ["ERR_CHANGE_SET_STALE", "ENOTEMPTY", { kind: "rmdir", path: "d", mode: 0o755 }],
    ["ERR_CHANGE_SET_STALE", "ENOTDIR", { kind: "create", path: "a/x", after: stateOf(NEW) }],
    ["ERR_IO", "ENAMETOOLONG", { kind: "mkdir", path: "x".repeat(300), mode: 0o755 }],
  ])("says %s where the disk says %s, and leaves nothing", async (code, cause, change) => {
    using scene = openScene([change]);
    const failed = await scene.open().catch((error: unknown) => error);
    expect(failed).toMatchObject({ code, cause: { code: cause } });
    expect(String(failed)).toContain(`Cannot ${change.kind} "${change.path}" in a view: ${cause}`);
    expect(readdirSync(scene.viewsDir)).toEqual([]);
  });

  test("is none where it cannot be made, for that reason, and leaves nothing", async () => {
    using scene = openScene();
    const failing = () => {
      throw new Error("no cache");
    };
    const reason = "no overlay; it cannot be copied: no cache";
    expect(await createCopyView({ ...scene.request, prepare: failing })).toEqual({
      kind: "none",
      reason,
    });
    expect(readdirSync(scene.viewsDir)).toEqual([]);
    const signal = AbortSignal.abort(new Error("nobody waits"));
    const gone = scene.open({ signal }).catch((error: unknown) => error);
    expect(String(await gone)).toBe("Error: nobody waits");
    await until(() => readdirSync(scene.viewsDir).length === 0);
  });
});
