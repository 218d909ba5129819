import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createPairing } from "../../src/store/chats/pairing.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { startBotApi } from "../support/bot-api-server.ts";
import { readFiles } from "../support/read-files.ts";
import { tempDir } from "../support/temp.ts";
import { createSandbox } from "./papayu.ts";

const STRANGER = 666;

test("papayu pair lets somebody in while the daemon runs, and their files with them", async () => {
  using dir = tempDir();
  await using bot = await startBotApi();
  const sandbox = createSandbox(
    dir.path,
    `
[telegram]
bot_token = "${bot.token}"
api_root = "${bot.url}"
[http]
enabled = false
[[workspaces]]
name = "notes"
path = "./notes"
check = false
`,
  );
  mkdirSync(join(dir.path, "notes"));
  await using _ = await sandbox.host();
  bot.say(STRANGER, "/status", {
    from: { id: STRANGER, is_bot: false, first_name: "Eve\u202e", last_name: "\nroot" },
  });
  const shown = await bot.waitForText("papayu pair");
  const listed = await sandbox.run("pair");
  expect(listed.stdout).toContain(`  ${STRANGER}  Eve\\u{202e} root  asked`);
  expect((await sandbox.json("pair", "AAAAAAAA")).report).toMatchObject({
    ok: false,
    error_code: "ERR_PAIRING_CODE",
  });
  const paired = await sandbox.json("pair", shown.text.slice(-8));
  expect(paired).toMatchObject({ exitCode: 0, report: { ok: true, user_id: STRANGER } });
  bot.files.set("f", { path: "documents/f.txt", content: Buffer.from("hello") });
  const document = { file_id: "f", file_name: "hello.txt" };
  bot.say(STRANGER, "", { text: undefined, document });
  await bot.waitForText("Saved as inbox/hello.txt");
  expect(bot.texts(STRANGER)).toContain("You are in. Write what you want, or /help.");
  expect(readFiles(join(dir.path, "notes"))).toEqual({ "inbox/hello.txt": "hello" });

  const removed = await sandbox.json("pair", "--remove", String(STRANGER));
  expect(removed.report).toMatchObject({ ok: true, user_id: STRANGER });
  bot.say(STRANGER, "/status");
  await bot.waitFor(
    () => bot.texts(STRANGER).filter((text) => text.includes("papayu pair")).length === 2,
  );
  expect(bot.texts().some((text) => text.includes("has been running for"))).toBe(false);
});

test("papayu pair lists who waits with names that cannot deceive, and counts wrong codes over runs", async () => {
  using dir = tempDir();
  const sandbox = createSandbox(dir.path, "[telegram]\nallowed_user_ids = [7]\n");
  mkdirSync(sandbox.home, { recursive: true });
  using store = openStore(join(sandbox.home, "state.db"));
  const pairing = createPairing(store);
  const code = pairing.ask({ id: 5, name: "Eve\u{202e}\u{1b}[2J" }, Date.now()) ?? "";
  const { stdout } = await sandbox.run("pair");
  expect(stdout).toContain("  5  Eve\\u{202e}\\u{1b}[2J  asked ");
  expect(stdout).toContain("On telegram.allowed_user_ids: 7");
  expect(stdout).not.toContain(code);
  const { report } = await sandbox.json("pair");
  expect(report).toMatchObject({
    waiting: [{ user_id: 5, name: "Eve\\u{202e}\\u{1b}[2J" }],
    paired: [],
    allowed_user_ids: [7],
  });

  for (let tries = 0; tries < 5; tries++) await sandbox.run("pair", "WRONG");
  const locked = await sandbox.run("pair", code);
  expect(locked.exitCode).toBe(1);
  expect(locked.stderr).toContain("ERR_PAIRING_LOCKED");
  expect(pairing.paired()).toEqual([]);
  expect((await sandbox.run("pair", code, "--remove", "5")).exitCode).toBe(2);
  expect((await sandbox.run("pair", "--remove", "x")).stderr).toContain("ERR_PAIRING_CODE");
});

test("papayu pair --refuse makes the code of who waits worthless, and says who does not wait", async () => {
  using dir = tempDir();
  const sandbox = createSandbox(dir.path, "");
  mkdirSync(sandbox.home, { recursive: true });
  using store = openStore(join(sandbox.home, "state.db"));
  const pairing = createPairing(store);
  const code = pairing.ask({ id: 5, name: "Eve" }, Date.now()) ?? "";
  expect((await sandbox.run("pair", code, "--refuse", "5")).exitCode).toBe(2);
  expect((await sandbox.run("pair", "--refuse", "6")).stderr).toContain("ERR_PAIRING_CODE");
  const { report } = await sandbox.json("pair", "--refuse", "5");
  expect(report).toMatchObject({ ok: true, user_id: 5 });
  expect(pairing.waiting(Date.now())).toEqual([]);
  expect((await sandbox.run("pair", code)).stderr).toContain("ERR_PAIRING_CODE");
  expect(pairing.ask({ id: 5, name: "Eve" }, Date.now())).toBe(undefined);
  expect((await sandbox.run("pair", "--refuse", "5")).stderr).toContain("ERR_PAIRING_CODE");
});

test("every topic of a forum is a conversation with a workspace of its own", async () => {
  using dir = tempDir();
  await using bot = await startBotApi();
  const names = ["first", "second"];
  const sandbox = createSandbox(
    dir.path,
    `
[telegram]
bot_token = "${bot.token}"
api_root = "${bot.url}"
allowed_user_ids = [7]
[http]
enabled = false
${names.map((name) => `[[workspaces]]\nname = "${name}"\npath = "./${name}"\n`).join("")}`,
  );
  for (const name of names) mkdirSync(join(dir.path, name));
  await using _ = await sandbox.host();
  await bot.waitFor(() => bot.calls.some(({ method }) => method === "getUpdates"));
  const chat = { id: -100, type: "supergroup", is_forum: true, title: "Team" };
  const entities = [{ type: "mention", offset: 0, length: bot.username.length + 1 }];
  const inTopic = (message_thread_id: number) => ({
    chat,
    is_topic_message: true,
    message_thread_id,
  });
  bot.say(7, `@${bot.username} /ws second`, { ...inTopic(2), entities });
  await bot.waitForText("Workspace: second");
  for (const thread of [1, 2]) {
    bot.files.set(`f${thread}`, {
      path: `documents/f${thread}`,
      content: Buffer.from(`topic ${thread}`),
    });
    const document = { file_id: `f${thread}`, file_name: "a.txt" };
    const caption = { caption: `@${bot.username}`, caption_entities: entities };
    bot.say(7, "", { ...inTopic(thread), text: undefined, document, ...caption });
  }
  await bot.waitFor(() => bot.texts(-100).filter((text) => text.startsWith("Saved")).length === 2);
  expect(readFiles(join(dir.path, "first"))).toEqual({ "inbox/a.txt": "topic 1" });
  expect(readFiles(join(dir.path, "second"))).toEqual({ "inbox/a.txt": "topic 2" });
});
