import { expect, test } from "bun:test";
import fc from "fast-check";
import { editToml } from "../../src/config/edit/edit.ts";
import { knownKeys, placeKey } from "../../src/config/known-keys.ts";
import { hideFound, maskToml, unmaskToml } from "../../src/config/masked/masked.ts";
import { parseToml } from "../../src/config/places/places.ts";
import type { SchemaNode } from "../../src/config/schema/schema.ts";
import type { TomlValue } from "../../src/config/toml/toml.ts";
import { runs } from "../support/long.ts";

const SECRET = "hunter2-hunter2";
const known = (text: string) => text.replaceAll("found-by-shape", "[secret]");
const plain = (text: string) => text;

function mask(text: string, redact = plain) {
  const masking = maskToml(text, redact);
  if (!masking.ok) throw new Error(masking.problem.message);
  return masking.masked;
}

/** As a box of a browser gives it back. */
const boxed = (text: string) => text.replaceAll("\r\n", "\n");

const secretKeys = knownKeys().filter(({ facts }) => facts.isSecret);

test("the schema has secrets of every kind", () => {
  expect(secretKeys.length).toBeGreaterThan(7);
});

test.each(secretKeys.map(({ key, node }) => [key, node] as const))(
  "%s is masked, and what is saved is what was there",
  async (key, node) => {
    const place = placeKey({}, key);
    const isTable = node.type === "object";
    const value: TomlValue = isTable ? { A: SECRET } : SECRET;
    const last = key.split(".").at(-1) ?? "";
    // An object of texts, or a text in one.
    const filled = (
      place?.path.at(-1) === last
        ? value
        : { ...(key.includes("[]") && { name: "x" }), [last]: value }
    ) as TomlValue;
    const edited = await editToml("# first\n", place?.path ?? [], filled);
    const text = edited.ok ? edited.text : "";
    expect(text).toContain(SECRET);
    const masked = mask(text);
    expect(masked.text).not.toContain(SECRET);
    expect(unmaskToml(masked, boxed(masked.text), () => plain)).toEqual({ ok: true, text });
    const changed = masked.text.replace("[secret 1]", "[secret 1]x");
    expect(unmaskToml(masked, changed, () => plain).ok).toBe(false);
    const anew = unmaskToml(masked, masked.text.replace("[secret 1]", "new"), () => plain);
    expect(anew).toEqual({ ok: true, text: text.replace(SECRET, "new") });
  },
);

const word = fc.constantFrom(
  "plain",
  SECRET,
  "env:NAME",
  "found-by-shape",
  "https://me:pw@host/a?b=c",
);
const eol = fc.constantFrom("\n", "\r\n");
const quoted = fc.oneof(
  word.map((text) => `"${text}"`),
  word.map((text) => `'${text}'`),
  fc.tuple(word, eol).map(([text, end]) => `"""${end}${text}${end}more"""`),
);
const line = fc.oneof(
  quoted.map((value) => (n: number) => `key${n} = ${value}`),
  fc.tuple(quoted, quoted).map(
    ([one, other]) =>
      (n: number) =>
        `list${n} = [${one}, "--token", ${other}]`,
  ),
  quoted.map((value) => (n: number) => `[providers.p${n}]\napi_key = ${value} # ${n}`),
  quoted.map((value) => (n: number) => `[mcp.servers.s${n}]\nargs = ["--key", ${value}]`),
  word.map((text) => () => `# api_key = "${text}"`),
  word.map((text) => () => `# ${text} \u202e`),
  fc.constant(() => ""),
);
const source = fc
  .array(fc.tuple(line, eol), { maxLength: 8 })
  .map((lines) => lines.map(([make, end], n) => make(n).replaceAll(/\r?\n/gu, end) + end).join(""));

test("maskToml() and unmaskToml() give back every text byte for byte, and show no secret of it", () => {
  fc.assert(
    fc.property(source, (text) => {
      const masked = mask(text, known);
      expect(masked.text).not.toContain("found-by-shape");
      expect(masked.text).not.toContain("me:pw");
      expect(masked.text).not.toMatch(/api_key = ["']+\s*hunter2/u);
      expect(unmaskToml(masked, boxed(masked.text), () => known)).toEqual({ ok: true, text });
    }),
    { numRuns: runs(100, 2000) },
  );
});

test("unmaskToml() keeps every other line as it was, and by no edit shows what was masked", () => {
  fc.assert(
    fc.property(
      source,
      fc.nat(),
      fc.constantFrom("[secret 1]", "x", '"[secret 2]"'),
      (text, at, put) => {
        const masked = mask(text, known);
        const box = boxed(masked.text);
        const where = at % (box.length + 1);
        const edited = box.slice(0, where) + put + box.slice(where);
        let made: ReturnType<typeof unmaskToml>;
        try {
          parseToml("", "", edited);
          made = unmaskToml(masked, edited, () => known);
        } catch {
          return; // no TOML any more, which is said before
        }
        if (!made.ok) return;
        const again = maskToml(made.text, known);
        const shown = again.ok ? again.masked.text : "";
        for (const { real } of masked.masks) {
          if (!masked.text.includes(real) && real.length > 8) expect(shown).not.toContain(real);
        }
      },
    ),
    { numRuns: runs(150, 3000) },
  );
});

test.each([
  ["at a key that is shown", 'model = "[secret 1]"', "at its own key"],
  ["in a comment", "# [secret 1]", "was changed"],
  ["as part of another value", 'model = "x[secret 1]"', "was changed"],
  ["as one that there is not", 'model = "[secret 9]"', "was changed"],
  ["in a name", '[providers."[secret 1]"]', "at its own key"],
])("a mask %s is refused at its line", (_, added, reason) => {
  const masked = mask(`[providers.a]\napi_key = "${SECRET}"\n`);
  const found = unmaskToml(masked, `${masked.text}${added}\n`, () => plain);
  expect(found).toMatchObject({ ok: false, problems: [{ line: 3 }] });
  expect(JSON.stringify(found)).toContain(reason);
  expect(JSON.stringify(found)).not.toContain(SECRET);
});

test("text that looks like a mask is no mask", () => {
  const masked = mask(`[providers.a]\napi_key = "${SECRET}"\nmodel = "[secret 1]"\n`);
  expect(masked.text).toContain('api_key = "[secret-2 1]"');
});

const HELD = `[providers.a]
base_url = "https://a.example/v1"
api_key = "${SECRET}"
[providers.b]
base_url = "https://b.example/v1"
api_key = "other-${SECRET}"
[mcp.servers.s]
command = "srv"
args = ["x", "--token", "${SECRET}y"]
env = { ORG = "prod-99812", GITHUB_TOKEN = "${SECRET}z" }
[mcp.servers.far]
url = "https://far.example/mcp"
headers = { Authorization = "Bearer ${SECRET}w" }
[mcp.servers.alone]
args = ["--token", "${SECRET}v"]
[online_research]
search = "tavily"
api_key = "${SECRET}u"
[[workspaces]]
name = "site"
path = "/home/me/site"
check = "./deploy.sh --token ${SECRET}t"
[[routines.jobs]]
name = "daily"
trigger_secret = "${SECRET}s"
`;

test.each<readonly [string, string | RegExp, string]>([
  ["two masks are exchanged", "[secret 2]", "[secret 1]"],
  ["a table is another one", "[providers.a]", "[providers.c]"],
  ["the key goes to another address", "https://a.example", "https://evil.example"],
  ["headers go to another address", "https://far.example", "https://evil.example"],
  ["another program gets it", 'command = "srv"', 'command = "evil"'],
  ["a word is guessed at beside it", '"x", "--token"', '"--token", "h", "--token"'],
  ["another list has it", '"x", "--token"', '"[secret 1]", "--token", "K", "--token"'],
  ["another variable has it", "GITHUB_TOKEN", "ECHO"],
  ["the program gets it beside another variable", "env = { ", 'env = { NODE_OPTIONS = "-r e", '],
  ["the program is told by its words to pass it on", /^args = \["x.*$/mu, 'args = ["-c", "evil"]'],
  ["another search service gets the key", "tavily", "brave"],
  ["the program of another folder gets it", "/home/me/site", "/tmp/evil"],
  ["another workspace stands in its place", '"site"', '"evil"'],
  ["another routine has it", '"daily"', '"evil"'],
  [
    "a key that is shown has it",
    'base_url = "https://b',
    'model = "[secret 1]"\nbase_url = "https://b',
  ],
])("no secret is read or sent elsewhere by its mask: %s", (_, from, to) => {
  const masked = mask(HELD);
  const edited = masked.text.replace(from, to);
  expect(edited).not.toBe(masked.text);
  const made = unmaskToml(masked, edited, () => plain);
  expect({ edited, made }).toMatchObject({ made: { ok: false } });
  expect(JSON.stringify(made)).not.toContain("hunter2");
});

/** Keys that say to whom something goes, with the secrets of their table. */
const destinations: readonly string[] = knownKeys()
  .filter(({ node, facts }) => facts.namesProgram || String(node.pattern).includes("https?"))
  .flatMap(({ key }) => {
    const table = key.slice(0, key.lastIndexOf("."));
    const beside = secretKeys.filter(
      (each) => each.key !== key && each.key.startsWith(`${table}.`),
    );
    return beside.map(() => key);
  });

test("the schema has destinations of every kind", () => {
  expect(destinations).toEqual(
    expect.arrayContaining(["providers.NAME.base_url", "telegram.api_root"]),
  );
  expect(destinations).toEqual(
    expect.arrayContaining(
      ["args", "command", "env", "url"].map((key) => `mcp.servers.NAME.${key}`),
    ),
  );
});

/** What decides where a secret of a table goes, written down once more. */
const DECIDING: Readonly<Record<string, readonly string[]>> = {
  "providers.NAME": ["base_url"],
  "mcp.servers.NAME": ["url", "command", "args", "env", "cwd"],
  telegram: ["api_root", "webhook_url"],
  transcription: ["base_url"],
  online_research: ["base_url", "search"],
  http: [],
  security: [],
  "workspaces[]": ["name", "path"],
  "routines.jobs[]": ["name"],
};

const SAID = "secret([…]) or asProgram(…, […])";

/** What may have a secret in it, each with every other key of its table. */
const besides = knownKeys()
  .filter(({ facts }) => facts.isSecret || facts.namesProgram)
  .flatMap(({ key, node }) => {
    const table = key.slice(0, key.lastIndexOf("."));
    const nameOf = (whole: string) => whole.slice(table.length + 1);
    const others = knownKeys().filter(
      (each) => each.key !== key && each.key === `${table}.${nameOf(each.key)}`,
    );
    return others.map(
      (other) => [nameOf(key), table, nameOf(other.key), node, other.node] as const,
    );
  });

test("DECIDING has every table with a secret, and each key there that names an address or a program", () => {
  const tables = besides.map(([, table]) => table);
  const open = tables.filter((table) => !Object.hasOwn(DECIDING, table));
  expect(new Set(open), "say in DECIDING what decides where a secret of theirs goes").toEqual(
    new Set(),
  );
  expect(Object.keys(DECIDING).filter((table) => !tables.includes(table))).toEqual([]);
  for (const key of destinations) {
    const [table = "", name = ""] = key.split(/\.(?=\w+$)/u);
    expect(DECIDING[table], `say it of ${key} in src/config/schema, too: ${SAID}`).toContain(name);
  }
});

test.each(besides)(
  "%s of %s is written anew with another %s only where secret([…]) or asProgram(…, […]) in src/config/schema names that",
  (...row) => {
    const [name, table, other, node, otherNode] = row;
    const opening = table.replace("NAME", "x");
    const header = opening.endsWith("[]") ? `[[${opening.slice(0, -2)}]]` : `[${opening}]`;
    const held = heldBy(node);
    const lines = [header, `${name} = ${held}`, `${other} = ${plainOf(otherNode, 1)}`];
    const masked = mask(lines.join("\n"));
    // What names a program has secrets as words of a list; a program's name alone has none.
    const isMasked = masked.text !== lines.join("\n");
    expect(isMasked).toBe(node.writeOnly === true || held.includes("["));
    const decides = isMasked && DECIDING[table]?.includes(other) === true;
    const changed = masked.text.replace(/.*$/u, `${other} = ${plainOf(otherNode, 2)}`);
    const gone = masked.text.replace(/\n.*$/u, "");
    for (const edited of [changed, gone]) {
      expect(edited).not.toBe(masked.text);
      const made = unmaskToml(masked, edited, () => plain);
      expect({ edited, ok: made.ok }).toEqual({ edited, ok: !decides });
      expect(JSON.stringify(made).includes("write the value anew")).toBe(decides);
    }
  },
);

/** A value with a secret in it. */
function heldBy({ type, anyOf }: SchemaNode): string {
  if (type === "object") return `{ TOKEN = "${SECRET}" }`;
  const words = `["--token", "${SECRET}"]`;
  if (type === "array") return words;
  return anyOf ? `[${words}]` : `"${SECRET}"`;
}

/** One of two values with no secret in them. */
function plainOf({ type, enum: words, anyOf, items }: SchemaNode, nth: 1 | 2): string {
  if (words) return JSON.stringify(words[nth - 1]);
  if (type === "boolean") return String(nth === 1);
  if (type === "integer" || type === "number") return String(nth);
  if (type === "object") return `{ A = "env:A${nth}" }`;
  if (type === "array") return items?.type === "integer" ? `[${nth}]` : `["env:A${nth}"]`;
  return anyOf ? `[["env:A${nth}"]]` : `"env:A${nth}"`;
}

test("what has nothing to do with a secret is edited beside it, and a list of words is written anew", () => {
  const masked = mask(HELD);
  for (const [from, to] of [
    ['command = "srv"', 'command = "srv"\ntimeout_s = 5'],
    ["[mcp.servers.s]", "# mine\n[mcp.servers.s]"],
    [/^args = \["--.*$/mu, 'args = ["x"]'],
    ['name = "site"', 'check_timeout_s = 5\nname = "site"'],
    ['search = "tavily"', 'max_pages = 2\nsearch = "tavily"'],
  ] as const) {
    const made = unmaskToml(masked, masked.text.replace(from, to), () => plain);
    expect(made).toEqual({ ok: true, text: HELD.replace(from, to) });
  }
});

test("words of a command line that are a part of its secret do not show the rest of it", () => {
  const masked = mask(`[mcp.servers.s]\nargs = ["--token", "h", "--token", "${SECRET}"]\n`);
  expect(masked.text).not.toContain(SECRET.slice(1));
});

test("a secret in a name is not shown, and said by its line", () => {
  const masking = maskToml('[default]\n[providers."found-by-shape"]\n', known);
  expect(masking).toMatchObject({ ok: false, problem: { line: 2 } });
});

test("hideFound() shows nothing of a value that is secret, or that has one in it", () => {
  const text = `[mcp.servers.a]\nargs = ["--token", "${SECRET}"]\n[providers.p]\nmodel = "m"\n`;
  const problems = [
    { line: 2, key: "mcp.servers.a.args", message: `found ["--token","${SECRET}"], allowed: x` },
    { line: 2, key: "mcp.servers.a.args[1]", message: `found "${SECRET}", allowed: x` },
    { line: 4, key: "providers.p.model", message: 'found "m", allowed: x' },
    { line: 2, key: "mcp.servers.a.args", message: `found ["X-Key: ${SECRET}"], allowed: x` },
    { line: 2, key: "mcp.servers.a.args", message: `found ", allowed: ${SECRET}", allowed: x` },
    { line: 2, key: "mcp.servers.a.args", message: `found ["X-Key: ${SECRET}"]` },
  ];
  const hidden = hideFound(problems, text, plain);
  expect(JSON.stringify(hidden)).not.toContain(SECRET);
  expect(hidden[2]).toEqual(problems[2]);
});
