import { describe, expect, test } from "bun:test";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Change } from "../../src/transaction/change.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import {
  clearStage,
  hasImages,
  imagesPath,
  needsImages,
  OBJECTS,
  openImages,
  removeImages,
  removeLitter,
  removeStage,
  removeTransaction,
  slotOf,
  transactionPath,
  writeImages,
  writeNew,
} from "../../src/transaction/stage/stage.ts";
import { TAR_END, tarEntry } from "../../src/transaction/stage/tar.ts";
import { inOrder, readSurviving } from "../../src/transaction/swap/surviving-contents.ts";
import { openTree } from "../../src/transaction/tree.ts";
import { countOpenFiles } from "../support/open-files.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { workspaceAt } from "./scene.ts";

const TX = "tx_1";
const stateOf = (text: string) => ({ sha256: sha256(text), mode: 0o644, sizeBytes: text.length });
const create = (path: string, text: string): Change => ({
  kind: "create",
  path,
  after: stateOf(text),
});
const remove = (path: string, text: string): Change => ({
  kind: "delete",
  path,
  before: stateOf(text),
});
const update = (path: string, old: string, now: string): Change => {
  return { kind: "update", path, before: stateOf(old), after: stateOf(now) };
};
const contentsOf = (...texts: string[]) =>
  new Map(texts.map((text) => [sha256(text), Buffer.from(text)]));

function openScene() {
  const dir = tempDir();
  mkdirSync(join(dir.path, transactionPath(TX)), { recursive: true });
  mkdirSync(join(dir.path, OBJECTS));
  const tree = openTree(dir.path);
  return {
    root: dir.path,
    tree,
    archive: join(dir.path, imagesPath(TX)),
    workspace: { ...workspaceAt(dir.path), root: dir.path },
    [Symbol.dispose]() {
      tree[Symbol.dispose]();
      const left = countOpenFiles(dir.path);
      dir[Symbol.dispose]();
      expect(left).toBe(0);
    },
  };
}

describe("The stage of a transaction", () => {
  const place = transactionPath(TX);
  const LITTER = { "stage-0": "new", "stage-0.old": "old", "stage-12": "new" };
  const OTHERS = { "journal.jsonl": "j", mine: "m", "x-stage-1": "x" };
  const fill = (root: string) => {
    for (const [name, text] of Object.entries({ ...LITTER, ...OTHERS })) {
      writeTree(root, { [`${place}/${name}`]: text });
    }
    writeTree(root, { [imagesPath(TX)]: "tar" });
  };

  test("loses what each removal is for, and nothing else", () => {
    using scene = openScene();
    const { root, tree } = scene;
    const left = () => readdirSync(join(root, place)).toSorted();
    fill(root);
    clearStage(tree, TX);
    expect(left()).toEqual(["journal.jsonl", "mine", "stage-0.old", "x-stage-1"]);
    removeStage(tree, TX);
    expect(left()).toEqual(["journal.jsonl", "mine", "x-stage-1"]);
    fill(root);
    removeTransaction(tree, TX);
    expect(left()).toEqual(["mine", "x-stage-1"]);
    expect(existsSync(join(root, imagesPath(TX)))).toBe(false);
    for (const name of ["mine", "x-stage-1"]) unlinkSync(join(root, place, name));
    removeTransaction(tree, TX);
    expect(readdirSync(join(root, ".papa-yu/tx"))).toEqual([]);
    for (const again of [clearStage, removeStage, removeTransaction, removeImages]) again(tree, TX);
  });

  test("loses its copies beside the targets, a folder in the place of one stays", () => {
    using scene = openScene();
    const { root, tree } = scene;
    const changes = [
      create("a", "1"),
      create("d/b", "2"),
      create("gone/c", "3"),
      create("d/e", "4"),
    ];
    const siblings = changes.map(({ path }, index) => slotOf(TX, index, path).sibling);
    expect(siblings).toEqual([
      ".papa-yu-tx_1-0",
      "d/.papa-yu-tx_1-1",
      "gone/.papa-yu-tx_1-2",
      "d/.papa-yu-tx_1-3",
    ]);
    writeTree(root, { [siblings[0] ?? ""]: "x", "d/.papa-yu-tx_1-0": "mine" });
    mkdirSync(join(root, siblings[1] ?? ""));
    writeTree(root, { [siblings[3] ?? ""]: "x" });
    fill(root);
    removeLitter(tree, TX, changes);
    expect(readdirSync(root).toSorted()).toEqual([".papa-yu", "d"]);
    expect(readdirSync(join(root, "d")).toSorted()).toEqual([".papa-yu-tx_1-0", ".papa-yu-tx_1-1"]);
    expect(readdirSync(join(root, place)).toSorted()).toEqual([
      "journal.jsonl",
      "mine",
      "x-stage-1",
    ]);
  });

  test("takes a file of no other name, and leaves none open that cannot be written", () => {
    using scene = openScene();
    const path = join(scene.root, "n");
    closeSync(writeNew(path, Buffer.from("1"), 0o6640));
    expect(() => writeNew(path, Buffer.from("2"), 0o640)).toThrow("EEXIST");
    expect(readFileSync(path, "utf8")).toBe("1");
    // As if the disk refused it.
    const bytes = Object.create(Uint8Array.prototype);
    expect(() => writeNew(join(scene.root, "m"), bytes, 0o640)).toThrow();
  });
});

describe("Before-images", () => {
  test("are what was there before, each once, and what became of an update", () => {
    using scene = openScene();
    const texts = ["gone\n", "old\nline\n", "new\nline\n", "made\n"];
    const changes = [
      create("made", "made\n"),
      update("u", "old\nline\n", "new\nline\n"),
      remove("d", "gone\n"),
      remove("e", "gone\n"),
    ];
    expect(changes.map((change) => needsImages([change]))).toEqual([false, true, true, true]);
    expect([needsImages([]), needsImages(changes)]).toEqual([false, true]);
    expect(hasImages(scene.workspace, TX)).toBe(false);
    closeSync(writeImages(scene.archive, buildChangeSet(changes, contentsOf(...texts)), 0));
    expect(hasImages(scene.workspace, TX)).toBe(true);
    const list = Bun.spawnSync(["tar", "-tf", scene.archive]).stdout.toString().trim().split("\n");
    const [gone = "", old = "", now = ""] = texts.map((text) => sha256(text));
    expect(list.toSorted()).toEqual([gone, old, `${now}.edit`].toSorted());
    expect(readFileSync(scene.archive).subarray(-1024)).toEqual(Buffer.alloc(1024)); // its end
    using images = openImages(scene.workspace, TX);
    const read = texts.map((text) => images.read(sha256(text))?.toString());
    expect(read).toEqual(["gone\n", "old\nline\n", "new\nline\n", undefined]);
  });

  test("are not begun without their contents, nor left open", () => {
    using scene = openScene();
    const lacking = buildChangeSet([remove("d", "gone\n")], new Map());
    expect(() => writeImages(scene.archive, lacking, 0)).toThrow("lacks the content");
  });

  test("are none where something else is in their place", () => {
    using scene = openScene();
    const look = () => {
      using images = openImages(scene.workspace, TX);
      return [hasImages(scene.workspace, TX), images.read(sha256("x"))];
    };
    expect(look()).toEqual([false, undefined]);
    mkdirSync(scene.archive);
    expect(look()).toEqual([false, undefined]);
    using other = openScene();
    writeFileSync(
      other.archive,
      Buffer.concat([tarEntry(sha256("x"), Buffer.from("x"), 0), TAR_END]),
    );
    using linked = openScene();
    symlinkSync(other.archive, linked.archive);
    expect(hasImages(linked.workspace, TX)).toBe(false);
    expect(hasImages(other.workspace, TX)).toBe(true);
    expect(() => hasImages(other.workspace, "x".repeat(300))).toThrow("ENAMETOOLONG");
  });

  test("of another content than their hash says, or longer than any, are none", () => {
    using scene = openScene();
    const most = 65 * 1024 * 1024;
    // Of so many zeros, which a disk need not hold.
    const ZEROS = "6053d87901da7580e1aee399d2916de21cfa29d8f440074664be75b7037f9e81";
    const fd = openSync(scene.archive, "w");
    writeSync(fd, tarEntry(sha256("a"), Buffer.from("b"), 0));
    const header = Buffer.from(tarEntry(ZEROS, Buffer.alloc(0), 0));
    header.write((most + 1).toString(8).padStart(11, "0"), 124);
    header.write("        ", 148);
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    writeSync(fd, header);
    closeSync(fd);
    truncateSync(scene.archive, 3 * 512 + most + 512);
    using images = openImages(scene.workspace, TX);
    expect([images.read(sha256("a")), images.read(ZEROS)]).toEqual([undefined, undefined]);
  });
});

describe("readSurviving()", () => {
  test("reads what the archive has not, and only what the change brought back elsewhere", () => {
    using scene = openScene();
    const { root, tree } = scene;
    writeTree(root, {
      to: "moved\n",
      too: "moved\n",
      kept: "stored\n",
      edited: "else\n",
      own: "own\n",
    });
    const changes = [
      create("to", "moved\n"),
      create("too", "moved\n"),
      create("kept", "stored\n"),
      create("edited", "lost\n"),
      create("own", "own\n"),
      create("below/a/file", "far\n"),
      remove("from", "moved\n"),
      remove("was", "stored\n"),
      remove("x", "lost\n"),
      remove("y", "far\n"),
      remove("z", "refused\n"),
      create("refused", "refused\n"),
    ];
    const asked: string[] = [];
    const looked: string[] = [];
    const read = (hash: string) => {
      asked.push(hash);
      if (hash === sha256("refused\n")) throw new Error("EIO");
      return hash === sha256("stored\n") ? Buffer.from("stored\n") : undefined;
    };
    const look = (path: string) => {
      looked.push(path);
      if (path === "below/a/file") throw new Error("EACCES");
      return tree.look(path);
    };
    const surviving = readSurviving({ ...tree, look }, changes, read);
    expect([...surviving].map(([hash, bytes]) => [hash, String(bytes)])).toEqual([
      [sha256("moved\n"), "moved\n"],
    ]);
    expect(looked).toEqual(["to", "edited", "below/a/file"]);
    const texts = ["moved\n", "stored\n", "lost\n", "far\n", "refused\n"];
    expect(asked).toEqual(texts.map((text) => sha256(text)));
  });
});

test("inOrder() goes from the last change to the first, and from what brings others back at the end", () => {
  const changes = [
    create("to", "moved\n"),
    create("new", "new\n"),
    update("u", "old\n", "new\n"),
    remove("from", "moved\n"),
    remove("gone", "gone\n"),
    { kind: "rmdir", path: "d", mode: 0o755 },
  ] as const;
  const pathsIn = (...texts: string[]): readonly unknown[] =>
    inOrder(changes, contentsOf(...texts));
  const withIndex = changes.map((change, index) => ({ index, change }));
  const [to, made, u, from, gone, d] = withIndex;
  expect(pathsIn()).toEqual([d, gone, from, u, made, to]);
  expect(pathsIn("moved\n")).toEqual([d, from, gone, u, made, to]);
});
