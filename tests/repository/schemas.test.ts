import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { renderSchemas, SCHEMAS } from "../../scripts/write-schemas.ts";

const DIR = join(import.meta.dir, "../../schemas");

for (const [file, text] of renderSchemas()) {
  test(`schemas/${file} is what "bun run schemas" writes`, async () => {
    expect(await Bun.file(join(DIR, file)).text()).toBe(text);
  });
}

test("schemas/ holds no JSON Schema that nothing makes", () => {
  const files = readdirSync(DIR).filter((file) => file.endsWith(".json"));
  expect(files.toSorted()).toEqual(SCHEMAS.map(({ file }) => file).toSorted());
});
