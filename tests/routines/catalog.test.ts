import { beforeEach, describe, expect, test } from "bun:test";
import { validateConfig } from "../../src/config/load/validate.ts";
import { errorMessage } from "../../src/core/app-error.ts";
import { type Catalog, createCatalog } from "../../src/routines/catalog.ts";
import { createRoutineTable, type RoutineTable } from "../../src/store/routines/routine-table.ts";
import { memoryStore } from "../support/fresh-store.ts";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const JOB = { name: "tidy", schedule: "0 8 * * *", mode: "plan", workspace: "notes", task: "Tidy" };
let table: RoutineTable;
let catalog: Catalog;

beforeEach(() => {
  const checked = validateConfig({
    workspaces: [{ name: "notes", path: "/tmp" }],
    routines: { jobs: [{ ...JOB, name: "static" }] },
  });
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  table = createRoutineTable(memoryStore());
  catalog = createCatalog({ config: () => checked.config, table, now: () => NOW });
});

function names(): string[] {
  return catalog.list().map(({ name, source, enabled }) => `${name} ${source} ${enabled}`);
}

describe("Catalog.add()", () => {
  test("keeps a routine next to those of config.toml, with the defaults filled in", async () => {
    const added = await catalog.add(JOB);
    expect(added).toMatchObject({ source: "dynamic", channel: "telegram", misfire: "once" });
    expect(names()).toEqual(["static config true", "tidy dynamic true"]);
  });

  test.each(["static", "tidy"])("refuses the taken name %p", async (name) => {
    await catalog.add(JOB);
    const failure = await catalog.add({ ...JOB, name }).catch(errorMessage);
    expect(failure).toContain(`"${name}": the name is taken`);
  });

  test.each<readonly [string, Record<string, unknown>]>([
    ["schedule", { schedule: "0 8 * *" }],
    ["never comes due", { schedule: "0 0 30 2 *" }],
    ["more than once a minute", { schedule: "* * * * * *" }],
    ["time zone", { timezone: "Mars/Base" }],
    ["allowed: notes", { workspace: "elsewhere" }],
    ["needs one", { workspace: "" }],
    ["watch: no file of a workspace fits", { watch: "../inbox/*.md" }],
    ["only_if_changed: no file of a workspace fits", { only_if_changed: "glob:/inbox/*.md" }],
    ["mode", { mode: "rule" }],
    ["channel", { channel: "pigeon" }],
    ["name", { name: "../../etc" }],
    ["task", { task: "" }],
    ["max_runs_per_day", { max_runs_per_day: -1 }],
    ["unknown key", { autonomy: "full" }],
    ["so that no secret is stored", { trigger_secret: "hunter2hunter2" }],
  ])("refuses what config.toml would not take: %s", async (word, change) => {
    const failure = await catalog.add({ ...JOB, ...change }).catch(errorMessage);
    expect(failure).toContain(word);
    expect(names()).toEqual(["static config true"]);
  });

  test("keeps a hostile task as the text it is", async () => {
    const task = `'); DROP TABLE routines; -- "\u202e\n\0`;
    await catalog.add({ ...JOB, task });
    expect(catalog.find("tidy").task).toBe(task);
  });
});

describe("Catalog.changes()", () => {
  const change = async (keys: Record<string, unknown>, mark?: string, name = "tidy") => {
    const changes = await catalog.changes();
    return changes.change(name, keys, mark ?? changes.entry(name).mark);
  };

  test("gives keys other values, and keeps the switch, the others and the place", async () => {
    await catalog.add({ ...JOB, max_runs_per_day: 3, trigger_secret: "env:HOOK" });
    await catalog.add({ ...JOB, name: "later" });
    catalog.turn("tidy", false, "ten failures");
    await change({ schedule: "30 9 * * *", task: "Tidy up" });
    expect(catalog.find("tidy")).toMatchObject({
      schedule: "30 9 * * *",
      task: "Tidy up",
      workspace: "notes",
      enabled: false,
      offReason: "ten failures",
      caps: { runs: 3 },
      triggerSecret: "env:HOOK",
    });
    expect(names()).toEqual(["static config true", "later dynamic true", "tidy dynamic false"]);
  });

  test.each<readonly [string, Record<string, unknown>]>([
    ["schedule", { schedule: "0 8 * *" }],
    ["allowed: notes", { workspace: "elsewhere" }],
    ["task", { task: "" }],
    ["unknown key", { autonomy: "full" }],
  ])("refuses what could not be added either: %s", async (word, keys) => {
    await catalog.add(JOB);
    const before = table.jobs();
    expect(await change(keys).catch(errorMessage)).toContain(word);
    expect(table.jobs()).toEqual(before);
  });

  test("changes nothing of one that is another by now, gone, in config.toml or unknown", async () => {
    await catalog.add(JOB);
    const { mark } = (await catalog.changes()).entry("tidy");
    await change({ task: "Sweep" });
    expect(await change({ task: "Mine" }, mark).catch(errorMessage)).toContain("another by now");
    expect(catalog.find("tidy").task).toBe("Sweep");
    catalog.remove("tidy");
    expect(await change({ task: "Mine" }, mark).catch(errorMessage)).toContain('"static"');
    expect(await change({ task: "x" }, mark, "static").catch(errorMessage)).toContain(
      "config.toml",
    );
  });

  test("of many changes at once one counts", async () => {
    await catalog.add(JOB);
    const { mark } = (await catalog.changes()).entry("tidy");
    const all = Array.from({ length: 20 }, (_, n) => change({ task: `Task ${n}` }, mark));
    const done = await Promise.allSettled(all);
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("has one mark for entries that differ in their secret alone", async () => {
    const mark = async (secret: string) => {
      await catalog.add({ ...JOB, trigger_secret: secret });
      const found = (await catalog.changes()).entry("tidy").mark;
      catalog.remove("tidy");
      return found;
    };
    expect(await mark("env:ONE")).toBe(await mark("env:TWO"));
  });
});

describe("Catalog.remove()", () => {
  test("takes a dynamic routine away, with its switch", async () => {
    await catalog.add(JOB);
    catalog.turn("tidy", false);
    catalog.remove("tidy");
    await catalog.add(JOB);
    expect(names()).toEqual(["static config true", "tidy dynamic true"]);
  });

  test("refuses one of config.toml and one that is unknown", () => {
    expect(() => catalog.remove("static")).toThrow("it is in config.toml");
    expect(() => catalog.remove("nope")).toThrow('known are "static"');
  });
});

describe("Catalog.check()", () => {
  test("gives what would be added, and stores nothing; one that is changed keeps its name", async () => {
    expect(await catalog.check(JOB)).toMatchObject({ name: "tidy", source: "dynamic" });
    expect(names()).toEqual(["static config true"]);
    await catalog.add(JOB);
    expect(await catalog.check(JOB).catch(errorMessage)).toContain("the name is taken");
    expect((await catalog.check({ ...JOB, task: "Sweep" }, "changed")).task).toBe("Sweep");
    expect(catalog.find("tidy").task).toBe("Tidy");
  });

  test("of two that are added at once one is", async () => {
    const both = await Promise.allSettled([catalog.add(JOB), catalog.add(JOB)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const [, reason] = both.map((each) => errorMessage(Object(each).reason));
    expect(reason).toContain("the name is taken");
  });
});

test("Catalog.find() says of an unknown name what there is, or how to make one", async () => {
  expect(() => catalog.find("tidy")).toThrow('Cannot find the routine "tidy": known are "static"');
  expect(() => catalog.turn("tidy", true)).toThrow('"tidy"');
  expect(table.switches()).toEqual([]);
  const empty = { routines: { jobs: [] }, workspaces: [] };
  const none = createCatalog({ config: () => empty, table, now: () => NOW });
  expect(() => none.find("tidy")).toThrow("there are none; papayu routine add makes one");
});

describe("Catalog.turn()", () => {
  test("switches both kinds, also against config.toml, and says why papa-yu did", async () => {
    await catalog.add(JOB);
    catalog.turn("static", false, "it failed 10 times in a row");
    catalog.turn("tidy", false);
    expect(names()).toEqual(["static config false", "tidy dynamic false"]);
    expect(catalog.find("static").offReason).toBe("it failed 10 times in a row");
    expect(catalog.turn("static", true)).toMatchObject({ enabled: true, countsSince: NOW });
    expect(catalog.find("static").offReason).toBeUndefined();
  });
});
