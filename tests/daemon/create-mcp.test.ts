import { expect, test } from "bun:test";
import { loadConfig } from "../../src/config/load/load.ts";
import { resolveSecret } from "../../src/config/secret.ts";
import { systemClock } from "../../src/core/clock.ts";
import { toServerSettings } from "../../src/daemon/app/create-mcp.ts";
import { createServer } from "../../src/tools/mcp/server.ts";
import { MCP_SERVER } from "../support/mcp-server.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

test("toServerSettings() lets a server see what it is given, and no other secret of the configuration", async () => {
  using dir = tempDir("papayu-mcp-");
  writeTree(dir.path, {
    "config.toml": `
[default]
provider = "main"
[providers.main]
base_url = "http://127.0.0.1:9/v1"
model = "m"
api_key = "sk-literal-in-the-file"
[telegram]
bot_token = "env:BOT_TOKEN"
[online_research]
api_key = "env:SEARCH_KEY"
[mcp.servers.test]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(MCP_SERVER)}]
env = { GIVEN_TOKEN = "env:TRACKER_TOKEN", LEVEL = "debug" }
`,
  });
  const env = {
    PATH: process.env["PATH"],
    HOME: dir.path,
    LANG: "C",
    BOT_TOKEN: "123456:bot-token-secret",
    SEARCH_KEY: "search-key-secret",
    TRACKER_TOKEN: "tracker-secret",
    OPENAI_API_KEY: "sk-of-the-machine",
    PAPAYU_HTTP_TOKEN: "http-token-secret",
    NODE_OPTIONS: "--require /tmp/evil.js",
    LD_PRELOAD: "",
  };
  const path = `${dir.path}/config.toml`;
  const loaded = await loadConfig({ path, cwd: dir.path, home: dir.path, env: {} });
  const secret = (reference: string) => {
    const found = resolveSecret(reference, { env, home: dir.path });
    return found.ok ? found.value : undefined;
  };
  const [settings] = toServerSettings({ loaded, env, secret });
  if (!settings) throw new Error("no server");
  const server = createServer(settings, systemClock);
  try {
    const result = await server.call("environment", {}, new AbortController().signal);
    const seen = JSON.parse(result.ok ? result.content : "{}");
    expect(Object.keys(seen.env).toSorted()).toEqual(
      ["GIVEN_TOKEN", "HOME", "LANG", "LEVEL", "PAPAYU_RUN", "PATH"].toSorted(),
    );
    expect(seen.env).toMatchObject({ GIVEN_TOKEN: "tracker-secret", LEVEL: "debug" });
    expect(JSON.stringify(seen)).not.toMatch(/bot-token|search-key|sk-|http-token/u);
  } finally {
    await server.close();
  }
});
