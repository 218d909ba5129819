import { expect, test } from "bun:test";
import { join } from "node:path";

interface Rule {
  readonly form: RegExp;
  readonly why: string;
  /** Files it is for; default: all. */
  readonly where?: RegExp;
}

/**
 * A test is green on a machine that is ten times slower, or busy. So none of them holds measured
 * time against a number: what must end is shown by how it ends, what must come is waited for
 * (`tests/support/patience.ts`), what must not take long is counted in work
 * (`tests/support/effort.ts`), and time that matters is handed in (`tests/support/virtual-timers.ts`).
 */
const RULES: Readonly<Record<string, Rule>> = {
  "measured time": {
    form: /\bperformance\.now\(|\bhrtime\b|\bcpuUsage\(|Bun\.nanoseconds\(|Date\.now\(\) *-(?! *(?:\d|DAY_MS))|(?:<=?|(?<!=)>=?) *Date\.now\(/u,
    why: "a machine may be slower than any number",
  },
  "a bound on a duration": {
    form: /(?:[dD]urationMs|duration_ms|elapsed\w*|took\w*|seconds|Ms\(?\)?)\)\.toBe(?:LessThan|Within)/u,
    why: "a machine may be slower than any number",
  },
  "a limit of one test": {
    form: /^(?: {2})*\}, [\d_]+(?: [*+].*)?\);$|^ +[\d_]{4,},\n *\);$|\{ timeout: (?!100 \})|setDefaultTimeout/mu,
    why: "the runner's limit ends a hang, and a smaller one ends a busy machine's work",
    where: /\.test\.ts$/u,
  },
  "a limit of one wait": {
    form: /\b(?:waitForLog|waitForText)\([^\n]*, [\d_]+\)|\bwaitFor\([^\n]*, [\d_]+\)/u,
    why: "all waits have the patience of tests/support/patience.ts",
  },
  "a count of looks": {
    form: /for \(let (?:tries|attempt)\w* = 0;[^)]*\)[^\n]*(?:\n[^\n]*){0,3}(?:sleep\(|\breturn\b)/u,
    why: "until() of tests/support/patience.ts looks until it is so",
  },
  "a stop with little patience": {
    form: /\.(?:stop|close)\(AbortSignal\.timeout\([1-9]/u,
    why: "what is to end in order may take longer: 0 cuts it off, PATIENCE_MS waits for it",
  },
  "a routine whose time may come meanwhile": {
    form: /^schedule = "[\d*,/-]+ [\d*,/-]+ \* \* \*"/mu,
    why: "a daemon goes by the machine's clock: take the 29th of February, or half a day from now",
    where: /^(?:e2e|truth|cli|security)\//u,
  },
  "a script that ends by itself while it is waited for": {
    form: /(?:\bsleep |time\.sleep\()[2-8]\d\b(?![._])/u,
    why: "what has to be ended goes on for ten minutes, longer than any test has patience",
  },
  "a look for processes right behind their end": {
    form: /expect\(findProcesses\([^\n]*\)\)\.(?:toEqual\(\[\]\)|toHaveLength\(0\))/u,
    why: "the kernel may need a moment: areGone() waits",
  },
  "a look at a page at one instant": {
    form: /^(?!.*(?:img|script|a\[href)).*\.count\(\)\)\.toBe\(/mu,
    why: "a page hears later what changed: becomes() waits; what never may be there is looked at",
    where: /^(?:e2e|console)\//u,
  },
  "a database that is not waited for": {
    form: /new Database\((?!":memory:")/u,
    why: "a daemon, or what it left behind, may be writing: openBeside() waits",
    where: /^(?:e2e|truth|cli)\//u,
  },
  "a promise of an event that an error rejects": {
    form: /void once\(/u,
    why: "once() of node:events rejects at an error; take the emitter's own once()",
  },
};

/** What measures time all the same, and why no slow machine can break it. */
const MEASURES: Readonly<Record<string, string>> = {
  "support/patience.ts": "ends a hang",
  "support/processes.ts": "ends a hang",
  "support/bot-api-server.ts": "ends a hang, and tells when calls came",
  "support/effort.ts": "measures its own yardstick",
  "e2e/papayu.ts": "ends a hang",
  "system/run-command.test.ts": "ends a hang",
  "transaction/race-child.ts": "spins to meet another process, whatever comes of it",
  "transaction/random-kill.test.ts": "learns how long a run takes, to kill others within it",
  "cli/config.test.ts": "learns how long a run takes, to kill others within it",
  "e2e/real-workspaces.ts":
    "tells figures, and learns how long a run takes, to kill others within it",
  "e2e/durability.test.ts": "tells a figure, and looks seldom at much",
};

const sources = await Promise.all(
  [...new Bun.Glob("**/*.ts").scanSync(join(import.meta.dir, ".."))]
    .toSorted()
    .map(async (path) => {
      return { path, text: await Bun.file(join(import.meta.dir, "..", path)).text() };
    }),
);

function findBreaches(rule: string, { form, where }: Rule): readonly string[] {
  return sources
    .filter(({ path }) => path !== "repository/no-wall-clock.test.ts")
    .filter(({ path }) => rule !== "measured time" || !(path in MEASURES))
    .filter(({ path }) => where?.test(path) ?? true)
    .flatMap(({ path, text }) => {
      const found = form.exec(text);
      return found === null ? [] : [`${path}: ${found[0].trim()}`];
    });
}

test.each(Object.entries(RULES))("no test has %s", (name, rule) => {
  const { why } = rule;
  expect({ why, breaches: findBreaches(name, rule) }).toEqual({ why, breaches: [] });
});

test("whoever waits for a press's last word on the hurried clock holds the time", () => {
  const isHurried = /telegram\/bench\.ts"|from "\.\/bench\.ts"/u;
  const waiting = sources.filter(({ text }) => isHurried.test(text) && text.includes(".popUps"));
  expect(waiting.length).toBeGreaterThan(3);
  expect(waiting.filter(({ text }) => !text.includes(".holdTime()"))).toEqual([]);
});

test("every file that may measure time does", () => {
  const { form } = RULES["measured time"] ?? {};
  const idle = Object.keys(MEASURES).filter((file) => {
    return !sources.some(({ path, text }) => path === file && form?.test(text));
  });
  expect(idle).toEqual([]);
});

test.each([
  ["measured time", "expect(performance.now() - startedAt).toBeLessThan(2000);"],
  ["measured time", "while (Date.now() - begun < 500);"],
  ["a bound on a duration", "expect(result.durationMs).toBeLessThan(2000);"],
  ["a bound on a duration", "expect(seconds).toBeLessThan(10);"],
  ["a limit of one test", "}, 15_000);"],
  ["a limit of one test", "  60_000,\n);"],
  ["a limit of one wait", 'await bot.waitForText("all done", 15_000);'],
  ["a count of looks", "for (let tries = 0; tries < 9; tries++) await Bun.sleep(20);"],
  ["a count of looks", "for (let tries = 0; tries < 9; tries++) {\n  if (isSo()) return true;"],
  ["a stop with little patience", "await daemon.stop(AbortSignal.timeout(3000));"],
  ["a routine whose time may come meanwhile", 'schedule = "0 8 * * *"'],
  ["a script that ends by itself while it is waited for", "touch begun; sleep 60"],
  ["a look for processes right behind their end", "expect(findProcesses(name)).toEqual([]);"],
  ["a look at a page at one instant", 'expect(await page.locator(".item").count()).toBe(1);'],
  ["a database that is not waited for", 'new Database(join(home, "state.db"))'],
  ["a promise of an event that an error rejects", 'void once(socket, "close").then(go);'],
])("the rule against %s sees: %s", (rule, text) => {
  expect(text).toMatch(RULES[rule]?.form ?? /^$/u);
});
