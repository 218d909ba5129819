import { describe, expect, test } from "bun:test";
import { interruption } from "../../src/core/interruption.ts";
import { type ExecuteDeps, execute, settleRecalled } from "../../src/routines/execute.ts";
import type { Routine } from "../../src/routines/routine.ts";
import type { RunOutcome } from "../../src/routines/run.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { bench, patient, routine } from "./bench.ts";
import { FakeClock } from "./fake-clock.ts";

const HOUR = 3_600_000;

describe("execute()", () => {
  test("ends a run after 300 s, whether it obeys or not", async () => {
    const clock = new FakeClock("2026-05-01T07:59:00Z");
    const { scheduler, runs } = bench(clock, [routine(), routine({ name: "deaf" })], {
      run: ({ name }, _dueAt, signal) =>
        new Promise<RunOutcome>((_, reject) => {
          if (name !== "deaf") signal.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    scheduler.start();
    await clock.advance(10 * 60_000);
    await scheduler.stop(patient);
    for (const [name, finishedAt] of [
      ["hello", "2026-05-01T08:05:00Z"],
      ["deaf", "2026-05-01T08:05:10Z"],
    ] as const) {
      expect(runs.last(name)).toMatchObject({
        state: "failed",
        error: "it took longer than 300 s and was stopped",
        finishedAt: Date.parse(finishedAt),
      });
    }
  });

  test("delivers results, the first of several failures, and the end of them", async () => {
    const failed: RunOutcome = { state: "failed", output: "", error: "no provider" };
    const ok: RunOutcome = { state: "ok", output: "All tidy" };
    const skipped: RunOutcome = { state: "skipped", output: "", error: "nothing changed" };
    const { sent, runs } = await daily([ok, failed, failed, skipped, failed, ok, ok, skipped]);
    expect(sent).toEqual([
      'telegram: Routine "hello"\nAll tidy',
      'telegram: Routine "hello" failed: no provider\npapayu routine logs hello shows its runs',
      'telegram: Routine "hello" works again\nAll tidy',
      'telegram: Routine "hello"\nAll tidy',
    ]);
    expect(runs.list("hello", 9).map((run) => `${run.state} ${run.delivery}`)).toEqual([
      "skipped none",
      "ok delivered",
      "ok delivered",
      "failed none",
      "skipped none",
      "failed none",
      "failed delivered",
      "ok delivered",
    ]);
  });

  test.each(["queued", "nobody"] as const)("records %s", async (delivery) => {
    const { runs } = await daily([{ state: "ok", output: "x" }], { deliver: async () => delivery });
    expect(runs.last("hello")).toMatchObject({ state: "ok", delivery });
  });

  test("keeps a good run good when delivery fails or hangs", async () => {
    const ok: RunOutcome = { state: "ok", output: "x" };
    const refused = await daily([ok], { deliver: () => Promise.reject(new Error("offline")) });
    expect(refused.runs.last("hello")).toMatchObject({ state: "ok", delivery: "failed" });
    const { logged } = refused;
    expect(logged.map((line) => line.replace(/"duration_ms":0/u, '"duration_ms":…'))).toEqual([
      'ROUTINES_READ {"routines":1,"active":1}',
      'ROUTINE_DONE {"routine":"hello","state":"ok","duration_ms":…}',
      'ROUTINE_DELIVERY_FAILED {"routine":"hello","channel":"telegram","error":"offline"}',
    ]);
    const hangs = await daily([ok], { deliver: () => new Promise(() => {}) });
    expect(hangs.runs.last("hello")).toMatchObject({ state: "ok", delivery: "unknown" });
  });

  test("delivers nothing when there is nothing to say", async () => {
    const { sent, runs } = await daily([{ state: "ok", output: "" }]);
    expect(sent).toEqual([]);
    expect(runs.last("hello")?.delivery).toBe("none");
  });
});

const DUE = Date.parse("2026-05-01T08:00:00Z");
const FAILED: RunOutcome = { state: "failed", output: "", error: "no network" };
const AGAIN: RunOutcome = { ...FAILED, isRetryable: true };

/** What nobody asks for in a test of something else. */
const DEPS: Omit<ExecuteDeps, "runs" | "clock"> = {
  run: async () => FAILED,
  deliver: async () => "delivered",
  switchOff: () => {},
  texts: () => textsIn("en"),
  log: () => {},
};

/** One claimed run, and what is left of it when all its waits are over. */
async function once(
  run: (clock: FakeClock, signal: AbortSignal) => Promise<RunOutcome>,
  options: { signal?: AbortSignal; recalled?: RunOutcome; change?: Partial<Routine> } = {},
) {
  const { signal = patient, recalled, change = {} } = options;
  const clock = new FakeClock("2026-05-01T08:00:00Z");
  const it = routine({ channel: "telegram", ...change });
  const { runs, sent, logged } = bench(clock, [it]);
  runs.claim({
    routine: it.name,
    dues: [DUE],
    now: DUE,
    leaseUntil: DUE + HOUR,
    cause: "schedule",
  });
  const deps: ExecuteDeps = {
    runs,
    run: (_routine, _dueAt, until) => run(clock, until),
    recall: () => recalled,
    deliver: async (_, text) => {
      sent.push(text);
      return "delivered";
    },
    switchOff: () => {},
    texts: () => textsIn("en"),
    clock,
    log: (event, fields) => logged.push(`${event} ${JSON.stringify(fields)}`),
  };
  const done = execute(it, DUE, deps, signal);
  await clock.advance(HOUR);
  await done;
  const { state, output, error, delivery } = runs.last(it.name) ?? {};
  return { clock, sent, state, output, error, delivery };
}

test("settleRecalled() logs whose end could not be recorded, and why", async () => {
  const clock = new FakeClock("2026-05-01T08:00:00Z");
  const it = routine();
  const { runs, logged } = bench(clock, [it]);
  const deps: ExecuteDeps = {
    ...DEPS,
    runs: {
      ...runs,
      finish() {
        throw new Error("the disk is full");
      },
    },
    recall: () => ({ state: "ok", output: "done" }),
    clock,
    log: (event, fields) => logged.push(`${event} ${JSON.stringify(fields)}`),
  };
  expect(settleRecalled(it, { dueAt: DUE, cause: "schedule" }, deps)).toBe(true);
  await Bun.sleep(0);
  expect(logged).toContain('ROUTINE_ERROR {"routine":"hello","error":"the disk is full"}');
});

describe("settleRecalled()", () => {
  const DONE: RunOutcome = { state: "ok", output: "done" };
  async function recalled(cause: "schedule" | "manual", outcome?: RunOutcome) {
    const clock = new FakeClock("2026-05-01T09:00:00Z");
    const it = routine({ channel: "telegram" });
    const { runs, sent } = bench(clock, [it]);
    const told: unknown[] = [];
    runs.claim({ routine: it.name, dues: [DUE], now: DUE, leaseUntil: DUE + 1, cause });
    runs.begin(it.name, DUE, DUE, DUE + 1);
    runs.markUnknown(clock.now(), true);
    const isKnown = settleRecalled(
      it,
      { dueAt: DUE, cause },
      {
        ...DEPS,
        runs,
        clock,
        recall: (_routine, dueAt) => (dueAt === DUE ? outcome : undefined),
        async deliver(channel, text, events) {
          // Who looks meanwhile sees that it is on its way.
          told.push(runs.last(it.name)?.delivery, events);
          sent.push(`${channel}: ${text}`);
          return "queued";
        },
      },
    );
    await clock.advance(1000);
    return { isKnown, sent, told, row: runs.last(it.name) };
  }

  test("records what the journals know and tells it as if it had just ended", async () => {
    expect(await recalled("schedule", DONE)).toMatchObject({
      isKnown: true,
      sent: ['telegram: Routine "hello"\ndone'],
      told: ["pending", undefined],
      row: { state: "ok", output: "done", delivery: "queued" },
    });
    const events: RunOutcome["events"] = [{ kind: "done" }];
    expect(await recalled("schedule", { ...DONE, events })).toMatchObject({
      sent: [`telegram: ${textsIn("en").routines.shown("hello")}`],
      told: ["pending", events],
    });
  });

  test("leaves what somebody ran by hand to who asked", async () => {
    expect(await recalled("manual", DONE)).toMatchObject({
      isKnown: true,
      sent: [],
      row: { state: "ok", delivery: "none" },
    });
  });

  test("says so where nobody knows", async () => {
    expect(await recalled("schedule")).toMatchObject({
      isKnown: false,
      sent: [],
      row: { state: "unknown" },
    });
  });
});

test("execute() runs nothing that it could not begin", async () => {
  const clock = new FakeClock("2026-05-01T08:00:00Z");
  const { runs } = bench(clock, []);
  const begun: number[] = [];
  const run = async (_routine: Routine, dueAt: number) => (begun.push(dueAt), FAILED);
  await execute(routine(), DUE, { ...DEPS, runs, clock, run }, patient);
  expect([begun, runs.list("hello", 9)]).toEqual([[], []]);
});

describe("execute(), of a run that", () => {
  const cutOff = (reason?: unknown) => ({ signal: AbortSignal.abort(reason) });
  const known: RunOutcome = { state: "ok", output: "it is done" };
  const stopped = "papa-yu stopped while it ran";
  const none = { delivery: "none" };
  test.each([
    [
      "a stop cut off",
      FAILED,
      cutOff(interruption()),
      { state: "unknown", error: stopped, ...none },
    ],
    ["a cancel cut off", FAILED, cutOff(), { state: "unknown", error: "no network", ...none }],
    ["the journals know", FAILED, { ...cutOff(), recalled: known }, known],
    ["ended before the stop", known, { ...cutOff(), recalled: FAILED }, known],
    ["failed by itself", FAILED, { recalled: known }, FAILED],
  ])("%s", async (_, outcome, options, expected) => {
    expect(await once(async () => outcome, options)).toMatchObject(expected);
  });

  test("did nothing yet: it is tried again after 5, 20 and 60 s, and leaves nobody waiting", async () => {
    const at: number[] = [];
    const { clock, ...end } = await once(async (shown) => {
      at.push((shown.now() - DUE) / 1000);
      return AGAIN;
    });
    expect(at).toEqual([0, 5, 25, 85]);
    expect(end).toMatchObject(FAILED);
    expect(clock.waiting).toBe(0);
  });

  test("is cut off in a pause: it is not tried again", async () => {
    const stop = new AbortController();
    let tries = 0;
    const outcome = await once(
      async () => {
        tries++;
        setImmediate(() => stop.abort(interruption()));
        return AGAIN;
      },
      { signal: stop.signal },
    );
    expect(outcome).toMatchObject({ state: "unknown", error: stopped });
    expect(tries).toBe(1);
  });

  test.each([
    ["ok, it counts", known, known],
    [
      "with a failure, its output is kept",
      { ...FAILED, output: "half" },
      { state: "failed", output: "half", error: "it took longer than 300 s and was stopped" },
    ],
  ] as const)("ends late, but %s", async (_, late, expected) => {
    const end = await once((_clock, signal) => {
      const { promise, resolve } = Promise.withResolvers<RunOutcome>();
      signal.addEventListener("abort", () => resolve(late));
      return promise;
    });
    expect(end).toMatchObject(expected);
    expect(end.clock.waiting).toBe(0);
  });

  test("is one too many of a day is left out, and told once a day", async () => {
    const caps = { runs: 1, tokens: 0, cost: 0 };
    const clock = new FakeClock("2026-05-01T00:30:00Z");
    const it = routine({ channel: "telegram", schedule: "0 */6 * * *", caps });
    const { scheduler, sent, states } = bench(clock, [it]);
    scheduler.start();
    await clock.advance(24 * HOUR);
    await scheduler.stop(patient);
    expect(states()).toEqual([
      "05-01T06:00 ok",
      "05-01T12:00 skipped",
      "05-01T18:00 skipped",
      "05-02T00:00 ok",
    ]);
    expect(sent).toHaveLength(3);
    expect(sent[1]).toContain("max_runs_per_day = 1 is reached");
  });
});

/** A routine that ends each day in one of the outcomes, with messages to Telegram. */
async function daily(outcomes: readonly RunOutcome[], change: Parameters<typeof bench>[2] = {}) {
  const clock = new FakeClock("2026-05-01T00:00:00Z");
  const left = [...outcomes];
  const result = bench(clock, [routine({ channel: "telegram" })], {
    run: async () => left.shift() ?? { state: "skipped", output: "" },
    ...change,
  });
  result.scheduler.start();
  await clock.advance(outcomes.length * 24 * HOUR);
  await result.scheduler.stop(patient);
  return result;
}
