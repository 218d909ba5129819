import { describe, expect, test } from "bun:test";
import { chmodSync, closeSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { NOTES_EN } from "../../src/texts/notes/en.ts";
import { wordNotes } from "../../src/texts/notes/notes.ts";
import type { Change } from "../../src/transaction/change.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import { imagesPath, writeImages } from "../../src/transaction/stage/stage.ts";
import {
  computeReversal,
  previewTakeBack,
  redo,
  type UndoRequest,
  undo,
} from "../../src/transaction/undo/undo.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { applyActions, changeSetOf, requestFor, workspaceAt } from "./scene.ts";

const [OLD, NEW] = ["old\n", "new\n"];
const stateOf = (text: string, mode = 0o644) => {
  return { sha256: sha256(text), mode, sizeBytes: text.length };
};

/** Two applied changes, of which the newest updates a file and makes another. */
async function openScene() {
  const dir = tempDir();
  writeTree(dir.path, { a: OLD });
  const workspace = workspaceAt(dir.path);
  await applyActions(workspace, [{ kind: "CREATE_DIR", path: "d" }]);
  const base_sha256 = sha256(OLD);
  const lines = { path: "a", base_sha256, start_line: 1, end_line: 1, content: "new" } as const;
  const done = await applyActions(workspace, [
    { kind: "REPLACE_RANGE", ...lines },
    { kind: "CREATE_FILE", path: "b", content: NEW },
  ]);
  const { clock, signal } = requestFor(workspace, changeSetOf(workspace, []));
  const request: UndoRequest = { workspace, clock, signal, log: silentLog };
  return {
    root: dir.path,
    workspace,
    request,
    txId: done.txId ?? "",
    preview: (kind: "undo" | "redo" = "undo") => previewTakeBack(workspace, kind),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

describe("undo() and redo()", () => {
  test("say what there is none of", async () => {
    using dir = tempDir();
    const workspace = workspaceAt(dir.path);
    const { clock, signal } = requestFor(workspace, changeSetOf(workspace, []));
    const request = { workspace, clock, signal, log: silentLog };
    for (const [kind, work, code] of [
      ["undo", undo, "UNDO_NOTHING"],
      ["redo", redo, "REDO_NOTHING"],
    ] as const) {
      const message = `There is nothing to ${kind}`;
      const result = { ok: false, status: "rejected", code, message } as const;
      expect(await work(request)).toEqual(result);
      expect(previewTakeBack(workspace, kind)).toEqual({ ok: false, result });
    }
  });

  test("do what was looked at, and nothing once it is another", async () => {
    using scene = await openScene();
    const { request, root, txId } = scene;
    const before = readTree(root);
    const shown = scene.preview();
    if (!shown.ok) throw new Error("nothing to undo");
    expect(shown.target.txId).toBe(txId);
    const { id, changes } = shown.reversal.changeSet;
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(["update a", "delete b"]);
    const other = await undo({ ...request, only: "tx_other" });
    const message = "This is not the newest change any more; /history shows what can be undone";
    expect(other).toEqual({ ok: false, status: "rejected", code: "UNDO_NOTHING", message });
    expect(await undo({ ...request, exactly: "other" })).toEqual({
      ok: false,
      status: "rejected",
      code: "ERR_CHANGE_SET_STALE",
      message: "Cannot undo: files changed since it was looked at; look at it again",
    });
    expect(readTree(root)).toEqual(before);
    const done = await undo({ ...request, only: txId, exactly: id });
    expect(done).toMatchObject({ ok: true, status: "undone", summary: "a test" });
    expect(done.ok && done.changeSet.id).toBe(id);
    const wrong = await redo({ ...request, only: txId });
    expect(wrong).toMatchObject({ code: "REDO_NOTHING", message });
    const again = scene.preview("redo");
    expect(again.ok && again.target.txId).toBe(done.txId ?? "none");
    expect(await redo({ ...request, ...(done.txId && { only: done.txId }) })).toMatchObject({
      ok: true,
      status: "redone",
    });
    expect(readTree(root)).toEqual(before);
  });

  test("say what is left where something was edited, and whether the rest went back", async () => {
    using scene = await openScene();
    const { request, root, preview } = scene;
    writeFileSync(join(root, "b"), "edited\n");
    const whole = preview();
    expect(whole.ok && whole.reversal.conflicts).toEqual([{ path: "b", reason: "edited since" }]);
    writeFileSync(join(root, "a"), "edited\n");
    const conflicts = ["a", "b"].map((path) => ({ path, reason: "edited since" }));
    const message =
      'Cannot take back "a": edited since; "b": edited since; left as it is, nothing was taken back';
    const stuck = preview();
    const result = await undo(request);
    expect(stuck).toMatchObject({ ok: false, conflicts, target: { txId: scene.txId }, result });
    expect(result).toMatchObject({ status: "conflict", conflicts: ["a", "b"], message });
    expect(result).not.toHaveProperty("txId");
    writeFileSync(join(root, "a"), NEW);
    const some = await undo(request);
    expect(some).toMatchObject({
      status: "conflict",
      conflicts: ["b"],
      message: 'Cannot take back "b": edited since; left as it is, the rest was taken back',
      txId: expect.stringMatching(/^tx_/u),
    });
  });

  test("say of what is not kept any more how to go on", async () => {
    using scene = await openScene();
    rmSync(join(scene.root, imagesPath(scene.txId)));
    const result = {
      ok: false,
      status: "rejected",
      code: "UNDO_PRUNED",
      message:
        'Cannot undo "a test": what it overwrote is not kept any more (retention.history_days and max_mb say how long); change it back with a new plan',
    } as const;
    const shown = scene.preview();
    expect(shown).toMatchObject({ ok: false, target: { txId: scene.txId }, result });
    expect(shown).not.toHaveProperty("conflicts");
    expect(await undo(scene.request)).toEqual(result);
  });
});

/** What may be at a path. */
type There =
  | ""
  | "old"
  | "old 600"
  | "new"
  | "new 600"
  | "else"
  | "folder"
  | "full folder"
  | "link";

const THERE: readonly There[] = [
  "",
  "old",
  "old 600",
  "new",
  "new 600",
  "else",
  "folder",
  "full folder",
  "link",
];

function put(root: string, there: There): void {
  const path = join(root, "x");
  if (there === "link") return symlinkSync("elsewhere", path);
  if (there.endsWith("folder")) {
    mkdirSync(path);
    chmodSync(path, 0o750);
    if (there === "full folder") writeFileSync(join(path, "mine"), "");
    return;
  }
  const [what = "", mode = "644"] = there.split(" ");
  if (what === "") return;
  writeFileSync(path, `${what}\n`);
  chmodSync(path, Number.parseInt(mode, 8));
}

const path = "x";
const LINK = '"x" is a symbolic link; name what it points to';
const FOLDER = "a folder is in its place";
const EDITED = "edited since";
const FILES = { old: EDITED, "old 600": EDITED, new: EDITED, "new 600": EDITED, else: EDITED };
const FOLDERS = { folder: FOLDER, "full folder": FOLDER, link: LINK };
const none = "nothing";

/** Of each change, by what is there: what takes it back, or why nothing does. */
const TABLE: readonly (readonly [string, Change, Readonly<Record<There, string>>])[] = [
  [
    "a folder that was made",
    { kind: "mkdir", path, mode: 0o755 },
    {
      "": none,
      old: none,
      "old 600": none,
      new: none,
      "new 600": none,
      else: none,
      folder: "rmdir 750",
      "full folder": none,
      link: LINK,
    },
  ],
  [
    "a folder that was removed",
    { kind: "rmdir", path, mode: 0o711 },
    { ...FILES, "": "mkdir 711", folder: none, "full folder": none, link: LINK },
  ],
  [
    "a file that was made",
    { kind: "create", path, after: stateOf(NEW) },
    { ...FILES, ...FOLDERS, "": none, new: "delete 644", "new 600": "delete 600" },
  ],
  [
    "a file with other content",
    { kind: "update", path, before: stateOf(OLD), after: stateOf(NEW) },
    {
      ...FOLDERS,
      "": "it is gone",
      old: none,
      "old 600": none,
      new: "update old 644",
      "new 600": "update old 600",
      else: EDITED,
    },
  ],
  [
    "a file with other content and mode",
    { kind: "update", path, before: stateOf(OLD, 0o640), after: stateOf(NEW, 0o600) },
    {
      ...FOLDERS,
      "": "it is gone",
      old: none,
      "old 600": "update old 640",
      new: "update old 644",
      "new 600": "update old 640",
      else: EDITED,
    },
  ],
  [
    "a file that was removed",
    { kind: "delete", path, before: stateOf(OLD, 0o640) },
    {
      ...FOLDERS,
      "": "create old 640",
      old: none,
      "old 600": none,
      new: EDITED,
      "new 600": EDITED,
      else: EDITED,
    },
  ],
];

function toWords(change: Change | undefined): string {
  if (!change) return none;
  if (change.kind === "mkdir" || change.kind === "rmdir") {
    return `${change.kind} ${change.mode.toString(8)}`;
  }
  if (change.kind === "delete") return `delete ${change.before.mode.toString(8)}`;
  const what = change.after.sha256 === sha256(OLD) ? "old" : "new";
  return `${change.kind} ${what} ${change.after.mode.toString(8)}`;
}

describe("computeReversal() goes by what is there:", () => {
  test.each(TABLE)("%s", (_, change, is) => {
    for (const there of THERE) {
      using dir = tempDir();
      mkdirSync(join(dir.path, ".papa-yu/objects"), { recursive: true });
      const contents = new Map([OLD, NEW].map((text) => [sha256(text), Buffer.from(text)]));
      const archive = join(dir.path, imagesPath("tx_1"));
      closeSync(writeImages(archive, buildChangeSet([change], contents), 0));
      put(dir.path, there);
      const workspace = workspaceAt(dir.path);
      const { changeSet, conflicts } = computeReversal(workspace, {
        txId: "tx_1",
        changes: [change],
      });
      const [conflict] = conflicts;
      expect([there, conflict?.reason ?? toWords(changeSet.changes[0])]).toEqual([
        there,
        is[there],
      ]);
      const isOpened = toWords(changeSet.changes[0]) === "update old 640"; // from 600
      expect(changeSet.notes).toMatchObject(isOpened ? [{ kind: "opened" }] : []);
    }
  });

  test("a before-image that is missing, a folder that cannot be made, a bit that nothing gives", () => {
    using dir = tempDir();
    const workspace = workspaceAt(dir.path);
    writeTree(dir.path, { u: NEW });
    const reverse = (...changes: Change[]) => computeReversal(workspace, { txId: "tx_1", changes });
    const before = stateOf(OLD);
    const lost = "its before-image is missing or damaged";
    const gone: Change = { kind: "delete", path: "gone", before };
    const update: Change = { kind: "update", path: "u", before, after: stateOf(NEW) };
    expect(reverse(gone, update).conflicts).toEqual([
      { path: "gone", reason: lost },
      { path: "u", reason: lost },
    ]);
    mkdirSync(join(dir.path, ".papa-yu/objects"), { recursive: true });
    const special = { ...before, special: 0o4000 };
    const changes: readonly Change[] = [
      { kind: "update", path: "u", before: special, after: stateOf(NEW) },
      { kind: "delete", path: "d", before: special },
    ];
    const contents = new Map([OLD, NEW].map((text) => [sha256(text), Buffer.from(text)]));
    const archive = join(dir.path, imagesPath("tx_1"));
    closeSync(writeImages(archive, buildChangeSet(changes, contents), 0));
    writeTree(dir.path, { file: "" });
    const below: Change = { kind: "delete", path: "file/x", before };
    const { changeSet, conflicts } = reverse(...changes, below);
    expect(conflicts.map((each) => each.path)).toEqual(["file/x"]);
    expect(
      wordNotes(changeSet.notes, NOTES_EN).filter((note) => note.includes("is back")),
    ).toHaveLength(2);
  });
});
