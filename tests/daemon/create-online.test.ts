import { describe, expect, test } from "bun:test";
import { loadConfig } from "../../src/config/load/load.ts";
import { AppError } from "../../src/core/app-error.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createOnline } from "../../src/daemon/app/create-online.ts";
import { chooseProvider } from "../../src/daemon/app/models.ts";
import { createCapabilities } from "../../src/providers/capabilities.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { createSettings } from "../../src/store/settings/settings.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { startOnlineWorld } from "../support/online-world.ts";
import { SEARCH_KEY } from "../support/search-server.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const { signal } = new AbortController();

/** Research as a `config.toml` describes it; `keys` are the secrets by their references. */
async function open(change: (config: string) => string, keys = new Map<string, string>()) {
  const dir = tempDir();
  const world = startOnlineWorld();
  writeTree(dir.path, { "config.toml": change(world.config) });
  const { config } = await loadConfig({
    path: "config.toml",
    cwd: dir.path,
    home: dir.path,
    env: {},
  });
  const asked: string[] = [];
  const secret = (reference: string) => {
    asked.push(reference);
    const key = keys.get(reference);
    if (key !== undefined) return key;
    throw new AppError("ERR_SECRET_UNAVAILABLE", `Cannot read the secret "${reference}"`);
  };
  const edge = { log: silentLog, clock: systemClock };
  const capabilities = createCapabilities();
  const pay = (each: Provider) => each;
  const wanted = { ...edge, config, capabilities, pay, isForExtracts: true, secret: () => "" };
  const provider = chooseProvider(wanted);
  const store = memoryStore();
  const settings = createSettings(store);
  const rest = {
    config,
    store,
    settings,
    secret,
    redact: (text: string) => text,
    strict: false,
    ...edge,
  };
  return {
    world,
    asked,
    online: createOnline({ ...rest, provider }),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      store.close();
      dir[Symbol.dispose]();
    },
  };
}

describe("createOnline()", () => {
  test("takes limits and auto-use from the configuration", async () => {
    await using scene = await open((config) => `${config}context_max_chars = 700\n`);
    expect(scene.online.limits).toEqual({ maxChars: 700, maxSources: 10 });
    expect(scene.online.autoUse).toBe(false);
  });

  test("asks for no key where the service needs none, and researches with extract_model", async () => {
    await using scene = await open((config) =>
      config.replace('model = "scripted"', 'model = "large"\nextract_model = "small"'),
    );
    const result = await scene.online.research("q", signal);
    expect(result).toMatchObject({ ok: true, research: { notes: "One page gave orders." } });
    expect(scene.asked).toEqual([]);
    expect(scene.world.model.requests.map(({ body }) => body.model)).toEqual(["small"]);
  });

  test("fails with what is wrong, and goes on once it is fixed", async () => {
    const keys = new Map<string, string>();
    const toTavily = (config: string) =>
      config.replace('search = "searxng"', 'search = "tavily"\napi_key = "env:KEY"');
    await using scene = await open(toTavily, keys);
    expect(await scene.online.research("q", signal)).toEqual({
      ok: false,
      code: "ERR_SECRET_UNAVAILABLE",
      message: 'Cannot read the secret "env:KEY"',
    });
    keys.set("env:KEY", SEARCH_KEY);
    expect(await scene.online.research("q", signal)).toMatchObject({ ok: true });
  });

  test("reads no page of a private host that the owner did not allow", async () => {
    await using scene = await open((config) =>
      config.replace('http_allowed_hosts = ["127.0.0.1"]', "http_allowed_hosts = []"),
    );
    const result = await scene.online.research("q", signal);
    expect(result).toMatchObject({ ok: false, code: "unavailable" });
    expect(scene.world.web.visits).toEqual([]);
  });
});
