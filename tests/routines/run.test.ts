import { beforeEach, describe, expect, test } from "bun:test";
import { AppError } from "../../src/core/app-error.ts";
import { type RunDeps, type RunOutcome, runRoutine } from "../../src/routines/run.ts";
import { createSettings } from "../../src/store/settings/settings.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { routine } from "./bench.ts";

const signal = new AbortController().signal;
let calls: string[];
let files: string;
let deps: RunDeps;

beforeEach(() => {
  calls = [];
  files = "one";
  const settings = createSettings(memoryStore());
  deps = {
    async ask({ task, workspace }) {
      calls.push(`ask ${task} in ${workspace}`);
      return { ok: true, text: "an answer" };
    },
    async plan({ task, workspace }) {
      calls.push(`plan ${task} in ${workspace}`);
      return { ok: true, text: "a plan" };
    },
    async apply({ task, workspace }) {
      calls.push(`apply ${task} in ${workspace}`);
      files += ", applied";
      return { ok: true, text: "two files changed" };
    },
    changeMark: async ({ onlyIfChanged }) => (onlyIfChanged === false ? undefined : files),
    seen: settings.of("routine.fingerprint."),
  };
});

function boom(): Promise<never> {
  return Promise.reject(new Error("connection refused"));
}

function full(): never {
  throw new Error("disk full");
}

describe("runRoutine()", () => {
  test.each([
    ["ask", "an answer"],
    ["plan", "a plan"],
    ["apply", "two files changed"],
  ] as const)("%s hands task and workspace over and returns the text", async (mode, output) => {
    const it = routine({ mode, workspace: "sample", task: "Tidy" });
    expect(await runRoutine(it, deps, signal)).toEqual({ state: "ok", output });
    expect(calls).toEqual([`${mode} Tidy in sample`]);
  });

  test.each(["ask", "plan", "apply"] as const)(
    "%s is skipped without a call when the workspace is as the last good run left it",
    async (mode) => {
      const it = routine({ mode, workspace: "sample", onlyIfChanged: true });
      expect((await runRoutine(it, deps, signal)).state).toBe("ok");
      const again = await runRoutine(it, deps, signal);
      expect(again).toMatchObject({ state: "skipped", output: "" });
      expect(calls).toHaveLength(1);
      files = "edited";
      expect((await runRoutine(it, deps, signal)).state).toBe("ok");
      expect(calls).toHaveLength(2);
    },
  );

  test("runs an unchanged workspace again after a failure, an edit meanwhile or a new task", async () => {
    const it = routine({ mode: "plan", workspace: "sample", onlyIfChanged: true });
    const good = deps;
    deps = { ...deps, plan: async () => ({ ok: false, text: "no provider" }) };
    expect((await runRoutine(it, deps, signal)).state).toBe("failed");
    deps = {
      ...deps,
      async plan(...args) {
        files = "edited while planning";
        return good.plan(...args);
      },
    };
    for (const task of ["Tidy", "Tidy", "Sweep"]) {
      expect((await runRoutine({ ...it, task }, deps, signal)).state).toBe("ok");
    }
    expect((await runRoutine({ ...it, task: "Sweep" }, deps, signal)).state).toBe("skipped");
  });

  test("hands on what its owner is to be shown", async () => {
    const events: RunOutcome["events"] = [{ kind: "done" }];
    const plan = async () => ({ ok: true, text: "a plan", events });
    const it = routine({ mode: "plan", workspace: "sample" });
    expect(await runRoutine(it, { ...deps, plan }, signal)).toEqual({
      state: "ok",
      output: "a plan",
      events,
    });
  });

  test.each([
    ["LLM_REQUEST", true],
    ["LLM_REQUEST_TIMEOUT", true],
    ["unavailable", true],
    ["timeout", undefined],
    [undefined, undefined],
  ])("may be tried again after %s: %p", async (code, isRetryable) => {
    const ask = async () => ({ ok: false, text: "x", isUntouched: true, ...(code && { code }) });
    const outcome = await runRoutine(routine(), { ...deps, ask }, signal);
    expect(outcome.isRetryable).toBe(isRetryable);
  });

  test("remembers by what it was given to work on, too", async () => {
    const it = routine({ workspace: "sample", onlyIfChanged: true });
    const states: string[] = [];
    for (const change of [{}, {}, { input: "a" }, { input: "a" }, { workspace: "other" }]) {
      states.push((await runRoutine({ ...it, ...change }, deps, signal)).state);
    }
    expect(states).toEqual(["ok", "skipped", "ok", "skipped", "ok"]);
  });

  test("says why a task failed", async () => {
    deps = { ...deps, apply: async () => ({ ok: false, text: "bun test failed; rolled back" }) };
    const it = routine({ mode: "apply", workspace: "sample" });
    expect(await runRoutine(it, deps, signal)).toEqual({
      state: "failed",
      output: "",
      error: "bun test failed; rolled back",
    });
  });

  test("may be tried again when a model was not reached and nothing had happened", async () => {
    const it = routine({ mode: "apply", workspace: "sample" });
    const failed = { ok: false, text: "no network", code: "LLM_REQUEST" };
    for (const [isUntouched, expected] of [
      [true, true],
      [false, undefined],
    ] as const) {
      const apply = async () => ({ ...failed, isUntouched });
      const outcome = await runRoutine(it, { ...deps, apply }, signal);
      expect(outcome.isRetryable).toBe(expected);
    }
    const refused = { ...failed, isUntouched: true, code: "ERR_BASE_MISMATCH" };
    const outcome = await runRoutine(it, { ...deps, apply: async () => refused }, signal);
    expect(outcome.isRetryable).toBeUndefined();
  });

  test("is skipped when a cap is reached", async () => {
    const ask = async () => ({ ok: false, text: "over the cap", code: "LLM_BUDGET" });
    expect(await runRoutine(routine(), { ...deps, ask }, signal)).toEqual({
      state: "skipped",
      output: "",
      error: "over the cap",
      isCapped: true,
    });
  });

  test("turns anything thrown into a failed run", async () => {
    const it = routine({ workspace: "sample", onlyIfChanged: true });
    for (const broken of [
      { ...deps, ask: boom },
      { ...deps, changeMark: boom },
    ]) {
      const outcome = await runRoutine(it, broken, signal);
      expect(outcome).toEqual({ state: "failed", output: "", error: "connection refused" });
    }
  });

  test("may be tried again when the workspace's model was not reached, and says what else failed", async () => {
    const it = routine({ mode: "plan", workspace: "sample" });
    const unreached = () => Promise.reject(new AppError("LLM_REQUEST", "no network"));
    const failed: RunOutcome = { state: "failed", output: "", error: "no network" };
    const outcomes = [
      await runRoutine(it, { ...deps, changeMark: unreached }, signal),
      await runRoutine(it, { ...deps, plan: unreached }, signal),
      await runRoutine(
        { ...it, onlyIfChanged: true },
        { ...deps, seen: { ...deps.seen, get: full } },
        signal,
      ),
    ];
    // Who threw while it planned may have asked or called something.
    expect(outcomes).toEqual([
      { ...failed, isRetryable: true },
      failed,
      { ...failed, error: "disk full" },
    ]);
  });

  test("keeps an apply good when the workspace cannot be read afterwards", async () => {
    const it = routine({ mode: "apply", workspace: "sample", onlyIfChanged: true });
    const reads = ["one"];
    deps = {
      ...deps,
      async changeMark() {
        const read = reads.shift();
        if (read === undefined) throw new Error("EACCES");
        return read;
      },
    };
    expect((await runRoutine(it, deps, signal)).state).toBe("ok");
  });
});
