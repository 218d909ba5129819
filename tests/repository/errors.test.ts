import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { ERROR_CODES } from "../../src/core/error-codes.ts";

const ROOT = join(import.meta.dir, "../..");

test("docs/errors.md has a section for every code, and no other", async () => {
  const text = await Bun.file(join(ROOT, "docs/errors.md")).text();
  const documented = [...text.matchAll(/^### `([^`]+)`$/gmu)].map((match) => match[1] ?? "");
  expect(documented.toSorted()).toEqual(Object.keys(ERROR_CODES).toSorted());
});

test("every section of docs/errors.md says when and what to do", async () => {
  const text = await Bun.file(join(ROOT, "docs/errors.md")).text();
  const sections = text.split(/^### /gmu).slice(1);
  const bare = sections.filter((section) => !/When: .{10,}\n+What to do: .{10,}/su.test(section));
  expect(bare).toEqual([]);
});

const TABLE = "src/core/error-codes.ts";
/** Programs may know it, so it stays in the table though nothing says it any more. */
const RESERVED = "PROTECTED_PATH";

test("every code that source code names is in the table", async () => {
  const known = new Set<string>(Object.keys(ERROR_CODES));
  const unknown: string[] = [];
  for await (const file of new Glob("src/**/*.ts").scan(ROOT)) {
    const text = await Bun.file(join(ROOT, file)).text();
    for (const [, code = ""] of text.matchAll(/"(ERR_[A-Z0-9_]+)"/gu)) {
      if (!known.has(code)) unknown.push(`${file}: ${code}`);
    }
  }
  expect(unknown).toEqual([]);
});

test("every code of the table is used", async () => {
  const named = new Set<string>([RESERVED]);
  for await (const file of new Glob("src/**/*.ts").scan(ROOT)) {
    if (file === TABLE) continue;
    const text = await Bun.file(join(ROOT, file)).text();
    for (const [, code = ""] of text.matchAll(/"(\w+)"/gu)) named.add(code);
  }
  expect(Object.keys(ERROR_CODES).filter((code) => !named.has(code))).toEqual([]);
});
