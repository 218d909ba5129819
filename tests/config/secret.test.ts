import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { maskConfig, WHOLE_CONFIG } from "../../src/config/keys/keys.ts";
import { resolveKey, resolveSecret, secretReferences } from "../../src/config/secret.ts";
import { tempDir } from "../support/temp.ts";
import { loadFrom } from "./support.ts";

const NOWHERE = { env: {}, home: "/nonexistent" };

test("resolveSecret() takes an empty reference for no secret and other text for the secret", () => {
  expect(resolveSecret("", NOWHERE)).toEqual({ ok: true, value: undefined });
  expect(resolveSecret("sk-literal", NOWHERE)).toEqual({ ok: true, value: "sk-literal" });
});

test("secretReferences() finds what an MCP server is given, but no plain texts", async () => {
  const server = `[mcp.servers.m]
url = "http://127.0.0.1:1"
bearer_token = "env:ONE"
headers = { X-Api-Key = "literal", X-Team = "plain", X-Max-Tokens = "200000", X-Other = "env:TWO" }
`;
  const { config } = await loadFrom(server);
  const found = secretReferences(config).filter(({ key }) => key.startsWith("mcp."));
  expect(found).toEqual([
    { key: "mcp.servers.m.bearer_token", reference: "env:ONE" },
    { key: "mcp.servers.m.headers.X-Api-Key", reference: "literal" },
    { key: "mcp.servers.m.headers.X-Other", reference: "env:TWO" },
  ]);
});

test("maskConfig() shows of what an MCP server is given the references alone", async () => {
  const { config } = await loadFrom(`[mcp.servers.m]
command = "x"
env = { TOKEN = "hunter2-a", PLAIN = "hunter2-b", REF = "env:ONE", NONE = "" }
[mcp.servers.n]
url = "http://127.0.0.1:1"
headers = { Authorization = "Bearer hunter2-c", X-Team = "hunter2-d", X-Other = "file:/x" }
`);
  const shown = maskConfig(config, WHOLE_CONFIG);
  expect(JSON.stringify(shown)).not.toContain("hunter2");
  expect(shown).toMatchObject({
    mcp: {
      servers: {
        m: { env: { TOKEN: "[secret]", PLAIN: "[secret]", REF: "env:ONE", NONE: "" } },
        n: { headers: { Authorization: "[secret]", "X-Other": "file:/x" } },
      },
    },
  });
});

test("resolveSecret() reads a variable", () => {
  const env = { KEY: " sk-1\n", EMPTY: "" };
  expect(resolveSecret("env:KEY", { ...NOWHERE, env })).toEqual({ ok: true, value: "sk-1" });
  for (const name of ["MISSING", "EMPTY", ""]) {
    expect(resolveSecret(`env:${name}`, { ...NOWHERE, env })).toMatchObject({
      ok: false,
      code: "ERR_SECRET_UNAVAILABLE",
      message: expect.stringContaining(`"env:${name}"`),
    });
  }
});

test("resolveSecret() reads a file of the owner, with ~ expanded", () => {
  using dir = tempDir();
  writeSecret(join(dir.path, "token"), 0o600);
  const expected = { ok: true, value: "top-secret" } as const;
  expect(resolveSecret("file:~/token", { env: {}, home: dir.path })).toEqual(expected);
  expect(resolveSecret(`file:${dir.path}/token`, NOWHERE)).toEqual(expected);
  chmodSync(join(dir.path, "token"), 0o400);
  expect(resolveSecret(`file:${dir.path}/token`, NOWHERE)).toEqual(expected);
});

test.each([0o644, 0o640, 0o604, 0o620, 0o601])(
  "resolveSecret() refuses a file of mode %o and does not show the secret",
  (mode) => {
    using dir = tempDir();
    const path = join(dir.path, "token");
    writeSecret(path, mode);
    const result = resolveSecret(`file:${path}`, NOWHERE);
    expect(result).toMatchObject({ ok: false, code: "ERR_SECRET_UNAVAILABLE" });
    expect(JSON.stringify(result)).toContain("chmod 600");
    expect(JSON.stringify(result)).not.toContain("top-secret");
  },
);

test("resolveSecret() refuses what is no file, a pipe, an empty or huge file, a relative path", () => {
  using dir = tempDir();
  const at = (name: string) => join(dir.path, name);
  mkdirSync(at("folder"), { mode: 0o700 });
  Bun.spawnSync(["mkfifo", "-m", "600", at("pipe")]);
  writeFileSync(at("empty"), "\n", { mode: 0o600 });
  writeFileSync(at("huge"), "x".repeat(100_000), { mode: 0o600 });
  const cases = [
    [at("folder"), "not a file"],
    [at("pipe"), "not a file"],
    [at("empty"), "is empty"],
    [at("huge"), "over 65536 bytes"],
    [at("missing"), "ENOENT"],
    ["token", "absolute path"],
  ] as const;
  for (const [path, reason] of cases) {
    expect(resolveSecret(`file:${path}`, NOWHERE)).toMatchObject({
      ok: false,
      code: "ERR_SECRET_UNAVAILABLE",
      message: expect.stringContaining(reason),
    });
  }
});

function writeSecret(path: string, mode: number): void {
  writeFileSync(path, "top-secret\n");
  chmodSync(path, mode);
}

test("maskConfig() masks the words of a command line that are secrets", () => {
  const args = ["-y", "server", "--token", "t0ken-1", "--api-key=k3y-22", "--port", "80"];
  const mcp = { servers: { files: { command: "npx", args } } };
  expect(maskConfig({ mcp }, WHOLE_CONFIG)).toEqual({
    mcp: {
      servers: {
        files: {
          command: "npx",
          args: ["-y", "server", "--token", "[secret]", "--api-key=[secret]", "--port", "80"],
        },
      },
    },
  });
});

test.each([
  ["a line break", "sk-one\nsk-two"],
  ["a carriage return", "sk-one\rsk-two"],
  ["a NUL", "sk-\0one"],
  ["a Cyrillic letter", "sk-\u0430bc"],
  ["a dash that an editor made", "sk\u2013one"],
  ["a blank of no width", "sk-one\u200b2"],
])("resolveKey() refuses a key with %s, which no header takes, and does not show it", (_, key) => {
  using dir = tempDir();
  const path = join(dir.path, "key");
  writeFileSync(path, key, { mode: 0o600 });
  expect(() => new Headers({ authorization: key })).toThrow();
  const sources = { ...NOWHERE, env: { KEY: key } };
  for (const reference of ["env:KEY", `file:${path}`, key]) {
    const found = resolveKey(reference, sources);
    expect(found).toMatchObject({ ok: false, code: "ERR_SECRET_UNAVAILABLE" });
    expect(JSON.stringify(found)).toContain("a character that a key cannot have");
    expect(JSON.stringify(found)).not.toContain("sk-");
    // What a program is given may have many lines.
    expect(resolveSecret(reference, sources)).toEqual({ ok: true, value: key });
  }
});

test("resolveKey() takes every key that a header takes", () => {
  for (let code = 1; code < 0x180; code++) {
    const key = `a${String.fromCodePoint(code)}b`;
    let isTaken = true;
    try {
      expect(new Headers({ authorization: key }).has("authorization")).toBe(true);
    } catch {
      isTaken = false;
    }
    if (isTaken && code >= 0x20 && code !== 0x7f) {
      expect([code, resolveKey(key, NOWHERE)]).toEqual([code, { ok: true, value: key }]);
    }
    if (!isTaken) expect([code, resolveKey(key, NOWHERE).ok]).toEqual([code, false]);
  }
});
