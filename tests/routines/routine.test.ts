import { describe, expect, test } from "bun:test";
import { globFaults } from "../../src/routines/parse-job.ts";
import { type RoutineJob, toRoutine } from "../../src/routines/routine.ts";
import { STARTERS, toStarterName } from "../../src/routines/starters.ts";
import { validateRoutine } from "../../src/routines/validate-routine.ts";
import { routine } from "./bench.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

const job: RoutineJob = {
  name: "morning-tidy",
  schedule: "0 8 * * *",
  timezone: "Europe/Berlin",
  workspace: "sample",
  mode: "plan",
  task: "Add what a newcomer would miss",
  channel: "telegram",
  misfire: "once",
  only_if_changed: true,
  enabled: false,
  max_runs_per_day: 0,
  max_tokens_per_day: 5000,
  max_cost_per_day: 0.5,
  watch: "",
  trigger_secret: "",
};

describe("toRoutine()", () => {
  test("keeps what the configuration says", () => {
    expect(toRoutine(job, "config")).toEqual({
      name: "morning-tidy",
      source: "config",
      schedule: "0 8 * * *",
      timezone: "Europe/Berlin",
      workspace: "sample",
      mode: "plan",
      task: "Add what a newcomer would miss",
      channel: "telegram",
      misfire: "once",
      onlyIfChanged: true,
      enabled: false,
      caps: { runs: 0, tokens: 5000, cost: 0.5 },
    });
  });

  test("takes globs from where the workspace begins, as files of it are named", () => {
    const asked = { ...job, watch: ".//./docs/*.md", only_if_changed: "glob:./src/**" };
    expect(toRoutine(asked, "config")).toMatchObject({
      watch: "docs/*.md",
      onlyIfChanged: "glob:src/**",
    });
  });

  test("keeps what it watches and who may start it", () => {
    const asked = toRoutine({ ...job, watch: "src", trigger_secret: "env:HOOK" }, "config");
    expect(asked).toMatchObject({ watch: "src", triggerSecret: "env:HOOK" });
  });

  test("takes the machine's timezone and no workspace when none is named", () => {
    const bare = toRoutine({ ...job, timezone: undefined, workspace: "" }, "dynamic");
    expect(bare.timezone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(bare.isLocal).toBe(true);
    expect(bare).not.toHaveProperty("workspace");
  });
});

describe("validateRoutine()", () => {
  test("accepts a question without a workspace", () => {
    expect(validateRoutine(routine(), NOW)).toBeUndefined();
  });

  test.each(["plan", "apply"] as const)("refuses %s without a workspace", (mode) => {
    const failure = validateRoutine(routine({ mode }), NOW);
    expect(failure?.code).toBe("ERR_ROUTINE_INVALID");
    expect(failure?.message).toBe(
      `Cannot run the routine "hello": mode "${mode}" needs a workspace; name one`,
    );
  });

  test.each([
    ["watch", { watch: "src" }],
    ["watch", { watch: "" }],
    ['only_if_changed "glob:*.md"', { onlyIfChanged: "glob:*.md" }],
    [undefined, { onlyIfChanged: "url:https://a.example/" }],
    [undefined, { onlyIfChanged: true }],
  ] as const)("says that %s needs a workspace, of %j", (what, change) => {
    const needed = `Cannot run the routine "hello": ${what} needs a workspace; name one`;
    const message = what === undefined ? undefined : needed;
    expect(validateRoutine(routine(change), NOW)?.message).toBe(message);
    expect(validateRoutine(routine({ ...change, workspace: "sample" }), NOW)).toBeUndefined();
  });

  test("refuses a schedule that is none", () => {
    const failure = validateRoutine(routine({ schedule: "at eight" }), NOW);
    expect(failure?.message).toContain('"at eight"');
  });
});

describe("globFaults()", () => {
  test.each(["/etc/*.md", "../x", "a/../b", "..", "a/./b", ".", "a/.."])(
    "tells of %p, which no file of a workspace fits, and of which key; the schedule holds",
    (glob) => {
      const paths = ["etc/a.md", "x", "b", "a", "a/b", "a/x/b", "etc/x/a.md"];
      expect(paths.filter((path) => new Bun.Glob(glob).match(path))).toEqual([]);
      const asked = { ...job, workspace: "sample", watch: glob, only_if_changed: `glob:${glob}` };
      const message = `no file of a workspace fits "${glob}"; give a path below it`;
      expect(globFaults(asked)).toEqual([
        { path: ["watch"], message },
        { path: ["only_if_changed"], message },
      ]);
      for (const source of ["config", "dynamic"] as const) {
        expect(validateRoutine(toRoutine(asked, source), NOW)).toBeUndefined();
      }
    },
  );

  test.each(["**/*.md", ".github/**", "..a/b", "a/.b", "a..b", "{../a,b}", "{a/../b,c}", "!../x"])(
    "takes %p, which some file may fit",
    (glob) => {
      const asked = { ...job, watch: `./${glob}`, only_if_changed: `glob:${glob}` };
      expect(globFaults(asked)).toEqual([]);
    },
  );
});

describe("toStarterName()", () => {
  test("knows the routines to begin with, and no other word", () => {
    for (const name of Object.keys(STARTERS)) expect<string>(toStarterName(name) ?? "").toBe(name);
    for (const word of ["", "constructor", "Morning"]) expect(toStarterName(word)).toBeUndefined();
  });

  test.each(Object.entries(STARTERS))("%s can run as it is", (_, starter) => {
    const { schedule, mode, needsWorkspace } = starter;
    const place = needsWorkspace && { workspace: "sample" };
    expect(validateRoutine(routine({ schedule, mode, ...place }), NOW)).toBeUndefined();
  });
});
