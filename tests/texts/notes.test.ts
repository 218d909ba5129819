import { describe, expect, test } from "bun:test";
import { isListOf, parseJsonAs } from "../../src/core/guards.ts";
import { isNote, wordNotes } from "../../src/texts/notes/notes.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { EVERY_NOTE, everyNoteIn } from "./every-note.ts";

/** What is the same in every language: quoted lines, paths, hosts, names of keys and programs. */
const LITERAL =
  /[«“"]total \+= \d[»”"]|src\/sum\.ts|registry\.example\.org|papa-yu|chmod [ugst+,]+|[ug]\+s|\+t|context\.max_total_chars|lock-файлы/gu;

describe.each(["ru", "zh"] as const)("in %s", (language) => {
  test.each(everyNoteIn(textsIn(language).notes))("%s has no word of English", (_kind, text) => {
    expect(text.replace(LITERAL, "")).not.toMatch(/[A-Za-z]/u);
  });

  test("every kind has words of its own", () => {
    const said = everyNoteIn(textsIn(language).notes).map(([, text]) => text);
    expect(new Set(said).size).toBe(said.length);
  });
});

test("every kind is among them, and its facts are in the words of every language", () => {
  for (const language of ["en", "ru", "zh"] as const) {
    const { notes } = textsIn(language);
    const said = new Map(everyNoteIn(notes));
    const kinds = [notes.plain, notes.placing, notes.files].flatMap((table) => Object.keys(table));
    const all = kinds.filter((kind) => kind !== "placed").map((kind) => `.notes.${kind}`);
    expect([...said.keys()].toSorted()).toEqual(all.toSorted());
    expect(said.get(".notes.left out")).toMatch(/7.*total \+= 1/u);
    expect(said.get(".notes.becomes")).toMatch(/total \+= 1.*total \+= 2/u);
    expect(said.get(".notes.reached")).toContain("registry.example.org");
    expect(said.get(".notes.more")).toContain("12");
  }
});

test("what is stored is read as it was, also a sentence from before there were kinds", () => {
  const old = "src/sum.ts: hunk 1: found 3 lines lower";
  const read = parseJsonAs(JSON.stringify([...EVERY_NOTE, old]), isListOf(isNote));
  expect(read).toEqual([...EVERY_NOTE, old]);
  expect(wordNotes(read ?? [], textsIn("ru").notes).at(-1)).toBe(old);
});

test.each([
  [{ kind: "placed" }],
  [{ kind: "placed", facts: { path: "a", of: "hunk", number: 1, said: ["nowhere"] } }],
  [{ kind: "toString", facts: {} }],
  [{ kind: "reached", facts: { hosts: "a" } }],
  [7],
])("%j is no note", (value) => {
  expect(isNote(value)).toBe(false);
});
