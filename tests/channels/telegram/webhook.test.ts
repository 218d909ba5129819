import { expect, test } from "bun:test";
import { createHttpChannel } from "../../../src/channels/http/http-channel.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { silentLog } from "../../support/silent-log.ts";
import { OWNER, openBench } from "./bench.ts";

const PATH = "/telegram/webhook";

/** A channel that is brought its updates, behind a real local HTTP server. */
async function openDoor() {
  const bench = await openBench({ options: { webhookUrl: "https://example.org/hook" } });
  const http = createHttpChannel({
    access: { host: "127.0.0.1", port: 0, token: "http-token" },
    conversation: bench.script,
    describeStatus: () => ({
      uptime_s: 1,
      rss_bytes: 1,
      sessions: 0,
      pending_approvals: 0,
      channels: {},
    }),
    texts: () => textsIn("en"),
    language: () => "en",
    log: silentLog,
    webhook: { path: PATH, answer: (request) => bench.channel.receive(request) },
  });
  await http.start();
  await bench.api.waitFor(() => bench.channel.status()["state"] === "webhook");
  const bring = (body: string, secret = bench.api.webhook.secret, path = PATH) =>
    fetch(`http://127.0.0.1:${http.status()["port"]}${path}`, {
      method: "POST",
      headers: {
        "x-telegram-bot-api-secret-token": secret,
        host: "example.org",
        "content-type": "application/json",
      },
      body,
    });
  return {
    bench,
    bring,
    async [Symbol.asyncDispose]() {
      await http.stop(AbortSignal.timeout(0));
      await bench[Symbol.asyncDispose]();
    },
  };
}

function update(updateId: number, text: string): string {
  const from = { id: OWNER, is_bot: false, first_name: "O" };
  const chat = { id: OWNER, type: "private", first_name: "O" };
  const message = { message_id: updateId, date: 1, chat, from, text };
  return JSON.stringify({ update_id: updateId, message });
}

test("createTelegramChannel() sets the webhook with a secret that is not the token, and does not poll", async () => {
  await using door = await openDoor();
  const { api } = door.bench;
  expect(api.webhook.url).toBe("https://example.org/hook");
  expect(api.webhook.secret).toMatch(/^[0-9a-f]{64}$/u);
  expect(api.calls.some(({ method }) => method === "getUpdates")).toBe(false);
});

test("answerWebhook() says 200 of an update once it is stored, and works on it once", async () => {
  await using door = await openDoor();
  expect((await door.bring(update(1, "hi"))).status).toBe(200);
  expect((await door.bring(update(1, "hi"))).status).toBe(200);
  await door.bench.api.waitForText("echo: hi");
  expect(door.bench.script.received).toHaveLength(1);
});

test("answerWebhook() takes nothing with a wrong secret, and reads nothing before", async () => {
  await using door = await openDoor();
  let wasRead = false;
  const body = new ReadableStream(
    {
      pull(controller) {
        wasRead = true;
        controller.enqueue(Buffer.from(update(1, "hi")));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { "x-telegram-bot-api-secret-token": "wrong" };
  const request = new Request("http://x/", { method: "POST", headers, body });
  expect((await door.bench.channel.receive(request)).status).toBe(401);
  expect(wasRead).toBe(false);
  expect((await door.bring(update(1, "hi"), "")).status).toBe(401);
  expect(door.bench.script.received).toEqual([]);
});

test.each([
  ["no JSON", "{", 400],
  ["no update", "[]", 400],
  ["a forged id", '{"update_id":"1"}', 400],
  ["2 MB", "x".repeat(2 * 1024 * 1024), 413],
])("answerWebhook() refuses %s", async (_, body, status) => {
  await using door = await openDoor();
  expect((await door.bring(body)).status).toBe(status);
});

test("answerWebhook() says 500 when the disk refuses, so that Telegram sends it again", async () => {
  await using door = await openDoor();
  door.bench.store.run(
    "CREATE TRIGGER full BEFORE INSERT ON inbox BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
  );
  expect((await door.bring(update(1, "hi"))).status).toBe(500);
  door.bench.store.run("DROP TRIGGER full");
  expect((await door.bring(update(1, "hi"))).status).toBe(200);
});

test("createHttpChannel() opens no other path to the secret", async () => {
  await using door = await openDoor();
  expect((await door.bring("{}", undefined, "/api/chat")).status).toBe(421);
});

test("receive() is closed while the channel is stopped, and without an address", async () => {
  await using door = await openDoor();
  await door.bench.stop();
  expect((await door.bring(update(1, "hi"))).status).toBe(503);
  await using polling = await openBench();
  const request = new Request("http://x/", { method: "POST", body: update(1, "hi") });
  expect((await polling.channel.receive(request)).status).toBe(503);
});

test("keepWebhook() puts back what somebody took away, and polling takes it down", async () => {
  await using door = await openDoor();
  const { api } = door.bench;
  await fetch(`${api.url}/bot${api.token}/deleteWebhook`, { method: "POST" });
  await api.waitFor(() => api.webhook.url !== "");
  expect(new Set(door.bench.slept)).toEqual(new Set([5 * 60_000])); // between one look and the next
  await door.bench.stop();
  await using polling = await openBench({ options: { apiRoot: api.url } });
  await api.waitFor(() => polling.channel.status()["state"] === "polling");
  expect(api.webhook.url).toBe("");
});
