import { expect, test } from "bun:test";
import fc from "fast-check";
import { parse } from "smol-toml";
import { editToml } from "../../src/config/edit/edit-toml.ts";
import {
  renderTomlKey,
  renderTomlValue,
  type TomlValue,
} from "../../src/config/toml/render-toml.ts";
import { valueAt } from "../../src/config/value-at.ts";
import { anyCharacter } from "../support/any-character.ts";
import { runs } from "../support/long.ts";

const name = fc.oneof(
  fc.constantFrom("a", "b", "c", "x-1"),
  fc.string({ minLength: 1, maxLength: 4 }).filter((text) => text !== "__proto__"),
);
const scalar: fc.Arbitrary<TomlValue> = fc.oneof(
  fc.string({ unit: anyCharacter }).map((text) => text.toWellFormed()),
  fc.integer(),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }).filter((number) => !Object.is(number, -0)),
  fc.boolean(),
);
const value: fc.Arbitrary<TomlValue> = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));
const eol = fc.constantFrom("\n", "\r\n");
const comment = fc.constantFrom("", " # why", "\t# a = 1", "  # [a]", ' # "');
const lines = fc.array(fc.constantFrom("", "# a comment", "  # x = 1"), { maxLength: 2 });

/** One table: its keys with what is around each. */
const table = fc.record({
  keys: fc.uniqueArray(
    fc.record({ name, value, comment, above: lines, indent: fc.constantFrom("", "  ") }),
    {
      selector: (key) => key.name,
      maxLength: 4,
    },
  ),
  style: fc.constantFrom("header", "dotted", "inline"),
  above: lines,
});
const source = fc.record({
  tables: fc.uniqueArray(fc.tuple(name, table), {
    selector: ([key]) => key,
    minLength: 1,
    maxLength: 3,
  }),
  eol,
  ending: fc.boolean(),
});

type Table = typeof table extends fc.Arbitrary<infer T> ? T : never;

function render(parts: typeof source extends fc.Arbitrary<infer T> ? T : never): string {
  // Dotted and inline tables belong above the first header.
  const sorted = parts.tables.toSorted(
    ([, a], [, b]) => Number(a.style === "header") - Number(b.style === "header"),
  );
  const text = sorted.flatMap(([key, each]) => renderTable(key, each)).join(parts.eol);
  return parts.ending ? text + parts.eol : text;
}

function renderTable(key: string, { keys, style, above }: Table): readonly string[] {
  const pair = (each: Table["keys"][number], names: readonly string[]) =>
    `${renderTomlKey(names)} = ${renderTomlValue(each.value)}`;
  switch (style) {
    case "header":
      return [
        ...above,
        `[${renderTomlKey([key])}]`,
        ...keys.flatMap((each) => [
          ...each.above,
          `${each.indent}${pair(each, [each.name])}${each.comment}`,
        ]),
      ];
    case "dotted":
      return [
        ...above,
        ...keys.flatMap((each) => [
          ...each.above,
          `${pair(each, [key, each.name])}${each.comment}`,
        ]),
      ];
    default:
      return [
        ...above,
        `${renderTomlKey([key])} = { ${keys.map((each) => pair(each, [each.name])).join(", ")} }`,
      ];
  }
}

/** The parts of two texts that differ. */
function difference(before: string, after: string): readonly [removed: string, added: string] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before.at(-1 - end) === after.at(-1 - end)
  )
    end += 1;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

test("editToml() sets what is then read, and changes at most that value's bytes", async () => {
  await fc.assert(
    fc.asyncProperty(
      source,
      fc.nat(),
      name,
      fc.boolean(),
      value,
      async (parts, pick, other, isNew, wanted) => {
        const before = render(parts);
        const [tableName, chosen] = parts.tables[pick % parts.tables.length] ?? ["", undefined];
        const old = isNew ? undefined : chosen?.keys[pick % Math.max(1, chosen.keys.length)];
        const path = [tableName, old?.name ?? other];
        const result = await editToml(before, path, wanted);
        if (!result.ok) throw new Error(result.reason);
        expect(valueAt(parse(result.text), path)).toEqual(wanted);
        const [removed] = difference(before, result.text);
        const held = chosen?.keys.find((each) => each.name === path[1]);
        const room = held ? renderTomlValue(held.value) : "";
        expect(room.includes(removed ?? ""), `${removed} in ${room}`).toBe(true); // halves of pairs, too
        expect(comments(result.text)).toEqual(comments(before));
      },
    ),
    { numRuns: runs(40, 500) },
  );
});

test("editToml() done twice is done once, and the way back restores the text", async () => {
  await fc.assert(
    fc.asyncProperty(source, value, async (parts, wanted) => {
      const before = render(parts);
      const [key, chosen] = parts.tables[0] ?? ["", undefined];
      const first = chosen?.keys[0];
      fc.pre(first !== undefined);
      const path = [key, first.name];
      const once = await editToml(before, path, wanted);
      if (!once.ok) throw new Error(once.reason);
      expect(await editToml(once.text, path, wanted)).toEqual(once);
      expect(await editToml(once.text, path, first.value)).toEqual({ ok: true, text: before });
    }),
    { numRuns: runs(20, 200) },
  );
});

function comments(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => /^\s*#/.test(line));
}
