import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const CONSOLE = join(import.meta.dir, "../../src/console");

test("what lies over the page is one element each, whose class nothing else has", () => {
  const over = readAll(".css").flatMap((css) =>
    [...css.matchAll(/^\.([\w-]+) \{[^}]*position: fixed/gmu)].map(([, name = ""]) => name),
  );
  expect(over).toContain("said");
  const given = readAll(".tsx").flatMap((tsx) =>
    [...tsx.matchAll(/class=(?:"([^"]*)"|\{`([^`]*)`\})/gu)].flatMap(([, plain, made]) =>
      `${plain ?? made}`.split(/\s+/u),
    ),
  );
  for (const name of over) {
    expect([name, given.filter((each) => each === name).length]).toEqual([name, 1]);
  }
});

test("words of the toolbar that narrow screens hide are drawn as nothing but words", () => {
  const bare = readAll(".css").flatMap((css) => css.match(/^\.(?:wide|narrow)\b.*$/gmu) ?? []);
  expect(bare).toEqual([]);
});

test("a class has its looks from one sheet: pages do not dress each other's", () => {
  const owners = readAll(".css").flatMap((css) => {
    const names = [...css.matchAll(/^\.([\w-]+) \{/gmu)].map(([, name = ""]) => name);
    return names.filter((name, at) => names.indexOf(name) === at);
  });
  expect(owners.filter((name, at) => owners.indexOf(name) !== at)).toEqual([]);
});

function readAll(end: string): readonly string[] {
  const files = readdirSync(CONSOLE, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(end))
    .map((file) => readFileSync(join(CONSOLE, file), "utf8"));
}
