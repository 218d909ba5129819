import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { readTree } from "../support/tree.ts";
import { findBarriers, isReady, letIn } from "./console-page.ts";
import { type ConsoleScene, openConsoleScene } from "./console-scene.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const EVIL =
  "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script> \u202egnp";

async function openChat(scene: ConsoleScene, complaints: string[], id: string): Promise<Page> {
  const page = await letIn(browser, scene, complaints);
  await page.getByRole("heading", { name: /^Inbox/u }).waitFor();
  await page.goto(`${new URL(page.url()).origin}/chat/${encodeURIComponent(id)}`);
  await page.getByLabel("Message").waitFor();
  return page;
}

const say = async (page: Page, words: string) => {
  const box = page.getByRole("textbox", { name: "Message" });
  await box.fill(words);
  await box.press("Enter");
};

test("what the phone says comes as it is answered; its questions stand open where they were asked, and a yes is for them", async () => {
  const going = Promise.withResolvers<void>();
  await using scene = await openConsoleScene("", ({ body }) => {
    const said = body.messages.map(({ content }) => String(content)).join("\n");
    if (said.includes("slowly")) {
      const pace = async (sent: number) => void (sent > 4 && (await going.promise));
      return { kind: "text", text: `**bold** ${EVIL} and the end`, chunkChars: 30, pace };
    }
    const isApply = said.includes("Now APPLY");
    const actions = [{ kind: "CREATE_FILE", path: "why.md", content: `# Why\n${EVIL}\n` }];
    const summary = `1. Write why.md ${EVIL}`;
    return { kind: "text", text: JSON.stringify({ actions: isApply ? actions : [], summary }) };
  });
  const { phone, bot, folder } = scene;
  await phone.say("/status", "approvals waiting: 0");
  const complaints: string[] = [];
  const page = await openChat(scene, complaints, "telegram:501");
  const log = page.getByRole("log");
  await log.getByText("approvals waiting: 0").waitFor();
  bot.say(501, `slowly ${EVIL}`);
  // Before it has ended.
  await log.locator("strong").waitFor();
  expect(await log.innerText()).not.toContain("and the end");
  // What is kept of it already is shown once.
  await becomes(log.getByText("slowly"), 1);
  going.resolve();
  await log.getByText("and the end").waitFor();
  await becomes(log.locator("strong"), 1);
  await phone.say("plan: write down why", "Write why.md");
  const plan = log.getByRole("region", { name: /write down why/u });
  await plan.waitFor();
  await isReady(plan, "Apply");
  await phone.tap("Apply", "Changes for notes");
  await log.getByRole("region", { name: "why.md" }).waitFor();
  await isReady(log, "Approve");
  expect(await findBarriers(page)).toEqual([]);
  const looks = async () => {
    expect(await log.innerText()).toContain("\\u{202e}gnp");
    expect(await log.locator("img, script").count()).toBe(0);
    expect(await page.title()).not.toBe("owned");
  };
  await looks();
  await say(page, "yes");
  await log.getByText("Applied in notes").first().waitFor();
  expect(readFileSync(join(folder, "why.md"), "utf8")).toContain("# Why");
  await phone.waitForText("Applied in notes");
  await page.reload();
  await log.getByText("Applied in notes").first().waitFor();
  await log.getByText("· approved").waitFor();
  await log.getByText("A plan for notes").waitFor();
  await looks();
  await page.setViewportSize({ width: 360, height: 700 });
  expect(await page.evaluate("document.documentElement.scrollWidth <= 360")).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await log.getByRole("link", { name: "In the past of notes" }).click();
  await page.getByRole("region", { name: "why.md" }).waitFor();
  expect(page.url()).toMatch(/\/workspaces\/notes\/tx_/u);
  expect(complaints).toEqual([]);
});

test("files are dropped into a message, named as safely as the phone's, and what is given is kept by the browser", async () => {
  const heard: string[] = [];
  await using scene = await openConsoleScene("", ({ body }) => {
    heard.push(body.messages.map(({ content }) => String(content)).join("\n"));
    const isGiven = body.messages.some(({ role }) => role === "tool");
    return isGiven || !heard.at(-1)?.includes("give me")
      ? { kind: "text", text: "There." }
      : { kind: "tools", calls: [{ name: "send_file", arguments: { path: "a.txt" } }] };
  });
  const complaints: string[] = [];
  const page = await openChat(scene, complaints, "http:mine");
  const drop = (name: string, size = 3) =>
    page.evaluate(`{
      const files = new DataTransfer();
      files.items.add(new File(["x".repeat(${size})], ${JSON.stringify(name)}));
      document.querySelector(".composer").dispatchEvent(
        new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
    }`);
  await drop("evil\u202etxt<img src=x onerror=1>.html");
  await drop("two.txt");
  await drop("large.bin", 20 * 1024 * 1024 + 1);
  await page.getByText("Over 20 MB, which is too large: large.bin.").waitFor();
  const attached = page.getByRole("list", { name: "Files that come with the message" });
  await becomes(attached.getByRole("listitem"), 2);
  expect(await attached.innerText()).toContain("\\u{202e}");
  expect(await findBarriers(page)).toEqual([]);
  await attached.getByRole("button", { name: "Leave out two.txt" }).click();
  await say(page, "look at it");
  const log = page.getByRole("log");
  await log.getByText("There.").waitFor();
  await becomes(attached, 0);
  const [name = ""] = Object.keys(readTree(join(scene.folder, "inbox")));
  expect(name).toMatch(/^eviltxt[^<>]*\.html$/u);
  expect(heard.at(-1)).toContain(`"inbox/${name}"`);
  await drop(".bashrc");
  await say(page, "and this");
  await log.getByText("hidden files are not taken").waitFor();
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("and this");
  await attached.getByRole("button", { name: "Leave out .bashrc" }).click();
  await say(page, "give me a.txt");
  const load = log.getByRole("button", { name: "Download" });
  await until(
    async () => (await load.count()) === 1 && (await log.getByText("There.").count()) === 2,
  );
  const [download] = await Promise.all([page.waitForEvent("download"), load.click()]);
  expect(download.suggestedFilename()).toBe("a.txt");
  expect(readFileSync(await download.path(), "utf8")).toBe("one\ntwo\nthree\n");
  expect(complaints).toEqual([]);
});
