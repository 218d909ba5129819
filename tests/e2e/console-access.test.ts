import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { openBeside } from "../support/open-beside.ts";
import { until } from "../support/patience.ts";
import { type ConsoleScene, eventsOf, openConsoleScene } from "./console-scene.ts";

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types papayu";

/** What a browser says of a request of our own page. */
const OWN = {
  "sec-fetch-site": "same-origin",
  "sec-fetch-mode": "cors",
  "sec-fetch-dest": "empty",
};
const NAVIGATION = {
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
  accept: "text/html",
};

/** An address with a code, as `papayu open --print` gives it. */
async function invite({ sandbox }: ConsoleScene, ...more: readonly string[]) {
  const { stdout, stderr } = await sandbox.run("open", "--print", ...more);
  const [, host = "", code = ""] = /^http:\/\/([^/]+)\/#login=([\w-]{22})\n$/u.exec(stdout) ?? [];
  if (host === "") throw new Error(`no address: ${stdout}${stderr}`);
  return { host, code, origin: `http://${host}` };
}

/** A browser that was let in. */
async function signIn(scene: ConsoleScene, ...more: readonly string[]) {
  const { host, code, origin } = await invite(scene, ...more);
  const headers = {
    ...OWN,
    host,
    origin,
    "user-agent": "Mozilla/5.0 Gecko/20100101 Firefox/140.0",
  };
  const response = await scene.post("/api/console/login", { code }, headers);
  const { secret, session_id: id } = JSON.parse(await response.text());
  const setCookie = response.headers.get("set-cookie");
  const [cookie = ""] = (setCookie ?? "").split(";", 1);
  const shown = { ...OWN, host, "x-papayu-session": String(secret), ...(setCookie && { cookie }) };
  return { host, origin, code, id: String(id), setCookie, shown, headers, cookie };
}

/** What comes back for bytes that are sent as they are. */
function raw(port: number, request: string, address = "127.0.0.1"): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, address, () => socket.write(request));
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
}

test("a code lets one browser in, once; its session needs cookie and secret together", async () => {
  await using scene = await openConsoleScene();
  const { get, post } = scene;
  const { host, origin, code, id, setCookie, shown, headers } = await signIn(scene);
  expect(host).toMatch(/^papayu-[a-z]{8}\.localhost:\d+$/u);
  expect(setCookie).toMatch(
    /^papayu_session=[\w.-]{30,}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/u,
  );
  const me = await get("/api/console/session", shown);
  expect(await me.json()).toMatchObject({
    ok: true,
    version: "0.1.0",
    language: "en",
    session: { id, browser: "Firefox" },
    person: { role: "owner" },
  });
  expect((await get("/api/inbox", shown)).status).toBe(200);
  await scene.phone.waitForText(`A browser signed in to the web console: Firefox`);

  const { cookie, "x-papayu-session": secret, ...without } = { cookie: "", ...shown };
  const status = async (path: string, more: Record<string, string>) =>
    (await get(path, { ...without, ...more })).status;
  const both = { cookie, "x-papayu-session": secret };
  for (const path of [
    "/api/inbox",
    "/api/events",
    "/api/console/session",
    "/api/change-sets/ap_1",
  ]) {
    expect(await status(path, { cookie })).toBe(401);
    expect(await status(path, { "x-papayu-session": secret })).toBe(401);
    expect(await status(path, { ...both, cookie: "papayu_session=x" })).toBe(401);
    expect(await status(path, { ...both, "x-papayu-session": `${secret}x` })).toBe(401);
    expect(await status(path, { ...both, "sec-fetch-site": "same-site" })).toBe(403);
    expect(await status(path, { ...both, "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await status(path, { ...both, origin: "http://127.0.0.1:3000" })).toBe(403);
    expect(await status(path, { ...both, host: `evil.example:${scene.port}` })).toBe(421);
    expect(await status(path, { ...both, "x-forwarded-for": "10.0.0.1" })).toBe(403);
    expect(await status(path, { ...both, via: "1.1 proxy" })).toBe(403);
    // By this machine's own address, which every port shares, no cookie counts.
    expect(await status(path, { ...both, host: `127.0.0.1:${scene.port}` })).toBe(401);
  }
  // Another page of this machine may have set one of its own.
  const tossed = `papayu_session=tossed; ${cookie}`;
  expect(await status("/api/inbox", { ...both, cookie: tossed })).toBe(200);
  const press = { act: "approve", ref: "ap_1" };
  expect((await post("/api/press", press, shown)).status).toBe(403); // no Origin
  const foreign = { ...shown, origin: "https://evil.example" };
  expect((await post("/api/press", press, foreign)).status).toBe(403);
  expect((await post("/api/press", press, { ...shown, origin })).status).toBe(200);
  expect((await post("/api/chat", { message: "hi" }, shown)).status).toBe(403); // no Origin
  expect((await post("/api/chat", { message: "hi" }, foreign)).status).toBe(403);
  expect((await post("/api/status", { message: "hi" }, { ...shown, origin })).status).toBe(401);

  expect((await post("/api/console/login", { code }, headers)).status).toBe(401); // replayed
  const out = await post("/api/console/logout", {}, { ...shown, origin });
  expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
  expect((await get("/api/inbox", shown)).status).toBe(401);
});

test("nothing of a session can be read where it is kept", async () => {
  await using scene = await openConsoleScene();
  const { shown, cookie, code } = await signIn(scene);
  using store = openBeside(join(scene.sandbox.home, "state.db"));
  const rows = store.query("SELECT key, value FROM settings WHERE key LIKE 'console.%'").all();
  const kept = JSON.stringify(rows);
  expect(rows).toHaveLength(2);
  expect(kept).toContain("Sha256");
  const secrets = [shown["x-papayu-session"], cookie.split("=")[1] ?? "", code];
  for (const secret of secrets) {
    expect(kept).not.toContain(secret.split(".").at(-1) ?? secret);
    expect(scene.daemon.log()).not.toContain(secret.split(".").at(-1) ?? secret);
  }
});

test("five wrong codes void those that wait, and a stranger's page cannot even try", async () => {
  await using scene = await openConsoleScene();
  const { host, origin, code } = await invite(scene);
  const headers = { ...OWN, host, origin };
  const login = async (given: unknown, more: Record<string, string> = headers) =>
    (await scene.post("/api/console/login", given, more)).status;
  expect(await login({ code }, { ...headers, origin: "https://evil.example" })).toBe(403);
  expect(await login({ code }, { ...headers, "sec-fetch-site": "same-site" })).toBe(403);
  expect(await login({ code }, { ...OWN, host })).toBe(403);
  expect(await login({ code: 7 })).toBe(400);
  expect(await login({ code: "x".repeat(5000) })).toBe(413);
  for (let n = 0; n < 5; n++) expect(await login({ code: "A".repeat(22) })).toBe(401);
  expect(await login({ code })).toBe(401);
  expect(await login({ code: (await invite(scene)).code })).toBe(200);
});

test("who takes a code first is told of, and goes with the id that was told", async () => {
  await using scene = await openConsoleScene();
  const thief = await signIn(scene);
  const late = await scene.post("/api/console/login", { code: thief.code }, thief.headers);
  expect(late.status).toBe(401);
  const told = await scene.phone.waitForText("A browser signed in");
  const [, id = ""] = /--revoke ([0-9a-f]{16})/u.exec(told.text) ?? [];
  expect(id).toBe(thief.id);
  const stream = eventsOf(await scene.get("/api/events?after=1", thief.shown));
  expect((await stream.next()).value).toMatchObject({ kind: "reload" });
  const { report } = await scene.sandbox.json("open", "--list");
  expect(report).toMatchObject({ ok: true, sessions: [{ id, browser: "Firefox" }] });
  expect((await scene.sandbox.run("open", "--revoke", id)).exitCode).toBe(0);
  expect((await stream.next()).done).toBe(true);
  expect((await scene.get("/api/inbox", thief.shown)).status).toBe(401);
  const again = await scene.sandbox.run("open", "--revoke", id);
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("ERR_CONSOLE") });
});

test("a browser is ended by the button below the news of it, by its owner alone", async () => {
  await using scene = await openConsoleScene();
  const { shown, id } = await signIn(scene);
  const asked = await scene.phone.waitForText("Not you?");
  expect(asked.buttons.map(({ label }) => label)).toEqual(["Revoke"]);
  expect(asked.buttons[0]?.data).toStartWith(`end_browser:${id}`);
  const pressed = await scene.phone.pressAgain(asked, 0, 502);
  expect(pressed).toContain("Only the person who");
  expect((await scene.get("/api/inbox", shown)).status).toBe(200);
  await scene.phone.tap("Revoke", "The browser is let in no more.");
  expect((await scene.get("/api/inbox", shown)).status).toBe(401);
});

test("the page is one document at every address, framed by nobody; this machine's address leads there", async () => {
  await using scene = await openConsoleScene();
  const moved = await scene.get("/review/ap_1", NAVIGATION);
  expect(moved.status).toBe(307);
  const location = moved.headers.get("location") ?? "";
  expect(location).toMatch(/^http:\/\/papayu-[a-z]{8}\.localhost:\d+\/review\/ap_1$/u);
  const { host } = new URL(location);
  for (const path of ["/", "/review/ap_1"]) {
    const page = await scene.get(path, { ...NAVIGATION, host });
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toBe(CSP);
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("access-control-allow-origin")).toBeNull();
  }
  // Its files are named for what is in them, and need no session.
  const shell = await (await scene.get("/", { ...NAVIGATION, host })).text();
  const names = [...shell.matchAll(/(?:src|href)="(\/assets\/[\w.-]+)"/gu)].map(
    ([, name = ""]) => name,
  );
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) {
    const packed = await scene.get(name, { host, "accept-encoding": "gzip, deflate, br, zstd" });
    const { status, headers } = packed;
    expect({ name, status }).toEqual({ name, status: 200 });
    expect(headers.get("content-encoding")).toBe("br");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("content-security-policy")).toBe(CSP);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    const text = await packed.text();
    for (const encoding of ["identity", "gzip, deflate", "bring"]) {
      const bare = await scene.get(name, { host, "accept-encoding": encoding });
      expect(bare.headers.get("content-encoding")).toBeNull();
      expect(await bare.text()).toBe(text);
    }
    expect((await scene.get(name, { host, "sec-fetch-site": "cross-site" })).status).toBe(403);
  }
  for (const name of ["..%2f..%2fpackage.json", "%00", "made.json"]) {
    expect((await scene.get(`/assets/${name}`, { host })).status).toBeOneOf([401, 404]);
  }
  const framed = { ...NAVIGATION, host, "sec-fetch-dest": "iframe" };
  expect((await scene.get("/", framed)).status).toBe(403);
  expect((await scene.get("/assets/nothing.js", { host })).status).toBe(404);
  expect((await scene.get("/api/inbox", NAVIGATION)).status).toBe(401);
});

test("a browser without names of this machine has a page without cookies", async () => {
  await using scene = await openConsoleScene();
  expect((await scene.get("/", NAVIGATION)).status).toBe(307);
  const plain = await signIn(scene, "--plain");
  expect(plain.host).toBe(`127.0.0.1:${scene.port}`);
  expect(plain.setCookie).toBeNull();
  expect((await scene.get("/", NAVIGATION)).status).toBe(200);
  expect((await scene.get("/api/inbox", plain.shown)).status).toBe(200);
  expect(
    (await scene.get("/api/inbox", { ...plain.shown, "sec-fetch-site": "same-site" })).status,
  ).toBe(403);
  // What was made for one kind of page is none for the other.
  const { host } = await invite(scene);
  expect((await scene.get("/api/inbox", { ...plain.shown, host })).status).toBe(401);
  const code = (await invite(scene, "--plain")).code;
  const elsewhere = { ...OWN, host, origin: `http://${host}` };
  expect((await scene.post("/api/console/login", { code }, elsewhere)).status).toBe(401);
});

test("the API is answered by both addresses of this machine, and no body holds it", async () => {
  await using scene = await openConsoleScene();
  const line = `GET /healthz HTTP/1.1\r\nHost: [::1]:${scene.port}\r\nConnection: close\r\n\r\n`;
  expect(await raw(scene.port, line, "::1")).toStartWith("HTTP/1.1 200");
  const { host, origin } = await invite(scene);
  const head = `POST /api/console/login HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nConnection: close\r\n`;
  const large = `${head}Content-Length: 99999\r\n\r\n${"x".repeat(99_999)}`;
  expect(await raw(scene.port, large)).toStartWith("HTTP/1.1 413");
});

test("papayu open leads the browser on by a file that nobody else can read, and removes it", async () => {
  await using scene = await openConsoleScene();
  const { sandbox, port } = scene;
  const downloads = join(sandbox.dir, "home/Downloads");
  mkdirSync(downloads, { mode: 0o755 });
  const seen = join(sandbox.dir, "seen");
  const browser = join(sandbox.dir, "browser");
  // It says what it was given, then signs in as the page does.
  writeFileSync(
    browser,
    `#!/bin/sh
stat -c '%a %n' "$1" > ${seen}
url=$(grep -o 'url=[^"]*' "$1" | cut -c5-)
host=$(echo "$url" | cut -d/ -f3)
curl -s -H "Host: $host" -H "Origin: http://$host" -d "{\\"code\\":\\"\${url##*=}\\"}" http://127.0.0.1:${port}/api/console/login >> ${seen}
`,
  );
  chmodSync(browser, 0o755);
  const env = { ...sandbox.env, BROWSER: browser };
  const { runInProcess } = await import("./in-process.ts");
  const ran = await runInProcess(["open", "--json"], { input: "", cwd: sandbox.dir, env });
  expect(ran).toMatchObject({ exitCode: 0, stdout: '{"ok":true}\n' });
  const said = readFileSync(seen, "utf8");
  expect(said).toMatch(/^600 \S+\/Downloads\/papayu-[0-9a-f]{16}\.html\n\{"ok":true/u);
  expect(readdirSync(downloads)).toEqual([]);
  expect(statSync(downloads).isDirectory()).toBe(true);
});

test("the page is not served while somebody else has one of its addresses, and that is said", async () => {
  using other = Bun.serve({ hostname: "::1", port: 0, fetch: () => new Response("mine") });
  await using scene = await openConsoleScene(`\n`, undefined, other.port);
  const { stdout } = await scene.sandbox.run("status");
  expect(stdout).toMatch(/http: listening, port \d+, page not served ::1 cannot be listened on/u);
  expect((await scene.get("/", NAVIGATION)).status).toBe(503);
  const opened = await scene.sandbox.run("open", "--print");
  expect(opened).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("ERR_CONSOLE") });
  expect((await scene.get("/api/status")).status).toBe(200);
  const { report } = await scene.sandbox.json("doctor");
  expect(JSON.stringify(report)).toContain("the page of the console is not served");
  await until(() => scene.daemon.log().includes("CONSOLE_OFF"));
});

test("papayu open says why nothing listens where the port is taken, and gives no address", async () => {
  using other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("mine") });
  await using scene = await openConsoleScene("", undefined, other.port);
  for (const how of ["--print", "--plain"]) {
    const opened = await scene.sandbox.run("open", how);
    expect(opened).toMatchObject({ exitCode: 1, stdout: "" });
    expect(opened.stderr).toMatch(/ERR_CONSOLE[\s\S]*not served: .*in use/u);
  }
  // Who is in can be listed and ended all the same.
  expect((await scene.sandbox.run("open", "--list")).exitCode).toBe(0);
});
