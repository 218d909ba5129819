import { expect, test } from "bun:test";
import { createInbox } from "../../../src/store/inbox.ts";
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
  await using bench = await openBench();
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
  expect(bench.script.heard).toHaveLength(1);
  expect(bench.slept.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
});

test("poll() confirms an update only once it is stored", async () => {
  await using bench = await openBench();
  bench.store.run(
    "CREATE TRIGGER full BEFORE INSERT ON inbox BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
  );
  const id = bench.api.say(OWNER, "hi");
  await bench.api.waitFor(() => bench.logged.length > 0);
  expect(bench.logged[0]?.fields["message"]).toBe("Cannot receive from Telegram: disk is full");
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

test("poll() does not trust an old position, for Telegram may have numbered from anew", async () => {
  await using bench = await openBench({
    before(api, store) {
      const old = { updateId: 900_000, sessionId: "", updateJson: "", state: "done" } as const;
      createInbox(store, api.botId).add({ ...old, lane: "turn" }, Date.now() - 7 * DAY_MS);
      api.say(OWNER, "after a quiet week");
    },
  });
  await bench.api.waitForText("echo: after a quiet week");
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
