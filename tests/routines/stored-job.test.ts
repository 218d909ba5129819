import { expect, test } from "bun:test";
import fc from "fast-check";
import { routineList } from "../../src/cli/routine/routine.ts";
import { readStoredJob } from "../../src/routines/routine.ts";
import { createRoutineRuns } from "../../src/store/routines/routines.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { routineService } from "../support/routine-service.ts";

const JOB = {
  name: "tidy",
  schedule: "0 8 * * *",
  timezone: "UTC",
  mode: "ask",
  task: "tidy up",
  channel: "none",
  misfire: "skip",
  only_if_changed: "glob:*.md",
  enabled: true,
  max_runs_per_day: 0,
  max_tokens_per_day: 0,
  max_cost_per_day: 0,
  watch: "",
  trigger_secret: "",
};

test("readStoredJob() gives back what was stored", () => {
  const stored = { name: "tidy", jobJson: JSON.stringify(JOB) };
  expect({ ...readStoredJob(stored) }).toMatchObject(JOB);
});

test("readStoredJob() switches off what lacks a key or has one of another kind, and nothing else", () => {
  const isOn = (job: object) =>
    readStoredJob({ name: "tidy", jobJson: JSON.stringify(job) }).enabled;
  const whole = { ...JOB, workspace: "sample" };
  for (const key of Object.keys(whole)) {
    const isOptional = key === "timezone" || key === "workspace";
    expect([key, isOn({ ...whole, [key]: undefined })]).toEqual([key, isOptional]);
    for (const strange of [null, [], {}]) {
      expect([key, strange, isOn({ ...whole, [key]: strange })]).toEqual([key, strange, false]);
    }
  }
  expect([isOn({ ...whole, only_if_changed: true }), isOn({ ...whole, mode: 1 })]).toEqual([
    true,
    false,
  ]);
});

test.each([
  ["", '""'],
  [" tidy", '" tidy"'],
  ["ti\u202edy", String.raw`"ti\u{202e}dy"`],
  ["tidy up", "tidy up"],
])("routineList() shows a name as it is to be written for a removal: %j", (name, shown) => {
  const lines: string[] = [];
  const job = readStoredJob({ name, jobJson: "[]" });
  const runs = createRoutineRuns(memoryStore());
  const routines = routineService([job], { runs });
  routineList({ routines, json: false, print: (text) => lines.push(text), note: () => {} });
  expect(lines.join("").split("\n")[1]).toStartWith(`${shown}  `);
});

test("routineList() lists a stored job that lacks a key, has one of another kind, or is none", () => {
  const broken = fc
    .tuple(fc.constantFrom(...Object.keys(JOB)), fc.jsonValue())
    .map(([key, value]) => JSON.stringify({ ...JOB, [key]: value }));
  const lacking = fc
    .subarray(Object.entries(JOB))
    .map((keys) => JSON.stringify(Object.fromEntries(keys)));
  const runs = createRoutineRuns(memoryStore());
  fc.assert(
    fc.property(fc.oneof(broken, lacking, fc.json(), fc.string()), (jobJson) => {
      const lines: string[] = [];
      const job = readStoredJob({ name: "tidy", jobJson });
      routineList({
        routines: routineService([job], { runs }),
        json: false,
        print: (text) => lines.push(text),
        note: () => {},
      });
      expect(lines.join("")).toContain("tidy");
    }),
  );
});
