import { describe, expect, test } from "bun:test";
import {
  closeSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import type { Change } from "../../src/transaction/change.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import { describeLooked, type LookedAgain } from "../../src/transaction/look-again.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import {
  removeStage,
  slotOf,
  stageWriters,
  transactionPath,
} from "../../src/transaction/stage/stage.ts";
import { revertChange } from "../../src/transaction/swap/revert-change.ts";
import { rollBack } from "../../src/transaction/swap/roll-back.ts";
import {
  isWrittenSince,
  makeChange,
  type TakenFile,
} from "../../src/transaction/swap/swap-change.ts";
import { openTree, type Tree } from "../../src/transaction/tree.ts";
import { createDice } from "../support/dice.ts";
import { runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { changeSetOf, requestFor, workspaceAt } from "./scene.ts";

const TX = "tx_1";
const [OLD, NEW, SAVED] = ["old\n", "new\n", "what somebody saved\n"];
const stateOf = (text: string) => ({ sha256: sha256(text), mode: 0o644, sizeBytes: text.length });

const CHANGES = {
  create: { kind: "create", path: "d/x", after: stateOf(NEW) },
  update: { kind: "update", path: "d/x", before: stateOf(OLD), after: stateOf(NEW) },
  delete: { kind: "delete", path: "d/x", before: stateOf(OLD) },
} as const satisfies Readonly<Record<string, Change>>;

/** How editors save a file, whether it is there or not. */
const EDITORS: Readonly<Record<string, (path: string) => void>> = {
  "by a rename": (path) => {
    writeFileSync(`${path}.tmp`, SAVED);
    renameSync(`${path}.tmp`, path);
  },
  "after a backup": (path) => {
    rmSync(`${path}~`, { force: true });
    try {
      renameSync(path, `${path}~`);
    } catch {
      // it was not there
    }
    writeFileSync(path, SAVED);
  },
  "in place": (path) => writeFileSync(path, SAVED),
  "twice by a rename": (path) => {
    for (const text of ["an earlier save\n", SAVED]) {
      writeFileSync(`${path}.tmp`, text);
      renameSync(`${path}.tmp`, path);
    }
  },
};

/** A change whose new content is staged, in a workspace of its own. */
function openScene(change: Change) {
  const dir = tempDir();
  const path = join(dir.path, change.path);
  mkdirSync(join(dir.path, transactionPath(TX)), { recursive: true });
  mkdirSync(join(path, ".."));
  if ("before" in change) writeFileSync(path, OLD);
  const contents = new Map([OLD, NEW].map((text) => [sha256(text), Buffer.from(text)]));
  const workspace = workspaceAt(dir.path);
  {
    using tree = openTree(dir.path);
    for (const write of stageWriters(tree, TX, buildChangeSet([change], contents)))
      closeSync(write());
  }
  return {
    path,
    root: dir.path,
    slot: slotOf(TX, 0, change.path),
    back(taken: TakenFile | undefined): LookedAgain {
      const known = new Map(taken ? [[0, taken] as const] : []);
      return rollBack(workspace, TX, [change], { images: contents, taken: known });
    },
    /** Where a content is by now, with the stage as its end leaves it. */
    find(text: string): readonly string[] {
      using tree = openTree(dir.path);
      removeStage(tree, TX);
      const names = readdirSync(dir.path, { recursive: true, encoding: "utf8" });
      return names.filter((name) => {
        const place = join(dir.path, name);
        return statSync(place).isFile() && readFileSync(place, "utf8") === text;
      });
    },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

/** The tree, but something is done before the call of this number, from 0; whether it came to that. */
function interrupted(tree: Tree, at: number, work: () => void) {
  let calls = 0;
  const step = () => {
    if (calls++ === at) work();
  };
  const counted = {
    ...tree,
    look: (path) => (step(), tree.look(path)),
    has: (path) => (step(), tree.has(path)),
    at: (path) => (step(), tree.at(path)),
    touch: (path) => (step(), tree.touch(path)),
    swap: (waiting, path) => (step(), tree.swap(waiting, path)),
    moveToFree: (waiting, path) => (step(), tree.moveToFree(waiting, path)),
  } satisfies Tree;
  return { tree: counted, isOver: () => calls <= at };
}

/** Where what was saved is: at its path, or where the outcome says. */
function expectFound(
  scene: ReturnType<typeof openScene>,
  looked: LookedAgain | undefined,
  where: string,
): void {
  const told = looked ? describeLooked(looked, { root: scene.root }, TX) : "";
  const found = scene.find(SAVED);
  const isTold = found.some((name) => name === "d/x" || told.includes(name));
  expect({ where, found, isTold }).toMatchObject({ isTold: true });
}

const rows = Object.keys(EDITORS).flatMap((editor) =>
  (["create", "update", "delete"] as const).map((kind) => [editor, kind] as const),
);

describe("A file that somebody saves in the middle of a change is never lost", () => {
  test.each(rows)("%s, while it is made: %s", (editor, kind) => {
    for (let at = 0; ; at++) {
      using scene = openScene(CHANGES[kind]);
      using tree = openTree(scene.root);
      const stepped = interrupted(tree, at, () => EDITORS[editor]?.(scene.path));
      let taken: TakenFile | undefined;
      let looked: LookedAgain | undefined;
      try {
        taken = makeChange(stepped.tree, CHANGES[kind], scene.slot);
        if (taken && isWrittenSince(tree, scene.slot, taken)) looked = scene.back(taken);
      } catch {
        looked = scene.back(undefined);
      }
      if (stepped.isOver()) return expect(at).toBeGreaterThan(3);
      expectFound(scene, looked, `before call ${at}`);
    }
  });

  const ways = rows.flatMap((row) => [
    [...row, "exchanged"] as const,
    [...row, "moved, on a disk without an exchange"] as const,
    [...row, "copied"] as const,
  ]);

  test.each(ways)("%s, on the way back of %s, where files are %s", (editor, kind, how) => {
    for (let at = 0; ; at++) {
      using scene = openScene(CHANGES[kind]);
      using tree = openTree(scene.root);
      const taken = makeChange(tree, CHANGES[kind], scene.slot);
      using later = openTree(scene.root, "roll back");
      const disk = how.startsWith("moved") ? { ...later, swap: () => false } : later;
      const stepped = interrupted(disk, at, () => EDITORS[editor]?.(scene.path));
      const { slot } = scene;
      try {
        revertChange(
          stepped.tree,
          CHANGES[kind],
          (_, place) => {
            if (how !== "copied") return place({ path: slot.old, isItself: true });
            writeFileSync(join(scene.root, slot.staged), OLD);
            place({ path: slot.staged, isItself: false });
          },
          slot,
        );
      } catch {
        // what is there by now is found by the next attempt
      }
      const looked = scene.back(taken);
      if (stepped.isOver()) return expect(at).toBeGreaterThan(2);
      expectFound(scene, looked, `before call ${at}`);
    }
  });
});

const EDITOR = Bun.fileURLToPath(new URL("./saving-child.ts", import.meta.url));

describe("A save by another process, at any moment behind the journal", () => {
  const sizes = [2_000, 5_000_000, 20_000_000];
  const moments = sizes.flatMap((size) =>
    ["update", "delete", "back"].map((way) => [way, size] as const),
  );

  test.each(moments)(
    "is at its path, or where the outcome says: %s of %d bytes",
    async (way, size) => {
      const dice = createDice(size);
      for (let run = 0; run < runs(2, 40); run++) {
        using dir = tempDir();
        const path = join(dir.path, "a.txt");
        const old = `${"x".repeat(size - 2)}\n`;
        writeFileSync(path, old);
        const workspace = workspaceAt(dir.path);
        const base = { path: "a.txt", base_sha256: sha256(old) };
        const action: Action =
          way === "delete"
            ? { kind: "DELETE_FILE", path: "a.txt" }
            : { kind: "REPLACE_RANGE", ...base, start_line: 1, end_line: 1, content: "y" };
        const changeSet = changeSetOf(workspace, [action]);
        const checks = way === "back" ? [{ name: "test", argv: ["false"] }] : [];
        const argv = [process.execPath, EDITOR, dir.path, path, `${dice(60)}`, SAVED];
        const editor = Bun.spawn(argv, { stdout: "pipe", stderr: "inherit" });
        await editor.stdout.getReader().read();
        const result = await runTransaction(requestFor(workspace, changeSet, { checks }));
        expect(await editor.exited).toBe(0);
        const names = readdirSync(dir.path, { recursive: true, encoding: "utf8" });
        const found = names.filter((name) => {
          const place = join(dir.path, name);
          const isShort = statSync(place).isFile() && statSync(place).size === SAVED.length;
          return isShort && readFileSync(place, "utf8") === SAVED;
        });
        const told = result.ok ? "" : result.message;
        const isTold = found.some((name) => name === "a.txt" || told.includes(name));
        expect({ run, status: result.status, found, isTold }).toMatchObject({ isTold: true });
      }
    },
  );
});
