import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Change, FileState } from "../../src/transaction/change.ts";
import {
  closeCommand,
  describeLooked,
  isLostForGood,
  isResolved,
  listKept,
  lookAgain,
  type Refusal,
  resumeCommand,
  WHOLE,
} from "../../src/transaction/look-again.ts";
import { openTree } from "../../src/transaction/tree.ts";
import { tempDir } from "../support/temp.ts";

/** What may be at a path, "" for nothing. */
type There = "" | "old" | "old 600" | "new" | "new 600" | "else" | "folder" | "folder 700" | "link";

const THERE: readonly There[] = [
  "",
  "old",
  "old 600",
  "new",
  "new 600",
  "else",
  "folder",
  "folder 700",
  "link",
];

const stateOf = (content: string, mode = 0o644): FileState => {
  return { sha256: sha256(content), mode, sizeBytes: content.length };
};

function put(root: string, there: There): void {
  const path = join(root, "x");
  const [what = "", mode = there.startsWith("folder") ? "755" : "644"] = there.split(" ");
  if (what === "") return;
  if (what === "link") return symlinkSync("elsewhere", path);
  if (what === "folder") mkdirSync(path);
  else writeFileSync(path, what);
  chmodSync(path, Number.parseInt(mode, 8));
}

type Row = readonly [name: string, change: Change, is: Readonly<Record<There, string>>];

/** Of each change, by what is there: "back", "pending", or the reason why it is left alone. */
const TABLE: readonly Row[] = (() => {
  const path = "x";
  const others = {
    else: "edited since",
    folder: "a folder is in its place",
    "folder 700": "a folder is in its place",
    link: "a symbolic link is in its place",
  };
  const noFolder = { old: "edited since", "old 600": "edited since", "new 600": "edited since" };
  const before = stateOf("old");
  return [
    [
      "a folder that was made",
      { kind: "mkdir", path, mode: 0o755 },
      {
        ...others,
        ...noFolder,
        new: "edited since",
        "": "back",
        folder: "pending",
        "folder 700": "pending",
      },
    ],
    [
      "a folder that was removed",
      { kind: "rmdir", path, mode: 0o755 },
      {
        ...others,
        ...noFolder,
        new: "edited since",
        "": "pending",
        folder: "back",
        "folder 700": "its mode is 700, it was 755",
      },
    ],
    [
      "a file that was made",
      { kind: "create", path, after: stateOf("new") },
      { ...others, ...noFolder, "": "back", new: "pending", "new 600": "pending" },
    ],
    [
      "a file with other content",
      { kind: "update", path, before, after: stateOf("new") },
      {
        ...others,
        "": "pending",
        old: "back",
        "old 600": "its mode is 600, it was 644",
        new: "pending",
        "new 600": "pending",
      },
    ],
    [
      "a file with another mode",
      { kind: "update", path, before, after: stateOf("old", 0o755) },
      {
        ...others,
        "": "pending",
        old: "back",
        "old 600": "pending",
        new: "edited since",
        "new 600": "edited since",
      },
    ],
    [
      "a file that was removed",
      { kind: "delete", path, before },
      {
        ...others,
        "": "pending",
        old: "back",
        "old 600": "its mode is 600, it was 644",
        new: "edited since",
        "new 600": "edited since",
      },
    ],
  ];
})();

const NONE: ReadonlyMap<string, Refusal> = new Map();

describe("lookAgain() goes by what is there:", () => {
  test.each(TABLE)("%s", (_, change, is) => {
    for (const there of THERE) {
      using dir = tempDir();
      put(dir.path, there);
      using tree = openTree(dir.path);
      const looked = lookAgain(tree, [change], NONE);
      const beforeSha256 = "before" in change ? change.before.sha256 : null;
      const found = is[there];
      const row = { path: "x", beforeSha256 };
      const pending = { ...row, reason: "it still is as the change left it" };
      expect({ there, ...looked }).toMatchObject({
        there,
        status: found === "back" ? "rolled_back" : found === "pending" ? "incomplete" : "conflict",
        kept: found === "back" || found === "pending" ? [] : [{ ...row, reason: found }],
        pending: found === "pending" ? [pending] : [],
        bare: [],
      });
      expect(isResolved(looked)).toBe(found !== "pending");
    }
  });

  test("a folder that was made waits for what is still in it, and stays for what others put there", () => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "d"));
    writeFileSync(join(dir.path, "d/a"), "new");
    const changes: readonly Change[] = [
      { kind: "mkdir", path: "d", mode: 0o755 },
      { kind: "create", path: "d/a", after: stateOf("new") },
    ];
    using tree = openTree(dir.path);
    const pathsOf = () => {
      const { pending, kept } = lookAgain(tree, changes, NONE);
      return [pending.map(({ path }) => path), kept.map(({ path, reason }) => [path, reason])];
    };
    expect(pathsOf()).toEqual([["d/a", "d"], []]);
    writeFileSync(join(dir.path, "d/b"), "somebody's");
    expect(pathsOf()).toEqual([["d/a"], [["d", "something else is in it"]]]);
  });

  test("a link or a file in the place of its folder is somebody's doing", () => {
    using dir = tempDir();
    writeFileSync(join(dir.path, "d"), "");
    symlinkSync(".", join(dir.path, "l"));
    const changes = ["d/a", "l/a"].map((path): Change => {
      return { kind: "delete", path, before: stateOf("old") };
    });
    using tree = openTree(dir.path);
    const { status, kept } = lookAgain(tree, changes, NONE);
    const reason = "a link or a file is in the place of its folder";
    expect(status).toBe("conflict");
    expect(kept.map((each) => [each.path, each.reason])).toEqual([
      ["l/a", reason],
      ["d/a", reason],
    ]);
  });

  test("a file that is back without a bit that it had is back, and said to be bare", () => {
    using dir = tempDir();
    put(dir.path, "old");
    const before = { ...stateOf("old"), special: 0o4000 };
    using tree = openTree(dir.path);
    const looked = lookAgain(tree, [{ kind: "delete", path: "x", before }], NONE);
    expect(looked).toMatchObject({ status: "rolled_back", kept: [], pending: [] });
    expect(looked.bare).toEqual([
      "x: is back without its set-user-id bit, which papa-yu gives to nothing; chmod u+s puts it back",
    ]);
    expect(describeLooked(looked, { root: "/w" }, "tx_1")).toBe(
      `every file has its content from before; ${looked.bare[0]}`,
    );
  });
});

describe("lookAgain() says why", () => {
  const change: Change = {
    kind: "update",
    path: "x",
    before: stateOf("old"),
    after: stateOf("new"),
  };

  test("what is pending was refused; a refusal of what is back says nothing", () => {
    using dir = tempDir();
    put(dir.path, "new");
    using tree = openTree(dir.path);
    const refused = new Map([["x", { reason: "no", isLost: true } as const]]);
    const looked = lookAgain(tree, [change], refused);
    expect(looked.pending).toEqual([
      { path: "x", beforeSha256: sha256("old"), reason: "no", isLost: true },
    ]);
    expect(isLostForGood(looked)).toBe(true);
    writeFileSync(join(dir.path, "x"), "old");
    const back = lookAgain(tree, [change], refused);
    expect(back.status).toBe("rolled_back");
    expect(isLostForGood(back)).toBe(false);
    expect(describeLooked(back, { root: "/w" }, "tx_1")).toBe("every file is as before");
  });

  test("the workspace cannot be opened: each path is pending for that", () => {
    const looked = lookAgain("the disk is gone", [change], NONE);
    expect(looked.pending).toMatchObject([{ path: "x", reason: "the disk is gone" }]);
    expect(isLostForGood(looked)).toBe(false);
  });

  test("the disk did not confirm the roll-back: reported alone, not together with what is pending anyway", () => {
    using dir = tempDir();
    put(dir.path, "old");
    using tree = openTree(dir.path);
    const refused = new Map([[WHOLE, { reason: "EIO" }]]);
    const looked = lookAgain(tree, [change], refused);
    expect(looked).toMatchObject({ status: "incomplete" });
    expect(looked.pending).toEqual([
      { path: WHOLE, beforeSha256: null, reason: "the disk did not confirm it: EIO" },
    ]);
    writeFileSync(join(dir.path, "x"), "new");
    expect(lookAgain(tree, [change], refused).pending.map(({ path }) => path)).toEqual(["x"]);
  });
});

describe("describeLooked()", () => {
  const kept = [
    { path: "a", beforeSha256: null, reason: "edited since" },
    { path: "b", beforeSha256: "5ha", reason: "edited since" },
  ];

  test("names what was left alone, and where its contents are, if anywhere", () => {
    expect(listKept(kept.slice(0, 1), "tx_1")).toBe('"a" (new)');
    expect(listKept(kept, "tx_1")).toMatch(
      /^"a" \(new\), "b" \(before: 5ha\); contents by hash are in \.papa-yu\/objects\/tx_1\.tar$/u,
    );
  });

  test("names what could not go back, the command for it, and the one that closes what is lost", () => {
    using dir = tempDir();
    writeFileSync(join(dir.path, "a"), "else");
    writeFileSync(join(dir.path, "b"), "new");
    writeFileSync(join(dir.path, "c"), "new");
    const changes = ["a", "b", "c"].map((path): Change => {
      return { kind: "create", path, after: stateOf("new") };
    });
    using tree = openTree(dir.path);
    const say = (refused: ReadonlyMap<string, Refusal>) => {
      const looked = lookAgain(tree, changes, refused);
      expect(isLostForGood(looked)).toBe(false);
      return describeLooked(looked, { root: "/my files/w" }, "tx_1");
    };
    const resume = "run papayu recover -w '/my files/w'";
    const still = "it still is as the change left it";
    const left = ', and but what changed meanwhile and was left alone: "a" (new)';
    expect(say(NONE)).toBe(
      `all is as before but what could not go back: "c" (${still}), "b" (${still})${left}; then ${resume}`,
    );
    expect(say(new Map([["b", { reason: "gone", isLost: true }]]))).toBe(
      `all is as before but what could not go back: "c" (${still}), "b" (gone)${left}; then ${resume}; or, to keep "b" as it is, ${resume} --close tx_1`,
    );
    expect([resumeCommand("/w-1/a.b"), closeCommand("/w", "tx_2")]).toEqual([
      "run papayu recover -w /w-1/a.b",
      "run papayu recover -w /w --close tx_2",
    ]);
    // Typed into a shell, it names the folder and starts nothing.
    for (const root of ["/it's mine", "/x'; touch y; '", '/$(touch y) `touch y` "']) {
      const words = resumeCommand(root).replace("run papayu", "printf '%s\\n'");
      const { stdout } = Bun.spawnSync(["sh", "-c", words]);
      expect(stdout.toString()).toBe(`recover\n-w\n${root}\n`);
    }
  });
});
