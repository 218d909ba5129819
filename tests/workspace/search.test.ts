import { describe, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import type { Counted } from "../../src/core/few.ts";
import { type SearchOptions, searchFiles } from "../../src/workspace/search.ts";
import { runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { workspaceAt } from "../transaction/scene.ts";

async function search(files: Record<string, string | Uint8Array>, options: SearchOptions) {
  using dir = tempDir();
  writeTree(dir.path, files);
  return (await searchFiles(workspaceAt(dir.path), options)).items;
}

describe("searchFiles()", () => {
  test("finds a literal text by path and line, one hit a line", async () => {
    const files = { "b.txt": "x\na.c a.c\r\n\nlast a.c", "a.txt": "abc\nA.C\na.c" };
    expect(await search(files, { query: "a.c" })).toEqual([
      { path: "a.txt", line: 3, text: "a.c" },
      { path: "b.txt", line: 2, text: "a.c a.c" },
      { path: "b.txt", line: 4, text: "last a.c" },
    ]);
  });

  test("tells how many files it searched, now and then and not for each", async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}.txt`, "x"]));
    const told: Counted[] = [];
    expect(await search(files, { query: "y", tell: (far) => told.push(far) })).toEqual([]);
    expect(told[0]).toEqual({ counted: 0, of: 300 });
    expect(told.every(({ of }) => of === 300)).toBe(true);
    expect(told.map(({ counted }) => counted)).toEqual(
      told.map(({ counted }) => counted).toSorted((a, b) => a - b),
    );
  });

  test("takes globs over paths, over bare names and over folders", async () => {
    const files = { "src/a.ts": "hit", "src/deep/b.ts": "hit", "c.ts": "hit", "src/d.md": "hit" };
    const paths = async (glob: string) =>
      (await search(files, { query: "hit", glob })).map((hit) => hit.path);
    expect(await paths("*.ts")).toEqual(["c.ts", "src/a.ts", "src/deep/b.ts"]);
    expect(await paths("src/*.ts")).toEqual(["src/a.ts"]);
    expect(await paths("./src/**/*.{ts,md}")).toEqual(["src/a.ts", "src/d.md", "src/deep/b.ts"]);
    expect(await paths("deep/")).toEqual([]);
    expect(await paths("src/deep/")).toEqual(["src/deep/b.ts"]);
  });

  test("leaves out binary, ignored and protected files", async () => {
    const files = {
      ".gitignore": "ignored.txt\n",
      "binary.bin": "hit\0hit",
      "large.bin": `hit\0${"x".repeat(3 * 1024 * 1024)}hit`,
      "ignored.txt": "hit",
      "secret.pem": "hit",
      "large.pem": `hit${"x".repeat(3 * 1024 * 1024)}`,
      "kept.txt": "hit",
    };
    const hits = await search(files, { query: "hit" });
    expect(hits.map((hit) => hit.path)).toEqual(["kept.txt"]);
  });

  test("finds in a file of any size what it finds in a small one", async () => {
    const line = `${"words ".repeat(30)}\n`;
    const filler = line.repeat(40_000); // over three windows
    const long = "x".repeat(5 * 1024 * 1024);
    const large = `hit first\n${filler}hit middle hit\n${filler}${long} hit in a long line${long}\nlast hit`;
    const hits = await search({ "log.txt": large }, { query: "hit" });
    const lines = large.split("\n").flatMap((each, n) => (each.includes("hit") ? [n + 1] : []));
    expect(hits.map((hit) => hit.line)).toEqual(lines);
    expect(hits.every(({ text }) => text.includes("hit") && text.length < 500)).toBe(true);
    expect(await search({ "log.txt": large }, { query: "no such thing" })).toEqual([]);
  });

  test("finds what lies over the end of a window, once", async () => {
    const size = 2 * 1024 * 1024;
    for (const ahead of [1, 2, 3]) {
      const text = `${"x".repeat(size - ahead)}hit${"y".repeat(size)}`;
      const hits = await search({ "a.txt": text }, { query: "hit" });
      expect(hits.map((hit) => hit.line)).toEqual([1]);
    }
  });

  test("says what it did not search, and that there are more hits", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": "hit\nhit\n", "huge.txt": "hit" });
    truncateSync(join(dir.path, "huge.txt"), 5 * 1024 ** 3); // without a block on the disk
    writeFileSync(join(dir.path, "huge.txt"), "text ".repeat(2000), { flag: "r+" });
    const workspace = workspaceAt(dir.path);
    expect(await searchFiles(workspace, { query: "hit", limit: 1 })).toMatchObject({
      items: [{ line: 1 }],
      leftOut: [{ what: "hits" }],
    });
    const counted = { query: "hit", limit: 1, isCounted: true };
    expect(await searchFiles(workspace, counted)).toMatchObject({
      items: [{ line: 1 }],
      leftOut: [{ what: "hits", count: 1 }, { what: "large" }],
    });
    expect((await searchFiles(workspace, { query: "hit", limit: 2 })).leftOut).toHaveLength(1);
    expect(await searchFiles(workspace, { query: "hit" })).toMatchObject({
      items: [{ line: 1 }, { line: 2 }],
      leftOut: [{ what: "large", count: 1, example: "huge.txt" }],
    });
  });

  test("stops at the limit, 50 unless told otherwise", async () => {
    const files = { "a.txt": "hit\n".repeat(40), "b.txt": "hit\n".repeat(40) };
    expect(await search(files, { query: "hit" })).toHaveLength(50);
    expect(await search(files, { query: "hit", limit: 3 })).toHaveLength(3);
  });

  test("shows of a long line the part around the text, cut on whole characters", async () => {
    const line = `${"я".repeat(5000)}needle${"界".repeat(5000)}`;
    const [hit] = await search({ "min.js": `first\n${line}` }, { query: "needle" });
    expect(hit?.line).toBe(2);
    expect(hit?.text).toMatch(/^я+needle界+$/u);
    expect(hit?.text.length).toBeLessThan(400);
  });

  test("finds nothing for an empty query or one over several lines", async () => {
    expect(await search({ "a.txt": "a\nb" }, { query: "" })).toEqual([]);
    expect(await search({ "a.txt": "a\nb" }, { query: "a\nb" })).toEqual([]);
  });

  test("rejects with the signal's reason when aborted", async () => {
    const signal = AbortSignal.abort(new Error("stop"));
    const aborted = await search({ "a.txt": "a" }, { query: "a", signal }).catch(
      (error: unknown) => error,
    );
    expect(aborted).toBe(signal.reason);
  });

  test("finds exactly the lines that include the text", async () => {
    const text = fc.array(fc.constantFrom("a", "b", "ab", "ж", "\n", "\r\n", " "), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom("a", "ab", "жa", "b "), async (parts, query) => {
        const content = parts.join("");
        const expected = content
          .split("\n")
          .flatMap((line, index) => (line.includes(query) ? [index + 1] : []));
        const hits = await search({ "a.txt": content }, { query, limit: 1000 });
        expect(hits.map((hit) => hit.line)).toEqual(expected);
      }),
      { numRuns: runs(20, 60) },
    );
  });
});
