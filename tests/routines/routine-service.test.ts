import { beforeEach, describe, expect, test } from "bun:test";
import type { RoutinesOfChats } from "../../src/agent/deps.ts";
import type { AgentEvent } from "../../src/channels/channel.ts";
import { errorMessage } from "../../src/core/app-error.ts";
import type { Routine } from "../../src/routines/routine.ts";
import type { RoutineServiceDeps } from "../../src/routines/routine-service.ts";
import { createRoutineRuns, type RoutineRuns } from "../../src/store/routines/routines.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { routineService } from "../support/routine-service.ts";
import { patient, routine, toJob } from "./bench.ts";
import { FakeClock, settle } from "./fake-clock.ts";

const HOUR = 3_600_000;
const EVENT: AgentEvent = { kind: "content", text: "look" };
const ADDED = {
  name: "added",
  schedule: "0 * * * *",
  timezone: "UTC",
  mode: "ask",
  channel: "none",
  task: "Ask",
};
let clock: FakeClock;
let runs: RoutineRuns;

beforeEach(() => {
  clock = new FakeClock("2026-05-01T12:00:00Z");
  runs = createRoutineRuns(memoryStore());
});

function open(
  change: Partial<Omit<RoutineServiceDeps, "catalog">> = {},
  routines: readonly Partial<Routine>[] = [{}],
): RoutinesOfChats {
  return routineService(
    routines.map((each) => toJob(routine(each))),
    { clock, runs, ...change },
  );
}

/** A run that lasts until somebody ends it. */
function endless() {
  const begun: string[] = [];
  const perform: RoutineServiceDeps["perform"] = ({ name }, _dueAt, signal) => {
    begun.push(name);
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  };
  return { begun, perform };
}

describe("RoutineService.find()", () => {
  test("has what there is to say of one, and of no other", () => {
    const service = open({ running: () => new Set(["tidy"]) }, [
      {},
      { name: "tidy", workspace: "notes", mode: "plan" },
    ]);
    runs.claim({ routine: "tidy", dues: [1], cause: "schedule", now: 1, leaseUntil: 2 });
    expect(service.find("tidy")).toEqual({
      name: "tidy",
      source: "config",
      schedule: "0 8 * * *",
      timezone: "UTC",
      mode: "plan",
      workspace: "notes",
      state: "running",
      next: [1, 2, 3].map((day) => clock.now() - 4 * HOUR + day * 24 * HOUR),
      last: expect.objectContaining({ dueAt: 1 }),
    });
    expect(service.find("hello")).not.toHaveProperty("workspace");
    expect(service.find("hello")).not.toHaveProperty("last");
    expect(() => service.find("nobody")).toThrow('"nobody"');
  });
});

describe("RoutineService.readSchedule()", () => {
  test("reads words, and throws for what cannot be used", async () => {
    const service = open();
    expect(await service.readSchedule("every day at 9", "UTC")).toMatchObject({
      schedule: "0 9 * * *",
      next: [clock.now() + 21 * HOUR, clock.now() + 45 * HOUR, clock.now() + 69 * HOUR],
    });
    const refused = await service.readSchedule("sometimes", "UTC").catch((error) => error);
    expect(refused).toMatchObject({
      code: "ERR_ROUTINE_INVALID",
      message: expect.stringContaining("sometimes"),
    });
  });
});

describe("RoutineService.change()", () => {
  test("gives what was added other keys, by the mark that its entry has", async () => {
    const service = open();
    expect(await service.add(ADDED)).toMatchObject({ name: "added", source: "dynamic" });
    const { mark, ...entry } = await service.entry("added");
    expect([typeof mark, entry]).toEqual([
      "string",
      {
        schedule: "0 * * * *",
        timezone: "UTC",
        mode: "ask",
        channel: "none",
        task: "Ask",
      },
    ]);
    await service.checkChange("added", { task: "Other" });
    expect((await service.entry("added")).task).toBe("Ask");
    expect(await service.change("added", { schedule: "0 7 * * *" }, mark)).toMatchObject({
      schedule: "0 7 * * *",
      source: "dynamic",
    });
    expect((await service.entry("added")).task).toBe("Ask");
    expect(await service.change("added", {}, mark).catch(errorMessage)).toContain("by now");
  });

  test("checks what the whole entry would be, and whose it is", async () => {
    const service = open();
    await service.add(ADDED);
    const check = (name: string, keys: Readonly<Record<string, unknown>>) =>
      service.checkChange(name, keys).catch(errorMessage);
    expect(await check("added", { schedule: "x" })).toContain('"x"');
    // What is not changed counts: a plan needs a workspace, and its name stays its own.
    expect(await check("added", { mode: "plan" })).toContain("workspace");
    expect(await check("added", { name: "hello" })).toBeUndefined();
    expect(await check("hello", {})).toContain("config.toml");
    expect(await check("nobody", {})).toContain('"nobody"');
  });
});

describe("RoutineService.turn() and remove()", () => {
  test("switch one, and take one away", async () => {
    const service = open();
    await service.add(ADDED);
    service.turn("added", false);
    expect(service.find("added")).toMatchObject({ state: "disabled", next: [] });
    service.turn("added", true);
    expect(service.find("added").state).toBe("waiting");
    service.remove("added");
    expect(service.list().map(({ name }) => name)).toEqual(["hello"]);
  });
});

describe("RoutineService.ahead()", () => {
  const ahead = (hours: number, most: number, name = "hello") =>
    open({}, [
      { schedule: "0 * * * *", task: "Say hello", channel: "telegram" },
      { name: "off", enabled: false },
      { name: "bad", schedule: "x" },
    ]).ahead(name, clock.now() + hours * HOUR, most);
  const dues = (count: number) =>
    Array.from({ length: count }, (_, at) => clock.now() + (at + 1) * HOUR);

  test("has the instants up to and with the last, and says whether there are more", () => {
    expect(ahead(3, 5)).toEqual({
      task: "Say hello",
      channel: "telegram",
      dues: dues(3),
      isMore: false,
    });
    expect(ahead(3, 3)).toMatchObject({ dues: dues(3), isMore: false });
    expect(ahead(4, 3)).toMatchObject({ dues: dues(3), isMore: true });
    expect(ahead(40, 3)).toMatchObject({ dues: dues(3), isMore: true });
    expect(ahead(0, 3)).toMatchObject({ dues: [], isMore: false });
  });

  test("has none of one that is switched off or cannot run", () => {
    for (const name of ["off", "bad"]) expect(ahead(400, 3, name)).toMatchObject({ dues: [] });
  });
});

describe("RoutineService.logs() and older()", () => {
  test("give the newest first, and say how many there are", () => {
    const service = open();
    runs.recordMissed("hello", [1, 2, 3, 4], 5);
    runs.recordMissed("gone", [9], 9);
    const rows = (name: string | undefined, limit: number) => {
      const few = service.logs(name, limit);
      return [few.take(() => {}).map(({ dueAt }) => dueAt), few.total];
    };
    expect(rows("hello", 2)).toEqual([[4, 3], 4]);
    expect(rows("hello", 4)).toEqual([[4, 3, 2, 1], 4]);
    expect(rows("hello", Infinity)).toEqual([[4, 3, 2, 1], 4]);
    expect(rows(undefined, 2)).toEqual([[9, 4], 5]);
    expect(rows("gone", 2)).toEqual([[9], 1]);
    expect(() => rows("nobody", 2)).toThrow('"nobody"');
    expect(service.older("hello", 4, 2).map(({ dueAt }) => dueAt)).toEqual([3, 2]);
    expect(service.older("hello", 2, 2).map(({ dueAt }) => dueAt)).toEqual([1]);
  });
});

describe("RoutineService.stop()", () => {
  test("ends what was run by hand, once, and says so in its row", async () => {
    const { begun, perform } = endless();
    const service = open({ perform });
    expect(service.stop("hello")).toBe(false);
    const run = service.run("hello", patient);
    await settle();
    expect(begun).toEqual(["hello"]);
    expect(service.stop("other")).toBe(false);
    expect(service.stop("hello")).toBe(true);
    expect(await run).toMatchObject({ state: "unknown", error: "it was stopped while it ran" });
    expect(service.stop("hello")).toBe(false);
  });

  test("asks whoever keeps the schedule where nothing was run by hand", () => {
    const service = open({ end: (name) => name === "hello" });
    expect([service.stop("hello"), service.stop("other")]).toEqual([true, false]);
  });

  test("ends the one that runs, whatever the clock says and whoever asks for another", async () => {
    const { begun, perform } = endless();
    const service = open({ perform });
    const older = service.run("hello", patient);
    await settle();
    // The lid was closed: the lease of the older is over, and it runs.
    clock.jumpTo("2026-05-02T12:00:00Z");
    const newer = await service.run("hello", patient);
    expect([newer.state, newer.error]).toEqual(["skipped", "the previous run had not finished"]);
    expect(begun).toHaveLength(1);
    expect(service.stop("hello")).toBe(true);
    expect(await older).toMatchObject({ state: "unknown" });
    expect(service.stop("hello")).toBe(false);
  });
});

describe("RoutineService.runFor()", () => {
  test("runs it for its owner, who is given what it shows", async () => {
    const asked: unknown[] = [];
    const owner = { userId: "u", sessionId: "s" };
    const begin = () => {};
    const service = open({
      perform: async (_routine, _dueAt, _signal, asker) => {
        asked.push(asker);
        return { state: "ok", output: "done", events: [EVENT] };
      },
    });
    const { run, events } = await service.runFor(owner, "hello", patient, begin);
    expect([run.state, run.output, events, asked]).toEqual([
      "ok",
      "done",
      [EVENT],
      [{ owner, begin }],
    ]);
    await service.run("hello", patient);
    expect(asked[1]).toBeUndefined();
  });
});

describe("RoutineService.dry()", () => {
  test("gives what the routine would do, where somebody plans that", async () => {
    const dry = { ok: true, text: "a plan", tokens: 1, cost: 2 };
    const service = open({ dry: async ({ name }) => ({ ...dry, text: name }) });
    expect(await service.dry("hello", patient)).toEqual({ ...dry, text: "hello" });
    expect(await open().dry("hello", patient).catch(errorMessage)).toContain("nothing plans");
  });
});
