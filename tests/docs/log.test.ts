import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { levelOf } from "../../src/daemon/console/care/log.ts";

const ROOT = resolve(import.meta.dir, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

const [, union = ""] = /export type LogEvent =\n([\s\S]*?);\n/u.exec(read("src/core/log.ts")) ?? [];
const EVENTS = [...union.matchAll(/"(\w+)"/gu)].map(([, name = ""]) => name);

/** The rows of `docs/log.md`: an event and its level. */
const ROWS = read("docs/log.md")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .flatMap((line) => {
    const [, names = "", level = ""] = line.split("|").map((cell) => cell.trim());
    return [...names.matchAll(/`(\w+)`/gu)].map(([, name = ""]) => [name, level] as const);
  });

test("docs/log.md has each event of the log once, and no other", () => {
  expect(EVENTS.length).toBeGreaterThan(80);
  expect(ROWS.map(([name]) => name).toSorted()).toEqual(EVENTS.toSorted());
});

test("docs/log.md says of each event the level by which the page finds it", () => {
  const wrong = ROWS.filter(([name, level]) => levelOf(name) !== level);
  expect(wrong).toEqual([]);
});

test("each event of the log is written somewhere", () => {
  const paths = [...new Bun.Glob("**/*.ts").scanSync({ cwd: join(ROOT, "src") })];
  const texts = paths.filter((path) => path !== "core/log.ts").map((path) => read(`src/${path}`));
  const unused = EVENTS.filter((name) => !texts.some((text) => text.includes(`"${name}"`)));
  expect(unused).toEqual([]);
});
