import { expect, test } from "bun:test";
import { join } from "node:path";
import { startBotApi } from "../support/bot-api-server.ts";
import { openPhone } from "../support/phone.ts";
import { tempDir } from "../support/temp.ts";
import { createSandbox } from "./papayu.ts";

const OWNER = 501;

test("two daemons with homes of their own share no bot; the second names the first and takes over", async () => {
  using dir = tempDir();
  await using bot = await startBotApi();
  const prepare = (name: string) => {
    const config = `[telegram]\napi_root = "${bot.url}"\nallowed_user_ids = [${OWNER}]\n`;
    const own = join(dir.path, name);
    return createSandbox(own, config, { TELEGRAM_BOT_TOKEN: bot.token });
  };
  const [one, other] = [prepare("one"), prepare("other")];
  const phone = openPhone(bot, OWNER);
  await using first = await one.start();
  await phone.say("/status", `pid ${first.pid}`);
  await using second = await other.start();
  await second.waitForLog(/ERR_TELEGRAM_CONFLICT/);
  expect(second.log()).toContain(`pid ${first.pid}, home \\"${one.home}\\"`);
  await phone.say("/status", `pid ${first.pid}`);
  first.kill("SIGKILL");
  await first.exited;
  await phone.say("/status", `pid ${second.pid}`);
  expect(bot.calls.filter(({ method }) => method === "deleteWebhook").length).toBeGreaterThan(1);
});
