import { expect, test } from "bun:test";
import { join } from "node:path";
import { COMMANDS, nearestCommand, renderHelp } from "../../src/cli/commands.ts";

test("docs/cli.md has a row for every command, and for no other", async () => {
  const text = await Bun.file(join(import.meta.dir, "../../docs/cli.md")).text();
  const [, table = ""] = text.split("## Commands and their JSON");
  const rows = [...table.matchAll(/^\| `(\w+)/gmu)].map((match) => match[1] ?? "");
  expect([...new Set(rows)].toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
});

test("renderHelp() fits a terminal of 100 columns and names every command", () => {
  const lines = renderHelp().split("\n");
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  for (const name of Object.keys(COMMANDS)) expect(renderHelp()).toContain(`\n  ${name}`);
});

test.each([
  ["statu", "status"],
  ["aply", "apply"],
  ["recover-all", undefined],
  ["xyzzy", undefined],
])("nearestCommand() takes %j for %p", (typed, expected) => {
  expect(nearestCommand(typed)).toBe(expected);
});
