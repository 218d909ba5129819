import { expect, test } from "bun:test";
import { ROWS } from "./shell-rows.ts";
import { openShell } from "./shell-scene.ts";
import { snippetsOf } from "./snippets.ts";

const rows = snippetsOf("sh").flatMap(({ name, text }) => {
  const row = ROWS[name];
  return row ? [[name, { row, text }] as const] : [];
});

test.each(rows)("%s … does what the page says", async (_name, { row, text }) => {
  await using scene = await openShell(row);
  const words = (await row.prepare?.(scene)) ?? {};
  const typed = text.replaceAll(/\b[A-Z_]+\b/gu, (word) => words[word] ?? word);
  const { exitCode, screen } = await scene.type(typed);
  expect(screen).toMatch(row.shows);
  expect(exitCode).toBe(0);
});
