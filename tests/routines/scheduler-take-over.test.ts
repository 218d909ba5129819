import { describe, expect, test } from "bun:test";
import { bench, patient, routine } from "./bench.ts";
import { FakeClock } from "./fake-clock.ts";

const job = routine({ schedule: "0 * * * *", misfire: "all", channel: "telegram" });

describe("Scheduler.start() once the daemon of a copy has ended", () => {
  test.each([
    ["before", "2026-05-01T13:20:00Z", []],
    ["after", "2026-05-01T12:50:00Z", ["hello 2026-05-01T13:00:00.000Z"]],
  ])("makes up for nothing of %s it was last seen", async (_what, seenAt, made) => {
    const clock = new FakeClock("2026-05-01T08:30:00Z");
    const before = bench(clock, [job], { run: () => new Promise(() => {}) });
    before.scheduler.start();
    await clock.advance(30 * 60_000);
    const stop = before.scheduler.stop(AbortSignal.abort());
    // As a copy has it that was made in the middle of a run.
    const { database } = before;
    database.run(
      "UPDATE routine_runs SET runner = '1 gone', state = 'running', finished_at = NULL",
    );
    database.run(`INSERT INTO routine_runs (routine, due_at, cause, state, delivery, input, runner)
      VALUES ('hello', 7, 'webhook', 'due', 'none', 'words', '1 gone')`);
    await stop;
    const later = new FakeClock("2026-05-01T13:30:00Z");
    const copy = bench(later, [job], { database });
    copy.scheduler.start(Date.parse(seenAt));
    await later.advance(1000);
    expect(copy.started).toEqual(made);
    expect(copy.runs.get("hello", 7)?.state).toBe("missed");
    expect(copy.runs.input("hello", 7)).toBeUndefined();
    expect(copy.sent.filter((text) => text.includes("missed"))).toEqual([]);
    await later.advanceTo("2026-05-01T14:00:01Z");
    expect(copy.started).toEqual([...made, "hello 2026-05-01T14:00:00.000Z"]);
    await copy.scheduler.stop(patient);
  });
});
