import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTools } from "../../src/tools/create.ts";
import type { ToolResult } from "../../src/tools/tool.ts";
import { tempDir } from "../support/temp.ts";
import { toolDeps } from "../support/tool-deps.ts";
import { writeTree } from "../support/tree.ts";

const FILES = {
  "a.txt": "one\ntwo\nthree\n",
  "src/b.ts": "const needle = 1;\n",
  "src/deep/c.ts": "// needle\n",
  ".env": "KEY=needle\n",
  ".env.example": "KEY=\n",
  "secrets/x.txt": "needle\n",
  "keys/server.pem": "needle\n",
  "private/p.txt": "needle\n",
  ".papa-yu/tx/t.json": "needle\n",
  ".git/config": "needle\n",
  "node_modules/m/index.js": "needle\n",
};

/** The tools on a folder with {@link FILES}; `private/**` is protected by configuration. */
function openTools(files: Readonly<Record<string, string | Uint8Array>> = FILES) {
  const dir = tempDir();
  const root = join(dir.path, "w");
  mkdirSync(root);
  writeTree(root, files);
  writeTree(dir.path, { "outside.txt": "needle outside\n" });
  const context = {
    workspace: {
      name: "w",
      root,
      check: "none",
      checkTimeoutMs: 1000,
      maxActions: 0,
      protectedPaths: ["private/**"],
    },
    userId: "owner",
    skills: [],
    propose: async (goal: string) => ({ ok: true, content: `proposed: ${goal}` }) as const,
  } as const;
  const tools = createTools(context, toolDeps(dir.path));
  const run = (name: string, args: Record<string, unknown> = {}, signal?: AbortSignal) => {
    const tool = tools.find(({ schema }) => schema.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool.run(args, signal ?? new AbortController().signal, "call_1");
  };
  return { root, run, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

function textOf(result: ToolResult): string {
  return result.ok ? result.content : `${result.errorCode}: ${result.error}`;
}

describe("list_files", () => {
  test("lists what may be read and says nothing of the rest", async () => {
    using tools = openTools();
    expect(textOf(await tools.run("list_files"))).toBe(
      [".env.example", "a.txt", "src/b.ts", "src/deep/c.ts"].join("\n"),
    );
  });

  test.each(["src", "./src", "src/", "./src//", "/src/"])("lists the folder %p", async (folder) => {
    using tools = openTools();
    expect(textOf(await tools.run("list_files", { folder }))).toBe("src/b.ts\nsrc/deep/c.ts");
  });

  test.each([".", "", "./"])("%p is the whole workspace", async (folder) => {
    using tools = openTools();
    expect(textOf(await tools.run("list_files", { folder }))).toContain("a.txt");
  });

  test.each(["..", "../", "../w", "nope", "secrets", ".git", "private", "sr", "a.txt", "/etc"])(
    "has no files in %p",
    async (folder) => {
      using tools = openTools();
      expect(textOf(await tools.run("list_files", { folder }))).toStartWith("not_found: no files");
    },
  );

  test("follows no links and shows no name that could pass for another line", async () => {
    using tools = openTools({ "a.txt": "x", "evil\nsecrets/x": "x", "bidi\u202etxt": "x" });
    symlinkSync("..", join(tools.root, "up"));
    symlinkSync("a.txt", join(tools.root, "link.txt"));
    expect(textOf(await tools.run("list_files"))).toBe(
      "a.txt\n… Left out: 2 files with names that no path can hold (such as `bidi\\u{202e}txt`)",
    );
  });

  test("cuts a long listing at 400, says how much is left, and ends with its signal", async () => {
    using tools = openTools({});
    execFileSync("sh", ["-c", "seq -f f%g 3000 | xargs touch"], { cwd: tools.root });
    const lines = textOf(await tools.run("list_files")).split("\n");
    expect(lines).toHaveLength(401);
    expect(lines.at(-1)).toBe("… 2600 more not shown: name a folder");

    const cancelled = AbortSignal.abort(new Error("stop"));
    for (const name of ["list_files", "search_files"]) {
      const work = tools.run(name, { query: "x" }, cancelled);
      expect(await work.catch(String)).toBe("Error: stop");
    }
  });
});

describe("read_file", () => {
  test("numbers the lines of the part that is asked for", async () => {
    using tools = openTools();
    const read = async (args: object) =>
      textOf(await tools.run("read_file", { path: "a.txt", ...args }));
    expect(await read({})).toBe("1|one\n2|two\n3|three\n");
    expect(await read({ start_line: 2, end_line: 2 })).toBe("2|two\n");
    expect(await read({ start_line: 3 })).toBe("3|three\n");
    expect(await read({ start_line: -5, end_line: 1 })).toBe("1|one\n");
    expect(await read({ start_line: 4 })).toBe("(the file has 3 lines)");
    expect(await read({ start_line: 3, end_line: 2 })).toBe("(the file has 3 lines)");
  });

  test.each([
    [".env", "denied"],
    ["./src/../.env", "denied"],
    [".ENV", "denied"],
    ["secrets/x.txt", "denied"],
    ["keys/server.pem", "denied"],
    ["private/p.txt", "denied"],
    [".git/config", "denied"],
    [".papa-yu/tx/t.json", "denied"],
    ["../outside.txt", "denied"],
    ["/etc/passwd", "denied"],
    ["~/.ssh/id_rsa", "denied"],
    ["C:\\x", "denied"],
    ["a.txt\0.png", "denied"],
    ["．．/outside.txt", "denied"],
    ["", "denied"],
    ["src", "invalid_args"],
    ["nope.txt", "not_found"],
    ["a.txt/x", "not_found"],
  ])("refuses %p as %s", async (path, code) => {
    using tools = openTools();
    const text = textOf(await tools.run("read_file", { path }));
    expect(text).toStartWith(`${code}: Cannot `);
    expect(text).not.toContain("needle");
    expect(text).not.toContain(tools.root);
  });

  test("follows a link inside, and none to what is protected, outside, special or endless", async () => {
    using tools = openTools();
    symlinkSync("a.txt", join(tools.root, "good"));
    symlinkSync(".env", join(tools.root, "bad1"));
    symlinkSync("../outside.txt", join(tools.root, "bad2"));
    symlinkSync("/etc", join(tools.root, "bad3"));
    symlinkSync("loop", join(tools.root, "loop"));
    execFileSync("sh", ["-c", "mkfifo pipe"], { cwd: tools.root });
    expect(textOf(await tools.run("read_file", { path: "good" }))).toContain("1|one");
    for (const path of ["bad1", "bad2", "bad3/passwd", "loop", "pipe", "bad3"]) {
      const text = textOf(await tools.run("read_file", { path }));
      expect(text).toStartWith("denied: Cannot ");
    }
  });

  test("refuses what is no text", async () => {
    using tools = openTools({ "x.bin": new Uint8Array([255, 254, 0, 1]) });
    expect(textOf(await tools.run("read_file", { path: "x.bin" }))).toContain("not UTF-8 text");
  });

  test("a huge file is read by lines, one that is a single line from its beginning", async () => {
    using tools = openTools({
      "long.txt": "0123456789\n".repeat(1_000_000),
      "min.js": "🙂".repeat(1_000_000),
    });
    const first = textOf(await tools.run("read_file", { path: "long.txt" }));
    expect(first.length).toBeLessThan(20_200);
    const next = Number(/lines (\d+) to 1000000 are left out: use start_line$/.exec(first)?.[1]);
    const second = await tools.run("read_file", { path: "long.txt", start_line: next });
    expect(textOf(second)).toStartWith(`${next}|0123456789\n`);
    const line = textOf(await tools.run("read_file", { path: "min.js" }));
    expect(line).toStartWith("1|🙂");
    expect(line).toMatch(/… \d+ more characters$/);
    expect(line.isWellFormed()).toBe(true);
  });

  test("an empty file has no lines", async () => {
    using tools = openTools({ empty: "" });
    expect(textOf(await tools.run("read_file", { path: "empty" }))).toBe("(the file has 0 lines)");
  });
});

describe("search_files", () => {
  test("finds in what may be read, and nowhere else", async () => {
    using tools = openTools();
    linkSync(join(tools.root, "src/b.ts"), join(tools.root, "hard.ts"));
    symlinkSync("../outside.txt", join(tools.root, "out.txt"));
    expect(textOf(await tools.run("search_files", { query: "needle" }))).toBe(
      "hard.ts:1: const needle = 1;\nsrc/b.ts:1: const needle = 1;\nsrc/deep/c.ts:1: // needle",
    );
  });

  test("narrows by glob, takes the query literally, and says when there is nothing", async () => {
    using tools = openTools({ "a.txt": "a.*b\naxxb\n", "b.md": "a.*b\n" });
    const search = async (args: object) => textOf(await tools.run("search_files", { ...args }));
    expect(await search({ query: "a.*b" })).toBe("a.txt:1: a.*b\nb.md:1: a.*b");
    expect(await search({ query: "a.*b", glob: "*.md" })).toBe("b.md:1: a.*b");
    expect(await search({ query: "nope" })).toBe("No hits.");
    expect(await search({ query: "a", glob: "[" })).toBe("No hits.");
  });

  test.each(["", "a\nb", "a\r"])("refuses the query %p", async (query) => {
    using tools = openTools();
    const text = textOf(await tools.run("search_files", { query }));
    expect(text).toBe("invalid_args: query must be a part of one line");
  });

  test("says when there are more hits, reads a file of any size, and leaves binary ones out", async () => {
    using tools = openTools({ "x.bin": "\0needle", "many.txt": "needle\n".repeat(60) });
    writeFileSync(join(tools.root, "huge.txt"), `${"x".repeat(3_000_000)}needle`);
    const lines = textOf(await tools.run("search_files", { query: "needle" })).split("\n");
    expect(lines).toHaveLength(51);
    expect(lines[0]).toStartWith("huge.txt:1: ");
    expect(lines.at(-1)).toContain("only the first 50 hits of ");
    expect(lines.every((line) => !line.startsWith("x.bin"))).toBe(true);
  });
});

describe.each([
  "Meeting 10:30.md",
  "2026-11-28T10:00:00.log",
  `${"п".repeat(125)}/ф.txt`,
  "dot.",
  "blank ",
  "con",
  "nul.txt",
  "~",
  "back\\slash.txt",
  "zero\u200bwidth.txt",
  "line\nbreak.txt",
])("a file named %j", (name) => {
  const isSaid = /Left out: 1 file with a name that no path can hold \(`[^`\n]+`\)$/u;

  test("is not shown by list_files, which says so", async () => {
    using tools = openTools({ "a.txt": "x", [name]: "needle\n" });
    const [first, ...rest] = textOf(await tools.run("list_files")).split("\n");
    expect(first).toBe("a.txt");
    expect(rest.join("\n")).toMatch(isSaid);
    using alone = openTools({ [name]: "needle\n" });
    expect(textOf(await alone.run("list_files"))).toMatch(isSaid);
  });

  test("gives search_files no hit, which says so where it has the text", async () => {
    using tools = openTools({ "a.txt": "x", [name]: "needle\n" });
    const found = textOf(await tools.run("search_files", { query: "needle" }));
    expect(found).toStartWith("No hits.\n");
    expect(found).toMatch(isSaid);
    expect(textOf(await tools.run("search_files", { query: "thread" }))).toBe("No hits.");
  });
});

test("a secret with a name that no path can hold is not spoken of", async () => {
  using tools = openTools({ "a.txt": "x", "10:30/.env": "needle\n", "private/b:c": "needle\n" });
  expect(textOf(await tools.run("list_files"))).toBe("a.txt");
  expect(textOf(await tools.run("search_files", { query: "needle" }))).toBe("No hits.");
});

test("propose_changes hands the goal on and tells what came of it", async () => {
  using tools = openTools();
  expect(textOf(await tools.run("propose_changes", { goal: "tidy" }))).toBe("proposed: tidy");
});
