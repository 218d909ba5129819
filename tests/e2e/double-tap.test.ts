import { expect, test } from "bun:test";
import { join } from "node:path";
import { startBotApi } from "../support/bot-api-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox, phoneConfig } from "./papayu.ts";

const OWNER = 501;

test("[Apply] tapped twice, and an ok while it works, cost one request, and the question is the same", async () => {
  using dir = tempDir();
  writeTree(join(dir.path, "notes"), { "a.txt": "one\n" });
  await using bot = await startBotApi();
  let applies = 0;
  const hasHeardAll = Promise.withResolvers<void>();
  await using model = startModelServer(({ body: { messages } }) => {
    const isApply = messages.some(({ content }) => content?.includes("Now APPLY"));
    if (isApply) applies++;
    const actions = isApply ? [{ kind: "CREATE_FILE", path: "b.txt", content: "two\n" }] : [];
    const text = JSON.stringify({ actions, summary: "1. Create b.txt" });
    const pace = (sent: number) => (sent === 3 ? hasHeardAll.promise : undefined);
    return { kind: "text", text, ...(isApply && { pace }) };
  });
  const workspace = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
  const sandbox = createSandbox(
    dir.path,
    `${phoneConfig(model.url, bot.url, OWNER)}[http]\nenabled = false\n${workspace}`,
    { TELEGRAM_BOT_TOKEN: bot.token },
  );
  await using _daemon = await sandbox.host();
  bot.say(OWNER, "plan: add b.txt");
  const plan = await bot.waitForText("1. Create b.txt");
  const apply = plan.buttons[0]?.data ?? "";
  bot.press(OWNER, plan.messageId, apply);
  bot.press(OWNER, plan.messageId, apply);
  await bot.waitFor(() => bot.popUps.some(({ text }) => text?.includes("it works once")));
  await bot.waitFor(() => applies === 1);
  const ok = bot.say(OWNER, "ok");
  await bot.waitFor(() => bot.calls.some(({ payload }) => payload["offset"] === ok + 1));
  hasHeardAll.resolve();
  const questions = () => bot.sent(OWNER).filter(({ buttons }) => buttons[0]?.label === "Approve");
  await bot.waitFor(() => questions().length === 2);
  expect(applies).toBe(1);
  const [first, second] = questions();
  bot.press(OWNER, second?.messageId ?? 0, second?.buttons[0]?.data ?? "");
  await bot.waitForText("Applied in notes");
  bot.press(OWNER, first?.messageId ?? 0, first?.buttons[0]?.data ?? "");
  await bot.waitFor(() => bot.popUps.some(({ text }) => text?.includes("approved already")));
  expect((await sandbox.json("history")).report).toMatchObject({ entries: { length: 1 } });
});
