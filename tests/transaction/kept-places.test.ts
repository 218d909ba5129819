import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Change } from "../../src/transaction/change.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import { describeLooked } from "../../src/transaction/look-again.ts";
import {
  keptBeside,
  keptPath,
  type Slot,
  slotOf,
  stageWriters,
  transactionPath,
} from "../../src/transaction/stage/stage.ts";
import { bringFrom } from "../../src/transaction/swap/bring-back.ts";
import { rescue } from "../../src/transaction/swap/rescue.ts";
import { rollBack } from "../../src/transaction/swap/roll-back.ts";
import { makeChange, type TakenFile } from "../../src/transaction/swap/swap-change.ts";
import { openTree, type Tree } from "../../src/transaction/tree.ts";
import { tempDir } from "../support/temp.ts";
import { workspaceAt } from "./scene.ts";

const TX = "tx_1";
const [OLD, NEW, SAVED] = ["old\n", "new\n", "what somebody saved\n"];
const stateOf = (text: string, mode = 0o644) => {
  return { sha256: sha256(text), mode, sizeBytes: text.length };
};

const CHANGES = {
  create: { kind: "create", path: "d/x", after: stateOf(NEW) },
  update: { kind: "update", path: "d/x", before: stateOf(OLD), after: stateOf(NEW) },
  delete: { kind: "delete", path: "d/x", before: stateOf(OLD) },
} as const satisfies Readonly<Record<string, Change>>;
const KINDS = ["create", "update", "delete"] as const;
const PLACES = [
  "old",
  "siblingOld",
  "aside",
  "siblingAside",
] as const satisfies readonly (keyof Slot)[];

/** A change that was made, and what a roll-back of it comes to. */
function openScene(change: Change) {
  const dir = tempDir();
  const workspace = workspaceAt(dir.path);
  const at = (path: string) => join(dir.path, path);
  mkdirSync(at(transactionPath(TX)), { recursive: true });
  mkdirSync(dirname(at(change.path)));
  if ("before" in change) {
    writeFileSync(at(change.path), OLD);
    chmodSync(at(change.path), change.before.mode);
  }
  const contents = new Map([OLD, NEW].map((text) => [sha256(text), Buffer.from(text)]));
  using tree = openTree(dir.path);
  for (const write of stageWriters(tree, TX, buildChangeSet([change], contents)))
    closeSync(write());
  const slot = slotOf(TX, 0, change.path);
  const made = makeChange(tree, change, slot);
  return {
    at,
    slot,
    made,
    back(onBack = () => {}, taken: TakenFile | undefined = made) {
      const onStep = (step: string) => void (step.startsWith("back ") && onBack());
      const known = new Map(taken ? [[0, taken] as const] : []);
      const looked = rollBack(workspace, TX, [change], { images: contents, taken: known, onStep });
      return { looked, told: describeLooked(looked, { root: dir.path }, TX) };
    },
    left: () =>
      [...readdirSync(at(transactionPath(TX))), ...readdirSync(at("d"))].filter((name) =>
        /^stage-|\.papa-yu-tx_1-\d+(?!\.kept)/u.test(name),
      ),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

const rows = KINDS.flatMap((kind) => PLACES.map((place) => [kind, place] as const));

describe("rollBack() names whatever came out of a path and is somebody's", () => {
  test.each(rows)("a save in the middle of the way back of %s, in %s", (kind, place) => {
    using scene = openScene(CHANGES[kind]);
    let turn = 0;
    const { told } = scene.back(() => writeFileSync(scene.at(scene.slot[place]), `${turn++}`));
    const kept = keptPath(TX, 0, 0);
    const isThere = kind === "create"; // nothing else is at its path
    expect(readFileSync(scene.at(isThere ? "d/x" : kept), "utf8")).toBe("0");
    expect(told).toContain(isThere ? '"d/x"' : kept);
    expect(scene.left()).toEqual([]);
  });

  const things: Readonly<Record<string, (path: string) => void>> = {
    "a folder with work in it": (path) => {
      mkdirSync(path);
      writeFileSync(join(path, "work"), SAVED);
    },
    "a link": (path) => symlinkSync("/nowhere", path),
    "a pipe": (path) => expect(Bun.spawnSync(["mkfifo", path]).success).toBe(true),
    "another file": (path) => writeFileSync(path, SAVED),
  };
  const moved = rows.flatMap(([kind, place]) =>
    Object.keys(things).map((thing) => [kind, place, thing] as const),
  );

  test.each(moved)("after a kill, of %s, in %s: %s", (kind, place, thing) => {
    using scene = openScene(CHANGES[kind]);
    const path = scene.at(scene.slot[place]);
    Bun.spawnSync(["rm", "-f", path]); // of before, whose image is there
    things[thing]?.(path);
    const what = lstatSync(path);
    const { looked, told } = scene.back(undefined, undefined);
    const places = ["d/x", keptPath(TX, 0, 0)].filter((each) => {
      const now = lstatSync(scene.at(each), { throwIfNoEntry: false });
      return now?.ino === what.ino && now.mode === what.mode;
    });
    expect({ status: looked.status, places: places.length }).toEqual({
      status: "conflict",
      places: 1,
    });
    expect(told).toContain(places[0] ?? "nowhere");
    expect(scene.left()).toEqual([]);
  });

  test.each(rows)("of %s, in %s: an empty folder is nobody's", (kind, place) => {
    using scene = openScene(CHANGES[kind]);
    if (place.startsWith("sibling")) return; // nobody takes a folder there
    Bun.spawnSync(["rm", "-f", scene.at(scene.slot[place])]);
    mkdirSync(scene.at(scene.slot[place]));
    expect(scene.back(undefined, undefined).looked.status).toBe("rolled_back");
    expect(scene.left()).toEqual([]);
  });

  test.each(["create", "update"] as const)(
    "what is written into the new file of %s, which is open, once it went",
    (kind) => {
      using scene = openScene(CHANGES[kind]);
      const fd = openSync(scene.at("d/x"), "r+");
      const { told } = scene.back(() => overwrite(fd));
      closeSync(fd);
      const place = kind === "create" ? "d/x" : keptPath(TX, 0, 0);
      expect(readFileSync(scene.at(place), "utf8")).toBe(SAVED);
      expect(told).toContain(place);
      expect(scene.left()).toEqual([]);
    },
  );

  test("all that is kept of one path, in the stage and beside it, and a later recovery no less", () => {
    using scene = openScene(CHANGES.update);
    const all = [
      keptPath(TX, 0, 0),
      keptPath(TX, 0, 1),
      keptBeside(scene.slot, 0),
      keptBeside(scene.slot, 1),
    ];
    for (const place of all) writeFileSync(scene.at(place), SAVED);
    for (const { looked, told } of [scene.back(), scene.back()]) {
      expect(looked).toMatchObject({ status: "conflict", kept: [{ path: "d/x", savedAt: all }] });
      for (const place of all) expect(told).toContain(place);
    }
    for (const place of all) expect(readFileSync(scene.at(place), "utf8")).toBe(SAVED);
  });
});

describe("rollBack() gives a file that comes back as itself its mode", () => {
  /** What it was before, what it is in the stage, and what it is at its path then. */
  test.each([
    ["that a check widened", OLD, 1, 0o600, 0o644, 0o600],
    ["that a check narrowed", OLD, 1, 0o644, 0o600, 0o644],
    ["with another name, which was narrowed", OLD, 2, 0o644, 0o600, 0o600],
    ["with another name, which was widened", OLD, 2, 0o600, 0o644, 0o644],
    ["that somebody wrote into and narrowed", SAVED, 1, 0o644, 0o600, 0o600],
    ["that somebody wrote into and widened", SAVED, 1, 0o640, 0o604, 0o600],
    ["with another name, with work of somebody", SAVED, 2, 0o644, 0o600, 0o600],
  ] as const)("%s", (_, text, links, before, now, then) => {
    for (const kind of ["update", "delete"] as const) {
      for (const isKnown of [true, false]) {
        using scene = openScene({ ...CHANGES[kind], before: stateOf(OLD, before) });
        const path = scene.at(scene.slot.old);
        writeFileSync(path, text);
        if (links === 2) linkSync(path, scene.at("second"));
        chmodSync(path, now);
        const { ino } = lstatSync(path);
        const { looked, told } = scene.back(undefined, isKnown ? scene.made : undefined);
        const back = lstatSync(scene.at("d/x"));
        const is = { kind, isKnown, ino: back.ino, mode: (back.mode & 0o777).toString(8) };
        expect(is).toEqual({ kind, isKnown, ino, mode: then.toString(8) });
        expect(looked.status).toBe(text === OLD && then === before ? "rolled_back" : "conflict");
        const mode = `"d/x" (its mode is ${then.toString(8)}, it was ${before.toString(8)})`;
        expect(told.includes(mode)).toBe(text === OLD && then !== before);
        expect(told.includes("contents by hash")).toBe(text !== OLD);
      }
    }
  });
});

test("rescue() keeps what it may not read, and leaves what it cannot tell where it is", () => {
  using scene = openScene(CHANGES.update);
  using tree = openTree(scene.at("."));
  const origin = { txId: TX, index: 0, change: CHANGES.update };
  const refusing = (code: string): Tree => ({
    ...tree,
    look: () => {
      throw Object.assign(new Error(`${code}: refused`), { code });
    },
  });
  const { old } = scene.slot;
  expect(() => rescue(refusing("EIO"), old, origin)).toThrow("EIO");
  expect(readFileSync(scene.at(old), "utf8")).toBe(OLD);
  expect(rescue(refusing("EACCES"), old, origin)).toBe(keptPath(TX, 0, 0));
  expect(readFileSync(scene.at(keptPath(TX, 0, 0)), "utf8")).toBe(OLD);
});

test("bringFrom() writes a copy for its owner alone, wherever it waits", () => {
  for (const block of [false, true]) {
    using scene = openScene(CHANGES.update);
    using tree = openTree(scene.at("."));
    Bun.spawnSync(["rm", scene.at(scene.slot.old)]);
    if (block) mkdirSync(scene.at(scene.slot.staged));
    const read = () => Buffer.from(OLD);
    const sources = { change: CHANGES.update, slot: scene.slot, taken: undefined, read };
    const modes: number[] = [];
    bringFrom(tree, sources)(CHANGES.update.before, ({ path, isItself }) => {
      expect([path, isItself]).toEqual([scene.slot[block ? "sibling" : "staged"], false]);
      modes.push(lstatSync(scene.at(path)).mode & 0o777);
    });
    expect(modes).toEqual([0o600]);
  }
});

function overwrite(fd: number): void {
  ftruncateSync(fd, 0);
  writeSync(fd, SAVED, 0);
}
