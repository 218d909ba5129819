import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startBotApi } from "../support/bot-api-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { listen } from "./listen.ts";
import { createSandbox, type Sandbox } from "./papayu.ts";

// Daemons side by side, each told many things in a row.

const NOTES = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
const HTTP_OFF = "[http]\nenabled = false\n";
const BASE = HTTP_OFF + NOTES;

function withModel(url: string): string {
  return `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${url}"\nmodel = "x"\n`;
}

/** A daemon, its configuration file, and what it told the terminals. */
async function openDaemon(dir: string, config = BASE, env: Record<string, string> = {}) {
  writeTree(dir, { "notes/a.txt": "x\n" });
  const sandbox = createSandbox(dir, config, env);
  const daemon = await sandbox.host();
  const client = await listen(join(sandbox.home, "daemon.sock"));
  const { notices } = client;
  const path = join(dir, "config.toml");
  return {
    sandbox,
    daemon,
    path,
    notices,
    save: (text: string) => writeFileSync(path, text),
    /** Events about the configuration so far. */
    events: () => daemon.log().match(/CONFIG_(RELOADED|REFUSED)[^\n]*/g) ?? [],
    async until(count: number) {
      await daemon.waitForLog(new RegExp(`(?:CONFIG_(?:RELOADED|REFUSED)[^]*){${count}}`));
      await until(() => notices.length >= count);
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await daemon[Symbol.asyncDispose]();
    },
  };
}

async function ask(sandbox: Sandbox, text: string): Promise<string> {
  return (await sandbox.say(`${text}\n`, "chat")).stdout;
}

function scheduled(name: string): string {
  return `[[routines.jobs]]\nname = "${name}"\nschedule = "0 8 29 2 *"\nworkspace = "notes"\ntask = "x"\n`;
}

describe.concurrent("a configuration saved while the daemon runs", () => {
  test("is in force and announced, by hand and by config set", async () => {
    using dir = tempDir();
    await using live = await openDaemon(dir.path);
    live.save(`[security]\nautonomy = "readonly"\n${BASE}${scheduled("tidy")}`);
    await live.until(1);
    expect(live.events()[0]).toContain("routines.jobs.tidy.schedule");
    expect(live.notices[0]).toContain('config.toml" was saved; in force from now on:');
    expect(live.notices[0]).toContain('  security.autonomy = "readonly"');
    expect(await ask(live.sandbox, "/rules")).toContain("readonly");
    expect((await live.sandbox.json("status")).report["routines"]).toMatchObject([
      { name: "tidy", state: "waiting" },
    ]);
    expect((await live.sandbox.run("config", "set", "http.port", "1234")).exitCode).toBe(0);
    await live.sandbox.run("config", "unset", "security.autonomy");
    await live.until(2);
    expect(live.notices.slice(1).join("\n")).toContain(
      "takes effect after papayu restart:\n  http.port = 1234",
    );
    await until(() => live.notices.join().includes('autonomy = "supervised"'));
  });

  test("changes the provider of the next turn and not of the one that runs", async () => {
    using dir = tempDir();
    const isFollowed = Promise.withResolvers<void>();
    await using first = startModelServer([
      {
        kind: "text",
        text: "from the first".repeat(20),
        pace: (sent) => (sent === 3 ? isFollowed.promise : undefined),
      },
    ]);
    await using second = startModelServer(() => ({ kind: "text", text: "from the second" }));
    await using live = await openDaemon(dir.path, withModel(first.url) + BASE);
    const running = ask(live.sandbox, "one");
    await until(() => first.requests.length > 0);
    live.save(withModel(second.url) + BASE);
    await live.until(1);
    expect(await ask(live.sandbox, "two")).toContain("from the second");
    isFollowed.resolve();
    const said = (await running).split("\n").filter((line) => !/was saved|base_url/.test(line));
    expect(said.join("")).toContain("from the first".repeat(20));
    expect(second.requests.length).toBeGreaterThan(0);
  });

  test("that is broken leaves the last good one in force and says so once, as config check does", async () => {
    using dir = tempDir();
    await using live = await openDaemon(dir.path);
    live.save(`[security]\nautonomy = "maximum"\n${BASE}`);
    await live.until(1);
    const problem =
      'config.toml:2: security.autonomy: found "maximum", allowed: one of "readonly", "supervised", "full"';
    expect(live.notices[0]).toContain(`one before it stays in force:\n${problem}`);
    expect((await live.sandbox.run("config", "check")).stdout).toContain(problem);
    expect(await ask(live.sandbox, "/rules")).toContain("supervised");
    live.save(`[default\n${BASE}`);
    await live.until(2);
    expect(live.notices[1]).toContain("config.toml:1: ");
    live.save(
      withModel("http://127.0.0.1:1/v1").replace("model", 'api_key = "env:NOWHERE"\nmodel'),
    );
    await live.until(3);
    expect(live.notices[2]).toContain('"env:NOWHERE": the variable is not set');
    live.save(BASE);
    await live.until(4);
    expect(live.notices[3]).toContain("is valid again; nothing changed");
  });

  test("is read whole however it is saved, and a file that is gone changes nothing", async () => {
    using dir = tempDir();
    await using live = await openDaemon(dir.path);
    const { path } = live;
    const text = (language: string) => `[default]\nlanguage = "${language}"\n${BASE}`;
    // A new file in its place.
    writeFileSync(`${path}.new`, `\uFEFF${text("ru")}`);
    renameSync(`${path}.new`, path);
    await live.until(1);
    // Moved away first, as vim does; and written into the same file.
    renameSync(path, `${path}~`);
    writeFileSync(path, text("zh"));
    await live.until(2);
    live.save(text("en"));
    await live.until(3);
    expect(live.events().map(String)).toEqual(
      Array(3).fill("CONFIG_RELOADED keys=default.language"),
    );
    // Gone, and back behind a link.
    rmSync(path);
    await live.until(4);
    expect(live.notices[3]).toContain("no such file");
    expect(live.notices[3]).toContain('config.toml" is gone; what it said stays in force:');
    writeTree(dir.path, { "real/c.toml": text("ru") });
    symlinkSync("real/c.toml", path);
    await live.until(5);
    writeTree(dir.path, { "real/c.toml": text("zh") });
    await live.until(6);
    expect(live.notices[5]).toContain('default.language = "zh"');
    expect((await live.sandbox.run("config", "get", "default.language")).stdout).toBe("zh\n");
  });

  test("decides at once who may speak", async () => {
    using dir = tempDir();
    await using bot = await startBotApi();
    const telegram = (ids: string) =>
      `[telegram]\napi_root = "${bot.url}"\nallowed_user_ids = [${ids}]\n${BASE}`;
    await using live = await openDaemon(dir.path, telegram("501"), {
      TELEGRAM_BOT_TOKEN: bot.token,
    });
    live.save(telegram("502"));
    await live.until(1);
    await bot.waitFor(() => bot.sent(502).some(({ text }) => text.includes("allowed_user_ids")));
    bot.say(501, "/status");
    await bot.waitFor(() => bot.sent(501).some(({ text }) => /owner/.test(text)));
    bot.say(502, "/status");
    await bot.waitFor(() =>
      bot.sent(502).some(({ text }) => text.includes("has been running for")),
    );
  });

  test("in a checkout waits for trust with what others may have written", async () => {
    using dir = tempDir();
    mkdirSync(join(dir.path, ".git"));
    writeTree(dir.path, { "notes/a.txt": "" });
    const trusted = createSandbox(dir.path, BASE, { PAPAYU_CONFIG: "" });
    await trusted.run("config", "trust", "--yes");
    await using live = await openDaemon(dir.path, BASE, { PAPAYU_CONFIG: "" });
    live.save(`# a comment\n${BASE}`);
    live.save(`[security]\nautonomy = "full"\n${BASE}`);
    await live.until(1);
    expect(live.notices[0]).toContain("changed since you trusted it");
    expect(live.notices[0]).toContain("security.autonomy");
    expect(await ask(live.sandbox, "/rules")).toContain("supervised");
    await live.sandbox.run("config", "trust", "--yes");
    await live.until(2);
    expect(live.notices[1]).toContain('security.autonomy = "full"');
  });

  test("that was only found makes the owner's stricter, and never looser", async () => {
    using dir = tempDir();
    writeTree(dir.path, {
      "home/.papa-yu/config.toml": `${HTTP_OFF}[agent]\nmax_failed_rounds = 2\n${NOTES.replace("./", `${dir.path}/`)}`,
    });
    await using live = await openDaemon(dir.path, "", { PAPAYU_CONFIG: "" });
    live.save('[security]\nautonomy = "readonly"\n[agent]\nmax_failed_rounds = 9\n');
    await live.until(1);
    expect(live.notices[0]).toContain('security.autonomy = "readonly"');
    expect(live.notices[0]).not.toContain("max_failed_rounds =");
    expect(live.notices[0]).toContain(
      "not taken from a file that is not trusted: agent.max_failed_rounds",
    );
    live.save('[security]\nautonomy = "full"\nsandbox = "none"\n');
    await live.until(2);
    expect(live.notices[1]).toContain('security.autonomy = "supervised"');
    expect(await ask(live.sandbox, "/rules")).toContain("supervised");
    rmSync(live.path);
    writeFileSync(
      join(live.sandbox.home, "config.toml"),
      `${HTTP_OFF}[default]\nlanguage = "ru"\n`,
    );
    await live.until(3);
    expect(live.notices[2]).toContain('default.language = "ru"');
  });

  test("shows no secret", async () => {
    using dir = tempDir();
    await using live = await openDaemon(dir.path);
    live.save(`${withModel("http://127.0.0.1:1/v1")}api_key = "plain-secret-1"\n${BASE}`);
    await live.until(1);
    live.save(`${withModel("http://127.0.0.1:1/v1")}api_key = "plain-secret-2"\n${BASE}`);
    await live.until(2);
    expect(live.notices[1]).toContain('providers.m.api_key = "[secret]"');
    expect(live.notices.join() + live.daemon.log()).not.toContain("plain-secret");
  });
});

test("a daemon that follows its configuration stops at once", async () => {
  using dir = tempDir();
  writeTree(dir.path, { "notes/a.txt": "x\n" });
  await using daemon = await createSandbox(dir.path, BASE).start();
  daemon.kill("SIGTERM");
  expect(await daemon.exited).toBe(0);
});

test("papayu config set: of two at once each is in the file, or says that it is not", async () => {
  using dir = tempDir();
  const sandbox = createSandbox(dir.path, "");
  const path = join(dir.path, "config.toml");
  for (let round = 0; round < 4; round++) {
    writeFileSync(path, "");
    const keys = ["agent.max_failed_rounds", "agent.max_tool_iterations", "context.max_files"];
    const ran = await Promise.all(keys.map((key) => sandbox.run("config", "set", key, "9")));
    const text = readFileSync(path, "utf8");
    for (const [index, { exitCode }] of ran.entries()) {
      expect(text.includes(keys[index]?.split(".")[1] ?? "")).toBe(exitCode === 0);
    }
  }
});
