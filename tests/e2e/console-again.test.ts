import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { openConsoleScene } from "./console-scene.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const WORDS = "rather as a table";

test("whoever signs in again, in another window, goes on with what they typed in each", async () => {
  await using scene = await openConsoleScene();
  const { sandbox, phone, review, inbox } = scene;
  await phone.say("plan: write down why", "Write docs/why.md");
  await phone.tap("Apply", "Changes for notes");
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const first = await context.newPage();
  await first.goto((await sandbox.run("open", "--print")).stdout.trim());
  await first.getByRole("link", { name: /^Review/u }).click();
  await first.getByRole("region", { name: "docs/why.md" }).waitFor();
  const settings = await openBeside(first, "/settings");
  const toml = settings.locator("textarea").first();
  await toml.waitFor();
  const before = await toml.inputValue();
  await toml.press("Control+End");
  await toml.pressSequentially("# mine");
  const chat = await openBeside(first, "/chat");
  await chat.locator("textarea").first().fill("what is in a.txt?");
  const loads = [first, settings, chat].map((page) => {
    const counted = { count: 0 };
    page.on("load", () => (counted.count += 1));
    return counted;
  });

  const { sessions } = JSON.parse((await sandbox.run("open", "--list", "--json")).stdout);
  // What is typed at that moment is refused by the daemon: it does not know who says it.
  await first.bringToFront();
  await first.locator('button:not([aria-disabled="true"]):text-is("Approve")').waitFor();
  // Its folder comes first.
  await first.keyboard.press("j");
  await first.keyboard.press("j");
  await first.keyboard.press("c");

  await context.route("**/draft", (route) => route.abort());
  await first.getByRole("textbox", { name: "Comment on docs/why.md" }).fill(WORDS);
  await sandbox.run("open", "--revoke", String(sessions[0].id));
  const pages = [first, settings, chat];
  for (const page of pages) {
    await page.getByRole("heading", { name: "This browser is not signed in" }).waitFor();
  }
  await context.unroute("**/draft");

  const other = await context.newPage();
  await other.goto((await sandbox.run("open", "--print")).stdout.trim());
  await other.getByRole("heading", { name: /^Inbox/u }).waitFor();
  const box = first.getByRole("textbox", { name: "Comment on docs/why.md" });
  await box.waitFor();
  expect(await box.inputValue()).toBe(WORDS);
  const [item] = (await inbox()).items;
  await until(async () =>
    JSON.stringify(await review(String(item?.ref))).includes(`"text":"${WORDS}"`),
  );
  await until(async () => (await toml.inputValue()) === `${before}# mine`);
  const said = chat.locator("textarea").first();
  await until(async () => (await said.inputValue()) === "what is in a.txt?");
  expect(loads.map(({ count }) => count)).toEqual([0, 0, 0]);
  // What happens is told again.
  await first.locator(".link.live").waitFor();
});

/** Another window of the same browser. */
async function openBeside(page: Page, path: string): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(new URL(path, page.url()).href);
  return other;
}
