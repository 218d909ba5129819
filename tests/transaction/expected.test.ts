import { describe, expect, test } from "bun:test";
import { chmodSync, lstatSync, symlinkSync, truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { openTree } from "../../src/transaction/tree.ts";
import { type Expected, expectTree } from "../../src/transaction/view/expected.ts";
import { MAX_IGNORE_BYTES } from "../../src/workspace/files.ts";
import { isIgnored } from "../../src/workspace/ignore-rules.ts";
import { needs } from "../support/needs.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { changeSetOf, workspaceAt } from "./scene.ts";

const FILES = { "a.txt": "a\n", "old/gone.txt": "gone\n", "old/kept.txt": "kept\n" };

/** What is there, with what a file holds. */
function toText(found: Expected): string {
  switch (found.kind) {
    case "folder":
      return `folder ${found.mode.toString(8)}`;
    case "link":
      return `link ${found.target}`;
    case "file":
      return `file ${found.sizeBytes} ${new TextDecoder().decode(found.read()?.bytes)}`;
    default:
      return found.kind;
  }
}

describe("expectTree()", () => {
  test("is the folder itself where nothing changes it", () => {
    using dir = tempDir();
    writeTree(dir.path, FILES);
    chmodSync(join(dir.path, "old"), 0o750);
    symlinkSync("a.txt", join(dir.path, "link"));
    Bun.spawnSync(["mkfifo", join(dir.path, "pipe")]);
    using tree = openTree(dir.path);
    const view = expectTree(tree, undefined);
    const paths = ["a.txt", "old", "link", "pipe", "gone", "a.txt/below", "old/gone.txt"];
    expect(paths.map((path) => toText(view.at(path)))).toEqual([
      "file 2 a\n",
      "folder 750",
      "link a.txt",
      "other",
      "nothing",
      "nothing",
      "file 5 gone\n",
    ]);
    expect(view.list("").toSorted()).toEqual(["a.txt", "link", "old", "pipe"]);
    expect(view.list("old").toSorted()).toEqual(["gone.txt", "kept.txt"]);
    expect(view.list("gone")).toEqual([]);
    // That nobody could ever make is a defect, and nothing to go on with.
    expect(() => view.at("x".repeat(300))).toThrow("ENAMETOOLONG");
  });

  test("is what a change set makes of it", () => {
    using dir = tempDir();
    writeTree(dir.path, FILES);
    const lines = { start_line: 1, end_line: 1, content: "changed" };
    const changeSet = changeSetOf(workspaceAt(dir.path), [
      { kind: "CREATE_FILE", path: "new/deep/x.txt", content: "x\n" },
      { kind: "CREATE_FILE", path: "new/y.txt", content: "y\n" },
      { kind: "CREATE_FILE", path: "top.txt", content: "top\n" },
      { kind: "DELETE_FILE", path: "old/gone.txt" },
      { kind: "REPLACE_RANGE", path: "a.txt", base_sha256: sha256("a\n"), ...lines },
    ]);
    // Somebody else made these meanwhile: the change set knows nothing of them.
    writeTree(dir.path, { "new/other.txt": "other\n", "old/more.txt": "more\n" });
    using tree = openTree(dir.path);
    const view = expectTree(tree, changeSet);
    const paths = [
      "new",
      "new/deep/x.txt",
      "new/other.txt",
      "old/gone.txt",
      "a.txt",
      "old/more.txt",
    ];
    expect(paths.map((path) => toText(view.at(path)))).toEqual([
      "folder 755",
      "file 2 x\n",
      "nothing",
      "nothing",
      "file 8 changed\n",
      "file 5 more\n",
    ]);
    expect(view.list("").toSorted()).toEqual(["a.txt", "new", "old", "top.txt"]);
    expect(view.list("new").toSorted()).toEqual(["deep", "y.txt"]);
    expect(view.list("new/deep")).toEqual(["x.txt"]);
    expect(view.list("old").toSorted()).toEqual(["kept.txt", "more.txt"]);
    const made = view.at("top.txt");
    const stat = lstatSync(join(dir.path, "a.txt"));
    expect(made.kind === "file" && made.isLike(stat)).toBe(false);
  });

  test("knows a copy of a file by size, time and mode", () => {
    using dir = tempDir();
    writeTree(dir.path, { a: "12", b: "12" });
    const [a, b] = [join(dir.path, "a"), join(dir.path, "b")];
    const same = () => {
      truncateSync(b, 2);
      chmodSync(b, 0o644);
      utimesSync(b, 1_000, 1_000);
    };
    utimesSync(a, 1_000, 1_000);
    using tree = openTree(dir.path);
    const found = expectTree(tree, undefined).at("a");
    const isLike = () => found.kind === "file" && found.isLike(lstatSync(b));
    same();
    expect(isLike()).toBe(true);
    for (const change of [
      () => {
        truncateSync(b, 3);
        utimesSync(b, 1_000, 1_000);
      },
      () => chmodSync(b, 0o600),
      () => utimesSync(b, 1_000, 1_001),
      () => utimesSync(b, 1_000, 999),
      () => utimesSync(b, 1_000, 1_000.002),
    ]) {
      same();
      change();
      expect(isLike()).toBe(false);
    }
  });

  test("goes by the ignore rules that there will be", () => {
    using dir = tempDir();
    writeTree(dir.path, {
      ".gitignore": "*.log\n",
      "big/.gitignore": `*.x\n${"#".repeat(MAX_IGNORE_BYTES - 3)}`,
      "edge/.gitignore": `*.x\n${"#".repeat(MAX_IGNORE_BYTES - 4)}`,
    });
    const changeSet = changeSetOf(workspaceAt(dir.path), [
      { kind: "CREATE_FILE", path: "d/.gitignore", content: "*.tmp\n" },
    ]);
    using tree = openTree(dir.path);
    const view = expectTree(tree, changeSet);
    const outer = view.rules("", []);
    expect([isIgnored(outer, "a.log"), isIgnored(outer, "d/a.tmp")]).toEqual([true, false]);
    const inner = view.rules("d/", outer);
    expect([isIgnored(inner, "d/a.log"), isIgnored(inner, "d/a.tmp")]).toEqual([true, true]);
    expect(view.rules("big/", outer)).toBe(outer); // nobody reads so long a list
    expect(isIgnored(view.rules("edge/", outer), "edge/a.x")).toBe(true);
    expect(view.rules("none/", outer)).toBe(outer);
  });

  const OTHER = ["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups"];
  const prefix = process.geteuid?.() === 0 ? OTHER : [];
  const source = (path: string) => JSON.stringify(join(import.meta.dir, "../../src", path));
  const LOOK = `import { openTree } from ${source("transaction/tree.ts")};
    import { expectTree } from ${source("transaction/view/expected.ts")};
    using tree = openTree(process.argv.at(-1));
    const { at, list } = expectTree(tree, undefined);
    const file = at("closed.txt");
    console.log(file.kind, file.sizeBytes, file.read(), at("closed/x").kind, list("closed").length)`;
  const canLook = needs(
    "setpriv, where root runs the tests, and a folder that others may read",
    Bun.spawnSync([...prefix, "test", "-r", import.meta.path]).success,
  );

  test.if(canLook)("says of what this user may not see that it is there, unread", () => {
    using dir = tempDir();
    writeTree(dir.path, { "closed.txt": "12", "closed/x": "x" });
    chmodSync(dir.path, 0o755);
    chmodSync(join(dir.path, "closed"), 0o000);
    chmodSync(join(dir.path, "closed.txt"), 0o000);
    const child = Bun.spawnSync([...prefix, process.execPath, "-e", LOOK, dir.path]);
    expect(child.stderr.toString()).toBe("");
    expect(child.stdout.toString()).toBe("file 2 undefined other 0\n");
    chmodSync(join(dir.path, "closed"), 0o700);
  });
});
