import { describe, expect, test } from "bun:test";
import { runCharged } from "../../src/daemon/routines/create-routines.ts";
import { createRoutineDeps, toPayer } from "../../src/daemon/routines/routine-deps.ts";
import { routine } from "../routines/bench.ts";
import { type Reply, type Script, startModelServer } from "../support/model-server.ts";
import { ANNA, openScene } from "./scene.ts";

const usage = { prompt_tokens: 1000, completion_tokens: 200 };
const hello: Reply = { kind: "text", text: "hello", usage };

/** A scene whose model costs something, with lines of `[agent]`. */
async function open(script: Script, agent = "") {
  const model = startModelServer(script);
  const config = `[default]
provider = "m"
[providers.m]
base_url = "${model.url}"
model = "x"
price_input_per_mtok = 1
price_output_per_mtok = 10
[agent]
${agent}`;
  const scene = await openScene({ config });
  const stop = async () => {
    scene[Symbol.dispose]();
    await model.stop();
  };
  return { ...scene, model, [Symbol.asyncDispose]: stop };
}

describe("caps of a day", () => {
  test("end a turn with a message that names the cap and its file, before anything is sent", async () => {
    await using scene = await open([hello], "max_tokens_per_day = 2500");
    expect((await scene.say("hi")).text).toBe("hello");
    const reply = await scene.say("hi again");
    expect(reply.kinds).toEqual(["error", "done"]);
    expect(reply.last("error")).toMatchObject({ code: "LLM_BUDGET" });
    expect(reply.last("error").message).toMatch(/max_tokens_per_day = 2500 in ".*config\.toml"/);
    expect(scene.model.requests).toHaveLength(1);
  });

  test("count every attempt of a turn, and end it between two of them", async () => {
    const silent: Reply = { kind: "reset", after: "" };
    const fast = "[reliability]\ninitial_backoff_ms = 10";
    await using scene = await open([silent], `max_tokens_per_day = 4000\n${fast}`);
    const reply = await scene.say("hi");
    expect(reply.last("error")).toMatchObject({ code: "LLM_BUDGET" });
    const asked = scene.model.requests.length;
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThan(4);
    // What was sent, and nothing for answers that never came.
    const { tokens } = scene.app.current.agent.commands.spent(ANNA.sessionId);
    expect(tokens / asked).toBeGreaterThan(500);
    expect(tokens).toBeLessThanOrEqual(4000);
  });

  test("hold for plans too, and start over with a new day", async () => {
    const plan: Reply = { kind: "text", text: '{"actions":[],"summary":"s"}', usage };
    await using scene = await open([plan], "max_cost_per_day = 0.02");
    await scene.say("plan: add a file");
    expect(scene.app.current.agent.commands.spent(ANNA.sessionId).cost).toBeCloseTo(0.003);
    for (let i = 0; i < 5; i++) await scene.say("plan: add a file");
    const asked = scene.model.requests.length;
    expect((await scene.say("plan: add a file")).last("error").code).toBe("LLM_BUDGET");
    expect(scene.model.requests).toHaveLength(asked);
    scene.wait(24 * 60 * 60 * 1000);
    expect((await scene.say("plan: add a file")).kinds).not.toContain("error");
  });
});

test("a provider that asks for an hour ends the turn at once, and the user reads until when", async () => {
  const headers = { "retry-after": "3600" };
  await using scene = await open([{ kind: "status", status: 429, headers }]);
  const { code, message } = (await scene.say("hi")).last("error");
  expect(code).toBe("rate_limited");
  expect(message).toMatch(/asks to be left alone until \d{4}-\d\d-\d\d \d\d:\d\d UTC/u);
  expect(scene.model.requests).toHaveLength(1);
});

test("/status says what models took today, in all and here", async () => {
  await using scene = await open([hello]);
  await scene.say("hi");
  const text = "Models today (UTC): 1200 tokens, cost 0.003; here: 1200 tokens, cost 0.003";
  expect((await scene.say("/status")).text).toEndWith(text);
});

test("a routine's requests are counted for the routine", async () => {
  await using scene = await open([hello]);
  const { agent } = scene.app.current;
  const deps = createRoutineDeps(scene.app.current);
  const tidy = routine({ task: "tidy up", workspace: "notes" });
  const signal = new AbortController().signal;
  await agent.charge(toPayer({ name: "tidy" }), () => deps.ask(tidy, signal));
  expect(agent.commands.spent("routine:tidy").tokens).toBe(1200);
});

test("a routine's own caps end its work before anything is sent, and nobody else's", async () => {
  await using scene = await open([hello, hello, hello]);
  const deps = createRoutineDeps(scene.app.current);
  const { signal } = new AbortController();
  for (const caps of [
    { runs: 0, tokens: 2500, cost: 0 },
    { runs: 0, tokens: 0, cost: 0.0125 },
  ]) {
    const job = routine({ name: `tidy-${caps.tokens}`, caps });
    const run = () => runCharged(scene.app.current.agent, job, deps, signal);
    expect((await run()).state).toBe("ok");
    const over = await run();
    expect(over).toMatchObject({ state: "skipped", isCapped: true });
    expect(over.error).toContain(`of "routine:${job.name}"`);
  }
  expect(scene.model.requests).toHaveLength(2);
  expect((await scene.say("hi")).text).toBe("hello");
});

test("a hundred due instants of a routine ask no model while nothing has changed", async () => {
  await using scene = await open([hello, hello]);
  const deps = createRoutineDeps(scene.app.current);
  const job = routine({ workspace: "notes", onlyIfChanged: true });
  const { signal } = new AbortController();
  const states: string[] = [];
  for (let instant = 0; instant < 101; instant++) {
    states.push((await runCharged(scene.app.current.agent, job, deps, signal)).state);
  }
  expect(states).toEqual(["ok", ...Array.from({ length: 100 }, () => "skipped")]);
  expect(scene.model.requests).toHaveLength(1);
});
