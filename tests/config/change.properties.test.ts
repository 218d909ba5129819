import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "smol-toml";
import { setKey, unsetKey } from "../../src/config/edit/edit.ts";
import { removeTomlKey } from "../../src/config/edit/remove-key.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import { valueAt } from "../../src/config/value-at.ts";
import { AppError } from "../../src/core/app-error.ts";
import { runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";

const TEXT = `#:schema ./x.json
# about everything

agent.turn_timeout_s = 60 # dotted
[default] # the first table
  language = "en"   # of the interface
temperature = 0.5

# about the rest
[http]
port = 1
# the end of http

[context]
[security]
allowed_commands = [
  # read only
  "ls",
  "cat", # too
]
autonomy = "supervised"

[[workspaces]] # mine
name = "site"
path = "." # here
check = [["bun", "test"]] # fast

[[routines.jobs]]
name = "tidy"
schedule = "0 8 * * *" # daily
mode = "ask"
task = """
# no comment
two lines"""

[retention]
# nothing said
`;

/** Keys with values that fit and some that do not. */
const change = fc.oneof(
  fc.tuple(fc.constantFrom("default.language"), fc.constantFrom("en", "ru", "zh", "xx")),
  fc.tuple(fc.constantFrom("default.temperature"), fc.constantFrom("0.5", "1", "3", "[]")),
  fc.tuple(
    fc.constantFrom("agent.turn_timeout_s", "agent.max_failed_rounds"),
    fc.nat(90).map(String),
  ),
  fc.tuple(
    fc.constantFrom("http.port", "retention.history_days", "context.max_files"),
    fc.nat(300).map(String),
  ),
  fc.tuple(
    fc.constantFrom("security.allowed_commands"),
    fc.constantFrom('["ls"]', '["ls", "cat", "git"]', "[]", '["ls", "cat"]'),
  ),
  fc.tuple(fc.constantFrom("workspaces.site.check"), fc.constantFrom("false", "[]", '[["a"]]')),
  fc.tuple(
    fc.constantFrom("routines.jobs.tidy.task"),
    fc.string({ minLength: 1, maxLength: 9 }).filter((text) => !text.includes("#")),
  ),
  fc.tuple(fc.constantFrom("routines.jobs.tidy.enabled"), fc.constantFrom("true", "false")),
);
const step = fc.record({ change, isUnset: fc.boolean() });

test("setKey() and unsetKey() in any order keep every comment, and the file can always be read", async () => {
  using dir = tempDir();
  const path = join(dir.path, "config.toml");
  const options = { path, cwd: dir.path, home: dir.path, env: {} };
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
      async (steps, eol) => {
        const text = TEXT.replaceAll("\n", eol);
        writeFileSync(path, text);
        for (const {
          change: [name, value],
          isUnset,
        } of steps) {
          const before = readFileSync(path, "utf8");
          const asked = isUnset ? unsetKey(options, name) : setKey(options, name, value);
          const done = await asked.then(
            () => true,
            (error: unknown) => {
              if (error instanceof AppError) return false;
              throw error;
            },
          );
          const after = readFileSync(path, "utf8");
          if (!done) expect(after).toBe(before);
          await loadConfig(options);
          expect(comments(after)).toEqual(comments(text));
          if (done && isUnset) expect(textOf(after, name)).toBeUndefined();
        }
      },
    ),
    { numRuns: runs(20, 60) },
  );
});

/** What a file itself says of a key. */
function textOf(text: string, name: string): unknown {
  const path = name.split(".").map((part) => (part === "site" || part === "tidy" ? 0 : part));
  return valueAt(parse(text), path);
}

function comments(text: string): readonly string[] {
  const withoutTask = text.replace(/"""[^]*?"""/u, "");
  return withoutTask.match(/#[^\r\n]*/gu) ?? [];
}

test.each([
  ["a = 1 # why\nb = 2\n", ["a"], "# why\nb = 2\n"],
  ["  a = 1\nb = 2", ["a"], "b = 2"],
  ["b = 2\na = 1", ["a"], "b = 2\n"],
  ["x.a = 1\nx.b = 2\n", ["x", "a"], "x.b = 2\n"],
  ["x = { a = 1, b = 2 } # c\n", ["x", "a"], "x = { b = 2 } # c\n"],
  ["x = { a = 1, b = 2 }\n", ["x", "b"], "x = { a = 1 }\n"],
  ["x = { b = 2 }\n", ["x", "b"], "x = {  }\n"],
  ["x = { a = { b = 1, c = 2 } }\n", ["x", "a", "b"], "x = { a = { c = 2 } }\n"],
  ["[x] # t\na = 1\n# c\n[y]\nb = 1\n", ["x"], "# t\n# c\n[y]\nb = 1\n"],
  ["[x]\na = 1\n[x.y]\nb = 1\n[z]\n", ["x"], "[z]\n"],
  ["[x]\na = 1\n[x.y]\nb = 1\n[z]\n", ["x", "y"], "[x]\na = 1\n[z]\n"],
  ['[ x . "y" ]\r\na = 1\r\n', ["x", "y"], ""],
  ["[[x]]\na = [\n 1,\n]\nb = 1\n", ["x", 0, "a"], "[[x]]\nb = 1\n"],
  ["a = 1\n", ["b"], "a = 1\n"],
])("removeTomlKey() takes out of %j the key %j", async (text, path, after) => {
  expect(await removeTomlKey(text, path)).toEqual({ ok: true, text: after });
});

test("removeTomlKey() refuses what would lose a comment, and what it cannot read", async () => {
  const held = await removeTomlKey("a = [ # why\n1]\n", ["a"]);
  expect(held).toEqual({ ok: false, reason: "there is a comment in its value" });
  expect((await removeTomlKey("a = \n", ["a"])).ok).toBe(false);
});
