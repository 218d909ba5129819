import { describe, expect, test } from "bun:test";
import { editToml } from "../../src/config/edit/edit-toml.ts";
import { renderTemplate } from "../../src/config/render-template.ts";
import { CONFIG_SCHEMA, type KeyPath } from "../../src/config/schema/schema.ts";
import type { TomlValue } from "../../src/config/toml/render-toml.ts";

async function edit(text: string, path: KeyPath, value: TomlValue): Promise<string> {
  const result = await editToml(text, path, value);
  return result.ok ? result.text : `refused: ${result.reason}`;
}

describe("editToml() replaces a value and keeps every other byte", () => {
  const cases: readonly (readonly [string, string, KeyPath, TomlValue, string])[] = [
    ["beside a comment", "[a]\nx = 1 # why\n", ["a", "x"], 2, "[a]\nx = 2 # why\n"],
    [
      "in odd layout",
      "\t[ a ]\r\n  x=1#c\r\n\r\n",
      ["a", "x"],
      "q",
      '\t[ a ]\r\n  x="q"#c\r\n\r\n',
    ],
    ["without a last line end", "[a]\nx = true", ["a", "x"], false, "[a]\nx = false"],
    ["of a dotted key", "a.b.x = 1\n", ["a", "b", "x"], 2, "a.b.x = 2\n"],
    ["of a quoted key", '["a.b"]\n"x y" = 1\n', ["a.b", "x y"], 2, '["a.b"]\n"x y" = 2\n'],
    ["in an inline table", "a = { x = 1, y = 2 }\n", ["a", "y"], 3, "a = { x = 1, y = 3 }\n"],
    [
      "in an inline entry",
      "w = [{ n = 'a' }, { n = 'b' }]\n",
      ["w", 1, "n"],
      "c",
      "w = [{ n = 'a' }, { n = \"c\" }]\n",
    ],
    [
      "in the second entry",
      "[[w]]\nn = 1\n\n[[w]]\nn = 2 # two\n",
      ["w", 1, "n"],
      3,
      "[[w]]\nn = 1\n\n[[w]]\nn = 3 # two\n",
    ],
    [
      "of many lines by one",
      '[a]\nx = """\n1\n2"""\ny = 2\n',
      ["a", "x"],
      "z",
      '[a]\nx = "z"\ny = 2\n',
    ],
    [
      "of a short array",
      "[a]\nx = [1,2]  # c\n",
      ["a", "x"],
      [1, 2, 3],
      "[a]\nx = [1, 2, 3]  # c\n",
    ],
    [
      "of a tall array, which stays tall",
      "[a]\nx = [\n    1,\n    2\n]\n",
      ["a", "x"],
      [3, 4],
      "[a]\nx = [\n    3,\n    4,\n]\n",
    ],
    ["of a tall array by none", "[a]\nx = [\n 1\n]\n", ["a", "x"], [], "[a]\nx = []\n"],
    ["with another of its own", "[a]\nx = 1\n", ["a", "x"], 1, "[a]\nx = 1\n"],
    [
      "beside wide characters",
      '# 😀\n[a]\ny = "é😀"\nx = 1\n',
      ["a", "x"],
      "😀",
      '# 😀\n[a]\ny = "é😀"\nx = "😀"\n',
    ],
  ];
  test.each(cases)("%s", async (_, text, path, value, expected) => {
    expect(await edit(text, path, value)).toBe(expected);
  });
});

describe("editToml() grows an array that holds comments", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["1, # one\n  2, # two\n", "1, # one\n  2, # two\n  3,\n"],
    ["1, # one\n  2 # two, last\n", "1, # one\n  2, # two, last\n  3,\n"],
  ];
  test.each(cases)("%j", async (before, after) => {
    expect(await edit(`[a]\nx = [\n  ${before}]\n`, ["a", "x"], [1, 2, 3])).toBe(
      `[a]\nx = [\n  ${after}]\n`,
    );
  });

  test("even an empty one", async () => {
    expect(await edit("[a]\nx = [ # none\n]\n", ["a", "x"], [1, 2])).toBe(
      "[a]\nx = [ # none\n  1,\n  2,\n]\n",
    );
  });

  test.each([[[2]], [[1]], [[]], [[0, 1, 2]]])("but does not make it %j", async (value) => {
    const text = "[a]\nx = [\n  1, # one\n  2,\n]\n";
    expect(await edit(text, ["a", "x"], value)).toBe("refused: there is a comment in its value");
  });
});

describe("editToml() adds a key", () => {
  const cases: readonly (readonly [string, string, KeyPath, TomlValue, string])[] = [
    [
      "below its neighbours",
      "[a]\nx = 1 # c\n\n# of b\n[b]\n",
      ["a", "y"],
      2,
      "[a]\nx = 1 # c\ny = 2\n\n# of b\n[b]\n",
    ],
    [
      "with their indent and line ends",
      "[a]\r\n  x = 1\r\n",
      ["a", "y"],
      2,
      "[a]\r\n  x = 1\r\n  y = 2\r\n",
    ],
    ["below a bare header", "[a] # c\n[b]\n", ["a", "y"], 2, "[a] # c\ny = 2\n[b]\n"],
    ["at an open end", "[a]\nx = 1", ["a", "y"], 2, "[a]\nx = 1\ny = 2"],
    ["to a table not written yet", "[a]\nx = 1", ["b", "y"], 2, "[a]\nx = 1\n\n[b]\ny = 2\n"],
    ["to nothing", "", ["b", "y"], 2, "[b]\ny = 2\n"],
    [
      "to a table known by its own tables",
      "[a.b]\nx = 1\n",
      ["a", "y"],
      2,
      "[a.b]\nx = 1\n\n[a]\ny = 2\n",
    ],
    ["to a dotted table", "a.x = 1\nb.x = 1\n", ["a", "y"], 2, "a.x = 1\na.y = 2\nb.x = 1\n"],
    [
      "to a dotted table in a table",
      "[a]\nb.x = 1\nz = 1\n",
      ["a", "b", "y"],
      2,
      "[a]\nb.x = 1\nb.y = 2\nz = 1\n",
    ],
    ["to an inline table", "a = { x = 1 }\n", ["a", "y"], 2, "a = { x = 1, y = 2 }\n"],
    ["to an empty inline table", "a = {}\n", ["a", "y"], 2, "a = { y = 2 }\n"],
    [
      "to an entry",
      "[[w]]\nn = 1\n[[w]]\nn = 2\n",
      ["w", 0, "y"],
      3,
      "[[w]]\nn = 1\ny = 3\n[[w]]\nn = 2\n",
    ],
    ["that needs quotes", "[a]\n", ["a", "y z"], 'q"\n', '[a]\n"y z" = "q\\"\\n"\n'],
  ];
  test.each(cases)("%s", async (_, text, path, value, expected) => {
    expect(await edit(text, path, value)).toBe(expected);
  });
});

describe("editToml() adds a table", () => {
  test("at the end, its keys as lines", async () => {
    expect(await edit("[p.a]\nx = 1\n", ["p", "b.c"], { x: 1, y: ["z"] })).toBe(
      '[p.a]\nx = 1\n\n[p."b.c"]\nx = 1\ny = ["z"]\n',
    );
  });

  test("as a further entry", async () => {
    expect(await edit("[[r.j]]\nn = 1\n", ["r", "j", 1], { n: 2 })).toBe(
      "[[r.j]]\nn = 1\n\n[[r.j]]\nn = 2\n",
    );
  });

  test("but replaces none", async () => {
    expect(await edit("[p.a]\nx = 1 # c\n", ["p", "a"], { x: 2 })).toContain("one by one");
  });
});

test.each([
  ["a table below a value", "[a]\nx = 1\n", ["a", "x", "y"]],
  ["an entry behind a gap", "[[w]]\nn = 1\n", ["w", 3, "n"]],
  ["an entry below inline ones", "w = [{ n = 1 }]\n", ["w", 1]],
  ["a text that is no TOML", "[a\n", ["a", "x"]],
] as const)("editToml() refuses %s", async (_, text, path) => {
  const value = typeof path.at(-1) === "number" ? { n: 1 } : 1;
  expect(await edit(text, path, value)).toStartWith("refused: ");
});

test("editToml() quotes no value when it fails", async () => {
  expect(await edit('[a]\nkey = "sk-secret\n', ["a", "x"], 1)).not.toContain("sk-secret");
});

test("editToml() changes one line of the template for every switch and number in it", async () => {
  const text = renderTemplate();
  const lines = text.split("\n");
  for (const [table, { properties = {} }] of Object.entries(CONFIG_SCHEMA.properties ?? {})) {
    for (const [name, { type, default: initial, minimum = 0 }] of Object.entries(properties)) {
      if (type !== "boolean" && type !== "integer") continue;
      const wanted = type === "boolean" ? initial !== true : minimum;
      const after = (await edit(text, [table, name], wanted)).split("\n");
      const changed = lines.filter((line, index) => line !== after[index]);
      expect({ name, lines: after.length, changed: changed.length }).toEqual({
        name,
        lines: lines.length,
        changed: wanted === initial ? 0 : 1,
      });
    }
  }
});
