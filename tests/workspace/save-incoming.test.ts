import { describe, expect, test } from "bun:test";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { normalisePath } from "../../src/core/relative-path.ts";
import { isOtherRunning } from "../../src/system/locks/is-other-running.ts";
import { numberedName, toSafeName } from "../../src/workspace/save-incoming/safe-name.ts";
import { removeLeftovers, saveIncoming } from "../../src/workspace/save-incoming/save-incoming.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { anyCharacter } from "../support/any-character.ts";
import { measureEffort } from "../support/effort.ts";
import { readFiles } from "../support/read-files.ts";
import { tempDir } from "../support/temp.ts";

const MAX_BYTES = 1000;

function workspaceAt(root: string, protectedPaths: readonly string[] = []): Workspace {
  return { name: "w", root, check: "none", checkTimeoutMs: 1, maxActions: 0, protectedPaths };
}

async function* bytes(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

function save(root: string, name: string, ...parts: string[]) {
  return saveIncoming(workspaceAt(root), { name, chunks: bytes(...parts) }, MAX_BYTES);
}

describe("toSafeName()", () => {
  test.each([
    ["notes.txt", "notes.txt"],
    ["C:\\Users\\me\\notes.txt", "notes.txt"],
    ["../../etc/passwd", "passwd"],
    ["report\u{202e}txt.exe", "reporttxt.exe"],
    ["a\u{200b}b\n c.md", "ab c.md"],
    ["ca\u{0301}fe.txt", "c\u{e1}fe.txt"],
    ["con.txt", "_con.txt"],
    ["what? <now>.txt", "what_ _now_.txt"],
    ["$(rm -rf).sh", "__rm -rf_.sh"],
    ["(a) #b!{c}[d]%PATH%=^.txt", "_a_ _b__c__d__PATH___.txt"],
    ["report (1).pdf", "report _1_.pdf"],
    [`${"a".repeat(99)} ${"b".repeat(99)}.txt`, `${"a".repeat(99)} ${"b".repeat(16)}.txt`],
    [`${"a".repeat(115)} ${"b".repeat(99)}.txt`, `${"a".repeat(115)}.txt`],
    ["name. . ", "name"],
    ["-rf", "rf"],
    ["~root", "root"],
    ["a／b.txt", "b.txt"],
    ["отчёт 1.pdf", "отчёт 1.pdf"],
  ])("makes %j %j", (given, safe) => {
    expect(toSafeName(given)).toBe(safe);
  });

  test.each([
    [".env"],
    ["../../.bashrc"],
    [" .git"],
    [""],
    [".."],
    ["\u{202e}.ssh"],
    ["a/"],
    ["\u{200b}"],
    ["~.bashrc"],
    ["-.gitignore"],
    ["- .x"],
    ["～.bashrc"],
    ["~\u{200b}-.x"],
    ["-．x"],
    ["-"],
    ["~ . "],
    ["-.999999-aaaaaaaaaaaa.part"],
  ])("refuses %j", (given) => {
    expect(toSafeName(given)).toBeUndefined();
  });

  test("gives nothing that is not one ordinary segment of a path", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (given) => {
        const safe = toSafeName(given);
        if (safe === undefined) return;
        expect(normalisePath(safe)).toEqual({ ok: true, path: safe });
        expect(safe).not.toContain("/");
      }),
    );
  });

  test("hides nothing, gives an option or a home to nobody, and leaves nothing to a shell", () => {
    fc.assert(
      fc.property(tricky, (given) => {
        const safe = toSafeName(given);
        if (safe === undefined) return;
        expect(safe).not.toMatch(/^[.~\s-]|[\s.]$/u);
        expect(safe).not.toMatch(/[\p{Cc}<>:"|?*`$;&'()#!{}[\]%^=\\/]/u);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(120);
        expect(toSafeName(safe)).toBe(safe);
      }),
    );
  });
});

/** Names of what begins, ends and means something, as it is and as look-alikes, between letters. */
const tricky = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...Array.from("~- .～－．…\u{200b}\u{202e}\u{a0}\u{37e}\u{1fef}\u{338}/\\\n\0"),
      ),
      fc.constantFrom(...Array.from("()#!{}[]%^=<>:\"|?*`$;&'（）＃！｛｝［］％＾＝")),
      fc.constantFrom("con", ".part", "1-"),
      fc.constantFrom("a", "я", "0123456789ab", "😀", "x".repeat(60), "é"),
      anyCharacter,
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

test("numberedName() counts before the ending", () => {
  expect(numberedName("a.tar", 2)).toBe("a-2.tar");
  expect(numberedName("README", 3)).toBe("README-3");
});

/** What may have the name of a file and is none, or none that can be looked into. */
const OTHER_THINGS: readonly (readonly [
  string,
  (path: string) => Promise<AsyncDisposable> | AsyncDisposable,
])[] = [
  ["a folder", (path) => made(() => mkdirSync(path))],
  ["a link to nothing", (path) => made(() => symlinkSync("nothing", path))],
  ["a link to a folder", (path) => made(() => symlinkSync("..", path))],
  ["a link to itself", (path) => made(() => symlinkSync("a.txt", path))],
  ["a pipe", (path) => made(() => expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0))],
  ["a socket", listenAt],
];

function made(make: () => void): AsyncDisposable {
  make();
  return { async [Symbol.asyncDispose]() {} };
}

async function listenAt(path: string): Promise<AsyncDisposable> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(path, done));
  return server;
}

describe("saveIncoming()", () => {
  test("writes what comes in pieces, not executable, and nothing else", async () => {
    using dir = tempDir();
    const saved = await save(dir.path, "run.sh", "echo ", "hi");
    expect(saved).toEqual({ ok: true, path: "inbox/run.sh", sizeBytes: 7 });
    expect(readFiles(dir.path)).toEqual({ "inbox/run.sh": "echo hi" });
    expect(statSync(join(dir.path, "inbox/run.sh")).mode & 0o111).toBe(0);
  });

  test("puts a second one beside the first, and the same content there once", async () => {
    using dir = tempDir();
    await save(dir.path, "a.txt", "one");
    expect(await save(dir.path, "a.txt", "two")).toMatchObject({ path: "inbox/a-2.txt" });
    expect(await save(dir.path, "a.txt", "one")).toMatchObject({ path: "inbox/a.txt" });
    expect(readFiles(dir.path)).toEqual({ "inbox/a.txt": "one", "inbox/a-2.txt": "two" });
  });

  test("reads nothing of files of another size, however large they are", async () => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "inbox"));
    for (const name of ["a.txt", "a-2.txt", "a-3.txt"]) {
      writeFileSync(join(dir.path, "inbox", name), "");
      truncateSync(join(dir.path, "inbox", name), 400 * 1024 * 1024);
    }
    const effort = measureEffort();
    expect(await save(dir.path, "a.txt", "content")).toMatchObject({ path: "inbox/a-4.txt" });
    expect(effort()).toBeLessThan(20);
  });

  test("compares files of one size to their last byte, with others served meanwhile", async () => {
    using dir = tempDir();
    const sizeBytes = 8 * 1024 * 1024;
    mkdirSync(join(dir.path, "inbox"));
    for (const [name, last] of [
      ["a.txt", "x"],
      ["a-2.txt", "z"],
    ] as const) {
      writeFileSync(join(dir.path, "inbox", name), "y".repeat(sizeBytes - 1) + last);
    }
    const send = (last: string) => {
      const chunks = bytes("y".repeat(sizeBytes - 1), last);
      return saveIncoming(workspaceAt(dir.path), { name: "a.txt", chunks }, sizeBytes);
    };
    let turns = 0;
    const others = setInterval(() => turns++);
    expect(await send("z")).toMatchObject({ path: "inbox/a-2.txt" });
    clearInterval(others);
    expect(turns).toBeGreaterThan(0);
    expect(await send("!")).toMatchObject({ path: "inbox/a-3.txt" });
  });

  test.each([".env", "../../.bashrc", "id_rsa", "server.key", "bun.lock"])(
    "refuses %j and leaves nothing",
    async (name) => {
      using dir = tempDir();
      expect(await save(dir.path, name, "x")).toMatchObject({ code: "ERR_PROTECTED_PATH" });
      expect(readFiles(dir.path)).toEqual({});
    },
  );

  test("refuses what the owner protects", async () => {
    using dir = tempDir();
    const file = { name: "a.csv", chunks: bytes("x") };
    const saved = await saveIncoming(workspaceAt(dir.path, ["*.csv"]), file, MAX_BYTES);
    expect(saved).toMatchObject({ ok: false, code: "ERR_PROTECTED_PATH" });
  });

  test("leaves nothing of what is too long or breaks off", async () => {
    using dir = tempDir();
    const long = await save(dir.path, "a.txt", "x".repeat(600), "x".repeat(600));
    expect(long).toMatchObject({ ok: false, code: "too_large" });
    async function* broken() {
      yield Buffer.from("half");
      throw new Error("the line broke");
    }
    const half = saveIncoming(
      workspaceAt(dir.path),
      { name: "b.txt", chunks: broken() },
      MAX_BYTES,
    );
    expect(await half.catch((error: unknown) => String(error))).toBe("Error: the line broke");
    expect(readFiles(dir.path)).toEqual({});
  });

  test("follows no link in place of the folder or the file", async () => {
    using dir = tempDir();
    using outside = tempDir();
    symlinkSync(outside.path, join(dir.path, "inbox"));
    expect(await save(dir.path, "a.txt", "x")).toMatchObject({ ok: false });

    using other = tempDir();
    writeFileSync(join(outside.path, "target"), "mine");
    mkdirSync(join(other.path, "inbox"));
    symlinkSync(join(outside.path, "target"), join(other.path, "inbox/a.txt"));
    expect(await save(other.path, "a.txt", "x")).toMatchObject({ path: "inbox/a-2.txt" });
    expect(readFiles(outside.path)).toEqual({ target: "mine" });
  });

  test.each(OTHER_THINGS)("puts a file next to %s that has its name", async (_, put) => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "inbox"));
    await using there = await put(join(dir.path, "inbox/a.txt"));
    expect(there).toBeDefined();
    const before = lstatSync(join(dir.path, "inbox/a.txt")).mode;
    expect(await save(dir.path, "a.txt", "x")).toMatchObject({ path: "inbox/a-2.txt" });
    expect(lstatSync(join(dir.path, "inbox/a.txt")).mode).toBe(before);
    expect(readdirSync(join(dir.path, "inbox")).toSorted()).toEqual(["a-2.txt", "a.txt"]);
  });

  test("tells a machine that has no room from a file that nobody takes, and leaves nothing", async () => {
    using dir = tempDir();
    const script = `
      const { saveIncoming } = await import("${import.meta.dir}/../../src/workspace/save-incoming/save-incoming.ts");
      async function* chunks() { yield Buffer.alloc(1024 * 1024); }
      const saved = await saveIncoming(${JSON.stringify(workspaceAt(dir.path))}, { name: "b.txt", chunks: chunks() }, 1e9);
      console.log(JSON.stringify(saved));`;
    const limited = `trap '' XFSZ; ulimit -f 512; exec "$0" "$@"`; // blocks of 512 or 1024 bytes
    const child = Bun.spawn(["sh", "-c", limited, process.execPath, "-e", script]);
    const saved: unknown = await new Response(child.stdout).json();
    expect(saved).toMatchObject({ ok: false, code: "ERR_IO", trouble: "full" });
    expect(readFiles(dir.path)).toEqual({});
    const refused = await save(dir.path, ".env", "x");
    expect(refused).not.toHaveProperty("trouble");
  });

  test("says what the disk says when the folder is a file", async () => {
    using dir = tempDir();
    writeFileSync(join(dir.path, "inbox"), "mine");
    expect(await save(dir.path, "a.txt", "x")).toMatchObject({ ok: false });
    expect(readFiles(dir.path)).toEqual({ inbox: "mine" });
  });
});

describe("removeLeftovers()", () => {
  test("removes nothing that has a name by which a file is saved", () => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "inbox"));
    const like = fc.stringMatching(/^[~ .(-]{0,3}\.[0-9]{1,6}-[0-9a-f]{12}\.part$/u);
    const names = fc
      .sample(fc.oneof(like, tricky), 400)
      .flatMap((given) => toSafeName(given) ?? []);
    for (const name of names) writeFileSync(join(dir.path, "inbox", name), "x");
    const before = readdirSync(join(dir.path, "inbox"));
    expect(before.length).toBeGreaterThan(50);
    removeLeftovers(workspaceAt(dir.path), () => false);
    expect(readdirSync(join(dir.path, "inbox"))).toEqual(before);
  });

  test("removes what a killed process left, and nothing else", async () => {
    using dir = tempDir();
    await save(dir.path, "a.txt", "x");
    const script = `
      const { saveIncoming } = await import("${import.meta.dir}/../../src/workspace/save-incoming/save-incoming.ts");
      async function* chunks() { yield Buffer.from("half"); console.log("on its way"); await Bun.sleep(60_000); }
      await saveIncoming(${JSON.stringify(workspaceAt(dir.path))}, { name: "b.txt", chunks: chunks() }, 100);`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
    await child.stdout.getReader().read();
    const half = Object.keys(readFiles(dir.path)).find((path) => path.endsWith(".part"));
    expect(half).toStartWith(`inbox/.${child.pid}-`);
    removeLeftovers(workspaceAt(dir.path), isOtherRunning);
    expect(readFiles(dir.path)).toHaveProperty([half ?? ""]);
    child.kill("SIGKILL");
    await child.exited;
    writeFileSync(join(dir.path, "inbox/.mine.part"), "x");
    removeLeftovers(workspaceAt(dir.path), isOtherRunning);
    expect(readFiles(dir.path)).toEqual({ "inbox/.mine.part": "x", "inbox/a.txt": "x" });
  });

  test("follows no link, and needs no inbox", () => {
    using dir = tempDir();
    const root = join(dir.path, "w");
    mkdirSync(root);
    removeLeftovers(workspaceAt(root), () => false);
    const part = `.1-${"a".repeat(12)}.part`;
    writeFileSync(join(dir.path, part), "x");
    symlinkSync("..", join(root, "inbox"));
    removeLeftovers(workspaceAt(root), () => false);
    expect(readFiles(dir.path)).toHaveProperty([part]);
  });
});
