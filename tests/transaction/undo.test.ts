import { describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { imagesPath } from "../../src/transaction/stage/objects.ts";
import { redo, type UndoResult, undo } from "../../src/transaction/undo/undo.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { crashChangeSet, writeCrashScene } from "./crash-scene.ts";
import { applyActions, bunCheck, requestFor, workspaceAt } from "./scene.ts";

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
  test("restores bytes, modes, one that alone was changed, folders and links, and redo makes them new again", async () => {
    using dir = tempDir();
    writeCrashScene(dir.path);
    const workspace = workspaceAt(dir.path);
    const before = readTree(dir.path);
    const applied = await runTransaction(requestFor(workspace, crashChangeSet(workspace)));
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
      changeSet: { notes: [{ kind: "merged", facts: { path: "a.txt" } }] },
    });
    expect(readFileSync(path, "utf8")).toBe(`first\n${LINES.join("")}last\n`);
    await redoIn(workspace);
    expect(readFileSync(path, "utf8")).toBe(edited);
  });

  const ENDS: readonly (readonly [string, (text: string) => string])[] = [
    ["CRLF", (text) => text.replaceAll("\n", "\r\n")],
    ["a byte-order mark", (text) => `\uFEFF${text}`],
    ["no final newline", (text) => text.slice(0, -1)],
  ];
  test.each([...ENDS])("merges a file with %s and keeps every other byte", async (_, shape) => {
    using dir = tempDir();
    const path = join(dir.path, "a.txt");
    const before = shape(LINES.join(""));
    writeFileSync(path, before);
    const workspace = workspaceAt(dir.path);
    await applyActions(workspace, [replaceLine("a.txt", before, 10, "TEN")]);
    const edit = (text: string) => text.replace("line 20", "twenty").replace("line 30", "last");
    writeFileSync(path, edit(readFileSync(path, "utf8")));
    expect(await undoIn(workspace)).toMatchObject({ ok: true });
    expect(readFileSync(path, "utf8")).toBe(edit(before));
  });

  test("goes back through several applies to one file, edits between and after them kept", async () => {
    using dir = tempDir();
    const path = join(dir.path, "a.txt");
    const now = () => readFileSync(path, "utf8");
    const workspace = workspaceAt(dir.path);
    writeFileSync(path, LINES.join(""));
    for (const line of [5, 10, 15, 20]) {
      await applyActions(workspace, [replaceLine("a.txt", now(), line, `NEW ${line}`)]);
      writeFileSync(path, now().replace(`line ${line + 2}\n`, `mine ${line + 2}\n`));
    }
    const changed = now();
    for (let i = 0; i < 4; i++) expect(await undoIn(workspace)).toMatchObject({ ok: true });
    expect(now()).toBe(changed.replaceAll("NEW", "line"));
    expect(await undoIn(workspace)).toMatchObject({ code: "UNDO_NOTHING" });
    for (let i = 0; i < 4; i++) expect(await redoIn(workspace)).toMatchObject({ ok: true });
    expect(now()).toBe(changed);
  });

  test("does not take back in a twin of the block what was cut out of its own place", async () => {
    using dir = tempDir();
    const path = join(dir.path, "a.txt");
    const block = "begin\n  one\n  two\nend\n";
    const before = `${block.replace("two", "TWO")}${LINES.join("")}${block}`;
    writeFileSync(path, before);
    const workspace = workspaceAt(dir.path);
    await applyActions(workspace, [replaceLine("a.txt", before, 3, "  two")]);
    const cut = `${LINES.join("")}${block}`;
    writeFileSync(path, cut);
    expect(await undoIn(workspace)).toMatchObject({ status: "conflict", conflicts: ["a.txt"] });
    expect(readFileSync(path, "utf8")).toBe(cut);
  });

  test("says of every file it leaves what is there", async () => {
    using dir = tempDir();
    const workspace = workspaceAt(dir.path);
    const paths = ["edited", "folder", "link", "out/a", "gone"];
    await applyActions(
      workspace,
      paths.map((path) => create(path, "new\n")),
    );
    for (const path of paths.slice(1)) rmSync(join(dir.path, path));
    writeTree(dir.path, { edited: "mine", "folder/mine": "mine" });
    symlinkSync("edited", join(dir.path, "link"));
    rmSync(join(dir.path, "out"), { recursive: true });
    symlinkSync("/", join(dir.path, "out"));
    const left = readTree(dir.path);
    const result = await undoIn(workspace);
    expect(result).toMatchObject({ conflicts: ["edited", "folder", "link", "out", "out/a"] });
    expect("message" in result && result.message).toBe(
      'Cannot take back "edited": edited since; "folder": a folder is in its place; ' +
        '"link": "link" is a symbolic link; name what it points to; ' +
        '"out": "out" is a symbolic link; name what it points to; ' +
        '"out/a": "out" is a symbolic link; name what it points to; left as it is, nothing was taken back',
    );
    expect(readTree(dir.path)).toEqual(left);
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
        message: expect.stringMatching(/^Cannot take back "a.txt": .*, the rest was taken back$/),
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
    const archive = join(dir.path, imagesPath(readHistory(workspace)[0]?.txId ?? ""));
    const bytes = readFileSync(archive, "latin1");
    writeFileSync(archive, bytes.replace("\0b\n", "\0x\n"), "latin1");
    const result = await undoIn(workspace);
    expect(result).toMatchObject({ status: "conflict", conflicts: ["b.txt"] });
    expect(result.ok ? "" : result.message).toContain('"b.txt": its before-image is missing');
    expect(readFileSync(join(dir.path, "b.txt"), "utf8")).toBe("B\n");
  });
});
