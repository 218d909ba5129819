import { describe, expect, test } from "bun:test";
import { type Clock, systemClock } from "../../../src/core/clock.ts";
import type { Launch } from "../../../src/tools/mcp/launch.ts";
import { createServer, type Server } from "../../../src/tools/mcp/server.ts";
import { childProgram } from "../../support/child-program.ts";
import { startMcpHttp } from "../../support/mcp-http-server.ts";
import { MCP_SERVER } from "../../support/mcp-server.ts";
import { cutShort, until } from "../../support/patience.ts";
import { areGone, findProcesses } from "../../support/processes.ts";

const never = new AbortController().signal;
const PROGRAM = await childProgram(Bun.pathToFileURL(MCP_SERVER));
/** How long two commands sleep: nothing else on this machine does for so long. */
const SPANS = [1, 2].map((n) => `${n}000${crypto.getRandomValues(new Uint32Array(1))[0]}`);

/** A server that goes when the scope ends, with an argument to find its process by. */
function open(
  options: {
    readonly behaviour?: string;
    readonly launch?: Launch;
    readonly timeoutMs?: number;
    readonly clock?: Clock;
  } = {},
): Server & AsyncDisposable & { readonly mark: string } {
  const mark = `mcp-test-${crypto.randomUUID()}`;
  const argv = [process.execPath, PROGRAM, options.behaviour ?? "", mark];
  const { PATH = "" } = process.env;
  const own: Launch = { kind: "stdio", argv, cwd: "/", env: { PATH, GIVEN: "yes" } };
  const server = createServer(
    {
      name: "test",
      launch: () => options.launch ?? own,
      fingerprint: "x",
      allowedTools: [],
      toolsSha256: "",
      readOnlyTools: ["echo"],
      timeoutMs: options.timeoutMs ?? 60_000,
      version: "1",
    },
    options.clock ?? systemClock,
  );
  return { ...server, mark, [Symbol.asyncDispose]: () => server.close() };
}

describe("createServer() over stdio", () => {
  test.concurrent("lists all pages of tools", async () => {
    await using server = open({ behaviour: "chatty" });
    const names = (await server.list(never)).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["echo", "environment", "spawn"]));
  });

  test.concurrent("calls a tool, and starts the process once for all calls", async () => {
    await using server = open();
    const calls = [1, 2, 3].map((n) => server.call("echo", { text: n }, never));
    expect((await Promise.all(calls)).map((each) => each.ok && each.content)).toEqual([
      '{"text":1}',
      '{"text":2}',
      '{"text":3}',
    ]);
    expect(findProcesses(server.mark)).toHaveLength(1);
  });

  test.concurrent("gives the process only the environment it is launched with", async () => {
    await using server = open();
    const result = await server.call("environment", {}, never);
    const { env, cwd } = JSON.parse(result.ok ? result.content : "");
    expect(Object.keys(env).toSorted()).toEqual(["GIVEN", "PAPAYU_RUN", "PATH"]);
    expect(cwd).toBe("/");
  });

  test.concurrent("says what a server answers that fails", async () => {
    await using server = open();
    expect(await server.call("broken", {}, never)).toEqual({
      ok: false,
      error: "The tool reports:\nthere is no such page",
      errorCode: "internal",
      isOfCall: true,
      retryable: false,
    });
    expect(await server.call("no such tool", {}, never)).toMatchObject({ ok: false });
  });

  test.concurrent("refuses sampling, roots and elicitation", async () => {
    await using server = open();
    const result = await server.call("ask back", {}, never);
    expect(result.ok && result.content.match(/Method not found/gu)).toHaveLength(3);
  });

  test.concurrent("tells why a server went away, and restarts it for the next call", async () => {
    await using server = open();
    expect(await server.call("die", {}, never)).toMatchObject({
      errorCode: "internal",
      error: expect.stringMatching(/exit code 3: out of memory/u),
      retryable: false,
    });
    expect(await server.call("echo", {}, never)).toMatchObject({ ok: true });
  });

  test.concurrent("starts a server that dies again and again later and later, then leaves it alone", async () => {
    const slept: number[] = [];
    let now = 0;
    const clock: Clock = { now: () => now, sleep: async (ms) => void slept.push(ms) };
    await using server = open({ clock });
    for (let n = 0; n < 5; n++) {
      expect(await server.call("die", {}, never)).toMatchObject({ errorCode: "internal" });
    }
    expect(slept).toEqual([0, 0, 1000, 2000, 4000]);
    const left = await server.call("echo", {}, never);
    expect(left).toMatchObject({
      errorCode: "unavailable",
      error: expect.stringMatching(/5 times/u),
    });
    expect(await areGone(server.mark)).toBe(true);
    now += 10 * 60_000;
    expect(await server.call("echo", {}, never)).toMatchObject({ ok: true });
  });

  test.concurrent("is not held against a server that a person cancels its calls", async () => {
    const slept: number[] = [];
    const clock: Clock = { now: () => 0, sleep: async (ms) => void slept.push(ms) };
    await using server = open({ clock });
    for (let n = 0; n < 3; n++) {
      await server.list(never);
      await server.call("hang", {}, AbortSignal.timeout(5));
    }
    expect(slept).toEqual([0, 0, 0]);
  });

  test.concurrent("ends a server that takes too long, with all it started", async () => {
    let isListed = false;
    await cutShort(
      async (limitMs) => {
        await using server = open({ timeoutMs: 10 * limitMs });
        isListed = await server.list(never).then(
          () => true,
          () => false,
        );
        if (!isListed) return;
        const result = await server.call("spawn", { seconds: SPANS[0] }, never);
        expect(result).toMatchObject({ errorCode: "timeout", retryable: false });
        expect(await areGone(server.mark)).toBe(true);
      },
      () => isListed,
    );
    expect(await areGone(`sleep\0${SPANS[0]}`)).toBe(true);
  });

  test.concurrent("ends a server whose call is cancelled, with all it started", async () => {
    await using server = open();
    const cancel = new AbortController();
    const result = server.call("spawn", { seconds: SPANS[1] }, cancel.signal);
    await until(() => findProcesses(`sleep\0${SPANS[1]}`).length > 0);
    cancel.abort();
    expect(await result).toMatchObject({ errorCode: "denied" });
    expect(await areGone(server.mark)).toBe(true);
    expect(await areGone(`sleep\0${SPANS[1]}`)).toBe(true);
  });

  test.concurrent("ends a server that floods, by one line or by many messages", async () => {
    for (const tool of ["flood line", "flood messages"]) {
      await using server = open();
      expect(await server.call(tool, {}, never)).toMatchObject({
        errorCode: "internal",
        error: expect.stringContaining("more than it was asked for"),
      });
      expect(await areGone(server.mark)).toBe(true);
    }
  });

  test.concurrent("fails on garbage in place of a result, and goes on", async () => {
    await using server = open();
    expect(await server.call("garbage", {}, never)).toMatchObject({ errorCode: "internal" });
    expect(await server.call("echo", {}, never)).toMatchObject({ ok: true });
  });

  test.concurrent("says why a server cannot be started: missing, failing, mute", async () => {
    const launch: Launch = { kind: "stdio", argv: ["no-such-program"], cwd: "/", env: {} };
    await using missing = open({ launch });
    expect(await missing.call("echo", {}, never)).toMatchObject({
      errorCode: "unavailable",
      error: 'Cannot start "no-such-program": the program was not found',
    });
    await using failing = open({ behaviour: "fail" });
    expect(await failing.call("echo", {}, never)).toMatchObject({
      errorCode: "unavailable",
      error: expect.stringContaining("the token is missing"),
    });
    await using mute = open({ behaviour: "mute", timeoutMs: 300 });
    expect(await mute.call("echo", {}, never)).toMatchObject({
      errorCode: "unavailable",
      error: expect.stringContaining("did not answer in time"),
    });
    expect(await areGone(mute.mark)).toBe(true);
  });

  test.concurrent("knows that a server changed its list", async () => {
    await using server = open();
    await server.list(never);
    expect(server.isListStale()).toBe(false);
    await server.call("change list", {}, never);
    expect(server.isListStale()).toBe(true);
    expect((await server.list(never)).tools.map(({ name }) => name)).toEqual(["fresh"]);
  });

  test.concurrent("leaves no process behind when it is closed, also in the middle of its start", async () => {
    const running = open();
    await running.list(never);
    await running.close();
    expect(await areGone(running.mark)).toBe(true);
    const starting = open({ behaviour: "mute" });
    const call = starting.call("echo", {}, never);
    await starting.close();
    expect(await call).toMatchObject({ ok: false });
    expect(await areGone(starting.mark)).toBe(true);
  });
});

describe("createServer() over HTTP", () => {
  // Alone: the end of a session is waited for half a second, and others keep this process busy.
  test("lists and calls with its headers, and ends the session", async () => {
    await using http = await startMcpHttp();
    const headers = { Authorization: "Bearer abc", "X-Extra": "1" };
    const server = open({ launch: { kind: "http", url: http.url, headers } });
    expect((await server.list(never)).tools.map(({ name }) => name)).toContain("echo");
    expect(await server.call("echo", { text: "hi" }, never)).toEqual({
      ok: true,
      content: '{"text":"hi"}',
    });
    await server.close();
    expect(http.requests.at(-1)?.method).toBe("DELETE");
    for (const request of http.requests) {
      expect(request.headers).toMatchObject({ authorization: "Bearer abc", "x-extra": "1" });
    }
  });

  test.concurrent("classifies refusals by their status", async () => {
    await using http = await startMcpHttp();
    await using server = open({ launch: { kind: "http", url: http.url, headers: {} } });
    await server.list(never);
    const codes = [];
    for (const status of [401, 403, 429, 500]) {
      http.refuse(status, { "Retry-After": "7" });
      const result = await server.call("echo", {}, never);
      codes.push(result.ok || [result.errorCode, result.retryable, result.retryAfterMs]);
    }
    expect(codes).toEqual([
      ["unavailable", false, undefined],
      ["unavailable", false, undefined],
      ["rate_limited", true, 7000],
      ["internal", true, undefined],
    ]);
  });

  test.concurrent("tells at once when the connection breaks, and reconnects", async () => {
    await using http = await startMcpHttp();
    await using server = open({ launch: { kind: "http", url: http.url, headers: {} } });
    await server.list(never);
    const result = server.call("hang", {}, never);
    await http.breakOff();
    expect(await result).toMatchObject({
      errorCode: "internal",
      error: "the server went away: the connection broke",
    });
    expect(await server.call("echo", {}, never)).toMatchObject({ ok: true });
  });

  test.concurrent("gives up on a server that hangs, floods, or does not listen", async () => {
    await using http = await startMcpHttp();
    const launch: Launch = { kind: "http", url: http.url, headers: {} };
    await using server = open({ launch });
    expect(await server.call("flood messages", {}, never)).toMatchObject({
      errorCode: "internal",
      error: expect.stringContaining("more than it was asked for"),
    });
    http.refuse(0);
    await using mute = open({ launch, timeoutMs: 500 });
    expect(await mute.call("echo", {}, never)).toMatchObject({ errorCode: "unavailable" });
    await using nobody = open({
      launch: { kind: "http", url: "http://127.0.0.1:1/", headers: {} },
    });
    expect(await nobody.call("echo", {}, never)).toMatchObject({ errorCode: "unavailable" });
  });
});
