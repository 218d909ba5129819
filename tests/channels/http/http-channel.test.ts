import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import { until } from "../../support/patience.ts";
import { tempDir } from "../../support/temp.ts";
import { dataOf, openBench, STATUS, TOKEN } from "./bench.ts";

describe("createHttpChannel()", () => {
  test("streams an answer as server-sent events that end with one [DONE]", async () => {
    await using bench = await openBench(async (text, emit) => {
      await emit({ kind: "tool_call", id: "c1", name: "read_file", args: '{"path":"a"}' });
      await emit({ kind: "tool_result", id: "c1", name: "read_file", ok: true, content: "1|x" });
      await emit({ kind: "content", text: `echo ${text}\n\ndata: [DONE]` });
    });
    const response = await bench.post("/api/chat", { message: "привет", session_id: "s.1" });
    expect(response.headers.get("content-type")).toStartWith("text/event-stream");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(await dataOf(response)).toEqual([
      '{"tool_calls":[{"id":"c1","name":"read_file","arguments":"{\\"path\\":\\"a\\"}"}]}',
      '{"tool_result":{"tool_call_id":"c1","name":"read_file","result":"1|x"}}',
      '{"content":"echo привет\\n\\ndata: [DONE]"}',
      "[DONE]",
    ]);
    expect(bench.received).toEqual([
      { speaker: { sessionId: "http:s.1", userId: "owner" }, text: "привет" },
    ]);
  });

  test("cancels nobody else's work when a client leaves that waits", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const begun: string[] = [];
    await using bench = await openBench(async (text, emit) => {
      begun.push(text);
      await emit({ kind: "content", text });
      await gates[begun.length - 1]?.promise;
    });
    const first = await bench.post("/api/chat", { message: "first", session_id: "s" });
    const abort = new AbortController();
    const body = { message: "second", session_id: "s" };
    await bench.post("/api/chat", body, { signal: abort.signal });
    abort.abort();
    await Bun.sleep(20);
    expect(bench.cancelled).toEqual([]);
    gates[0]?.resolve();
    expect(await first.text()).toContain("[DONE]");
    await until(() => bench.cancelled.length > 0);
    gates[1]?.resolve();
  });

  test("gives its health to everybody, its status and metrics to the owner", async () => {
    await using bench = await openBench();
    expect(await (await fetch(`${bench.root}/healthz`)).json()).toEqual({ ok: true });
    expect(await (await bench.call("/api/status")).json()).toEqual(STATUS);
    const metrics = await (await bench.call("/metrics")).text();
    expect(metrics).toContain("papayu_resident_memory_bytes 1000\n");
    expect(metrics).toContain('papayu_channel{channel="terminal",figure="clients"} 3\n');
    for (const path of ["/api/status", "/metrics"]) {
      expect((await fetch(bench.root + path)).status).toBe(401);
    }
  });

  test.each([
    ["no JSON", "{", "the body is not JSON"],
    ["no message", {}, '"message" must be a text'],
    ["an empty message", { message: " " }, '"message" must be a text'],
    ["a number for a message", { message: 1 }, '"message" must be a text'],
    ["an array", [], '"message" must be a text'],
    ["a session that is a path", { message: "x", session_id: "../telegram" }, "session_id"],
    ["a session that is too long", { message: "x", session_id: "s".repeat(65) }, "session_id"],
  ])("refuses %s", async (_name, body, said) => {
    await using bench = await openBench();
    const response = await bench.post("/api/chat", body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      ok: false,
      error: expect.stringContaining(said),
    });
    expect(bench.received).toEqual([]);
  });

  test("refuses a body over 1 MiB, other methods and other paths", async () => {
    await using bench = await openBench();
    const large = await bench.post("/api/chat", { message: "x".repeat(1_100_000) });
    expect(large.status).toBe(413);
    expect(await large.json()).toEqual({
      ok: false,
      error: "the body is longer than 1048576 bytes",
    });
    expect(bench.received).toEqual([]);
    for (const [method, path] of [
      ["GET", "/api/chat"],
      ["OPTIONS", "/api/chat"],
      ["DELETE", "/api/status"],
      ["GET", "/../etc/passwd"],
      ["GET", "/"],
    ] as const) {
      expect((await bench.call(path, { method })).status).toBe(404);
    }
    expect(bench.received).toEqual([]);
  });
});

test("createHttpChannel() runs no routine for a body that is too long, or does not come", async () => {
  const started: string[] = [];
  const options = {
    bodyMs: 100,
    trigger: async (_name: string, _secret: string, readBody: () => Promise<string>) => {
      started.push(await readBody());
      return { status: 202, message: "started" };
    },
  };
  await using bench = await openBench(undefined, options);
  const path = "/api/routines/intake/trigger";
  const large = await bench.post(path, "x".repeat(1_100_000));
  expect(large.status).toBe(413);
  expect(await large.json()).toMatchObject({ ok: false, error: expect.any(String) });
  const never = new ReadableStream({ start: (it) => it.enqueue(new Uint8Array(1)) });
  const late = await bench.call(path, { method: "POST", body: never });
  expect(late.status).toBe(408);
  expect(await late.json()).toMatchObject({ ok: false, error: expect.any(String) });
  expect(started).toEqual([]);
  expect((await bench.post(path, "mail")).status).toBe(202);
  expect(started).toEqual(["mail"]);
});

test("createHttpChannel() calls a webhook that a full disk refuses no defect", async () => {
  using dir = tempDir();
  using database = new Database(join(dir.path, "full.db"));
  database.run("PRAGMA max_page_count = 2");
  database.run("CREATE TABLE t (x)");
  const trigger = async () => {
    database.query("INSERT INTO t VALUES (zeroblob(100000))").run();
    return { status: 202, message: "started" };
  };
  const logged: string[] = [];
  const log = (event: string) => void logged.push(event);
  await using bench = await openBench(undefined, { trigger, log });
  const answer = await bench.post("/api/routines/intake/trigger", "mail");
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain("HTTP_DEFECT");
  expect(logged).toEqual(["HTTP_ERROR"]);
});

/** What comes back for bytes that no client library would send. */
function raw(root: string, request: string): Promise<string> {
  const { port } = new URL(root);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(request));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
      socket.end();
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
}

describe("createHttpChannel() lets nobody in", () => {
  test.each([
    ["without a token", {}, 401],
    ["with a wrong token", { authorization: `Bearer ${"u".repeat(64)}` }, 401],
    ["with a part of the token", { authorization: `Bearer ${TOKEN.slice(1)}` }, 401],
    ["with an empty token", { authorization: "Bearer " }, 401],
    ["with another scheme", { authorization: `Basic ${TOKEN}` }, 401],
    ["from a page", { authorization: `Bearer ${TOKEN}`, origin: "https://evil.example" }, 403],
    ["from a file", { authorization: `Bearer ${TOKEN}`, origin: "null" }, 403],
    ["from a twin", { authorization: `Bearer ${TOKEN}`, origin: "http://127.0.0.1:1" }, 403],
  ] as const)("%s", async (_, headers, status) => {
    await using bench = await openBench();
    const init = { method: "POST", body: '{"message":"x"}', headers };
    expect((await fetch(`${bench.root}/api/chat`, init)).status).toBe(status);
    expect(bench.received).toEqual([]);
  });

  test.each(["evil.example", "127.0.0.1.evil.example", "127.0.0.1", "127.0.0.1:1", "[::1]"])(
    "under the name %s",
    async (host) => {
      await using bench = await openBench();
      const request = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect(await raw(bench.root, request)).toStartWith("HTTP/1.1 421");
    },
  );

  test("under its own names lets the owner in", async () => {
    await using bench = await openBench();
    const { port } = new URL(bench.root);
    for (const name of ["localhost", "LOCALHOST", "127.0.0.1", "[::1]"]) {
      const request = `GET /api/status HTTP/1.1\r\nHost: ${name}:${port}\r\nAuthorization: bearer ${TOKEN}\r\nOrigin: http://localhost:${port}\r\nConnection: close\r\n\r\n`;
      expect(await raw(bench.root, request)).toStartWith("HTTP/1.1 200");
    }
  });
});
