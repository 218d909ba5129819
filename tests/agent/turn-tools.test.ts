import { describe, expect, test } from "bun:test";
import type { Completion, ToolArguments, ToolResult } from "../../src/tools/tool.ts";
import { call, limits, play, retryable, run, tool } from "./turn-play.ts";

const fine = (): ToolResult => ({ ok: true, content: "fine" });
const bare = (name = "look", args = "{}") => [{ name, args }];

/** What the model was told last before its request `n`, from 1. */
function sentContent(provider: ReturnType<typeof play>, n: number): string {
  return provider.asked[n - 1]?.messages.at(-1)?.content ?? "";
}

describe("missing arguments", () => {
  const complete = async (args: ToolArguments, { userTexts }: { userTexts: readonly string[] }) => {
    const [last = ""] = userTexts;
    const completion: Completion = last.endsWith("?")
      ? { kind: "ask", question: "Where should I look?" }
      : { kind: "complete", args: { ...args, q: last } };
    return completion;
  };

  test("are filled in by the tool from what the user said", async () => {
    const look = tool("look", fine, "none", { complete });
    const { turn } = await run(play(bare(), "done"), [look], {
      argumentContext: { userTexts: ["Oslo"] },
    });
    expect(look.runs).toEqual([{ q: "Oslo" }]);
    expect(turn.error).toBeUndefined();
  });

  test("become a question to the user: content, kept as the assistant's message, no error", async () => {
    const look = tool("look", fine, "none", { complete });
    const argumentContext = { userTexts: ["Where can I eat?"] };
    const provider = play([...call(1, "other"), ...bare(), ...call(2, "other")]);
    const other = tool("other", fine);
    const { turn, kept, kinds } = await run(provider, [look, other], { argumentContext });
    expect(turn).toMatchObject({ text: "Where should I look?", modelCalls: 1 });
    expect(turn.error).toBeUndefined();
    expect(kinds).toEqual(["tool_call", "tool_result", "content"]);
    expect(kept.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant"]);
    expect(kept.at(-1)).toEqual({ role: "assistant", content: "Where should I look?" });
    expect([look.runs.length, other.runs.length]).toEqual([0, 1]);
  });

  test("a tool that cannot fill in, because it throws, has failed", async () => {
    const broken = () => Promise.reject(new Error("boom"));
    const look = tool("look", fine, "none", { complete: broken });
    const { turn } = await run(play(bare(), "ok"), [look]);
    expect(turn.toolCalls).toMatchObject([{ ok: false, errorCode: "internal" }]);
  });

  test("show the schema once; the second miss ends the turn with tool_validation_error", async () => {
    const look = tool("look", fine);
    const provider = play([...bare(), ...bare()], bare(), "never");
    const { turn } = await run(provider, [look]);
    expect(sentContent(provider, 2)).toContain('look takes {"type":"object"');
    expect(turn.error).toMatchObject({ code: "tool_validation_error" });
    expect(turn.error?.message).toContain("required arguments are missing: q");
    expect(turn.modelCalls).toBe(2);
    expect(look.runs).toHaveLength(0);
  });

  test("a model that corrects its call after one failure goes on", async () => {
    const look = tool("look", fine);
    const { turn } = await run(play(bare(), call(1), "done"), [look]);
    expect(look.runs).toEqual([{ q: "1" }]);
    expect(turn.text).toBe("done");
  });
});

describe("rare tools", () => {
  const everyday = tool("look", fine);
  const rare = () => tool("weather", fine, "none", { isRare: true });
  const names = (provider: ReturnType<typeof play>, n: number) =>
    provider.asked[n - 1]?.tools?.map(({ name }) => name);

  test("are offered by name and first words, and in full once they are asked for", async () => {
    const weather = rare();
    const long = {
      ...weather,
      schema: { ...weather.schema, description: "one two three four five six" },
    };
    const provider = play(
      bare("load_tools", '{"names":["weather","wether"]}'),
      call(1, "weather"),
      "ok",
    );
    await run(provider, [everyday, long]);
    expect(names(provider, 1)).toEqual(["look", "load_tools"]);
    const loader = provider.asked[0]?.tools?.at(-1);
    expect(loader?.description).toEndWith(": weather (one two three four five)");
    expect(sentContent(provider, 2)).toContain(
      'Loaded, call them now: weather. But there is no tool "wether"',
    );
    expect(sentContent(provider, 2)).toContain('did you mean "weather"');
    expect(names(provider, 2)).toEqual(["look", "weather", "load_tools"]);
    expect(weather.runs).toHaveLength(1);
  });

  test("without any there is nothing to load", async () => {
    const provider = play("hi");
    await run(provider, [everyday]);
    expect(names(provider, 1)).toEqual(["look"]);
  });

  test("names that are all unknown are a failure that lists the tools", async () => {
    const provider = play(bare("load_tools", '{"names":["x"]}'), "ok");
    await run(provider, [everyday, rare()]);
    expect(sentContent(provider, 2)).toContain(
      'Error (not_found): there is no tool "x"; there are: weather',
    );
  });

  test("work when they are called without loading, if the arguments fit", async () => {
    const weather = rare();
    const provider = play(call(1, "weather"), "ok");
    await run(provider, [everyday, weather]);
    expect(weather.runs).toEqual([{ q: "1" }]);
    expect(names(provider, 2)).toContain("weather");
  });

  test("show their schema once when the arguments do not fit", async () => {
    const weather = rare();
    const provider = play(
      bare("weather", '{"q":1}'),
      bare("weather", '{"q":2}'),
      call(1, "weather"),
      "ok",
    );
    await run(provider, [everyday, weather]);
    expect(sentContent(provider, 2)).toContain("weather takes {");
    expect(sentContent(provider, 3)).toContain('"q" must be of type string');
    expect(sentContent(provider, 3)).not.toContain("takes {");
    expect(weather.runs).toHaveLength(1);
  });
});

describe("Retry-After of a tool", () => {
  const busy = (retryAfterMs: number): ToolResult => ({
    ok: false,
    error: "slow down",
    errorCode: "rate_limited",
    retryable: true,
    retryAfterMs,
  });
  const clockOf = (slept: number[]) => ({
    now: () => 0,
    sleep: async (ms: number, signal?: AbortSignal) => {
      slept.push(ms);
      signal?.throwIfAborted();
    },
  });

  test("is waited for once, and the call is made again", async () => {
    const slept: number[] = [];
    const answers = [busy(4000), fine()];
    const look = tool("look", () => answers.shift() ?? fine());
    const { turn, kinds } = await run(play(call(1), "ok"), [look], { clock: clockOf(slept) });
    expect(slept).toEqual([4000]);
    expect(kinds).toEqual(["tool_call", "progress", "tool_result", "content"]);
    expect(turn.toolCalls).toHaveLength(1);
  });

  test.each(["note", "rule", "change", "send", "person"] as const)(
    "makes no second call of one whose effect is %s: the first may have had it",
    async (effect) => {
      const slept: number[] = [];
      const act = tool("act", () => busy(1000), effect);
      const { turn } = await run(play(call(1, "act"), "ok"), [act], { clock: clockOf(slept) });
      expect(act.runs).toHaveLength(1);
      expect(slept).toEqual([]);
      expect(turn.toolCalls).toMatchObject([{ name: "act", ok: false, errorCode: "rate_limited" }]);
    },
  );

  test("is waited for where a call only reads outside", async () => {
    const slept: number[] = [];
    const look = tool("look", () => busy(1000), "network");
    await run(play(call(1), "ok"), [look], { clock: clockOf(slept) });
    expect(look.runs).toHaveLength(2);
  });

  test("that goes on withdraws the tool: never more than the failures allowed", async () => {
    const slept: number[] = [];
    const look = tool("look", () => busy(1000));
    const { turn } = await run(play(call(1), call(2), call(3)), [look], { clock: clockOf(slept) });
    expect(look.runs).toHaveLength(2);
    expect(slept).toHaveLength(1);
    expect(turn.error?.code).toBe("tool_execution_error");
  });

  test("beyond the turn's limit is not waited for", async () => {
    const slept: number[] = [];
    const look = tool("look", () => busy(limits.turnTimeoutMs));
    await run(play(call(1), "ok"), [look], { clock: clockOf(slept) });
    expect(slept).toEqual([]);
    expect(look.runs).toHaveLength(1);
  });

  test("ends at once with a cancel", async () => {
    const controller = new AbortController();
    const look = tool("look", () => {
      setTimeout(() => controller.abort(), 10);
      return busy(4000);
    });
    const { turn } = await run(play(call(1), "ok"), [look], { signal: controller.signal });
    expect(turn.error?.code).toBe("ERR_CANCELLED");
  });
});

describe("runTurn() at its limits", () => {
  test("a cancel ends a tool that ignores it, and says what was done", async () => {
    const controller = new AbortController();
    const write = tool("write", fine, "change");
    const stuck = tool("stuck", fine, "none", {
      run() {
        setTimeout(() => controller.abort(), 10);
        return new Promise(() => {});
      },
    });
    const calls = [...call(1, "write"), ...call(2, "stuck")];
    const { turn } = await run(play(calls), [write, stuck], { signal: controller.signal });
    expect(turn.error).toEqual({ code: "ERR_CANCELLED", message: "Cancelled; done before: write" });
  });

  test("reaching the limit shows what the tools found when the model has said nothing", async () => {
    let n = 0;
    const look = tool("look", () => ({ ok: true, content: `found ${n++}\n` }));
    const steps = Array.from({ length: 10 }, (_, i) => call(i));
    const { turn } = await run(play(...steps), [look]);
    expect(turn.text).toBe("Found so far:\n- look: found 9\n");
    expect(turn.error).toMatchObject({ code: "tool_loop_limit" });
    expect(turn.error?.message).toContain("agent.max_tool_iterations");
  });

  test("rounds that failed do not count towards the limit of iterations", async () => {
    const look = tool("look", fine);
    const fail = tool("fail", () => retryable);
    const steps = [call(0), call(1, "fail"), call(2), call(3), "done"];
    const { turn } = await run(play(...steps), [look, fail], {
      limits: { ...limits, maxToolIterations: 4 },
    });
    expect(turn.modelCalls).toBe(5);
    expect(turn.text).toStartWith("done\n");
  });

  const long = (): ToolResult => ({ ok: true, content: "word ".repeat(20_000) });

  test("what is not whole before the model any more may be read again, as often as that is so", async () => {
    const look = tool("look", long);
    const provider = play(call(1), call(2), call(3), call(1), call(3), call(1), call(2), "ok");
    await run(provider, [look]);
    // Two such results have room: 3 and 1 are whole when they are asked for again.
    expect(look.runs).toEqual(["1", "2", "3", "1", "2"].map((q) => ({ q })));
    expect(JSON.stringify(provider.asked.at(-1)?.messages)).toContain("answered above");
  });

  test("what was sent is not sent again for want of room", async () => {
    const send = tool("send", long, "send");
    const provider = play(call(1, "send"), call(2, "send"), call(3, "send"), call(1, "send"), "ok");
    await run(provider, [send]);
    expect(send.runs).toHaveLength(3);
  });

  test("a result that has no room even alone is not read again and again", async () => {
    const look = tool("look", () => ({ ok: true, content: "word ".repeat(90_000) }));
    await run(play(call(1), call(1), call(1), "ok"), [look]);
    expect(look.runs).toHaveLength(1);
  });

  test("the same arguments in another order or spacing are the same call", async () => {
    const look = tool("look", fine);
    const again = bare("look", ' { "q" : "x","n":1 } ');
    await run(play(bare("look", '{"n":1,"q":"x"}'), again, "ok"), [look]);
    expect(look.runs).toHaveLength(1);
  });

  test("a call that failed may be made again once something was changed", async () => {
    const results = [retryable, fine()];
    const check = tool("check", () => results.shift() ?? fine(), "change");
    const write = tool("write", fine, "change");
    const provider = play(
      call(1, "check"),
      call(1, "check"),
      call(1, "write"),
      call(1, "check"),
      "ok",
    );
    const { turn } = await run(provider, [check, write]);
    expect(check.runs).toHaveLength(2);
    expect(turn.toolCalls.map(({ ok }) => ok)).toEqual([false, true, true]);
  });

  test("what comes from outside may be read again", async () => {
    const look = tool("look", fine, "network");
    await run(play(call(1), call(1), "ok"), [look]);
    expect(look.runs).toHaveLength(2);
  });

  test("an unknown tool counts like other failures: told of each call, not of a repeat", async () => {
    const provider = play(call(1, "nope"), call(2, "nope"), call(1, "nope"), "never");
    const { turn, kinds } = await run(provider, [tool("look", fine)]);
    expect(sentContent(provider, 2)).toContain('there is no tool "nope"; there are: look');
    expect(sentContent(provider, 3)).toBe(sentContent(provider, 2));
    expect(turn.toolCalls).toHaveLength(2);
    expect(turn.error?.code).toBe("tool_execution_error");
    expect(kinds).toEqual([]);
  });
});
