import { describe, expect, test } from "bun:test";
import { createDeadline } from "../../src/core/deadline.ts";
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
  using deadline = createDeadline({ idleMs: 100, totalMs: 60_000, signal: undefined });
  const steps = async () => {
    for (;;) await deadline.wait(Bun.sleep(5));
  };
  expect(await steps().catch((error: unknown) => error)).toMatchObject({ name: "AbortError" });
  expect(deadline.stopped()).toBe("idle");
});

test("Deadline.touch() begins idleness anew", async () => {
  using deadline = createDeadline({ idleMs: 600, totalMs: 60_000, signal: undefined });
  let waitedMs = 0;
  while (waitedMs < 900) {
    const from = performance.now();
    await deadline.wait(Bun.sleep(20));
    waitedMs += performance.now() - from;
    deadline.touch();
  }
  expect(deadline.stopped()).toBeUndefined();
});
