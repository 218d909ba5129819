import { describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { systemClock } from "../../src/core/clock.ts";
import { silentLog } from "../../src/core/log.ts";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { readHistory } from "../../src/transaction/history.ts";
import { redo, type UndoResult, undo } from "../../src/transaction/undo.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { CRASH_ACTIONS, writeCrashScene } from "./crash-scene.ts";
import { applyActions, bunCheck, workspaceAt } from "./scene.ts";

const { signal } = new AbortController();
const undoIn = (workspace: Workspace): Promise<UndoResult> =>
  undo({ workspace, clock: systemClock, log: silentLog, signal });
const redoIn = (workspace: Workspace): Promise<UndoResult> =>
  redo({ workspace, clock: systemClock, log: silentLog, signal });

const create = (path: string, content: string): Action => ({ kind: "CREATE_FILE", path, content });
const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`);

function replaceLine(path: string, text: string, line: number, content: string): Action {
  const base_sha256 = sha256(text);
  return { kind: "REPLACE_RANGE", path, base_sha256, start_line: line, end_line: line, content };
}

/** A workspace where a 30-line file had its tenth line changed by one apply. */
async function patched(root: string): Promise<Workspace> {
  writeTree(root, { "a.txt": LINES.join(""), "b.txt": "b\n" });
  const workspace = workspaceAt(root);
  const actions = [
    replaceLine("a.txt", LINES.join(""), 10, "TEN"),
    replaceLine("b.txt", "b\n", 1, "B"),
  ];
  await applyActions(workspace, actions);
  return workspace;
}

describe("undo()", () => {
  test("restores bytes, modes, folders and links, and redo makes them new again", async () => {
    using dir = tempDir();
    writeCrashScene(dir.path);
    const workspace = workspaceAt(dir.path);
    const before = readTree(dir.path);
    const applied = await applyActions(workspace, CRASH_ACTIONS);
    const after = readTree(dir.path);

    expect(await undoIn(workspace)).toMatchObject({ ok: true, status: "undone" });
    expect(readTree(dir.path)).toEqual(before);
    expect(await redoIn(workspace)).toMatchObject({ ok: true, status: "redone" });
    expect(readTree(dir.path)).toEqual(after);
    expect(await undoIn(workspace)).toMatchObject({ ok: true, status: "undone" });
    expect(readTree(dir.path)).toEqual(before);
    const txId = applied.ok ? applied.txId : "";
    expect(readHistory(workspace)[1]).toMatchObject({ kind: "undo", reverses: txId });
  });

  test("says when there is nothing to take back", async () => {
    using dir = tempDir();
    const workspace = workspaceAt(dir.path);
    expect(await undoIn(workspace)).toMatchObject({ status: "rejected", code: "UNDO_NOTHING" });
    expect(await redoIn(workspace)).toMatchObject({ status: "rejected", code: "REDO_NOTHING" });
    await applyActions(workspace, [create("a", "a")], { checks: [bunCheck("process.exit(1)")] });
    expect(await undoIn(workspace)).toMatchObject({ code: "UNDO_NOTHING" });
  });

  test("forgets what could be redone at the next apply", async () => {
    using dir = tempDir();
    const workspace = workspaceAt(dir.path);
    await applyActions(workspace, [create("a", "a")]);
    await undoIn(workspace);
    await applyActions(workspace, [create("b", "b")]);
    expect(await redoIn(workspace)).toMatchObject({ code: "REDO_NOTHING" });
  });

  test("touches nothing that the transaction did not write", async () => {
    using dir = tempDir();
    const workspace = await patched(dir.path);
    writeTree(dir.path, { "a.txt.orig": "mine", "node_modules/x": "x", ".gitignore": "*\n" });
    await undoIn(workspace);
    expect(readTree(dir.path)).toMatchObject({
      "a.txt": `file 644 ${sha256(LINES.join(""))}`,
      "a.txt.orig": `file 644 ${sha256("mine")}`,
    });
    expect(readFileSync(join(dir.path, "node_modules/x"), "utf8")).toBe("x");
  });

  test("merges a file that was edited elsewhere since, and redo brings it back", async () => {
    using dir = tempDir();
    const workspace = await patched(dir.path);
    const path = join(dir.path, "a.txt");
    const edited = `first\n${readFileSync(path, "utf8")}last\n`;
    writeFileSync(path, edited);
    const result = await undoIn(workspace);
    expect(result).toMatchObject({
      ok: true,
      changeSet: { notes: ["a.txt: merged with later edits"] },
    });
    expect(readFileSync(path, "utf8")).toBe(`first\n${LINES.join("")}last\n`);
    await redoIn(workspace);
    expect(readFileSync(path, "utf8")).toBe(edited);
  });

  const edits: readonly (readonly [string, (path: string) => void])[] = [
    [
      "edited in the same place",
      (path) => writeFileSync(path, LINES.join("").replace("line 10", "10!")),
    ],
    [
      "re-indented",
      (path) => writeFileSync(path, readFileSync(path, "utf8").replaceAll(/^/gm, "  ")),
    ],
    ["deleted", (path) => unlinkSync(path)],
    ["replaced by a link", (path) => (unlinkSync(path), symlinkSync("b.txt", path))],
    ["made binary", (path) => writeFileSync(path, Buffer.from([0, 1, 2]))],
  ];
  test.each([...edits])(
    "leaves and reports a file that was %s, and restores the others",
    async (_, edit) => {
      using dir = tempDir();
      const workspace = await patched(dir.path);
      edit(join(dir.path, "a.txt"));
      const left = readTree(dir.path)["a.txt"];
      const result = await undoIn(workspace);
      expect(result).toMatchObject({
        status: "conflict",
        code: "UNDO_CONFLICT",
        conflicts: ["a.txt"],
      });
      expect([readTree(dir.path)["a.txt"]]).toEqual([left]);
      expect(readFileSync(join(dir.path, "b.txt"), "utf8")).toBe("b\n");
      expect(await undoIn(workspace)).toMatchObject({ code: "UNDO_NOTHING" });
    },
  );

  test("can be tried again when every file was in conflict", async () => {
    using dir = tempDir();
    const workspace = workspaceAt(dir.path);
    await applyActions(workspace, [create("a", "new")]);
    writeFileSync(join(dir.path, "a"), "edited");
    const result = await undoIn(workspace);
    expect(result).toMatchObject({
      status: "conflict",
      conflicts: ["a"],
      changeSet: { changes: [] },
    });
    writeFileSync(join(dir.path, "a"), "new");
    expect(await undoIn(workspace)).toMatchObject({ ok: true });
    expect(readTree(dir.path)).toEqual({});
  });

  test("keeps a folder it made when something else is in it now", async () => {
    using dir = tempDir();
    const workspace = workspaceAt(dir.path);
    await applyActions(workspace, [create("src/a", "a")]);
    writeTree(dir.path, { "src/mine": "mine" });
    expect(await undoIn(workspace)).toMatchObject({ ok: true });
    expect(Object.keys(readTree(dir.path))).toEqual(["src/", "src/mine"]);
  });

  test("makes the folder of a deleted file again when it is gone", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "d/e/a": "a" });
    const workspace = workspaceAt(dir.path);
    await applyActions(workspace, [{ kind: "DELETE_FILE", path: "d/e/a" }]);
    rmSync(join(dir.path, "d"), { recursive: true });
    expect(await undoIn(workspace)).toMatchObject({ ok: true });
    expect(readFileSync(join(dir.path, "d/e/a"), "utf8")).toBe("a");
  });

  test("keeps a mode that was changed since", async () => {
    using dir = tempDir();
    const workspace = await patched(dir.path);
    chmodSync(join(dir.path, "b.txt"), 0o755);
    expect(await undoIn(workspace)).toMatchObject({ ok: true });
    expect(readTree(dir.path)["b.txt"]).toBe(`file 755 ${sha256("b\n")}`);
  });

  test("counts as conflict what it cannot restore because its before-image is damaged", async () => {
    using dir = tempDir();
    const workspace = await patched(dir.path);
    writeFileSync(join(dir.path, ".papa-yu/objects", sha256("b\n")), "damaged");
    expect(await undoIn(workspace)).toMatchObject({ status: "conflict", conflicts: ["b.txt"] });
    expect(readFileSync(join(dir.path, "b.txt"), "utf8")).toBe("B\n");
  });

  test("walks any sequence of applies, undos and redos as a stack of trees would", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        using dir = tempDir();
        const workspace = workspaceAt(dir.path);
        const trees = [readTree(dir.path)];
        let now = 0; // the index in `trees` of what is on the disk
        for (const { kind, path, text } of steps) {
          if (kind === "undo") {
            await undoIn(workspace);
            now = Math.max(now - 1, 0);
          } else if (kind === "redo") {
            await redoIn(workspace);
            now = Math.min(now + 1, trees.length - 1);
          } else {
            const action = toAction(dir.path, kind, path, text);
            const result = action && (await applyActions(workspace, [action]));
            if (!result?.ok || result.changes.length === 0) continue;
            trees.splice(++now, trees.length, readTree(dir.path));
          }
          expect(readTree(dir.path)).toEqual(trees[now] ?? {});
        }
      }),
      { numRuns: 40 },
    );
  });
});

const step = fc.record({
  kind: fc.constantFrom("write", "write", "delete", "undo", "redo"),
  path: fc.constantFrom("a", "b", "d/a", "d/e/b"),
  text: fc.string({ maxLength: 9 }),
});

/** An action that fits what is there, or undefined. */
function toAction(root: string, kind: string, path: string, text: string): Action | undefined {
  const exists = readTree(root)[path] !== undefined;
  if (kind === "delete") return exists ? { kind: "DELETE_FILE", path } : undefined;
  if (!exists) return create(path, text);
  const old = readFileSync(join(root, path), "utf8");
  const ended = old === "" || old.endsWith("\n");
  return {
    kind: "REPLACE_RANGE",
    path,
    base_sha256: sha256(old),
    start_line: 1,
    end_line: old.split("\n").length - (ended ? 1 : 0),
    content: `${text}+`,
  };
}
