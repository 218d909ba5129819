import { describe, expect, test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config/load/load.ts";
import { createApp } from "../../src/daemon/app/app.ts";
import { tempDir } from "../support/temp.ts";

const SERVER = '[mcp.servers.a]\ncommand = "true"\n';

/** An app over a file that can be saved again. */
async function open(text: string) {
  const dir = tempDir();
  const path = join(dir.path, "config.toml");
  const options = { path, cwd: dir.path, home: join(dir.path, "home"), env: {} };
  const save = async (next: string) => {
    writeFileSync(path, next);
    return loadConfig(options);
  };
  const app = createApp(await save(text), { env: {}, cwd: dir.path, writeLog: () => {} });
  return {
    app,
    save,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

test("an app whose database was replaced meanwhile says so when it ends, and else nothing", async () => {
  using dir = tempDir();
  const path = join(dir.path, "config.toml");
  writeFileSync(path, "");
  const home = join(dir.path, "home");
  const loaded = await loadConfig({ path, cwd: dir.path, home, env: {} });
  const notices: string[] = [];
  const notice = (text: string) => void notices.push(text);
  const openApp = () => createApp(loaded, { env: {}, cwd: dir.path, writeLog: () => {}, notice });
  openApp()[Symbol.dispose]();
  expect(notices).toEqual([]);
  const [one, other] = [openApp(), openApp()];
  renameSync(join(loaded.home, "state.db"), join(dir.path, "aside.db"));
  one[Symbol.dispose]();
  await other[Symbol.asyncDispose]();
  expect(notices).toHaveLength(2);
  expect(notices[0]).toContain("state.db was replaced or deleted while this ran");
});

describe("use() of an app", () => {
  test("changes what begins from then on, and nothing that somebody holds", async () => {
    await using opened = await open("");
    const { agent } = opened.app.current;
    opened.app.reloading.use(
      await opened.save('[security]\nautonomy = "readonly"\n[agent]\nturn_timeout_s = 5\n'),
    );
    expect(opened.app.current.agent.core.security.autonomy).toBe("readonly");
    expect(opened.app.current.agent.turns.limits.turnTimeoutMs).toBe(5000);
    expect(opened.app.current.loaded.config.security.autonomy).toBe("readonly");
    expect(agent.core.security.autonomy).toBe("supervised");
    expect(agent.turns.limits.turnTimeoutMs).toBe(600_000);
  });

  test("changes nothing when a part cannot be made", async () => {
    await using opened = await open("");
    const { agent } = opened.app.current;
    const next = await opened.save(
      '[default]\nprovider = "m"\n[providers.m]\nbase_url = "http://127.0.0.1:1"\nmodel = "x"\napi_key = "env:NOWHERE"\n',
    );
    expect(() => opened.app.reloading.use(next)).toThrow("NOWHERE");
    expect(opened.app.current.agent).toBe(agent);
  });

  test("gives what ends the servers that nobody needs any more", async () => {
    await using opened = await open(SERVER);
    const same = opened.app.reloading.use(
      await opened.save(`${SERVER}[agent]\nturn_timeout_s = 5\n`),
    );
    const other = opened.app.reloading.use(await opened.save("[agent]\nturn_timeout_s = 6\n"));
    await same();
    await other();
    expect(opened.app.current.agent.turns.limits.turnTimeoutMs).toBe(6000);
  });
});
