import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { textsIn } from "../../src/texts/texts.ts";
import { type Answer, CHECK, modelLines, playWays } from "../agent/ways-scene.ts";
import { startBotApi } from "../support/bot-api-server.ts";
import { openBeside } from "../support/open-beside.ts";
import { hasOverlay } from "../support/overlay.ts";
import { until } from "../support/patience.ts";
import { openPhone } from "../support/phone.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

const OWNER = 501;
const { buttons, approval, outcome, tries } = textsIn("en");

/** A home whose owner has a phone, and whose check of a slow word goes on for long. */
async function open(answer: Answer, plan?: Parameters<typeof playWays>[2]) {
  const dir = tempDir();
  writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
  const bot = await startBotApi();
  const model = playWays(answer, false, plan);
  const telegram = `[telegram]\napi_root = "${bot.url}"\nallowed_user_ids = [${OWNER}]\n`;
  const check = [["sh", "-c", `test -f word.txt && grep -q slow word.txt && sleep 600; ${CHECK}`]];
  const config = `${modelLines(model.url, ["one", "two"], telegram)}[http]
enabled = false
[[workspaces]]
name = "notes"
path = "./notes"
check = ${JSON.stringify(check)}
`;
  const sandbox = createSandbox(dir.path, config, { TELEGRAM_BOT_TOKEN: bot.token });
  return {
    bot,
    model,
    sandbox,
    phone: openPhone(bot, OWNER),
    word: () => {
      const path = join(dir.path, "notes/word.txt");
      return existsSync(path) ? readFileSync(path, "utf8") : undefined;
    },
    async [Symbol.asyncDispose]() {
      await model.stop();
      await bot[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

/** How many ways are noted, and how many of them came to a plan. */
function waysIn(home: string) {
  using database = openBeside(join(home, "state.db"));
  const sql = "SELECT count(*) AS begun, count(plan_id) AS planned FROM ways";
  return database.query<{ begun: number; planned: number }, []>(sql).get();
}

const head = approval.head("notes");

test.if(hasOverlay)(
  "kill -9 while a way is made leaves the question, and the press goes on with that way",
  async () => {
    let isDown = true;
    await using scene = await open(({ model }) =>
      model === "one-1" ? ["1", "good"] : isDown ? { kind: "hang" } : ["good"],
    );
    const { sandbox, phone, bot, model } = scene;
    const first = await sandbox.start();
    await phone.say("plan: word.txt", "one-1");
    const question = await phone.tap(buttons.apply, head);
    await bot.tap(OWNER, buttons.tryAnother);
    await until(() => model.requests.length === 4);
    first.kill("SIGKILL");
    await first.exited;
    expect(waysIn(sandbox.home)).toEqual({ begun: 2, planned: 2 });
    expect((await sandbox.json("history")).report).toMatchObject({ entries: [] });
    isDown = false;
    await using _second = await sandbox.host();
    const again = await phone.waitForText(/1\. plan_[\s\S]*two two-1/u);
    expect(again.text).toContain(tries.left(2));
    await phone.waitForText(head);
    // The plan that was there is not planned again; its change set is asked for once more.
    expect(waysIn(sandbox.home)).toEqual({ begun: 2, planned: 2 });
    expect(model.requests).toHaveLength(5);
    expect(await phone.pressAgain(question, 0)).toContain("took its place");
    await phone.tap(buttons.approve, outcome.committed("notes", 1));
    expect(scene.word()).toBe("good\n");
  },
);

test.if(hasOverlay)(
  "kill -9 while a model plans leaves the question, and the same way is planned after it",
  async () => {
    let isDown = true;
    await using scene = await open(
      ({ model }) => (model === "one-1" ? ["1", "good"] : ["good"]),
      ({ model }) => (model === "two-1" && isDown ? { kind: "hang" } : undefined),
    );
    const { sandbox, phone, bot, model } = scene;
    const first = await sandbox.start();
    await phone.say("plan: word.txt", "one-1");
    await phone.tap(buttons.apply, head);
    await bot.tap(OWNER, buttons.tryAnother);
    await until(() => model.requests.length === 3);
    first.kill("SIGKILL");
    await first.exited;
    expect(waysIn(sandbox.home)).toEqual({ begun: 2, planned: 1 });
    isDown = false;
    await using _second = await sandbox.host();
    await phone.waitForText(tries.left(2));
    await phone.waitForText(head);
    expect(waysIn(sandbox.home)).toEqual({ begun: 2, planned: 2 });
    await phone.tap(buttons.approve, outcome.committed("notes", 1));
    expect(scene.word()).toBe("good\n");
  },
);

test.if(hasOverlay)(
  "kill -9 while a way is checked, and a no before the next start: nothing more is asked",
  async () => {
    await using scene = await open(({ model }) => (model === "one-1" ? ["1", "good"] : ["slow"]));
    const { sandbox, phone, bot, model } = scene;
    const first = await sandbox.start();
    await phone.say("plan: word.txt", "one-1");
    const question = await phone.tap(buttons.apply, head);
    await bot.tap(OWNER, buttons.tryAnother);
    await until(() => waysIn(sandbox.home)?.planned === 2 && model.requests.length === 4);
    bot.press(OWNER, question.messageId, question.buttons[1]?.data ?? "");
    await phone.waitForText(textsIn("en").agent.changeRejected);
    first.kill("SIGKILL");
    await first.exited;
    await using _second = await sandbox.host();
    await bot.waitFor(() => bot.sent(OWNER).some(({ text }) => text.includes("was rejected")));
    expect(scene.word()).toBeUndefined();
    expect(model.requests).toHaveLength(4);
  },
);

test.if(hasOverlay)(
  "a press while another program locks the database waits, and counts once",
  async () => {
    await using scene = await open(({ model }) => (model === "one-1" ? ["1", "good"] : ["good"]));
    const { sandbox, phone, bot, model } = scene;
    await using daemon = await sandbox.start();
    await phone.say("plan: word.txt", "one-1");
    const question = await phone.tap(buttons.apply, head);
    const database = openBeside(join(sandbox.home, "state.db"));
    const waiting = database.query("SELECT 1 FROM inbox WHERE state = 'waiting'");
    await until(() => waiting.get() === null);
    database.run("BEGIN IMMEDIATE");
    const data = question.buttons[2]?.data ?? "";
    bot.press(OWNER, question.messageId, data);
    bot.press(OWNER, question.messageId, data);
    expect((await sandbox.json("status")).report).toMatchObject({ running: true });
    expect(model.requests).toHaveLength(2);
    database.run("ROLLBACK");
    database.close();
    await phone.waitForText(tries.left(2));
    await phone.waitForText(head);
    expect(waysIn(sandbox.home)).toEqual({ begun: 2, planned: 2 });
    expect(model.requests).toHaveLength(4);
    expect(daemon.log()).not.toMatch(/INTERNAL_ERROR|UPDATE_FAILED/);
  },
);
