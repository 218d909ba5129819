import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import type { ModelRequest, Reply } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { findBarriers, letIn } from "./console-page.ts";
import { type ConsoleScene, openConsoleScene } from "./console-scene.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const HOSTILE =
  "**bold** <img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script> \u202egnp [x](javascript:document.title='owned')\n\n- one\n- two\n\n`code`";

const answer = ({ body }: ModelRequest): Reply =>
  String(body.messages.at(-1)?.content).includes("wait")
    ? { kind: "hang" }
    : { kind: "text", text: `${HOSTILE} ${"x".repeat(20_000)}` };

interface Chats {
  readonly chats: readonly {
    readonly id: string;
    readonly title: string;
    readonly send_as?: string;
  }[];
}

const list = async ({ get }: ConsoleScene): Promise<Chats> =>
  JSON.parse(await (await get("/api/chats")).text());

async function openPage(scene: ConsoleScene, complaints: string[]): Promise<Page> {
  const page = await letIn(browser, scene, complaints);
  await page.getByRole("link", { name: "Chat", exact: true }).click();
  return page;
}

test("a conversation is begun on the page, answered in blocks, kept, and found again", async () => {
  await using scene = await openConsoleScene("", answer);
  const complaints: string[] = [];
  const page = await openPage(scene, complaints);
  await page.getByText("There are no conversations yet.").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByLabel("Message").fill("hello <b>you</b>");
  await page.getByLabel("Message").press("Enter");
  const log = page.getByRole("log");
  await log.getByText("Done", { exact: true }).waitFor();
  const looks = async () => {
    expect(await log.locator("strong").innerText()).toBe("bold");
    expect(await log.locator("li").allInnerTexts()).toEqual(["one", "two"]);
    expect(await log.innerText()).toContain("\\u{202e}gnp");
    expect(await log.innerText()).toContain("onerror=");
    expect(await log.locator("a, img, script").count()).toBe(0);
    expect(await page.title()).not.toBe("owned");
  };
  await looks();
  expect(await findBarriers(page)).toEqual([]);
  await page.reload();
  await log.locator("strong").waitFor();
  await looks();
  expect(await page.getByText("hello <b>you</b>").count()).toBeGreaterThan(0);
  const { chats } = await list(scene);
  expect(chats).toMatchObject([{ title: "hello <b>you</b>" }]);
  await page.setViewportSize({ width: 360, height: 700 });
  expect(await page.evaluate("document.documentElement.scrollWidth <= 360")).toBe(true);
  expect(complaints).toEqual([]);
});

/** Keeps what is said from arriving; resolves when it was let go and what it came to was read. */
async function hold(page: Page): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const read = Promise.all(
    ["**/api/chats/http*", "**/api/inbox"].map(async (path) => {
      const response = await page.waitForResponse(path);
      await response.finished();
    }),
  );
  await page.route("**/api/chat", async (route) => {
    await promise;
    await route.continue();
  });
  return async () => {
    resolve();
    await read;
    await page.evaluate("new Promise((next) => setTimeout(next))");
    await page.unroute("**/api/chat");
  };
}

test("a change is asked for from its workspace, and is about that one or is not sent", async () => {
  const other = `[[workspaces]]\nname = "other"\npath = "./other"\ncheck = false\n`;
  await using scene = await openConsoleScene(other);
  mkdirSync(join(scene.folder, "../other"));
  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("link", { name: /other/u }).click();
  await page.getByRole("link", { name: "Ask for a change" }).click();
  await page.getByRole("heading", { name: "What should change in other?" }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const message = page.getByLabel("Message");
  expect(await message.inputValue()).toBe("plan: ");
  await page.route("**/api/chat", (route) => route.abort());
  await message.fill("plan: say why");
  await page.getByRole("button", { name: "Send", disabled: false }).waitFor();
  await message.press("Enter");
  await page.getByRole("alert").getByText("did not arrive").waitFor();
  expect(await message.inputValue()).toBe("plan: say why");
  await page.unroute("**/api/chat");
  // Who looks elsewhere while its workspace is being chosen finds the words where they were written,
  // and as long as that takes nothing is sent once more.
  const letGo = await hold(page);
  await page.getByRole("button", { name: "Send", disabled: false }).waitFor();
  await message.press("Enter");
  await page.getByRole("button", { name: "Send", disabled: true }).waitFor();
  await page.getByRole("link", { name: "Inbox", exact: true }).click();
  await page.goBack();
  await page.getByRole("button", { name: "Send", disabled: true }).waitFor();
  await page.getByRole("link", { name: "Inbox", exact: true }).click();
  await letGo();
  await page.goBack();
  await page.getByRole("button", { name: "Send", disabled: false }).waitFor();
  expect(await message.inputValue()).toBe("plan: say why");
  await message.press("Enter");
  await page.getByText("A plan for other").waitFor();
  // It is said in the conversation that was made ready for it, and there is no other.
  expect((await list(scene)).chats).toMatchObject([{ title: "plan: say why", workspace: "other" }]);
  await page.goto(`${scene.root}/chat?workspace=nowhere`);
  await message.fill("plan: and this");
  await page.getByRole("button", { name: "Send", disabled: false }).waitFor();
  await message.press("Enter");
  await page.getByRole("alert").getByText("nowhere").waitFor();
  expect(await message.inputValue()).toBe("plan: and this");
  // Nothing is left in a conversation that is none: the window may be shut when the words are gone.
  await message.fill("plan: ");
  expect(
    await page.evaluate(`dispatchEvent(new Event("beforeunload", { cancelable: true }))`),
  ).toBe(true);
  // What is typed while its workspace is being chosen is said with the rest.
  await page.goto(`${scene.root}/chat?workspace=notes`);
  const release = await hold(page);
  await message.fill("plan: say why");
  await page.getByRole("button", { name: "Send", disabled: false }).waitFor();
  await message.press("Enter");
  await page.getByRole("button", { name: "Send", disabled: true }).waitFor();
  await message.pressSequentially(", and how");
  await release();
  await page.getByText("say why, and how").first().waitFor();
  // Where the answer to the choice breaks off, it is known from the conversation that it was made.
  await page.goto(`${scene.root}/chat?workspace=notes`);
  const before = (await list(scene)).chats.length;
  let isFirst = true;
  await page.route("**/api/chat", async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    const request = route.request();
    const headers = { ...(await request.allHeaders()), host: new URL(request.url()).host };
    const url = request.url().replace(/^http:[^:]+/u, "http://127.0.0.1");
    await (await fetch(url, { method: "POST", headers, body: request.postData() })).text();
    return route.abort("connectionreset");
  });
  await message.fill("plan: say it once");
  await page.getByRole("button", { name: "Send", disabled: false }).waitFor();
  await message.press("Enter");
  await page.getByText("say it once").first().waitFor();
  await page.getByText("A plan for notes").first().waitFor();
  expect((await list(scene)).chats).toHaveLength(before + 1);
  await page.unroute("**/api/chat");
  expect(complaints.filter((each) => !each.includes("CONNECTION_RESET"))).toEqual([]);
});

test("what runs is stopped by its button; a page that is left in an answer says what became of it", async () => {
  await using scene = await openConsoleScene("", answer);
  const complaints: string[] = [];
  const page = await openPage(scene, complaints);
  await page.getByLabel("Message").fill("wait for it");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("log").getByText("Stopped.").waitFor();
  await page.getByLabel("Message").fill("wait again");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
  await page.reload();
  await page.getByText("which stops it").waitFor();
  await becomes(page.getByRole("button", { name: "Stop", exact: true }), 0);
  expect(complaints).toEqual([]);
});

test("the owner's conversations are listed, other channels' are read alone, other people's neither", async () => {
  await using scene = await openConsoleScene("", answer);
  const { get, post, phone, guest } = scene;
  await (await post("/api/chat", { message: "of a program", session_id: "mine" })).text();
  await phone.say("from the phone", /bold/);
  await guest.say("of somebody else", /bold/);
  await until(async () => (await list(scene)).chats.length === 2);
  const { chats } = await list(scene);
  expect(chats.map(({ title }) => title).toSorted()).toEqual(["from the phone", "of a program"]);
  expect(chats.map(({ send_as }) => send_as)).toContain("mine");
  expect((await get("/api/chats/telegram%3A502")).status).toBe(404);
  expect((await get("/api/chats/telegram%3A501")).status).toBe(200);
  expect((await get("/api/chats?limit=0")).status).toBe(400);
  const firstOf = async (query: string): Promise<{ id: string; key: string; rest: unknown }> => {
    const page = JSON.parse(await (await get(`/api/chats?limit=1${query}`)).text());
    return { id: page.chats[0]?.id, key: String(page.older), rest: page.older };
  };
  const newest = await firstOf("");
  const next = await firstOf(`&before=${newest.key}`);
  expect([newest.id, next.id].toSorted()).toEqual(["http:mine", "telegram:501"]);
  expect(newest.key).toMatch(/^\d+-[0-9a-f]{16}$/u); // no name: that may be a secret
  expect(next.rest).toBeNull();
  // What was at a place may be gone by now: what is older comes all the same.
  const [at = ""] = newest.key.split("-");
  expect((await firstOf(`&before=${at}-0123456789abcdef`)).id).toBe(next.id);
  expect((await get("/api/chats?before=http:mine")).status).toBe(400);
  expect((await get("/api/chats", {})).status).toBe(401);
  const complaints: string[] = [];
  const page = await openPage(scene, complaints);
  await page.getByRole("link", { name: "from the phone" }).click();
  await page.getByLabel("Message").fill("and from the page");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await phone.waitForText("Said in the web console: and from the page");
  expect(complaints).toEqual([]);
});
