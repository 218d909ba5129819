import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeTree } from "../support/tree.ts";
import { type Notice, type Step, WALKS } from "./walks/steps.ts";
import { copyAndWalk, type WalkedCopy } from "./walks/walked-copy.ts";

/**
 * Does in a copy of the project what CONTRIBUTING.md says under "How to add …", to the letter:
 * with every step the project's checks pass, and whoever leaves one out is told so.
 */
const GUIDE = readFileSync(join(import.meta.dir, "../../CONTRIBUTING.md"), "utf8");
const STEPS = Object.values(WALKS).flat();
const IS_LONG = process.env["LONG"] !== undefined;

let opened: WalkedCopy | undefined;
afterAll(() => opened?.[Symbol.dispose]());

/** The copy with these steps, made by the test that needs it first: a hook has a short limit. */
function walk(steps: readonly Step[] = STEPS): WalkedCopy {
  opened ??= copyAndWalk(STEPS);
  opened.take(steps);
  return opened;
}

describe.each(Object.entries(WALKS))("CONTRIBUTING.md on %s", (what, steps) => {
  const [, rest = ""] = GUIDE.split(`\n**${what}`);
  const [paragraph = ""] = rest.split("\n\n");

  test("asks for each step of its walk", () => {
    expect(steps.filter(({ words }) => !paragraph.includes(words))).toEqual([]);
  });

  test("says what notices a step that is left out", () => {
    const silent = steps.filter(({ noticed }) => !NOTICES[noticed.by].test(paragraph));
    expect(silent.map(({ words }) => words)).toEqual([]);
  });
});

/** How CONTRIBUTING.md speaks of what notices a step. */
const NOTICES: Readonly<Record<Notice["by"], RegExp>> = {
  test: /\btests?\b/u,
  compiler: /does not compile/u,
  knip: /`npm run dead`/u,
  budget: /says how much and why/u,
};

test("with every step done the tests pass", async () => {
  const copy = walk();
  const own = [...noticedBy("test"), ...noticedBy("budget")].map(([, , notice]) => notice);
  const whole = own.filter(({ only }) => IS_LONG || only === undefined).map(({ file }) => file);
  const files = [...new Set([...EVERYBODYS, ...whole])];
  expect(await copy.runTests(files), OWN_FIRST).toMatchObject({ end: "passed" });
  const parts = own.filter(({ file }) => !files.includes(file)).map(({ file }) => file);
  const only = ["^walk-board", ...own.flatMap((notice) => notice.only ?? [])].join("|");
  if (!IS_LONG)
    expect(await copy.runTests([...new Set(parts)], only), OWN_FIRST).toMatchObject({
      end: "passed",
    });
});

const OWN_FIRST = "the copy has your changes: mend first what fails without a walk";

/** What holds of the whole project, and is cheap. */
const EVERYBODYS = [
  "tests/repository/layers.test.ts",
  "tests/repository/bags.test.ts",
  "tests/docs/every-snippet.test.ts",
  "tests/docs/settings.test.ts",
];

test("with every step done the tool and the key are there", () => {
  const copy = walk();
  const main = [process.execPath, "src/main.ts"] as const;
  writeTree(join(copy.root, "../w"), { "a.txt": "one\ntwo\n" });
  const call = copy.run(...main, "tool", "walk_lines", '{"path":"a.txt"}', "-w", "../w");
  expect(call).toMatchObject({ exitCode: 0, output: expect.stringContaining("2 lines") });
  const key = copy.run(...main, "config", "get", "agent.walk_key_lines");
  expect(key).toMatchObject({ exitCode: 0, output: expect.stringContaining("10") });
});

describe.each(noticedBy("test"))("without %p", (_, step, { file, only }) => {
  test(`${file} fails`, async () => {
    const copy = walk(STEPS.filter((each) => each !== step));
    const { end, output } = await copy.runTests([file], only);
    expect([end, output]).toEqual(["failed", expect.stringMatching(/^\(fail\)/mu)]);
  });
});

test("with every step done it compiles, and with a part left out it does not", () => {
  const copy = walk();
  const faults = noticedBy("compiler").flatMap(([, , { faults: each }]) => each);
  const said = copy.compile(IS_LONG ? ["src", "tests"] : COMPILED, faults);
  expect(said.get(undefined)).toBeUndefined();
  const refused = faults.filter((fault) => /error TS2\d+/u.test(said.get(fault) ?? ""));
  expect(refused).toEqual(faults);
});

/** What the walks write, but for the two files that the whole product hangs on. */
const COMPILED = [
  "src/config/schema/definition.ts",
  "src/core/error-codes.ts",
  "src/texts/failures/failures.ts",
  "src/tools/create.ts",
  "src/daemon/channels/create-walk-board.ts",
  "tests/channels/conformance/walk-board-harness.ts",
];

// Minutes on a busy machine: `npm run test:long -- walks`.
if (IS_LONG) {
  test("with every step done formatting, lint, types and dead code pass", () => {
    const copy = walk();
    for (const script of ["format:check", "lint", "types", "dead"]) {
      const { exitCode, output } = copy.run(process.execPath, "run", script);
      expect([script, exitCode, output]).toEqual([script, 0, expect.any(String)]);
    }
  });

  test.each(noticedBy("knip"))("without %p knip names the file", (_, step, { names }) => {
    const copy = walk(STEPS.filter((each) => each !== step));
    const { exitCode, output } = copy.run(process.execPath, "run", "dead");
    expect([exitCode, output]).toEqual([1, expect.stringContaining(names)]);
  });
}

/** The steps that one kind of check notices, by their words. */
function noticedBy<By extends Notice["by"]>(by: By) {
  return STEPS.flatMap((step) =>
    isNoticedBy(step.noticed, by) ? [[step.words, step, step.noticed] as const] : [],
  );
}

function isNoticedBy<By extends Notice["by"]>(
  notice: Notice,
  by: By,
): notice is Extract<Notice, { by: By }> {
  return notice.by === by;
}
