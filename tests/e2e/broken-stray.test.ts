import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startBotApi } from "../support/bot-api-server.ts";
import { crossed, oneOf } from "../support/long.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { listen } from "./listen.ts";
import { createSandbox } from "./papayu.ts";

/** How a config.toml that merely lies around can be of no use; each at a path with nothing there. */
const BROKEN: Readonly<Record<string, (path: string) => void>> = {
  garbage: (path: string) => writeFileSync(path, "this is = = not toml\n"),
  "a pipe": (path: string) => void Bun.spawnSync(["mkfifo", path]),
  "a folder": (path: string) => mkdirSync(path),
  "a device": (path: string) => symlinkSync("/dev/zero", path),
  "a link to itself": (path: string) => symlinkSync(path, path),
  unreadable(path: string) {
    writeFileSync(path, "= whoever may read it nevertheless\n");
    chmodSync(path, 0);
  },
  "no text": (path: string) => writeFileSync(path, new Uint8Array([0xff, 0xfe, 0x00])),
  huge: (path: string) => writeFileSync(path, "# padding\n".repeat(200_000)),
  "a wrong value": (path: string) => writeFileSync(path, '[security]\nautonomy = "maximum"\n'),
  "a name of nothing": (path: string) => writeFileSync(path, '[default]\nprovider = "x"\n'),
  "a link to nothing": (path: string) => symlinkSync("nowhere", path),
  "a mistake of papa-yu's own": (path: string) => writeFileSync(path, "#:schema x\n[telegramm]\n"),
};

const KINDS = Object.keys(BROKEN);

const owner = (autonomy: string, ids = "[501, 666]") =>
  `[http]\nenabled = false\n[security]\nautonomy = "${autonomy}"\n[telegram]\nallowed_user_ids = ${ids}\n`;

/** A folder of somebody else's, and an owner with a configuration at home. */
function enter(found = "", config = owner("full"), more: Record<string, string> = {}) {
  const dir = tempDir();
  const userHome = join(dir.path, "home");
  writeTree(dir.path, { "theirs/a.txt": "x\n", "home/.papa-yu/config.toml": config });
  const env = {
    PAPAYU_CONFIG: "",
    HOME: userHome,
    PAPAYU_HOME: join(userHome, ".papa-yu"),
    ...more,
  };
  const sandbox = createSandbox(join(dir.path, "theirs"), found, env);
  const path = join(dir.path, "theirs/config.toml");
  return {
    sandbox,
    found: path,
    own: join(userHome, ".papa-yu/config.toml"),
    put(kind: string) {
      rmSync(path, { recursive: true, force: true });
      BROKEN[kind]?.(path);
    },
    ask: async (text: string) => (await sandbox.say(`${text}\n`, "chat")).stdout,
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

/** Commands with the exit code that they have with the owner's configuration alone. */
const COMMANDS = [
  [["config", "path"], 0],
  [["config", "get", "security.autonomy"], 0],
  [["config", "set", "default.language", "ru"], 0],
  [["config", "unset", "default.language"], 0],
  [["pair"], 0],
  [["recover"], 0],
  [["history"], 0],
  [["tools"], 0],
  [["routine", "list"], 0],
  [["doctor"], undefined], // goes by the machine
] as const;

const LEFT_OUT =
  /papayu: warning: config\.toml: left out, as it is not trusted and not right: .*\n/g;

describe("a broken config.toml that was only found keeps nobody from their own", () => {
  test.each(crossed(KINDS, COMMANDS, 2))("%s: papayu %j", async (kind, [args, exitCode]) => {
    using folder = enter();
    folder.put(kind);
    const ran = await folder.sandbox.run(...args);
    expect(ran.stderr.match(LEFT_OUT)).toHaveLength(1);
    if (exitCode !== undefined) expect(ran).toMatchObject({ exitCode });
    if (args[1] === "get") expect(ran.stdout).toBe("full\n");
    if (args[1] === "set") expect(readFileSync(folder.own, "utf8")).toContain('language = "ru"');
    if (args[0] === "doctor") expect(ran.stdout).toContain(`configuration: ${folder.own}`);
  });

  test.each(oneOf(2, KINDS))(
    "%s: config check and trust say what is wrong with it",
    async (kind) => {
      using folder = enter();
      folder.put(kind);
      const check = await folder.sandbox.json("config", "check");
      expect(check).toMatchObject({ exitCode: 2, report: { ok: false, path: folder.found } });
      const trust = await folder.sandbox.run("config", "trust", "--yes");
      expect(trust).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("config.toml") });
      expect((await folder.sandbox.run("status")).exitCode).toBe(4);
      expect((await folder.sandbox.run("stop")).exitCode).toBe(4);
    },
  );

  test("undo takes back what was changed before it broke", async () => {
    using folder = enter('[[workspaces]]\nname = "here"\npath = "."\n');
    const { sandbox } = folder;
    const plan = await sandbox.run("apply", "--goal", "add a README", "-w", ".", "--yes");
    expect(plan).toMatchObject({ exitCode: 0 });
    folder.put("garbage");
    const undone = await sandbox.run("undo", "-w", ".");
    expect(undone).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(LEFT_OUT) });
  });
});

describe("a config.toml of a checkout that was trusted and broke", () => {
  test("is refused by every command that goes by it, and by start and restart", async () => {
    using folder = enter('[security]\nautonomy = "readonly"\n', owner("full"));
    const { sandbox } = folder;
    mkdirSync(join(sandbox.dir, ".git"));
    expect((await sandbox.run("config", "trust", "--yes")).exitCode).toBe(0);
    expect((await sandbox.run("config", "get", "security.autonomy")).stdout).toBe("readonly\n");
    writeFileSync(folder.found, '[security]\nautonomy = "readonly"\n[telegramm]\n');
    const wanted = /^papayu: .*config\.toml:3: telegramm: unknown key; did you mean "telegram"\n/u;
    for (const args of [
      ["tools"],
      ["ask", "hello"],
      ["apply", "--goal", "add a README", "-w", ".", "--yes"],
      ["config", "get", "security.autonomy"],
      ["config", "set", "security.autonomy", "readonly"],
      ["config", "trust", "--yes"],
      ["restart"],
      ["start"],
    ]) {
      const { exitCode, stderr, stdout } = await sandbox.run(...args);
      expect({ args, exitCode, stderr, stdout }).toMatchObject({ exitCode: 2, stdout: "" });
      expect(stderr).toMatch(wanted);
    }
    expect(readFileSync(folder.own, "utf8")).toBe(owner("full"));
    const check = await sandbox.json("config", "check");
    expect(check.report).toMatchObject({ ok: false, path: folder.found });
    expect((await sandbox.run("doctor")).stdout).toContain("telegramm");
  });

  test("config trust names the mistake of a file that looks like another program's", async () => {
    using folder = enter("[telegramm]\n");
    const trust = await folder.sandbox.run("config", "trust", "--yes");
    expect(trust).toMatchObject({ exitCode: 2, stdout: "" });
    expect(trust.stderr).toContain("config.toml:1: telegramm: unknown key");
  });
});

/** A daemon in the folder, of its own process where its start is looked at, and what it told a terminal. */
async function openDaemon(
  { sandbox, own }: ReturnType<typeof enter>,
  how: "host" | "start" = "host",
) {
  const daemon = await sandbox[how]();
  const client = await listen(join(dirname(own), "daemon.sock"));
  const { notices } = client;
  return {
    daemon,
    notices,
    isNotified: (part: string) => until(() => notices.some((text) => text.includes(part))),
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await daemon[Symbol.asyncDispose]();
    },
  };
}

describe.concurrent("a config.toml that was only found and breaks under a running daemon", () => {
  test.each(["another program's", ...oneOf(3, KINDS)])(
    "%s: holds what it made stricter, and nothing else",
    async (kind) => {
      using folder = enter('[security]\nautonomy = "supervised"\n');
      await using live = await openDaemon(folder);
      folder.put(kind);
      if (!BROKEN[kind]) writeFileSync(folder.found, 'baseURL = "https://example.org/"\n');
      await live.isNotified(`"${folder.found}" was saved, but the one before it stays in force`);
      expect(await folder.ask("/mode")).toContain("supervised");
      // Rights are taken away by a message, in the file, and by a command; each names that file.
      await folder.ask("/mode readonly");
      await live.isNotified(
        `"${folder.own}" was saved; in force from now on:\n  security.autonomy`,
      );
      expect(readFileSync(folder.own, "utf8")).toContain('autonomy = "readonly"');
      expect(await folder.ask("/mode")).toContain("readonly");
      writeFileSync(folder.own, owner("readonly", "[501]"));
      await live.isNotified("telegram.allowed_user_ids = [501]");
      const set = await folder.sandbox.run("config", "set", "security.autonomy", "full", "--yes");
      expect(set.exitCode).toBe(0);
      await live.isNotified('security.autonomy = "supervised"'); // no more than it was allowed before
      expect((await folder.sandbox.run("history", "-w", ".")).exitCode).toBe(0);
      // Once it is gone nothing of it holds.
      rmSync(folder.found, { recursive: true });
      await live.isNotified('security.autonomy = "full"');
      expect(live.notices.filter((text) => text.includes("and not right:"))).toHaveLength(1);
      expect(live.daemon.log()).not.toContain("CONFIG_REFUSED");
    },
  );

  test("starts without it, and takes it once it is right", async () => {
    using folder = enter();
    folder.put("a pipe");
    await using live = await openDaemon(folder, "start");
    expect(live.daemon.log()).toContain("papayu: warning: config.toml: left out");
    expect(await folder.ask("/mode")).toContain("full");
    rmSync(folder.found);
    writeFileSync(folder.found, '[security]\nautonomy = "readonly"\n');
    await live.isNotified(`"${folder.found}" was saved; in force from now on:`);
    expect(await folder.ask("/mode")).toContain("readonly");
  });

  test("answers nobody any more who was taken off the list, and says once that it is broken", async () => {
    await using bot = await startBotApi();
    const text = (ids: string) =>
      owner("supervised", ids).replace("[telegram]", `[telegram]\napi_root = "${bot.url}"`);
    using folder = enter("", text("[501, 666]"), { TELEGRAM_BOT_TOKEN: bot.token });
    rmSync(folder.found);
    await using _daemon = await folder.sandbox.host();
    bot.say(666, "/mode");
    await bot.waitFor(() => bot.sent(666).some(({ text: said }) => said.includes("supervised")));
    folder.put("garbage");
    await bot.waitFor(() =>
      bot.sent(501).some(({ text: said }) => said.includes("and not right:")),
    );
    folder.put("a folder");
    writeFileSync(folder.own, text("[501]"));
    await bot.waitFor(() => bot.sent(501).some(({ text: said }) => said.includes("[501]")));
    bot.say(666, "/mode full");
    await bot.waitFor(() => bot.sent(666).some(({ text: said }) => /owner/.test(said)));
    expect(readFileSync(folder.own, "utf8")).toContain('autonomy = "supervised"');
    const broken = bot.sent(501).filter(({ text: said }) => said.includes("and not right:"));
    expect(broken).toHaveLength(1);
  });
});
