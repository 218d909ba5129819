import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { openNameSwap } from "../../src/system/rights/swap-names.ts";
import type { Change } from "../../src/transaction/change.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import {
  type Slot,
  slotOf,
  stageWriters,
  transactionPath,
} from "../../src/transaction/stage/stage.ts";
import { type BringBack, revertChange } from "../../src/transaction/swap/revert-change.ts";
import { makeChange } from "../../src/transaction/swap/swap-change.ts";
import { openTree, type Tree } from "../../src/transaction/tree.ts";
import { needs } from "../support/needs.ts";
import { countOpenFiles } from "../support/open-files.ts";
import { IS_ROOT } from "../support/root.ts";
import { memoryDir, tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";

const TX = "tx_1";
const [OLD, NEW] = ["old\n", "new\n"];

const stateOf = (text: string, mode = 0o644) => {
  return { sha256: sha256(text), mode, sizeBytes: text.length };
};

/** A change of each kind, two folders down. */
const CHANGES: Readonly<Record<Change["kind"], Change>> = {
  mkdir: { kind: "mkdir", path: "d/in/x", mode: 0o755 },
  create: { kind: "create", path: "d/in/x", after: stateOf(NEW, 0o640) },
  update: { kind: "update", path: "d/in/x", before: stateOf(OLD), after: stateOf(NEW, 0o640) },
  delete: { kind: "delete", path: "d/in/x", before: stateOf(OLD, 0o600) },
  rmdir: { kind: "rmdir", path: "d/in/x", mode: 0o775 },
};

interface Scene extends Disposable {
  readonly root: string;
  readonly tree: Tree;
  readonly slot: Slot;
  readonly change: Change;
  readonly path: string;
  make(): void;
  revert(bringBack?: BringBack): ReturnType<typeof revertChange>;
}

/** What a change of this kind begins with, and its new content staged. */
function sceneOf(kind: Change["kind"]): Scene {
  const dir = tempDir();
  const change = CHANGES[kind];
  const path = join(dir.path, change.path);
  mkdirSync(join(dir.path, transactionPath(TX)), { recursive: true });
  mkdirSync(join(path, ".."), { recursive: true });
  if ("before" in change) {
    writeFileSync(path, OLD);
    chmodSync(path, change.before.mode);
  }
  if (change.kind === "rmdir") {
    mkdirSync(path);
    chmodSync(path, change.mode);
  }
  const tree = openTree(dir.path);
  const slot = slotOf(TX, 0, change.path);
  const contents = new Map([OLD, NEW].map((text) => [sha256(text), Buffer.from(text)]));
  for (const write of stageWriters(tree, TX, buildChangeSet([change], contents)))
    closeSync(write());
  const itself: BringBack = (_, place) => place({ path: slot.old, isItself: true });
  return {
    root: dir.path,
    tree,
    slot,
    change,
    path,
    make: () => makeChange(tree, change, slot),
    revert(bringBack = itself) {
      using later = openTree(dir.path); // as a roll-back has it: a folder may be another by then
      return revertChange(later, change, bringBack, slot);
    },
    [Symbol.dispose]() {
      tree[Symbol.dispose]();
      const left = countOpenFiles(dir.path);
      dir[Symbol.dispose]();
      expect(left).toBe(0);
    },
  };
}

const KINDS = ["mkdir", "create", "update", "delete", "rmdir"] as const;

describe("makeChange() and revertChange()", () => {
  test.each(KINDS)("go there and back with %s, whatever the umask", (kind) => {
    using scene = sceneOf(kind);
    const before = readTree(scene.root);
    const umask = process.umask(0o077);
    try {
      const ino = existsSync(scene.path) ? statSync(scene.path).ino : undefined;
      scene.make();
      expect(readTree(scene.root)).toEqual(treeAfter(before, scene.change));
      expect(existsSync(join(scene.root, scene.slot.staged))).toBe(false);
      scene.revert();
      // A file comes back as itself, with all that nobody looked at.
      if ("before" in scene.change) expect(statSync(scene.path).ino).toBe(ino ?? 0);
    } finally {
      process.umask(umask);
    }
    expect(readTree(scene.root)).toEqual(before);
  });

  test.each(["update", "delete", "rmdir"] as const)(
    "bring back %s though the folders above it went with it",
    (kind) => {
      using scene = sceneOf(kind);
      const before = readTree(scene.root);
      scene.make();
      rmSync(join(scene.root, "d"), { recursive: true });
      const notes = scene.revert();
      // Nobody knows any more whom they let in.
      const anew = { "d/": "dir 700", "d/in/": "dir 700" };
      expect(readTree(scene.root)).toEqual({ ...before, ...anew });
      const named = ["d", "d/in"].map((path) => ({ kind: "folder anew", facts: { path } }));
      expect(notes.slice(0, 2)).toMatchObject(named);
    },
  );

  test.each(KINDS)("go there and back with %s on a disk whose names cannot be swapped", (kind) => {
    using scene = sceneOf(kind);
    const { root, tree, change, slot } = scene;
    const before = readTree(root);
    const ino = existsSync(scene.path) ? statSync(scene.path).ino : undefined;
    makeChange({ ...tree, swap: () => false }, change, slot);
    expect(readTree(root)).toEqual(treeAfter(before, change));
    using later = openTree(root);
    const itself: BringBack = (_, place) => place({ path: slot.old, isItself: true });
    revertChange({ ...later, swap: () => false }, change, itself, slot);
    if ("before" in change) expect(statSync(scene.path).ino).toBe(ino ?? 0);
    expect(readTree(root)).toEqual(before);
  });

  test("replace no file that came just before its second name, where names cannot be swapped", () => {
    using scene = sceneOf("update");
    const { tree, change, slot, path } = scene;
    const swap = () => {
      writeFileSync(`${path}.tmp`, "mine\n");
      renameSync(`${path}.tmp`, path);
      return false;
    };
    expect(() => makeChange({ ...tree, swap }, change, slot)).toThrow("it changed just now");
    expect(readFileSync(path, "utf8")).toBe("mine\n");
    expect(existsSync(join(scene.root, slot.old))).toBe(false);
  });

  test.each(KINDS)("leave alone what of %s nobody has made", (kind) => {
    using scene = sceneOf(kind);
    const before = readTree(scene.root);
    scene.revert(() => expect.unreachable());
    expect(readTree(scene.root)).toEqual(before);
  });

  test("leave a folder that somebody put something into", () => {
    using scene = sceneOf("mkdir");
    scene.make();
    writeFileSync(join(scene.path, "mine"), "");
    scene.revert();
    expect(readdirSync(scene.path)).toEqual(["mine"]);
  });

  test.each([
    ["update", "else\n"],
    ["update", undefined],
    ["delete", "else\n"],
    ["delete", undefined],
  ] as const)("refuse to %s what is %j by now, and touch nothing", (kind, content) => {
    using scene = sceneOf(kind);
    if (content === undefined) rmSync(scene.path);
    else writeFileSync(scene.path, content);
    const before = readTree(scene.root);
    expect(() => scene.make()).toThrow('Cannot change "d/in/x": it changed just now');
    expect(readTree(scene.root)).toEqual(before);
    expect(existsSync(join(scene.root, scene.slot.old))).toBe(false);
  });

  test("replace no file that came first, and no name of it", () => {
    using scene = sceneOf("create");
    writeFileSync(scene.path, "mine\n");
    expect(() => scene.make()).toThrow("EEXIST");
    expect(readFileSync(scene.path, "utf8")).toBe("mine\n");
  });

  test("bring a copy back beside the file of now, which goes, and its other names stay", () => {
    using scene = sceneOf("update");
    const before = readTree(scene.root);
    scene.make();
    linkSync(scene.path, join(scene.root, "second"));
    const copy = scene.slot.sibling;
    scene.revert((state, place) => {
      writeFileSync(join(scene.root, copy), OLD);
      chmodSync(join(scene.root, copy), state.mode);
      place({ path: copy, isItself: false });
    });
    expect(readFileSync(join(scene.root, "second"), "utf8")).toBe(NEW);
    rmSync(join(scene.root, "second"));
    rmSync(join(scene.root, scene.slot.siblingAside)); // until the roll-back ends
    expect(readTree(scene.root)).toEqual(before);
  });

  test.if(IS_ROOT).each([
    [12_345, 0],
    [0, 12_345],
    [0, 0],
  ])("give what takes the place of a file of %d and %d the same owner", (uid, gid) => {
    using scene = sceneOf("update");
    chownSync(scene.path, uid, gid);
    scene.make();
    expect(statSync(scene.path)).toMatchObject({ uid, gid, mode: 0o100640 });
    const copy = scene.slot.sibling;
    scene.revert((_, place) => {
      writeFileSync(join(scene.root, copy), OLD);
      place({ path: copy, isItself: false });
    });
    expect(statSync(scene.path)).toMatchObject({ uid, gid, size: OLD.length });
  });
});

test.if(IS_ROOT)("revertChange() gives a file that comes back as itself no other owner", () => {
  using scene = sceneOf("update");
  scene.make();
  chownSync(scene.path, 12_345, 12_345);
  scene.revert();
  expect(statSync(scene.path)).toMatchObject({ uid: 0, gid: 0, size: OLD.length });
});

/** What a change makes of a tree. */
function treeAfter(before: Readonly<Record<string, string>>, change: Change) {
  const after = { ...before };
  const { kind, path } = change;
  if (kind === "mkdir") after[`${path}/`] = `dir ${change.mode.toString(8)}`;
  else if (kind === "rmdir") delete after[`${path}/`];
  else if (kind === "delete") delete after[path];
  else after[path] = `file ${change.after.mode.toString(8)} ${change.after.sha256}`;
  return after;
}

describe("makeChange() with the stage on another disk", () => {
  const hasTwo = needs("two disks", statSync(memoryDir()).dev !== statSync(tmpdir()).dev);

  test.if(hasTwo).each([
    ["create", true],
    ["create", false],
    ["update", false],
    ["delete", false],
  ] as const)("makes %s by a copy; anew: %p", (kind, isNew) => {
    using scene = sceneOf(kind);
    const elsewhere = statSync(scene.root).dev === statSync(tmpdir()).dev ? memoryDir() : tmpdir();
    using other = tempDir("papayu-test-", elsewhere);
    const place = (path: string) => join(other.path, basename(path));
    const { tree, slot, change } = scene;
    if ("after" in change) writeFileSync(place(slot.staged), NEW);
    const isStage = (path: string) => path.startsWith(".papa-yu/");
    const at = (path: string) => (isStage(path) ? place(path) : tree.at(path));
    using names = openNameSwap();
    const swap: Tree["swap"] = (one, to) => names.swap(at(one), tree.touch(to));
    // Others may open the copy: it is its owner's alone until it has its owner and its list.
    const modes = new Set<number>();
    const note = (path: string) => {
      if (basename(path) === basename(slot.sibling)) modes.add(statSync(path).mode & 0o777);
    };
    const lists: Tree["lists"] = {
      ...tree.lists,
      write: (path, list) => (note(path), tree.lists.write(path, list)),
      handDown: (folder, path, mode) => (note(path), tree.lists.handDown(folder, path, mode)),
    };
    const split: Tree = { ...tree, at, swap, lists };
    const before = readTree(scene.root);
    makeChange(split, change, slot, isNew);
    expect([...modes]).toEqual(kind === "delete" ? [] : [0o600]);
    if ("before" in change) {
      expect(readFileSync(join(scene.root, slot.siblingOld), "utf8")).toBe(OLD);
      rmSync(join(scene.root, slot.siblingOld));
    }
    expect(readTree(scene.root)).toEqual(treeAfter(before, change));
    expect(existsSync(place(slot.old))).toBe(false);
  });
});
