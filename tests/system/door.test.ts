import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect, createServer as createTcp } from "node:net";
import { join } from "node:path";
import { openForwardProxy } from "../../src/http/forward-proxy/forward-proxy.ts";
import { runCommand } from "../../src/system/run/run.ts";
import { createSandbox, DOOR_URL, throughDoor } from "../../src/system/sandbox/sandbox.ts";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

/** A registry that knows one package; what it was asked for. */
function openRegistry() {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`);
    const dist = {
      tarball: "http://packages.example.com/little/-/little-1.2.0.tgz",
      integrity:
        "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    };
    const version = { name: "little", version: "1.2.0", dist };
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({
        name: "little",
        "dist-tags": { latest: "1.2.0" },
        versions: { "1.2.0": version },
      }),
    );
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
  });
  return { asked, port: promise, [Symbol.dispose]: () => void server.close() };
}

/** Runs a command behind a door to `packages.example.com`, which is the server at `port`. */
async function run(port: number, argv: readonly string[], files: Readonly<Record<string, string>>) {
  using dir = tempDir();
  using doors = tempDir();
  const root = join(realpathSync(dir.path), "w");
  mkdirSync(root);
  writeTree(root, files);
  const socket = join(doors.path, "s");
  await using proxy = await openForwardProxy({
    socketPath: socket,
    allowedHosts: ["packages.example.com"],
    resolve: async () => ["93.184.216.34"],
    connect: () => connect({ host: "127.0.0.1", port, allowHalfOpen: true }),
  });
  const sandbox = await createSandbox({ mode: "bwrap", env: process.env, hidden: [] })();
  if (sandbox.kind !== "bwrap") throw new Error("no sandbox");
  const own = { program: argv[0] ?? "", root, readOnly: [], writable: [], network: false };
  const { argv: started, room } = throughDoor({ socket }, argv, own);
  const result = await runCommand({
    argv: started,
    cwd: root,
    env: process.env,
    variables: { http_proxy: DOOR_URL, https_proxy: DOOR_URL, npm_config_update_notifier: "false" },
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    maxOutputBytes: 16 * 1024,
    sandbox: sandbox.enclose(room),
  });
  const lock = join(root, "package-lock.json");
  const written = existsSync(lock) ? readFileSync(lock, "utf8") : undefined;
  return { ...result, written, used: [...proxy.used.keys()], refused: [...proxy.refused] };
}

const NPM = ["npm", "install", "--package-lock-only", "--ignore-scripts"];
const RC = "registry=http://packages.example.com/\n";
const MANIFEST = '{"name":"a","version":"1.0.0","dependencies":{"little":"^1.0.0"}}';

describe.if(hasBubblewrap)("throughDoor()", () => {
  test("lets npm lock a package of a registry, and leaves it no other way out", async () => {
    using registry = openRegistry();
    const files = { "package.json": MANIFEST, ".npmrc": RC };
    const { exitCode, written, used } = await run(await registry.port, NPM, files);
    expect(exitCode).toBe(0);
    expect(written).toContain("http://packages.example.com/little/-/little-1.2.0.tgz");
    expect(registry.asked).toEqual(["GET packages.example.com/little"]);
    expect(used).toEqual(["packages.example.com"]);
  });

  test("tells of a host that nobody allowed", async () => {
    using registry = openRegistry();
    const files = {
      "package.json": MANIFEST,
      ".npmrc": "registry=https://evil.example.com/\nfetch-retries=0\n",
    };
    const { exitCode, written, refused } = await run(await registry.port, NPM, files);
    expect(exitCode).not.toBe(0);
    expect(written).toBeUndefined();
    expect(refused).toEqual(["evil.example.com"]);
    expect(registry.asked).toEqual([]);
  });

  test("shows one socket, and no port of this machine", async () => {
    using registry = openRegistry();
    using dir = tempDir();
    const other = createTcp().listen(join(dir.path, "other"));
    const port = await registry.port;
    const script = `
      const net = require("node:net");
      const attempt = (to) => new Promise((done) => {
        const socket = net.connect(to);
        socket.once("connect", () => done("reached")).once("error", (error) => done(error.code));
      });
      const found = [];
      for (const to of JSON.parse(process.argv[1])) found.push(await attempt(to));
      console.log(found.join(" "));
      process.exit(0);`;
    const targets = [
      { host: "127.0.0.1", port },
      { host: "93.184.216.34", port: 80 },
      { path: join(dir.path, "other") },
      { host: "127.0.0.1", port: Number(new URL(DOOR_URL).port) },
    ];
    const argv = [process.execPath, "-e", script, JSON.stringify(targets)];
    const { output } = await run(port, argv, {});
    other.close();
    expect(output.trim()).toMatch(/^ECONNREFUSED E[A-Z]+ E[A-Z]+ reached$/u);
  });

  test("ends as its command ends, wherever that starts, and says when there is none", async () => {
    const ended = await run(1, ["sh", "-c", "pwd; cat a; exit 7"], { a: "text" });
    expect(ended.exitCode).toBe(7);
    expect(ended.output).toMatch(/\/w\ntext$/u);
    const killed = await run(1, ["sh", "-c", "kill -9 $$"], {});
    expect(killed.exitCode).not.toBe(0);
    const missing = await run(1, ["npm-of-nobody"], {});
    expect(missing).toMatchObject({ exitCode: 127 });
    expect(missing.output).toContain('Cannot run "npm-of-nobody"');
  });
});
