import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { createConversation } from "../../src/agent/conversation.ts";
import type { AgentEvent, Press } from "../../src/channels/channel.ts";
import {
  createRoutines,
  createWork,
  openRoutineService,
} from "../../src/daemon/routines/create-routines.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { createRoutineRuns } from "../../src/store/routines/routines.ts";
import { ANNA, BORIS, collectReply, openScene, WRITER, withDaemon } from "../agent/scene.ts";
import { play, type Step } from "../security/attack-scene.ts";

type Autonomy = "supervised" | "full" | "readonly";

/** A chat of a daemon with the routines "hello", which answers, and "tidy", which plans. */
async function open(
  steps: readonly Step[] = [],
  autonomy: Autonomy = "supervised",
  provider: Provider = play(...steps),
) {
  const config = `[security]\nautonomy = "${autonomy}"\n`;
  const scene = await openScene({ provider, config, author: WRITER });
  const { app } = scene;
  const common = { schedule: "0 8 * * *", timezone: "UTC", channel: "none" };
  await app.routines.add({ ...common, name: "hello", mode: "ask", task: "Say hello" });
  const plans = { mode: "plan", workspace: "notes", task: "b.txt: ONE" };
  await app.routines.add({ ...common, ...plans, name: "tidy" });
  const scheduler = createRoutines(app, [], createWork());
  const routines = openRoutineService(app, scheduler);
  const conversation = createConversation(withDaemon(app.current.agent, { routines }));
  const say = (text: string, who = ANNA) =>
    collectReply((emit) => conversation.message(who, text, emit));
  const press = (act: Press["act"], ref: string, who = ANNA, messageId = "") => {
    const origin = messageId === "" ? undefined : { messageId, receivedAt: Date.now() };
    return collectReply((emit) => conversation.press(who, { act, ref }, emit, origin));
  };
  const runs = createRoutineRuns(app.state.store);
  return { scene, app, say, press, runs, scheduler };
}

describe("/routines", () => {
  test("lists each routine with a button to run it and one to switch it", async () => {
    const { scene, app, say, press } = await open(["Hi!"]);
    await using _ = scene;
    await press("run_routine", "hello");
    app.routines.turn("tidy", false, "it failed 10 times in a row");
    const { text, options, columns } = (await say("/routines")).last("choice");
    expect(text.split("\n")).toEqual([
      "Routines:",
      expect.stringMatching(
        /^· hello: `0 8 \* \* \*` \(UTC\), waiting, next [\d-]{10} 08:00, last [\d :-]{16} ok: Hi!$/,
      ),
      "· tidy: `0 8 * * *` (UTC), disabled (it failed 10 times in a row)",
      expect.stringContaining("/routines run NAME"),
    ]);
    expect(options).toEqual([
      { label: "▶ hello", press: { act: "run_routine", ref: "hello" } },
      { label: "⏸ hello", press: { act: "routine_off", ref: "hello" } },
      { label: "▶ tidy", press: { act: "run_routine", ref: "tidy" } },
      { label: "⏵ tidy", press: { act: "routine_on", ref: "tidy" } },
    ]);
    expect(columns).toBe(2);
  });

  test("has buttons for the first six and names for all", async () => {
    const { scene, app, say } = await open();
    await using _ = scene;
    for (let i = 0; i < 8; i++) {
      const job = { name: `r${i}`, schedule: "0 8 * * *", mode: "ask", task: "Say hello" };
      await app.routines.add(job);
    }
    const { text, options } = (await say("/routines")).last("choice");
    expect(options).toHaveLength(12);
    expect(text).toContain("· r7: ");
    expect(text).toMatch(/Only the first 6 of \d+ have buttons: \/routines run NAME/u);
  });

  test("is told from no routines and from words it does not know", async () => {
    const { scene, app, say } = await open();
    await using _ = scene;
    for (const odd of ["run", "frobnicate hello", "on", "run\n"]) {
      expect((await say(`/routines ${odd}`)).text).toStartWith("/routines run NAME");
    }
    app.routines.remove("hello");
    app.routines.remove("tidy");
    expect((await say("/routines")).text).toBe("No routines.");
  });
});

describe("a routine that is run from a chat", () => {
  test("shows its answer there and is in the log", async () => {
    const { scene, say, press, runs } = await open(["Hi!", "Hi again!"]);
    await using _ = scene;
    expect((await press("run_routine", "hello")).text).toBe('Routine "hello"\nHi!');
    expect((await say("/routines run hello")).text).toBe('Routine "hello"\nHi again!');
    expect(runs.list("hello", 9)).toMatchObject([{ cause: "manual" }, { cause: "manual" }]);
    expect((await say("/routines logs hello")).text.split("\n")).toEqual([
      expect.stringMatching(/^· [\d :-]{16} ok: Hi again!$/),
      expect.stringMatching(/^· [\d :-]{16} ok: Hi!$/),
    ]);
    expect((await say("/routines logs tidy")).text).toBe('Routine "tidy" has not run yet.');
  });

  test("runs once for two presses at the same time, and for a press brought again", async () => {
    const { scene, press, runs } = await open(["Hi!", "Hi again!"]);
    await using _ = scene;
    const both = await Promise.all([press("run_routine", "hello"), press("run_routine", "hello")]);
    expect(both.map(({ text }) => text)).toEqual([
      'Routine "hello"\nHi!',
      expect.stringContaining("has run since you asked"),
    ]);
    await press("run_routine", "hello", ANNA, "update:7");
    const again = await press("run_routine", "hello", ANNA, "update:7");
    expect(again.text).toContain("has run since you asked");
    expect(runs.list("hello", 9)).toHaveLength(2);
  });

  test("does not begin while it runs already", async () => {
    const { scene, press, runs } = await open();
    await using _ = scene;
    const now = Date.now();
    runs.claim({
      routine: "hello",
      dues: [now],
      cause: "schedule",
      now,
      leaseUntil: now + 60_000,
    });
    expect((await press("run_routine", "hello")).text).toBe('Routine "hello" is already running.');
  });

  test("begins where the terminal that ran it was killed", async () => {
    const { scene, press, scheduler, app } = await open(["Hi!"]);
    await using _ = scene;
    scheduler.start();
    const sql = `INSERT INTO routine_runs (routine, due_at, cause, state, delivery, lease_until, runner)
      VALUES ('hello', ?, 'manual', 'running', 'none', 9e15, '1-1-gone')`;
    app.state.store.query(sql).run(Date.now());
    expect((await press("run_routine", "hello")).text).toContain("Hi!");
    await scheduler.stop(AbortSignal.abort());
  });

  test("belongs to the person who pressed: their plan, and nobody else's", async () => {
    const { scene, press } = await open();
    await using _ = scene;
    const { planId } = (await press("run_routine", "tidy", BORIS)).last("plan");
    const foreign = await press("apply", planId);
    expect(foreign.last("error").message).toContain("Only the person who asked");
    const { approvalId } = (await press("apply", planId, BORIS)).last("approval");
    const done = await press("approve", approvalId, BORIS);
    expect(done.last("outcome").outcome.status).toBe("committed");
  });

  test("is refused under readonly, and so is switching", async () => {
    const { scene, app, say, press, runs } = await open([], "readonly");
    await using _ = scene;
    const refused: (AgentEvent & { kind: "error" })[] = [
      (await press("run_routine", "hello")).last("error"),
      (await press("routine_off", "hello")).last("error"),
      (await say("/routines run hello")).last("error"),
      (await say("/routines off hello")).last("error"),
    ];
    expect(refused.map(({ code }) => code)).toEqual(Array(4).fill("denied"));
    expect(runs.list("hello", 9)).toEqual([]);
    expect(app.routines.find("hello").enabled).toBe(true);
    expect((await say("/routines")).last("choice").text).toContain("hello");
  });

  test("is distinguished from one that does not exist", async () => {
    const { scene, say, press } = await open();
    await using _ = scene;
    for (const act of ["run_routine", "routine_on", "routine_off"] as const) {
      expect((await press(act, "nope")).last("error").code).toBe("ERR_ROUTINE_UNKNOWN");
    }
    for (const verb of ["run", "on", "off", "logs"]) {
      const { code } = (await say(`/routines ${verb} nope`)).last("error");
      expect(code).toBe("ERR_ROUTINE_UNKNOWN");
    }
  });

  test("ends with /cancel, says so, and is not run again for the same press", async () => {
    const begun = Promise.withResolvers<void>();
    const provider: Provider = {
      name: "slow",
      model: "m",
      async *stream({ signal }) {
        begun.resolve();
        const ended = Promise.withResolvers<never>();
        signal?.addEventListener("abort", () => ended.reject(signal.reason));
        yield await ended.promise;
      },
    };
    const { scene, say, press, runs } = await open([], "supervised", provider);
    await using _ = scene;
    const running = press("run_routine", "hello", ANNA, "update:7");
    await begun.promise;
    expect((await say("/cancel")).text).toBe("Cancelling.");
    expect((await running).text).toContain('Routine "hello" failed: ');
    expect((await press("run_routine", "hello", ANNA, "update:7")).text).toContain(
      " interrupted: ",
    );
    expect(runs.list("hello", 9)).toMatchObject([{ state: "unknown" }]);
  });

  test("says why it failed", async () => {
    const { scene, press } = await open();
    await using _ = scene;
    rmSync(scene.folder, { recursive: true });
    const { text } = await press("run_routine", "tidy");
    expect(text).toMatch(/^Routine "tidy" failed: .*notes/);
  });
});

test("a routine is switched by words and buttons, however often", async () => {
  const { scene, app, say, press } = await open();
  await using _ = scene;
  for (let i = 0; i < 2; i++) {
    const off = (await press("routine_off", "hello", BORIS)).last("choice");
    expect(off.text).toEndWith("(UTC), disabled");
    expect(off.options.map(({ label }) => label)).toEqual(["▶ hello", "⏵ hello"]);
    expect(app.routines.find("hello").enabled).toBe(false);
  }
  expect((await say("/routines ON hello")).last("choice").text).toContain("waiting, next");
  expect(app.routines.find("hello").enabled).toBe(true);
});
