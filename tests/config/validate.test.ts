import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { renderAllowed } from "../../src/config/load/render-allowed.ts";
import { validateConfig } from "../../src/config/load/validate.ts";
import { CONFIG_SCHEMA, type SchemaNode } from "../../src/config/schema/schema.ts";
import { failureOf, loadFrom, problemsOf } from "./support.ts";

/** Text, line, key, message. */
const CASES: [text: string, line: number, key: string, message: string][] = [
  [
    '[agent]\nmax_tool_iterations = "ten"\n',
    2,
    "agent.max_tool_iterations",
    'found "ten", allowed: an integer from 1 to 1000',
  ],
  ["\n\n[http]\nport = -1\n", 4, "http.port", "found -1, allowed: an integer from 0 to 65535"],
  ["http.port = 80.5\n", 1, "http.port", "found 80.5, allowed: an integer from 0 to 65535"],
  [
    '[security]\nautonomy = "yolo"\n',
    2,
    "security.autonomy",
    'found "yolo", allowed: one of "readonly", "supervised", "full"',
  ],
  [
    '[security]\nallowed_commands = [\n  "ls",\n  7,\n]\n',
    4,
    "security.allowed_commands[1]",
    "found 7, allowed: text of 1 to 4096 characters",
  ],
  ["[[trace]]\nraw = true\n", 1, "trace", "found an array of tables, allowed: a table"],
  [
    "[workspaces]\nname = 1\n",
    1,
    "workspaces",
    "found a table, allowed: an array of up to 1000 tables",
  ],
  ["default = 2020-01-01\n", 1, "default", 'found "2020-01-01", allowed: a table'],
  ["trace = { raw = 1 }\n", 1, "trace.raw", "found 1, allowed: true or false"],
  [
    '[[workspaces]]\nname = "a"\npath = "."\ncheck = ["bun", "test"]\n',
    4,
    "workspaces[0].check",
    'found ["bun", "test"], allowed: an array of up to 20 arrays of texts or false',
  ],
  [
    '[[workspaces]]\nname = "a"\npath = "."\ncheck = true\n',
    4,
    "workspaces[0].check",
    "found true, allowed: an array of up to 20 arrays of texts or false",
  ],
  [
    '[[workspaces]]\nname = "a"\npath = "."\n\n[[workspaces]]\nname = "b"\n',
    5,
    "workspaces[1].path",
    'missing, allowed: text of 1 to 4096 characters such as "~/projects/site"',
  ],
  [
    '[providers.x]\nmodel = "m"\nbase_url = "localhost:80"\n',
    3,
    "providers.x.base_url",
    'found "localhost:80", allowed: text such as "https://api.openai.com/v1"',
  ],
  [
    '[providers."a b"]\nmodel = "m"\nbase_url = "http://a"\n',
    1,
    "providers.a b",
    'found the name "a b", allowed: text such as "openai"',
  ],
  [
    '[mcp.servers."a__b"]\ncommand = "c"\n',
    1,
    "mcp.servers.a__b",
    'found the name "a__b", allowed: names made of letters and digits, joined by single `_` or `-`',
  ],
  [
    '[places]\nnominatim_url = "here"\n',
    2,
    "places.nominatim_url",
    'found "here", allowed: text such as "https://nominatim.openstreetmap.org"',
  ],
  [
    '[mcp.servers.x]\nurl = "far"\n',
    2,
    "mcp.servers.x.url",
    'found "far", allowed: text such as "http://127.0.0.1:8931/mcp"',
  ],
  [
    '[[workspaces]]\nname = "a"\npath = "."\ngenerate_hosts = ["a.example", "b"]\n',
    4,
    "workspaces[0].generate_hosts[1]",
    'found "b", allowed: text such as "packages.example.com"',
  ],
  [
    '[[routines.jobs]]\nname = "a"\nschedule = "* * * * *"\ntask = "t"\nonly_if_changed = "docs"\n',
    5,
    "routines.jobs[0].only_if_changed",
    'found "docs", allowed: true or false or text such as "glob:docs/**"',
  ],
  ["[telegram]\nbot_token = 5\n", 2, "telegram.bot_token", "found a value that is not shown, "],
  // What people name below a secret table is as secret as the table.
  [
    '[mcp.servers.x]\nurl = "https://a.b"\nheaders = { X-Api-Key = 81234567890 }\n',
    3,
    "mcp.servers.x.headers.X-Api-Key",
    "found a value that is not shown, ",
  ],
  [
    `[mcp.servers.x]\ncommand = "a"\nenv = { TOKEN = "${"sk".repeat(2100)}" }\n`,
    3,
    "mcp.servers.x.env.TOKEN",
    "found a value that is not shown, ",
  ],
  [
    '[mcp.servers.x]\nurl = "https://a.b"\nheaders = 81234567890\n',
    3,
    "mcp.servers.x.headers",
    "found a value that is not shown, ",
  ],
  ["[trace]\nrow = true\n", 2, "trace.row", 'unknown key; did you mean "raw"'],
  ["[trace]\ntoString = 1\n", 2, "trace.toString", "unknown key; known: enabled, raw"],
  ["[contxt]\nx = 1\n", 1, "contxt", 'unknown key; did you mean "context"'],
  [
    `[default]\nprovider = "${"x".repeat(5000)}"\n`,
    2,
    "default.provider",
    "allowed: text of up to 4096 characters",
  ],
];

test("renderAllowed() says of every pattern what fits it", () => {
  const silent = patternsIn(CONFIG_SCHEMA).filter((node) => {
    const example = node.examples?.at(-1);
    const fits = new RegExp(node.pattern ?? "", "u").test(String(example));
    return !fits || !renderAllowed(node).endsWith(` such as ${JSON.stringify(example)}`);
  });
  expect(silent).toEqual([]);
});

/** Every node with a pattern, but for rules of names that are told in words. */
function patternsIn(node: SchemaNode): readonly SchemaNode[] {
  const { properties = {}, items, propertyNames: names, additionalProperties: named } = node;
  const below = [items, names?.description === undefined ? names : undefined];
  if (typeof named === "object") below.push(named);
  const all = [...Object.values(properties), ...(node.anyOf ?? []), ...below];
  const own = node.pattern === undefined ? [] : [node];
  return [...own, ...all.flatMap((each) => (each ? patternsIn(each) : []))];
}

test.each(CASES)("validateConfig() refuses %j at line %d", async (text, line, key, message) => {
  const problems = await problemsOf(text);
  expect(problems).toEqual([
    { file: "config.toml", line, key, message: expect.stringContaining(message) },
  ]);
});

test("loadConfig() reports all problems together, by line", async () => {
  const text = "[http]\nport = -1\nhots = 1\n[trace]\nraw = 0\n";
  const failure = await failureOf(loadFrom(text));
  expect(failure).toMatchObject({
    code: "ERR_CONFIG_INVALID",
    message: [
      "config.toml:2: http.port: found -1, allowed: an integer from 0 to 65535",
      'config.toml:3: http.hots: unknown key; did you mean "host"',
      "config.toml:5: trace.raw: found 0, allowed: true or false",
    ].join("\n"),
  });
});

test("loadConfig() shows a bounded number of problems", async () => {
  const text = Array.from({ length: 2000 }, (_, index) => `key_${index} = 1`).join("\n");
  const failure = await failureOf(loadFrom(text));
  expect(failure).toMatchObject({ message: expect.stringContaining("and 1950 more") });
});

test("validateConfig() explains any plain data in place of any table", () => {
  const tables = Object.keys(CONFIG_SCHEMA.properties ?? {});
  const keys = fc.constantFrom("name", "jobs", "check", "api_key", "model", "toString", "a/b", "");
  const table = fc.dictionary(keys, fc.jsonValue(), { maxKeys: 4 });
  const value = fc.oneof(fc.jsonValue(), table, fc.array(table), fc.dictionary(keys, table));
  fc.assert(
    fc.property(fc.constantFrom(...tables), value, (name, content) => {
      const result = validateConfig({ [name]: structuredClone(content) });
      if (result.ok) return;
      expect(result.faults.length).toBeGreaterThan(0);
      for (const { path, message } of result.faults) {
        expect(path[0]).toBe(name);
        expect(message).not.toContain("undefined");
      }
    }),
  );
});
