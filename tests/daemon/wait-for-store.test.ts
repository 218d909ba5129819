import { expect, test } from "bun:test";
import { toolWhenReady } from "../../src/daemon/app/wait-for-store.ts";
import type { Tool } from "../../src/tools/tool.ts";

const ECHO: Tool = {
  schema: {
    name: "echo",
    description: "answers its call's id",
    parameters: { type: "object", properties: {} },
  },
  origin: "own",
  leaves: "nothing",
  effect: () => "change",
  run: async (_args, _signal, callId) => ({ ok: true, content: callId }),
};

test("toolWhenReady() hands on what a change of the call is found by", async () => {
  const { signal } = new AbortController();
  const tool = toolWhenReady(ECHO, async () => {});
  expect(await tool.run({}, signal, "call_7")).toEqual({ ok: true, content: "call_7" });
});

test("Tool.run() takes no call without its id: a wrapper that forgets it is no program", () => {
  const forgetful: Tool = {
    ...ECHO,
    // @ts-expect-error -- the compiler is what this holds
    run: (args, signal) => ECHO.run(args, signal),
  };
  expect(forgetful.schema.name).toBe("echo");
});
