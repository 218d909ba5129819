import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../src/core/clock.ts";
import type { InjectionCheck } from "../../../src/security/injection.ts";
import { createSettings } from "../../../src/store/settings/settings.ts";
import { createMcpTools, type McpNews } from "../../../src/tools/mcp/mcp.ts";
import type { ServerSettings } from "../../../src/tools/mcp/server.ts";
import { createToolLists } from "../../../src/tools/mcp/tool-lists.ts";
import { childProgram } from "../../support/child-program.ts";
import { memoryStore } from "../../support/fresh-store.ts";
import { MCP_SERVER } from "../../support/mcp-server.ts";
import { until } from "../../support/patience.ts";
import { areGone, findProcesses } from "../../support/processes.ts";
import { tempDir } from "../../support/temp.ts";

const never = new AbortController().signal;
const PROGRAM = await childProgram(Bun.pathToFileURL(MCP_SERVER));
const DAY_MS = 24 * 60 * 60 * 1000;

/** A world in which lists outlive their servers. */
function createWorld() {
  const store = createSettings(memoryStore()).of("mcp.tools.");
  const mark = `mcp-test-${crypto.randomUUID()}`;
  const logged: string[] = [];
  const time = { now: 0 };
  return {
    mark,
    logged,
    time,
    open(
      changes: Partial<ServerSettings> & {
        readonly behaviour?: string;
        readonly patienceMs?: number;
        readonly onlyTurnMs?: number;
        readonly check?: InjectionCheck;
      } = {},
    ) {
      const {
        behaviour = "",
        patienceMs = 60_000,
        onlyTurnMs,
        check = "warn",
        ...others
      } = changes;
      const notices: McpNews[] = [];
      const argv = [process.execPath, PROGRAM, behaviour, mark];
      const env = { PATH: process.env["PATH"] ?? "" };
      const settings: ServerSettings = {
        name: "test",
        launch: () => ({ kind: "stdio", argv, cwd: "/", env }),
        fingerprint: "one",
        allowedTools: [],
        readOnlyTools: ["echo"],
        toolsSha256: "",
        timeoutMs: 60_000,
        version: "1",
        ...others,
      };
      const clock = { ...systemClock, now: () => time.now };
      const log = (code: string) => void logged.push(code);
      const lists = createToolLists(store, clock.now);
      const mcp = createMcpTools([settings], {
        lists,
        log,
        clock,
        patienceMs,
        ...(onlyTurnMs !== undefined && { onlyTurnMs }),
      });
      return {
        notices,
        tools: (signal = never) => mcp.tools(signal, (news) => void notices.push(news), check),
        [Symbol.asyncDispose]: () => mcp.close(),
      };
    },
  };
}

type Opened = ReturnType<ReturnType<typeof createWorld>["open"]>;

async function namesOf(mcp: Pick<Opened, "tools">): Promise<readonly string[]> {
  return (await mcp.tools()).map(({ schema }) => schema.name);
}

describe("createMcpTools()", () => {
  test.concurrent("makes rare tools of strangers, which change things unless the owner says otherwise", async () => {
    await using mcp = createWorld().open();
    const tools = await mcp.tools();
    const [echo, environment] = ["echo", "environment"].map((name) =>
      tools.find(({ schema }) => schema.name === `mcp__test__${name}`),
    );
    expect(echo).toMatchObject({
      schema: { name: "mcp__test__echo", description: "Says it again" },
      isRare: true,
      origin: "outside",
    });
    expect([echo?.effect({}), environment?.effect({})]).toEqual(["network", "change"]);
    expect(environment?.describe?.({ a: 1 })).toBe(
      'Tool "environment" of the MCP server "test" with {\n  "a": 1\n}',
    );
    expect(tools.map(({ schema }) => schema.name)).toContainEqual(
      expect.stringMatching(/^mcp__test__flood_line_[0-9a-f]{8}$/u),
    );
    expect(await echo?.run({ text: "hi" }, never, "call_1")).toEqual({
      ok: true,
      content: '{"text":"hi"}',
    });
  });

  test.concurrent("does not take a server's own hint that a tool only reads", async () => {
    await using mcp = createWorld().open({ readOnlyTools: [] });
    const echo = (await mcp.tools()).find(({ schema }) => schema.name === "mcp__test__echo");
    expect(echo?.effect({})).toBe("change");
  });

  test.concurrent("offers the allowed tools only", async () => {
    await using mcp = createWorld().open({ allowedTools: ["echo", "none such"] });
    expect(await namesOf(mcp)).toEqual(["mcp__test__echo"]);
  });

  test.concurrent("knows the tools of a server that is not running, for a day and as long as it is the same", async () => {
    const world = createWorld();
    await (async () => {
      await using first = world.open();
      await first.tools();
    })();
    await using second = world.open();
    expect(await namesOf(second)).toContain("mcp__test__echo");
    expect(await areGone(world.mark)).toBe(true);
    world.time.now += DAY_MS;
    expect(await namesOf(second)).toContain("mcp__test__echo");
    await until(() => findProcesses(world.mark).length > 0);
    await using other = world.open({ fingerprint: "two", behaviour: "fail" });
    expect(await namesOf(other)).toEqual([]);
  });

  test.concurrent("follows a server that changes its list", async () => {
    await using mcp = createWorld().open();
    const change = (await mcp.tools()).find(({ schema }) => /change_list/u.test(schema.name));
    expect(await change?.run({}, never, "call_1")).toMatchObject({ ok: true });
    expect(await namesOf(mcp)).toEqual(["mcp__test__fresh"]);
  });

  test.concurrent("has no tools of a server that does not start, says so and tries again later, behind our back", async () => {
    const world = createWorld();
    await using mcp = world.open({ behaviour: "fail" });
    expect(await namesOf(mcp)).toEqual([]);
    expect(await namesOf(mcp)).toEqual([]);
    expect(world.logged).toEqual(["MCP_SERVER_FAILED"]);
    world.time.now += 60_000;
    expect(await namesOf(mcp)).toEqual([]);
    await until(() => world.logged.length >= 2);
  });

  test.concurrent("does not wait for a mute server when it is cancelled", async () => {
    await using mcp = createWorld().open({ behaviour: "mute" });
    expect(await mcp.tools(AbortSignal.timeout(50))).toEqual([]);
  });

  test.concurrent("holds no turn for a slow server: says so once, and has its tools as soon as it answers", async () => {
    const world = createWorld();
    using dir = tempDir();
    const sign = join(dir.path, "go on");
    await using mcp = world.open({ behaviour: `after:${sign}`, patienceMs: 30 });
    expect(await namesOf(mcp)).toEqual([]);
    expect(mcp.notices).toEqual([{ kind: "starting", server: "test" }]);
    writeFileSync(sign, "");
    while ((await namesOf(mcp)).length === 0);
    expect(mcp.notices).toHaveLength(1);
    expect(world.logged).toEqual([]);
    expect(findProcesses(world.mark)).toHaveLength(1);
  });

  test.concurrent("tells once why a server that hangs has no tools", async () => {
    const world = createWorld();
    await using mcp = world.open({ behaviour: "mute", patienceMs: 30, timeoutMs: 200 });
    await namesOf(mcp);
    await until(() => world.logged.length > 0);
    await namesOf(mcp);
    await namesOf(mcp);
    expect(mcp.notices).toEqual([
      { kind: "starting", server: "test" },
      { kind: "failed", server: "test", reason: "it did not answer in time" },
    ]);
  });

  test.concurrent("holds no turn longer for many mute servers than for one, and starts each once", async () => {
    const world = createWorld();
    await using mcp = world.open({ behaviour: "mute", patienceMs: 30, timeoutMs: 400 });
    const turns = await Promise.all([1, 2, 3].map(() => namesOf(mcp)));
    expect(turns).toEqual([[], [], []]);
    expect(findProcesses(world.mark).length).toBeLessThan(2);
    await until(() => world.logged.length > 0);
    expect([world.logged, mcp.notices.length]).toEqual([["MCP_SERVER_FAILED"], 1]);
  });
});

test("createMcpTools() for an only turn tells what it waits for, and what it waited for in vain", async () => {
  const world = createWorld();
  await using mute = world.open({ behaviour: "mute", patienceMs: 1, onlyTurnMs: 50 });
  expect(await mute.tools()).toEqual([]);
  expect(mute.notices).toEqual([
    { kind: "awaited", server: "test" },
    { kind: "failed", server: "test", reason: "it did not start within 1 s" },
  ]);
  await using slow = world.open({ patienceMs: 1, onlyTurnMs: 60_000 });
  expect((await slow.tools()).length).toBeGreaterThan(0);
  expect(slow.notices).toEqual([{ kind: "awaited", server: "test" }]);
});
