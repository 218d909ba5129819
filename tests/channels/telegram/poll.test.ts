import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { systemClock } from "../../../src/core/clock.ts";
import { createInbox } from "../../../src/store/chats/inbox.ts";
import { takeLock } from "../../../src/system/locks/kernel-lock.ts";
import { takeMachineName } from "../../../src/system/locks/machine-name.ts";
import { startBotApi } from "../../support/bot-api-server.ts";
import { OWNER, openBench } from "./bench.ts";

const DAY_MS = 24 * 3600_000;

test("poll() says that it polls as soon as it does, with the time of the last poll", async () => {
  await using bench = await openBench();
  await bench.api.waitFor(() => bench.channel.status()["state"] === "polling");
  expect(bench.channel.status()).toEqual({
    state: "polling",
    last_poll_at: expect.stringMatching(/^\d{4}-.*Z$/),
    inbox: 0,
    outbox: 0,
  });
});

test("poll() reports a refused token once, lives on and recovers", async () => {
  const status = 401;
  await using bench = await openBench({
    before: (api) => api.fail("getMe", { kind: "status", status, description: "Unauthorized" }, 4),
  });
  await bench.api.waitFor(() => bench.channel.status()["state"] === "failed: token");
  await bench.api.waitFor(() => bench.channel.status()["state"] === "polling");
  const failures = bench.logged.filter(({ event }) => event === "TELEGRAM_POLL_FAILED");
  expect(failures.map(({ fields }) => fields)).toEqual([
    {
      code: "ERR_TELEGRAM_TOKEN",
      message:
        "Cannot log in to Telegram: 401 Unauthorized; check telegram.bot_token and telegram.api_root",
    },
  ]);
});

test("poll() says what to do about a second poller and takes over when it is gone", async () => {
  await using bench = await openBench({ options: { pollSeconds: 0.05 } });
  await bench.api.waitFor(() => bench.channel.status()["state"] === "polling");
  bench.api.fail("getMe", { kind: "status", status: 409 }, 3);
  await fetch(`${bench.api.url}/bot${bench.api.token}/getUpdates`, { method: "POST" });
  await bench.api.waitFor(() => bench.channel.status()["state"] === "conflict");
  await bench.api.waitFor(() => bench.channel.status()["state"] === "polling");
  expect(bench.logged[0]).toMatchObject({
    event: "TELEGRAM_POLL_FAILED",
    fields: { code: "ERR_TELEGRAM_CONFLICT", message: expect.stringContaining("stop the other") },
  });
});

test("poll() comes back after resets and 5xx, and loses nothing meanwhile", async () => {
  await using bench = await openBench({
    before(api) {
      api.fail("getUpdates", { kind: "reset" }, 2);
      api.fail("getMe", { kind: "status", status: 503 }, 2);
      api.say(OWNER, "still there?");
    },
  });
  await bench.api.waitForText("echo: still there?");
  expect(bench.script.received).toHaveLength(1);
  expect(bench.slept.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
});

test("poll() confirms an update only once it is stored", async () => {
  await using bench = await openBench();
  bench.store.run(
    "CREATE TRIGGER full BEFORE INSERT ON inbox BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
  );
  const id = bench.api.say(OWNER, "hi");
  await bench.api.waitFor(() => bench.logged.length > 0);
  expect(bench.logged[0]?.fields["message"]).toBe(
    "Cannot store what Telegram brings, which keeps it: disk is full",
  );
  expect(bench.api.calls.some(({ payload }) => payload["offset"] === id + 1)).toBe(false);
  bench.store.run("DROP TRIGGER full");
  await bench.api.waitForText("echo: hi");
  await bench.api.waitFor(() =>
    bench.api.calls.some(({ payload }) => payload["offset"] === id + 1),
  );
});

test("poll() goes on after a restart where it was", async () => {
  await using bench = await openBench();
  const id = bench.api.say(OWNER, "hi");
  await bench.api.waitForText("echo: hi");
  await bench.stop();
  const before = bench.api.calls.length;
  await bench.restart();
  const polled = await bench.api.waitFor(() =>
    bench.api.calls.slice(before).find(({ method }) => method === "getUpdates"),
  );
  expect(polled.payload["offset"]).toBe(id + 1);
});

test("poll() does not trust an old position, as Telegram may have restarted its numbering", async () => {
  await using bench = await openBench({
    before(api, store) {
      const old = { updateId: 900_000, sessionId: "", updateJson: "", state: "done" } as const;
      createInbox(store, api.botId).add({ ...old, lane: "turn" }, Date.now() - 7 * DAY_MS);
      api.say(OWNER, "after a quiet week");
    },
  });
  await bench.api.waitForText("echo: after a quiet week");
});

test.each([
  ["answers and never ends", { kind: "silent" }],
  ["never answers", { kind: "hang" }],
  ["answers with a page of a proxy", { kind: "rubbish", status: 502 }],
] as const)("poll() leaves a server that %s, and goes on", async (_, fault) => {
  await using bench = await openBench({ options: { pollSeconds: 0.05, pollGraceSeconds: 0.1 } });
  await bench.api.waitFor(() => bench.channel.status()["state"] === "polling");
  bench.api.fail("getUpdates", fault);
  // Who looks for the state "offline" may come too late: it lasts until the next request is held.
  await bench.api.waitFor(() => bench.logged.some(({ event }) => event === "TELEGRAM_POLL_FAILED"));
  bench.api.say(OWNER, "still there?");
  await bench.api.waitForText("echo: still there?");
  await bench.api.waitFor(() => bench.channel.status()["state"] === "polling");
});

test("poll() does not hammer a server that holds no request", async () => {
  await using bench = await openBench({
    before: (api) => api.fail("getUpdates", { kind: "empty" }, 5),
  });
  await bench.api.waitFor(() => bench.slept.length === 4);
  bench.api.say(OWNER, "still there?");
  await bench.api.waitForText("echo: still there?");
  expect(bench.slept.slice(0, 4)).toEqual([1000, 1000, 1000, 1000]);
});

test("poll() waits as long as a 429 says", async () => {
  await using bench = await openBench({
    before: (api) => api.fail("getUpdates", { kind: "status", status: 429, retryAfterSeconds: 7 }),
  });
  await bench.api.waitFor(() => bench.channel.status()["state"] === "polling");
  expect(bench.slept).toContain(7000);
});

test("poll() waits an hour at most, whatever a 429 says", async () => {
  const fault = { kind: "status", status: 429, retryAfterSeconds: 1e12 } as const;
  await using bench = await openBench({ before: (api) => api.fail("getUpdates", fault) });
  await bench.api.waitFor(() => bench.slept.includes(3_600_000));
  expect(Math.max(...bench.slept)).toBe(3_600_000);
});

test("poll() asks only who it is while the token is revoked, rarer and rarer, and comes back", async () => {
  await using bench = await openBench({ options: { pollSeconds: 0.05 } });
  await bench.api.waitFor(() => bench.channel.status()["state"] === "polling");
  const before = bench.api.calls.length;
  const refused = { kind: "status", status: 401, description: "Unauthorized" } as const;
  bench.api.fail("getUpdates", refused);
  bench.api.fail("getMe", refused, 5);
  await bench.api.waitFor(() => bench.channel.status()["state"] === "failed: token");
  const lastPollAt = bench.channel.status()["last_poll_at"];
  await bench.api.waitFor(() => bench.channel.status()["state"] === "polling");
  expect(bench.slept.slice(0, 6)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000]);
  const methods = bench.api.calls.slice(before).map(({ method }) => method);
  expect(methods.filter((method) => method === "getMe").length).toBeGreaterThanOrEqual(5);
  expect(bench.channel.status()["last_poll_at"]).not.toBe(lastPollAt);
});

test("poll() goes on asking where there is no such host, and shows no token", async () => {
  await using bench = await openBench({ options: { apiRoot: "http://telegram.invalid" } });
  await bench.api.waitFor(() => bench.slept.length >= 3);
  expect(bench.channel.status()).toMatchObject({ state: "offline", last_poll_at: null });
  expect(JSON.stringify(bench.logged)).not.toContain("test-token");
});

test("poll() yields more and more to a poller elsewhere, says so once, and recovers", async () => {
  const states: unknown[] = [];
  await using bench = await openBench({
    options: { pollSeconds: 0.4 },
    before(api) {
      // Whoever begins to wait ends the other's wait; what is answered at once is no sign of peace.
      const fault = { kind: "status", status: 409 } as const;
      api.fail("getUpdates", fault, 4, ({ timeout }) => {
        states.push(bench.channel.status()["state"]);
        return timeout !== 0;
      });
    },
  });
  await bench.api.waitFor(() => bench.slept.length === 4);
  await bench.api.waitFor(() => bench.channel.status()["state"] === "polling");
  expect(bench.slept).toEqual([1000, 2000, 4000, 8000]);
  expect(states.slice(2)).toEqual(Array(6).fill("conflict"));
  expect(bench.logged.filter(({ event }) => event === "TELEGRAM_POLL_FAILED")).toHaveLength(1);
});

test("holdBot() lets one daemon of a machine use a bot, names it to the other, and hands over", async () => {
  const name = `papayu-test-${randomUUID()}`;
  const lockOf = (what: string) => () => takeMachineName(name, { what, file: "/nowhere" });
  await using first = await openBench({ options: { lock: lockOf("/homes/first") } });
  await first.api.waitFor(() => first.channel.status()["state"] === "polling");
  const options = { apiRoot: first.api.url, lock: lockOf("/homes/second") };
  await using second = await openBench({ options });
  await second.api.waitFor(() => second.slept.length >= 2);
  expect(second.channel.status()["state"]).toBe("conflict");
  expect(second.logged).toEqual([
    {
      event: "TELEGRAM_POLL_FAILED",
      fields: {
        code: "ERR_TELEGRAM_CONFLICT",
        message: `Cannot poll Telegram: another papa-yu on this machine uses this bot (pid ${process.pid}, home "/homes/first"); stop it or make a bot for this one alone`,
      },
    },
  ]);
  expect(first.channel.status()["state"]).toBe("polling");
  await first.stop();
  await second.api.waitFor(() => second.channel.status()["state"] === "polling");
});

test("holdBot() does not make the bot deaf where the lock cannot be used", async () => {
  const lock = async () => takeLock("/nowhere/at/all/bot.lock", "/h");
  await using bench = await openBench({ options: { lock } });
  await bench.api.waitFor(() => bench.channel.status()["state"] === "polling");
  expect(bench.logged.map(({ event }) => event)).toEqual(["TELEGRAM_LOCK_FAILED"]);
});

test("poll() receives everything when the clock jumps by years, back and forth", async () => {
  const years = 3 * 365 * DAY_MS;
  let shiftMs = 0;
  const clock = { ...systemClock, now: () => Date.now() + shiftMs };
  await using bench = await openBench({ options: { clock } });
  for (const [index, shift] of [years, -years, 0, years].entries()) {
    bench.api.say(OWNER, `message ${index}`);
    await bench.api.waitForText(`echo: message ${index}`);
    shiftMs = shift;
  }
  expect(bench.script.received).toHaveLength(4);
});

test("createTelegramChannel() connects to nobody before start and stops before it ever started", async () => {
  await using api = await startBotApi();
  await using bench = await openBench({ options: { apiRoot: `${api.url}/` } });
  await api.waitFor(() => bench.channel.status()["state"] === "polling");
  await bench.stop();
  await bench.stop();
  expect(bench.api.calls).toEqual([]);
  expect(bench.channel.status()).toMatchObject({ state: "stopped" });
});
