import { expect, test } from "bun:test";
import { join } from "node:path";
import { loadConfig } from "../../src/config/load/load.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createCommandDeps, toolWhenReady } from "../../src/daemon/app/turn-tools.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

test("createCommandDeps() obeys the configuration and hides the daemon's own files", async () => {
  using dir = tempDir();
  const config = `[security]
allowed_commands = ["ls", "cargo check"]
workspace_only = false
sandbox = "none"
[sandbox]
max_processes = 20
[telegram]
bot_token = "file:~/token"
`;
  writeTree(dir.path, { "config.toml": config, "home/token": "x" });
  const env = { PAPAYU_HOME: join(dir.path, "state") };
  const loaded = await loadConfig({
    path: "config.toml",
    cwd: dir.path,
    home: join(dir.path, "home"),
    env,
  });
  const deps = createCommandDeps(loaded, env, systemClock);
  expect(deps).toMatchObject({ allowed: ["ls", "cargo check"], workspaceOnly: false });
  const own = ["state", "config.toml", "home/token"].map((name) => join(dir.path, name));
  expect(deps.hidden).toEqual(expect.arrayContaining(own));
  expect(await deps.sandbox()).toMatchObject({
    kind: "none",
    reason: "switched off",
    limits: { maxProcesses: 20 },
  });
});

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
