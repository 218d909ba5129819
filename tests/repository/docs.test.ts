import { expect, test } from "bun:test";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");

test("no page holds both sides of a merge", async () => {
  const pages: string[] = [];
  const unsettled: string[] = [];
  // Below node_modules other tests make folders, and take them away.
  for (const places of ["*.md", "docs/**/*.md", "skills/**/*.md"]) {
    for await (const path of new Bun.Glob(places).scan(ROOT)) {
      pages.push(path);
      const text = await Bun.file(join(ROOT, path)).text();
      if (/^(?:<{7}|>{7}) /mu.test(text)) unsettled.push(path);
    }
  }
  expect(pages).toContain("docs/recovery.md");
  expect(unsettled).toEqual([]);
});
