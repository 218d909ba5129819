import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, linkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { readFilePatches } from "../../src/patch/files/files.ts";
import { toPatchActions } from "../../src/planner/prepare/patch-actions.ts";
import { measureEffort } from "../support/effort.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { carryOut, createGitBetween, type Files } from "./git-between.ts";
import { toWorkspace } from "./planner-scene.ts";

const LINES = Array.from({ length: 30 }, (_, i) => `line ${i}`);
const text = (lines: readonly string[], end = "\n") => lines.map((line) => line + end).join("");
const without = (...at: number[]) => LINES.filter((_, i) => !at.includes(i));
const CRLF = text(LINES, "\r\n");

/** From one state of a folder to another, by what is between them. */
const CASES: Readonly<Record<string, readonly [Files, Files]>> = {
  "an edit": [{ "a.txt": text(LINES) }, { "a.txt": text(without(3, 20)) }],
  "edits of several files in folders": [
    { "src/a.ts": text(LINES), "a/b/x.md": text(LINES), "b/x.md": "b\n" },
    { "src/a.ts": text(without(1)), "a/b/x.md": text([...LINES, "more"]), "b/x.md": "c\n" },
  ],
  "a new file": [{ "a.txt": "a\n" }, { "a.txt": "a\n", "src/deep/new.ts": "x\ny\n" }],
  "a new file in CRLF": [{ "a.txt": "a\n" }, { "a.txt": "a\n", "n.txt": "x\r\ny\r\n" }],
  "a new file of mixed line ends": [{ "a.txt": "a\n" }, { "a.txt": "a\n", "n.txt": "x\r\ny\nz" }],
  "a new file of blank lines": [{ "a.txt": "a\n" }, { "a.txt": "a\n", "n.txt": "\n\n\n" }],
  "a file gone": [{ "a.txt": "a\n", "old.txt": text(LINES) }, { "a.txt": "a\n" }],
  "an edit in CRLF": [{ "a.txt": CRLF }, { "a.txt": text(without(7), "\r\n") }],
  "no line end at the end": [{ "a.txt": "a\nb" }, { "a.txt": "a\nc" }],
  "a line end more": [{ "a.txt": "a\nb" }, { "a.txt": "a\nb\n" }],
  "a rename": [{ "old name.txt": text(LINES) }, { "new/name.txt": text(LINES) }],
  "a rename with an edit": [{ "a.txt": text(LINES) }, { "b.txt": text(without(4)) }],
  "names with blanks, quotes and letters of others": [
    { "a b/c d.txt": "1\n", "имя.txt": "1\n", 'qu"ote.txt': "1\n", "名.txt": text(LINES) },
    { "a b/c d.txt": "2\n", "имя.txt": "2\n", 'qu"ote.txt': "2\n", "文.txt": text(LINES) },
  ],
  "removed and added lines that look like headers": [
    { "a.sql": "one\n-- a/x\n++ b/x\ntwo\n" },
    { "a.sql": "one\n++ b/x\n-- a/y\n@@ -1 +1 @@\ntwo\n" },
  ],
  "a folder called b": [{ "b/a.txt": "1\n" }, { "b/a.txt": "2\n" }],
};

/** How the same difference is written. */
const DIALECTS: Readonly<Record<string, readonly string[]>> = {
  "as git does by default": [],
  "without prefixes": ["--no-prefix"],
  "with other prefixes": ["--src-prefix=i/", "--dst-prefix=w/"],
  "with names as they are": ["-c", "core.quotePath=false"],
  "renames as delete and create": ["--no-renames"],
  "without context": ["-U0"],
  "in colours": ["--color=always"],
  "in colours, blanks shown and moved lines as well": [
    "--color=always",
    "--color-moved",
    "--ws-error-highlight=all",
  ],
};

const repository = tempDir();
afterAll(() => repository[Symbol.dispose]());
const gitDiff = createGitBetween(repository.path);

describe("toPatchActions() makes of what git says is different that difference", () => {
  describe.each(Object.entries(DIALECTS))("%s", (_, options) => {
    test.each(Object.entries(CASES))("%s", (_name, [before, after]) => {
      expect(carryOut(before, gitDiff(before, after, options))).toEqual({ ...after });
    });
  });

  const inLf = Object.entries(CASES).filter((each) => !JSON.stringify(each).includes("\\r"));
  test.each(inLf)("saved with CRLF throughout: %s", (_name, [before, after]) => {
    const patch = gitDiff(before, after, []).replaceAll("\n", "\r\n");
    expect(carryOut(before, patch)).toEqual({ ...after });
  });
});

describe("toPatchActions() reads what other tools and models write", () => {
  const BEFORE = { "src/a.txt": text(LINES), "gone.txt": "g\n" };
  const AFTER = { "src/a.txt": text(without(3)), "new.txt": "n\n" };
  const HUNK = "@@ -2,5 +2,4 @@\n line 1\n line 2\n-line 3\n line 4\n line 5\n";

  test("of two folders, with what is new and what is gone", () => {
    using dir = tempDir();
    writeTree(join(dir.path, "old"), BEFORE);
    writeTree(join(dir.path, "new"), AFTER);
    for (const option of ["-ruN", "-rcN", "-ru"]) {
      const command = ["diff", option, "old", "new"];
      const { stdout } = Bun.spawnSync(command, { cwd: dir.path });
      const expected = option === "-ruN" ? { ...AFTER } : { code: "ERR_PATCH_NOT_UNIFIED" };
      expect(carryOut(BEFORE, stdout.toString())).toEqual(expected);
    }
  });

  test.each([
    [
      "a mail of git",
      `From 1 Mon\nSubject: x\n---\n src/a.txt | 2 +-\n\ndiff --git a/src/a.txt b/src/a.txt\nindex 1..2 100644\n--- a/src/a.txt\n+++ b/src/a.txt\n${HUNK}-- \n2.43.0\n\n`,
    ],
    [
      "svn",
      `Index: src/a.txt\n====\n--- src/a.txt\t(revision 1)\n+++ src/a.txt\t(working copy)\n${HUNK}`,
    ],
    [
      "a fence in prose",
      `Here --- as said:\n\n\`\`\`diff\n--- src/a.txt\n+++ src/a.txt\n${HUNK}\`\`\`\n\nThat is all.\n`,
    ],
    ["a copy beside it", `--- src/a.txt.orig\t2026-01-01\n+++ src/a.txt\t2026-01-02\n${HUNK}`],
    ["the new side alone", `+++ b/src/a.txt\n${HUNK}`],
    ["no numbers", `--- a/src/a.txt\n+++ b/src/a.txt\n${HUNK.replace(/@@.*@@/, "@@")}`],
    ["a byte order mark", `\uFEFF--- a/src/a.txt\n+++ b/src/a.txt\n${HUNK}`],
    ["a dot before", `--- ./src/a.txt\n+++ ./src/a.txt\n${HUNK}`],
  ])("%s", (_, patch) => {
    expect(carryOut(BEFORE, patch)).toEqual({ ...BEFORE, "src/a.txt": text(without(3)) });
  });
});

describe("toPatchActions() carries out both of two patches or none", () => {
  const BEFORE = { "a.txt": text(LINES), "b.txt": text(LINES), "old.txt": "o\n" };
  const OF_A = { ...BEFORE, "a.txt": text(without(5)) };
  const OF_B = { ...BEFORE, "b.txt": text(without(5)) };
  const count = (put: (n: number) => string) => (patch: string) =>
    patch.replace(
      /^(?=.)/gm,
      (
        (n = 0) =>
        () =>
          put((n += 1))
      )(),
    );
  /** What may have happened to one of them on its way. */
  const WAYS: Readonly<Record<string, (patch: string, coloured: string) => string>> = {
    "as it is": (patch) => patch,
    "in colours": (_, coloured) => coloured,
    "its headers in colours": (patch, coloured) =>
      [...coloured.split("\n").slice(0, 5), ...patch.split("\n").slice(5)].join("\n"),
    "its lines in colours": (patch, coloured) =>
      [...patch.split("\n").slice(0, 5), ...coloured.split("\n").slice(5)].join("\n"),
    "numbered as by cat": count((n) => `${String(n).padStart(6)}\t`),
    "numbered as by grep": count((n) => `${n}:`),
    "numbered, in colours": (_, coloured) => count((n) => `${n}:`)(coloured),
    quoted: count(() => "> "),
    indented: count(() => "    "),
    "its headers numbered": (patch) => count((n) => (n < 6 ? `${n}:` : ""))(patch),
    "its lines numbered": (patch) => count((n) => (n < 6 ? "" : `${n}:`))(patch),
  };
  const ways = Object.entries(WAYS);
  const pairs = ways.flatMap(([one, wrap]) =>
    ways.map(([other, wrapOther]) => [one, other, wrap, wrapOther] as const),
  );
  const [a, b] = [OF_A, OF_B].map((after) =>
    [[], ["--color=always"]].map((options) => gitDiff(BEFORE, after, options)),
  );

  test.each(pairs)("%s and %s", (_one, _other, wrap, wrapOther) => {
    const patch = wrap(a?.[0] ?? "", a?.[1] ?? "") + wrapOther(b?.[0] ?? "", b?.[1] ?? "");
    const after = carryOut(BEFORE, patch);
    const both = { ...OF_A, "b.txt": text(without(5)) };
    expect(["code" in after ? BEFORE : after]).toEqual(["code" in after ? BEFORE : both]);
  });

  test.each(["1:", "> ", "    "])("a rename behind %j and an edit", (before) => {
    const rename = gitDiff(BEFORE, { ...OF_A, "old.txt": "o\n" }, []);
    const moved =
      "diff --git a/old.txt b/new.txt\nsimilarity index 100%\nrename from old.txt\nrename to new.txt\n";
    const wrapped = moved.replace(/^(?=.)/gm, before);
    expect(carryOut(BEFORE, wrapped + rename)).toEqual({ code: "ERR_PATCH_NOT_UNIFIED" });
  });

  test("escapes of the file's own are kept, and refused where they look like a terminal's", () => {
    const own = { "a.sh": 'A="\u001B[31mred\u001B[0m"\nplain\n' };
    const more = { "a.sh": `${own["a.sh"]}B="\u001B[32mgreen\u001B[0m"\n` };
    expect(carryOut(own, gitDiff(own, more, []))).toEqual(more);
    const coloured = gitDiff(own, more, ["--color=always"]);
    expect(carryOut(own, coloured)).toEqual({ code: "ERR_PATCH_NOT_UNIFIED" });
  });
});

describe("toPatchActions() takes the file of git's line", () => {
  const patchOf = (old: string, renewed: string) =>
    `diff --git a/src/x.ts b/src/x.ts\n--- ${old}\n+++ ${renewed}\n@@ -1 +1 @@\n-a\n+b\n`;

  test.each([
    ["/home/me/p/src/x.ts", "/home/me/p/src/x.ts"],
    ["old/src/x.ts", "new/src/x.ts"],
    ["p/src/x.ts", "p/src/x.ts"],
    ["a/p/src/x.ts", "b/p/src/x.ts"],
  ])("below which %s and %s are no other file", (old, renewed) => {
    using dir = tempDir();
    writeTree(dir.path, { "src/x.ts": "a\n", "y/x.ts": "a\n" });
    const made = toPatchActions(toWorkspace(dir.path), patchOf(old, renewed));
    expect(made).toMatchObject({ ok: true, actions: [{ kind: "PATCH_FILE", path: "src/x.ts" }] });
  });

  test("or says that the hunks are another's", () => {
    using dir = tempDir();
    writeTree(dir.path, { "src/x.ts": "a\n" });
    const made = toPatchActions(toWorkspace(dir.path), patchOf("a/src/y.ts", "b/src/y.ts"));
    expect(made).toMatchObject({ ok: false, code: "ERR_PATCH_PATH_MISMATCH" });
    expect("message" in made ? made.message : "").toContain("names another file than");
  });
});

describe("toPatchActions() refuses the whole patch", () => {
  const BEFORE = {
    "a.txt": "a\n",
    ".env": "K=1\n",
    "bun.lock": "{}\n",
    "bin.dat": "\u0000\n",
    "y/a.txt": "a\n",
  };
  const edit = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;
  const git = (path: string, ...more: string[]) =>
    [`diff --git a/${path} b/${path}`, ...more, ""].join("\n");
  const rename = (from: string, to: string) =>
    `diff --git a/${from} b/${to}\nrename from ${from}\nrename to ${to}\n`;

  test.each([
    ["that is empty", "", "ERR_PATCH_REQUIRED"],
    ["of blanks", " \n\n", "ERR_PATCH_REQUIRED"],
    ["that is none", "please change a.txt\n", "ERR_PATCH_NOT_UNIFIED"],
    ["of hunks without a name", "@@ -1 +1 @@\n-a\n+b\n", "ERR_PATCH_NOT_UNIFIED"],
    [
      "that names two files for one",
      "--- a/a.txt\n+++ b/b/c.txt\n@@ -1 +1 @@\n-a\n+b\n",
      "ERR_PATCH_PATH_MISMATCH",
    ],
    ...["y/a.txt", "a/y/a.txt", "./y/a.txt"].map((other): [string, string, string] => [
      `whose hunks are below "${other}", another file than git's line has`,
      `${git("a.txt")}--- ${other}\n+++ ${other.replace("a/", "b/")}\n@@ -1 +1 @@\n-a\n+b\n`,
      "ERR_PATCH_PATH_MISMATCH",
    ]),
    [
      "whose hunks are below an absolute name that may be another file",
      `${git("a.txt")}--- /home/me/y/a.txt\n+++ /home/me/y/a.txt\n@@ -1 +1 @@\n-a\n+b\n`,
      "ERR_PATCH_PATH_MISMATCH",
    ],
    [
      "whose hunks are below two folders of which one has such a file",
      `${git("a.txt")}--- x/a.txt\n+++ y/a.txt\n@@ -1 +1 @@\n-a\n+b\n`,
      "ERR_PATCH_PATH_MISMATCH",
    ],
    [
      "that makes a file below another name",
      `${git("n.txt", "new file mode 100644")}--- /dev/null\n+++ x/n.txt\n@@ -0,0 +1 @@\n+b\n`,
      "ERR_PATCH_PATH_MISMATCH",
    ],
    [
      "of a rename whose hunks are below another file",
      "diff --git a/a.txt b/c.txt\nrename from a.txt\nrename to c.txt\n--- a/y/a.txt\n+++ b/y/c.txt\n@@ -1 +1 @@\n-a\n+b\n",
      "ERR_PATCH_PATH_MISMATCH",
    ],
    ...Object.entries({
      "that renames in a circle": `${rename("a.txt", "n.txt")}${rename("n.txt", "a.txt")}`,
      "that renames twice": `${rename("a.txt", "n.txt")}${rename("n.txt", "m.txt")}`,
      "that renames and then edits": `${rename("a.txt", "n.txt")}${git("n.txt")}${edit("n.txt")}`,
      "of two parts for one file": `${git("a.txt")}${edit("a.txt")}${git("a.txt")}${edit("a.txt")}`,
      "that deletes and then creates": `${git("a.txt")}--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n${git("a.txt")}--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+z\n`,
    }).map(([name, patch]): [string, string, string] => [name, patch, "ERR_ACTION_CONFLICT"]),
    ["with a header without hunks", `${edit("a.txt")}--- a/x\n+++ b/x\n`, "ERR_PATCH_NOT_UNIFIED"],
    ["to a path above", edit("../a.txt"), "ERR_INVALID_PATH"],
    [
      "to an absolute path",
      "--- /etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n",
      "ERR_INVALID_PATH",
    ],
    ["to a protected file", edit(".env"), "ERR_PROTECTED_PATH"],
    ["to the folder of git", edit(".git/config"), "ERR_PROTECTED_PATH"],
    ["to a lock file", edit("bun.lock"), "ERR_PROTECTED_PATH"],
    [
      "that makes a protected file",
      git(
        "x/.env",
        "new file mode 100644",
        "--- /dev/null",
        "+++ b/x/.env",
        "@@ -0,0 +1 @@",
        "+K=1",
      ),
      "ERR_PROTECTED_PATH",
    ],
    [
      "that removes one",
      git(
        ".env",
        "deleted file mode 100644",
        "--- a/.env",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-K=1",
      ),
      "ERR_PROTECTED_PATH",
    ],
    ["that renames one", git("x", "rename from .env", "rename to shown.txt"), "ERR_PROTECTED_PATH"],
    [
      "that renames onto one",
      git("x", "rename from a.txt", "rename to .git/hooks/pre-commit"),
      "ERR_PROTECTED_PATH",
    ],
    ["to no file", edit("none.txt"), "ERR_NOT_FOUND"],
    ["to a file with NUL", edit("bin.dat"), "ERR_NON_UTF8_FILE"],
    ["that does not fit", edit("a.txt").replace("-a", "-x"), "ERR_PATCH_APPLY_FAILED"],
    ["of which one file does not fit", `${edit("a.txt")}${edit("none.txt")}`, "ERR_NOT_FOUND"],
    ["that changes a file twice", `${edit("a.txt")}${edit("a.txt")}`, "ERR_ACTION_CONFLICT"],
    [
      "over another file",
      git("a.txt", "new file mode 100644", "--- /dev/null", "+++ b/a.txt", "@@ -0,0 +1 @@", "+b"),
      "ERR_CREATE_EXISTS",
    ],
    [
      "that deletes more than it says",
      git(
        "a.txt",
        "deleted file mode 100644",
        "--- a/a.txt",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-other",
      ),
      "ERR_PATCH_APPLY_FAILED",
    ],
    [
      "that deletes without a word on what",
      git("a.txt", "deleted file mode 100644"),
      "ERR_PATCH_APPLY_FAILED",
    ],
    [
      "of binary files",
      git("a.txt", "index 1..2 100644", "Binary files a/a.txt and b/a.txt differ"),
      "ERR_PATCH_NOT_UNIFIED",
    ],
    [
      "of binary files as diff says it",
      "Binary files old/x and new/x differ\n",
      "ERR_PATCH_NOT_UNIFIED",
    ],
    [
      "in git's binary form",
      git("a.txt", "index 1..2 100644", "GIT binary patch", "literal 1", "IcmZ"),
      "ERR_PATCH_NOT_UNIFIED",
    ],
    [
      "that makes a link",
      git(
        "l",
        "new file mode 120000",
        "--- /dev/null",
        "+++ b/l",
        "@@ -0,0 +1 @@",
        "+/etc/passwd",
        "\\ No newline at end of file",
      ),
      "ERR_PATCH_NOT_UNIFIED",
    ],
    [
      "that moves a link",
      git("l", "index 1..2 120000", "--- a/l", "+++ b/l", "@@ -1 +1 @@", "-x", "+/etc"),
      "ERR_PATCH_NOT_UNIFIED",
    ],
    [
      "of a submodule",
      git("s", "index 1..2 160000", "--- a/s", "+++ b/s", "@@ -1 +1 @@", "-x", "+y"),
      "ERR_PATCH_NOT_UNIFIED",
    ],
    [
      "of a merge",
      "diff --cc a.txt\n--- a/a.txt\n+++ b/a.txt\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -a\n++b\n",
      "ERR_PATCH_NOT_UNIFIED",
    ],
    [
      "of line ends, at a line that is not there",
      "--- a/a.txt\n+++ b/a.txt\n@@ -4 +4 @@\n-a\n+a\r\n",
      "ERR_PATCH_APPLY_FAILED",
    ],
    ["of modes alone", git("a.txt", "old mode 100644", "new mode 100755"), "ERR_PATCH_NOT_UNIFIED"],
    [
      "of a new file that ends before its lines do",
      "--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1,4 @@\n+a\n+b\n",
      "ERR_PATCH_APPLY_FAILED",
    ],
    [
      "for a name with a number, which is another file",
      "--- a (1).txt\n+++ a.txt (1)\n@@ -1 +1 @@\n-a\n+b\n",
      "ERR_PATCH_PATH_MISMATCH",
    ],
    [
      "for a file beside the one with a number",
      "--- old/a.txt (1)\t2026-01-01\n+++ new/a.txt (1)\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n",
      "ERR_NOT_FOUND",
    ],
    [
      "whose second name is too long to be one",
      `${edit("a.txt")}--- a/${"x/".repeat(3000)}\n+++ b/${"x/".repeat(3000)}\n@@ -1 +1 @@\n-c\n+d\n`,
      "ERR_PATCH_NOT_UNIFIED",
    ],
    [
      "of a file below a file",
      git(
        "a.txt/b",
        "new file mode 100644",
        "--- /dev/null",
        "+++ b/a.txt/b",
        "@@ -0,0 +1 @@",
        "+b",
      ),
      "ERR_INVALID_PATH",
    ],
    ...[
      "Only in new: b.txt",
      "Files old/b and new/b differ",
      "File old/b is a directory while file new/b is a regular file",
      "Binary file b.dat has changed",
      "Cannot display: file marked as a binary type.",
      "Submodule s 1234567..89abcde:",
      "* Unmerged path b.txt",
      "Index: b.txt\n===================================================================",
    ].map((line): [string, string, string] => [
      `that has a part without lines: ${line.split("\n")[0]}`,
      `${edit("a.txt")}${line}\n`,
      "ERR_PATCH_NOT_UNIFIED",
    ]),
    [
      "of too many files",
      Array.from({ length: 201 }, (_, i) => edit(`${i}`)).join(""),
      "ERR_TOO_MANY_ACTIONS",
    ],
  ])("%s", (_, patch, code) => {
    expect(carryOut(BEFORE, patch)).toEqual({ code });
  });

  test("in words about its parts, where two are about one file", () => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": "a\n", "b.txt": "b\n" });
    const patch = rename("b.txt", "c.txt") + rename("a.txt", "n.txt") + rename("n.txt", "a.txt");
    expect(toPatchActions(toWorkspace(dir.path), patch)).toMatchObject({
      message:
        'Cannot apply the patch: it speaks of "n.txt" twice, in its parts 2 and 3; give one diff of the whole',
    });
  });

  test("through a link, and through a second name of a protected file", () => {
    using dir = tempDir();
    writeTree(dir.path, { "in/a.txt": "a\n", ".env": "a\n" });
    symlinkSync("in", join(dir.path, "out"));
    linkSync(join(dir.path, ".env"), join(dir.path, "notes.txt"));
    const workspace = toWorkspace(dir.path);
    const codes = ["out/a.txt", "notes.txt"].map((path) => {
      const made = toPatchActions(workspace, edit(path));
      return made.ok ? "none" : made.code;
    });
    expect(codes).toEqual(["ERR_INVALID_PATH", "ERR_PROTECTED_PATH"]);
  });
});

test("toPatchActions() names the modes that it does not set", () => {
  using dir = tempDir();
  writeTree(dir.path, { "run.sh": "a\n", "was.sh": "b\n", "same.sh": "a\n" });
  chmodSync(join(dir.path, "was.sh"), 0o755);
  chmodSync(join(dir.path, "same.sh"), 0o755);
  const patch = [
    "diff --git a/run.sh b/run.sh",
    "old mode 100644",
    "new mode 100755",
    "diff --git a/same.sh b/same.sh",
    "old mode 100644",
    "new mode 100755",
    "diff --git a/was.sh b/now.sh",
    "rename from was.sh",
    "rename to now.sh",
    "diff --git a/new.sh b/new.sh",
    "new file mode 100755",
    "--- /dev/null",
    "+++ b/new.sh",
    "@@ -0,0 +1 @@",
    "+x",
    "",
  ].join("\n");
  expect(toPatchActions(toWorkspace(dir.path), patch)).toMatchObject({
    ok: true,
    modes: [
      { path: "run.sh", mode: "100755" },
      { path: "new.sh", mode: "100755" },
    ],
  });
});

test("a patch is cut into its files in time linear in it, however it is made", () => {
  for (const piece of [
    "Files a and ",
    "File a is a b while file ",
    "Submodule a ",
    "Only in ",
    "Binary files ",
    'diff --git "\\"',
    "diff --git a/x b/x\n",
    "Index: x\n====\n",
    "+++ b/x\n",
    "@@ -1,9 +1,9 @@\n-a\n+b\nprose\n",
    "- item\n",
    "\\ No newline\n",
  ]) {
    const effort = measureEffort();
    readFilePatches(piece.repeat(Math.ceil((1 << 18) / piece.length)));
    expect(effort(), piece).toBeLessThan(500);
  }
});
