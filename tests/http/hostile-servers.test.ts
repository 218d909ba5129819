import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { createDeadline } from "../../src/core/deadline.ts";
import { fetchOpen } from "../../src/http/fetch-guarded.ts";
import { createVirtualTimers } from "../support/virtual-timers.ts";
import { expectFailure, fetchSite, toFetchOptions } from "./fetch-support.ts";
import { HOSTILE } from "./hostile-servers.ts";
import { rawServer } from "./raw-server.ts";

describe("fetchGuarded() ends at its limit, and its connection with it, when a server", () => {
  test.concurrent.each(Object.entries(HOSTILE))("%s", async (_, answer) => {
    const closed = Promise.withResolvers<void>();
    using server = await rawServer((socket) => {
      // Not `once()` of node:events: it rejects when a reset comes before the close.
      socket.once("close", () => closed.resolve());
      answer(socket);
    });
    const failure = expectFailure(await fetchSite(server.port, { timeoutMs: 400 }));
    expect(["timeout", "unavailable"]).toContain(failure.code);
    // On a busy machine the limit may pass before there is a connection.
    if (server.requests.length > 0) await closed.promise;
  });
});

test.each(["idle", "total", "cancelled"] as const)(
  "Deadline.wait() ends work that heeds nothing: %s",
  async (why) => {
    const caller = new AbortController();
    const idleMs = why === "idle" ? 1 : 60_000;
    const totalMs = why === "total" ? 1 : 60_000;
    using deadline = createDeadline({ idleMs, totalMs, signal: caller.signal });
    const waiting = deadline.wait(new Promise(() => {}));
    if (why === "cancelled") caller.abort();
    expect(await waiting.catch((error: unknown) => error)).toMatchObject({ name: "AbortError" });
    expect(deadline.stopped()).toBe(why);
  },
);

test("Deadline.wait() adds up what was waited without progress", async () => {
  const timers = createVirtualTimers();
  using deadline = createDeadline({ idleMs: 100, totalMs: 60_000, signal: undefined, timers });
  let steps = 0;
  const work = async () => {
    for (; ; steps += 1) await deadline.wait(Promise.resolve().then(() => timers.pass(30)));
  };
  expect(await work().catch((error: unknown) => error)).toMatchObject({ name: "AbortError" });
  expect([deadline.stopped(), steps]).toEqual(["idle", 3]);
});

test("fetchOpen() takes the head of an answer, and each piece of it, for progress", async () => {
  const timers = createVirtualTimers();
  const slow = () => timers.pass(60);
  const pieces = ["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab", "cd"];
  const sockets: Socket[] = [];
  using server = await rawServer((socket) => {
    sockets.push(socket);
    slow();
    socket.write(pieces[0] ?? "");
  });
  const options = toFetchOptions(server.port, { idleMs: 100, timers });
  const body = await fetchOpen(options, async ({ body: { chunks } }) => {
    slow();
    let text = "";
    for await (const chunk of chunks) {
      slow();
      if (text === "") sockets[0]?.write(pieces[1] ?? "");
      text += new TextDecoder().decode(chunk);
    }
    return text;
  });
  expect(body).toBe("abcd");
});

test("Deadline.touch() restarts the idle time", async () => {
  const timers = createVirtualTimers();
  using deadline = createDeadline({ idleMs: 100, totalMs: 60_000, signal: undefined, timers });
  for (let step = 0; step < 5; step += 1) {
    const wait = Promise.withResolvers<void>();
    const waiting = deadline.wait(wait.promise);
    timers.pass(60);
    deadline.touch(); // while it waits, and
    timers.pass(60);
    wait.resolve();
    await waiting;
    deadline.touch(); // between two waits
  }
  expect(deadline.stopped()).toBeUndefined();
  const last = deadline.wait(new Promise(() => {})).catch(() => {});
  timers.pass(100);
  await last;
  expect(deadline.stopped()).toBe("idle");
});

test("Deadline.hurry() bounds what is still waited for, and never for longer than before", async () => {
  const timers = createVirtualTimers();
  using deadline = createDeadline({ idleMs: 1000, totalMs: 60_000, signal: undefined, timers });
  const waiting = deadline.wait(new Promise(() => {})).catch(() => {});
  timers.pass(900);
  deadline.hurry(100);
  timers.pass(99);
  deadline.hurry(500);
  expect(deadline.stopped()).toBeUndefined();
  timers.pass(1);
  await waiting;
  expect(deadline.stopped()).toBe("idle");
});
