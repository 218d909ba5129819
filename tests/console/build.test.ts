import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { openConsoleFiles } from "../../src/system/own/console-files.ts";
import { tempDir } from "../support/temp.ts";

/** What the first page may weigh, compressed: its document, its script, its styles and its sign. */
const FIRST_PAGE_BYTES = 120_000;

const dir = tempDir("papayu-test-console-");
afterAll(() => dir[Symbol.dispose]());
const files = await openConsoleFiles(dir.path);
const folder = join(dir.path, "console");

const named = [...files.shell.matchAll(/"\/assets\/([^"]+)"/gu)].map(([, name = ""]) => name);
const textOf = async (name: string) => {
  const path = files.file(name)?.path ?? "";
  return brotliDecompressSync(await Bun.file(path).bytes()).toString();
};

describe("the page", () => {
  test("is one document with its script, its styles and its sign, of at most 120 kB compressed", () => {
    expect(named.map((name) => name.replace(/-\w+\./u, "."))).toEqual([
      "icon.svg",
      "main.css",
      "main.js",
    ]);
    const bytes = named.reduce((sum, name) => sum + statSync(files.file(name)?.path ?? "").size, 0);
    expect(bytes + files.shell.length).toBeLessThan(FIRST_PAGE_BYTES);
  });

  test("loads the review as a file of its own, when a change set is shown", async () => {
    const main = await textOf(named.find((name) => name.endsWith(".js")) ?? "");
    const [, review = ""] = /import\("\/assets\/(review-\w+\.js)"\)/u.exec(main) ?? [];
    expect(files.file(review)?.type).toBe("text/javascript; charset=utf-8");
    expect(main).not.toContain("comparator");
  });

  test("loads the worker of the colours later, and of the languages those that are shown", async () => {
    const [, worker = ""] = /name="painter" content="(worker-\w+\.js)"/u.exec(files.shell) ?? [];
    expect(files.file(worker)?.type).toBe("text/javascript; charset=utf-8");
    const text = await textOf(worker);
    expect(text.match(/import\("\/assets\/\w+-\w+\.js"\)/gu)?.length).toBeGreaterThanOrEqual(30);
    for (const name of named) {
      if (name.endsWith(".js")) expect(await textOf(name)).not.toContain("k-keyword");
    }
    expect(text).not.toMatch(/\beval\(|new Function\(/u);
  });

  test("has nothing in it that its policy forbids: no script or style of the document itself", () => {
    expect(files.shell).not.toMatch(/<style|style=|<script(?! type="module" src="\/assets\/)/u);
  });

  test("knows no file but its own", () => {
    for (const name of ["", "made.json", "../made.json", "main.js", "__proto__", "toString"]) {
      expect(files.file(name)).toBeUndefined();
    }
  });
});

describe("openConsoleFiles()", () => {
  test("makes it once, and anew where half of it is there", async () => {
    const [key = ""] = readdirSync(folder);
    const made = join(folder, key, "made.json");
    const before = statSync(made).mtimeMs;
    expect((await openConsoleFiles(dir.path)).shell).toBe(files.shell);
    expect(statSync(made).mtimeMs).toBe(before);
    writeFileSync(made, "{");
    expect((await openConsoleFiles(dir.path)).shell).toBe(files.shell);
    expect(readdirSync(folder)).toEqual([key]);
  });
});
