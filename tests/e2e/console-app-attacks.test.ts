import { expect, test } from "bun:test";
import { connect } from "node:net";
import { until } from "../support/patience.ts";
import { enter, HOST, openApp, openAppScene, PUBLIC, passOn, sign } from "./app-scene.ts";
import { OWNER } from "./console-scene.ts";

/** A connection on which a test writes what no client would. */
async function openSocket(port: number) {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk.toString()));
  await new Promise((done) => socket.once("connect", done));
  return {
    write: (text: string) => void socket.write(text),
    async status(): Promise<number> {
      await until(
        () => /^HTTP\/1\.1 \d{3}/u.test(answer),
        () => `no answer came: ${answer}`,
      );
      return Number(answer.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

test("what a session began that ends before the body is there is not done", async () => {
  await using scene = await openAppScene();
  for (const [path, said] of [
    ["/api/chat", { message: "hello", session_id: "slow" }],
    ["/api/press", { act: "approve", ref: "ap_1" }],
    ["/api/change-sets/ap_1/draft", { text: "no" }],
  ] as const) {
    const app = await openApp(scene, OWNER);
    const body = JSON.stringify(said);
    using slow = await openSocket(scene.port);
    const headers = { ...app.headers, host: HOST, "content-length": String(body.length) };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    slow.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body.slice(0, 1)}`);
    await (await passOn(scene, "/healthz")).text(); // by now its head was looked at
    expect((await app.post("/api/console/logout", {})).status).toBe(200);
    slow.write(body.slice(1));
    expect(await slow.status()).toBe(401);
  }
  const chats = await (await scene.get("/api/chats")).text();
  expect(JSON.parse(chats)).toMatchObject({ total: 0 });
});

test("an answer ends with the session that asked for it, and so does the work", async () => {
  const asked = Promise.withResolvers<void>();
  await using scene = await openAppScene("", () => {
    asked.resolve();
    return { kind: "hang" };
  });
  const app = await openApp(scene, OWNER);
  const answer = await app.post("/api/chat", { message: "hello", session_id: "long" });
  const work = String(answer.headers.get("x-work-id"));
  await asked.promise;
  expect((await app.post("/api/console/logout", {})).status).toBe(200);
  expect(await answer.text()).not.toContain("[DONE]");
  await until(
    async () => !(await (await scene.get(`/api/work/${work}`)).text()).includes("running"),
    () => "it goes on",
  );
});

test("a bearer is of one start of the daemon, and what Telegram gave of one entry", async () => {
  await using scene = await openAppScene();
  const initData = sign(scene.bot.token, OWNER);
  const entered = await (await enter(scene, initData)).text();
  const { bearer }: { readonly bearer: string } = JSON.parse(entered);
  const headers = { authorization: `Bearer ${bearer}` };
  expect((await passOn(scene, "/api/inbox", { headers })).status).toBe(200);
  await scene.daemon.stop();
  await using _ = await scene.sandbox.host();
  const { stdout } = await scene.sandbox.run("status");
  const [, port = ""] = /http: listening, port (\d+)/u.exec(stdout) ?? [];
  const again = { root: `http://127.0.0.1:${port}` };
  expect((await passOn(again, "/api/inbox", { headers })).status).toBe(401);
  expect((await enter(again, initData)).status).toBe(401);
  expect((await enter(again, sign(scene.bot.token, OWNER))).status).toBe(200);
});

test("no spelling of a host lends the public one the rights of this machine, or the other way round", async () => {
  await using scene = await openAppScene();
  const { headers } = await openApp(scene, OWNER);
  const app = `authorization: ${headers["authorization"]}`;
  const token = `authorization: ${scene.bearer["authorization"]}`;
  const local = `host: 127.0.0.1:${scene.port}`;
  const ways: readonly (readonly [string, string, readonly string[], number])[] = [
    ["the owner's own way", "/api/inbox", [`host: ${HOST}`, app], 200],
    ["the host in capitals", "/api/inbox", [`host: ${HOST.toUpperCase()}`, app], 200],
    ["the token by the public host", "/api/status", [`host: ${HOST}`, token], 403],
    ["the token for a session", "/api/inbox", [`host: ${HOST}`, token], 401],
    ["both at once", "/api/status", [`host: ${HOST}`, app, token], 403],
    ["a bearer by a name of this machine", "/api/inbox", [local, app], 401],
    ["a dot behind the host", "/api/inbox", [`host: ${HOST}.`, app], 421],
    ["a port behind the host", "/api/inbox", [`host: ${HOST}:443`, app], 421],
    ["a name below it", "/api/inbox", [`host: a.${HOST}`, app], 421],
    ["two hosts", "/api/inbox", [`host: ${HOST}`, local, token], 421],
    ["two hosts the other way", "/api/inbox", [local, `host: ${HOST}`, token], 421],
    ["a host in the line", `http://${HOST}/api/status`, [local, token], 200],
    ["this machine in the line", `http://127.0.0.1/api/status`, [`host: ${HOST}`, token], 403],
    ["a forwarded host", "/api/status", [`host: ${HOST}`, `x-forwarded-${local}`, token], 403],
    ["forwarded to this machine", "/api/status", [local, `x-forwarded-host: ${HOST}`, token], 403],
    ["a path around the table", "/api/app/../status", [`host: ${HOST}`, token, app], 403],
    ["an encoded one", "/api/%2e%2e/metrics", [`host: ${HOST}`, token, app], 403],
    ["a doubled slash", "//api/inbox", [`host: ${HOST}`, app], 403],
    ["another method", "/api/inbox", [`host: ${HOST}`, app, "x-http-method-override: POST"], 200],
  ];
  for (const [name, path, lines, status] of ways) {
    using socket = await openSocket(scene.port);
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`);
    expect([name, await socket.status()]).toEqual([name, status]);
  }
  for (const path of ["/", "/settings", "/review/ap_1", "/api/console/login"]) {
    const own = { origin: PUBLIC, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect([path, (await passOn(scene, path, { headers: own })).status]).toEqual([path, 403]);
  }
});
