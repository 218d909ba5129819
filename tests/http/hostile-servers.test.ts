import { describe, expect, test } from "bun:test";
import { createDeadline } from "../../src/core/deadline.ts";
import { createVirtualTimers } from "../support/virtual-timers.ts";
import { expectFailure, fetchSite } from "./fetch-support.ts";
import { HOSTILE } from "./hostile-servers.ts";
import { rawServer } from "./raw-server.ts";

describe("fetchGuarded() ends at its limit, and its connection with it, when a server", () => {
  test.each(Object.entries(HOSTILE))("%s", async (_, answer) => {
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

test("Deadline.touch() begins idleness anew", async () => {
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
