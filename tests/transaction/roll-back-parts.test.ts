import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Change } from "../../src/transaction/change.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import { markOf } from "../../src/transaction/journal/journal.ts";
import { describeLooked } from "../../src/transaction/look-again.ts";
import {
  imagesPath,
  OBJECTS,
  slotOf,
  transactionPath,
  writeImages,
} from "../../src/transaction/stage/stage.ts";
import { type RollBackOptions, rollBack } from "../../src/transaction/swap/roll-back.ts";
import { countOpenFiles } from "../support/open-files.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { workspaceAt } from "./scene.ts";

const TX = "tx_1";
const [OLD, NEW] = ["old\n", "new\n"];
const stateOf = (text: string, mode = 0o644) => {
  return { sha256: sha256(text), mode, sizeBytes: text.length };
};
const UPDATE: Change = {
  kind: "update",
  path: "d/u",
  before: stateOf(OLD, 0o640),
  after: stateOf(NEW),
};
const DELETE: Change = { kind: "delete", path: "d/gone", before: stateOf(OLD, 0o600) };
const CREATE: Change = { kind: "create", path: "d/made", after: stateOf(NEW) };
const CHANGES: readonly Change[] = [CREATE, UPDATE, DELETE];
const images = new Map([[sha256(OLD), Buffer.from(OLD)]]);

/** A workspace after its changes were made, with nothing that brings them back. */
function openScene() {
  const dir = tempDir();
  const root = join(dir.path, "ws");
  writeTree(root, { "d/u": NEW, "d/made": NEW });
  mkdirSync(join(root, transactionPath(TX)), { recursive: true });
  mkdirSync(join(root, OBJECTS));
  const workspace = workspaceAt(root);
  const steps: string[] = [];
  const onStep = (step: string) => void steps.push(step);
  return {
    root,
    steps,
    workspace,
    place: (name: string) => join(root, transactionPath(TX), name),
    store() {
      const contents = new Map([...images, [sha256(NEW), Buffer.from(NEW)]]);
      closeSync(writeImages(join(root, imagesPath(TX)), buildChangeSet(CHANGES, contents), 0));
    },
    back: (options: RollBackOptions = {}, changes = CHANGES) =>
      rollBack(workspace, TX, changes, { onStep, ...options }),
    [Symbol.dispose]() {
      const left = countOpenFiles(join(root, "d")) + countOpenFiles(join(root, OBJECTS));
      dir[Symbol.dispose]();
      expect(left).toBe(0);
    },
  };
}

const BACK = {
  "d/": "dir 755",
  "d/gone": `file 600 ${sha256(OLD)}`,
  "d/u": `file 640 ${sha256(OLD)}`,
};
const STEPS = ["stage cleared", "back d/gone", "back d/u", "back d/made"];

describe("rollBack()", () => {
  test("brings files back from the memory, or from the archive, in one go", () => {
    for (const from of ["memory", "archive"] as const) {
      using scene = openScene();
      if (from === "archive") scene.store();
      const looked = scene.back(from === "memory" ? { images } : {});
      expect(looked).toMatchObject({ status: "rolled_back", kept: [], pending: [] });
      expect(readTree(scene.root)).toEqual(BACK);
      expect(scene.steps).toEqual(STEPS);
      expect(readdirSync(scene.place("."))).toEqual([]);
    }
  });

  test("brings the very file back where the stage has it, with its mode from before", () => {
    using scene = openScene();
    const kept = scene.place("stage-1.old");
    writeFileSync(kept, OLD);
    chmodSync(kept, 0o777); // by a check
    const { ino } = lstatSync(kept);
    expect(scene.back({ images }).status).toBe("rolled_back");
    expect(readTree(scene.root)).toEqual(BACK);
    expect(lstatSync(join(scene.root, "d/u")).ino).toBe(ino);
    expect(readdirSync(scene.place("."))).toEqual([]);
  });

  test("brings what somebody wrote into a file that the stage has back as it is, after a crash", () => {
    using scene = openScene();
    for (const n of [1, 2]) writeFileSync(scene.place(`stage-${n}.old`), "somebody's\n");
    expect(scene.back({ images })).toMatchObject({
      status: "conflict",
      kept: [{ path: "d/gone" }, { path: "d/u" }],
    });
    expect(readFileSync(join(scene.root, "d/u"), "utf8")).toBe("somebody's\n");
    expect(readFileSync(join(scene.root, "d/gone"), "utf8")).toBe("somebody's\n");
  });

  test("keeps what came into the place of a file that is known, and says where", () => {
    using scene = openScene();
    for (const n of [1, 2]) writeFileSync(scene.place(`stage-${n}.old`), "somebody's\n");
    const known = { dev: 1, ino: 1, size: 4, mtimeMs: 0, sha256: sha256(OLD) };
    const looked = scene.back({ images, taken: new Map([1, 2].map((n) => [n, known])) });
    const savedAt = (n: number) => `.papa-yu/tx/${TX}/kept-${n}`;
    expect(looked).toMatchObject({
      status: "conflict",
      kept: [
        { path: "d/gone", savedAt: [savedAt(2)] },
        { path: "d/u", savedAt: [savedAt(1)] },
      ],
    });
    expect(describeLooked(looked, { root: scene.root }, TX)).toContain(
      `and what was saved meanwhile is in ${savedAt(1)})`,
    );
    expect(readTree(scene.root)).toEqual(BACK);
    for (const n of [1, 2]) {
      expect(readFileSync(join(scene.root, savedAt(n)), "utf8")).toBe("somebody's\n");
    }
    // A recovery that comes behind a crash says no less.
    expect(scene.back({ images })).toEqual(looked);
  });

  test.each(["stage-0.aside.old", "d/.papa-yu-tx_1-0.old"])(
    "brings back what was moved to %s and not looked at before a crash",
    (name) => {
      using scene = openScene();
      const place = name.startsWith("d/") ? join(scene.root, name) : scene.place(name);
      rmSync(join(scene.root, "d/made"));
      writeFileSync(place, "somebody's\n");
      expect(scene.back({ images })).toMatchObject({
        status: "conflict",
        kept: [{ path: "d/made", reason: "edited since" }],
      });
      expect(readTree(scene.root)).toEqual({
        ...BACK,
        "d/made": `file 644 ${sha256("somebody's\n")}`,
      });
    },
  );

  test("takes no link in the stage for a file of before", () => {
    using scene = openScene();
    writeFileSync(scene.place("real"), OLD);
    symlinkSync("real", scene.place("stage-1.old"));
    expect(scene.back({ images })).toMatchObject({
      status: "conflict",
      kept: [{ path: "d/u", savedAt: [`.papa-yu/tx/${TX}/kept-1`] }],
    });
    expect(readTree(scene.root)).toEqual(BACK);
    expect(readlinkSync(scene.place("kept-1"))).toBe("real");
  });

  test("writes copies beside their targets where the stage is gone or blocked", () => {
    for (const block of [true, false]) {
      using scene = openScene();
      if (block) for (const n of [1, 2]) writeTree(scene.place(`stage-${n}`), { mine: "m" });
      else rmSync(scene.place("."), { recursive: true });
      const sibling = slotOf(TX, 1, "d/u").sibling;
      writeTree(scene.root, { [sibling]: "of a crash" });
      expect(scene.back({ images }).status).toBe("rolled_back");
      expect(readTree(scene.root)).toEqual(BACK);
    }
  });

  test("tries again what failed, and says of what is lost that it is", () => {
    using scene = openScene();
    const looked = scene.back();
    expect(looked.status).toBe("incomplete");
    const reason = `its before-image is missing or damaged (sha256 ${sha256(OLD)}); put it back by hand, from version control or a backup`;
    const lost = { beforeSha256: sha256(OLD), reason, isLost: true };
    const pending: readonly unknown[] = looked.pending;
    expect(pending).toEqual([
      { path: "d/gone", ...lost },
      { path: "d/u", ...lost },
    ]);
    // What could go back did with the first of three attempts.
    expect(scene.steps).toEqual([1, 2, 3].flatMap(() => ["stage cleared", "back d/made"]));
    expect(existsSync(join(scene.root, "d/made"))).toBe(false);
  });

  test("brings nothing back that is protected by now, and calls it no loss", () => {
    using scene = openScene();
    const workspace = { ...scene.workspace, protectedPaths: ["d/u"] };
    const looked = rollBack(workspace, TX, CHANGES, { images });
    expect(looked.pending).toEqual([
      {
        path: "d/u",
        beforeSha256: sha256(OLD),
        reason: "it is protected now, which stops the roll-back as well",
      },
    ]);
  });

  test("leaves what is behind a link alone, as somebody's doing", () => {
    using scene = openScene();
    rmSync(join(scene.root, "d"), { recursive: true });
    mkdirSync(join(scene.root, "e"));
    symlinkSync("e", join(scene.root, "d"));
    const looked = scene.back({ images });
    expect(looked).toMatchObject({ status: "conflict", pending: [] });
    expect(looked.kept.map(({ path }) => path)).toEqual(["d/gone", "d/u", "d/made"]);
    expect(readdirSync(join(scene.root, "e"))).toEqual([]);
  });

  test("goes on in another folder only where the transaction itself is in it", () => {
    using scene = openScene();
    const mark = markOf(scene.root);
    expect(mark).toMatch(/^\d+:\d+$/u);
    rmSync(scene.place("."), { recursive: true });
    const moved = scene.back({ images, folder: "another" });
    expect(moved.status).toBe("incomplete");
    expect(new Set(moved.pending.map(({ reason }) => reason))).toEqual(
      new Set([
        "its folder was moved away and another one is there; move it back, or give -w its new path",
      ]),
    );
    expect(scene.steps).toEqual([]);
    expect(readTree(scene.root)).toMatchObject({ "d/u": `file 644 ${sha256(NEW)}` });
    mkdirSync(scene.place("."));
    expect(scene.back({ images, folder: "another" }).status).toBe("rolled_back");
    writeTree(scene.root, { "d/u": NEW });
    rmSync(scene.place("."), { recursive: true });
    expect(scene.back({ images, ...(mark !== undefined && { folder: mark }) }).status).toBe(
      "rolled_back",
    );
  });

  test("says of a workspace that is gone that all is pending", () => {
    using scene = openScene();
    rmSync(scene.root, { recursive: true });
    const looked = scene.back({ images });
    expect(looked.pending.map(({ path }) => path)).toEqual(["d/gone", "d/u", "d/made"]);
    expect(looked.pending[0]?.reason).toContain("it does not exist any more");
    mkdirSync(scene.root);
  });

  test("finds without an archive what was moved, where it was moved to", () => {
    using scene = openScene();
    writeTree(scene.root, { "d/to": OLD });
    const moved: readonly Change[] = [
      { kind: "create", path: "d/to", after: stateOf(OLD, 0o600) },
      DELETE,
    ];
    expect(scene.back({}, moved).status).toBe("rolled_back");
    expect(scene.steps).toEqual(["stage cleared", "back d/gone", "back d/to"]);
    expect(existsSync(join(scene.root, "d/to"))).toBe(false);
    expect(readTree(scene.root)).toMatchObject({ "d/gone": BACK["d/gone"] });
  });
});
