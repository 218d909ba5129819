import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Frame, Page } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import { startTlsProxy, type TlsProxy } from "../support/tls-proxy.ts";
import { readTree } from "../support/tree.ts";
import { HOST, openAppScene, PUBLIC, sign } from "./app-scene.ts";
import { findBarriers, isReady } from "./console-page.ts";
import { type ConsoleScene, OWNER } from "./console-scene.ts";

const GUEST = 502;
const TELEGRAM = "web.telegram.org";
const ELSEWHERE = "elsewhere.example.org";

let proxy: TlsProxy;
let browser: Browser;
beforeAll(async () => {
  proxy = startTlsProxy(HOST, TELEGRAM, ELSEWHERE);
  browser = await openBrowser(proxy.browserArgs);
});
afterAll(async () => {
  await browser?.close();
  await proxy?.[Symbol.asyncDispose]();
});

/** A daemon behind the proxy, and what browsers complain about. */
async function openScene(model?: Parameters<typeof openAppScene>[1]) {
  const scene = await openAppScene("", model);
  proxy.passOn(HOST, scene.root);
  const complaints: string[] = [];
  const openPage = async (width = 360): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width, height: 740 },
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted/u.test(message.text())) complaints.push(message.text());
    });
    return page;
  };
  const close = async () => {
    for (const context of browser.contexts()) await context.close();
    await scene[Symbol.asyncDispose]();
  };
  return { scene, complaints, openPage, [Symbol.asyncDispose]: close };
}

/** The address that Telegram opens for somebody. */
const addressFor = ({ bot }: ConsoleScene, userId: number, path = "/app") => {
  const initData = encodeURIComponent(sign(bot.token, userId));
  return `${PUBLIC}${path}#tgWebAppData=${initData}&tgWebAppVersion=9.1&tgWebAppPlatform=web`;
};

/** What looks at the page, in screenshots of who wants to look as well: PAPAYU_TEST_PICTURES. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env["PAPAYU_TEST_PICTURES"];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}

const inbox = (page: Page | Frame) => page.getByRole("heading", { name: /^Inbox/u });

async function askOnPhone({ phone, guest }: ConsoleScene, who: "owner" | "guest"): Promise<void> {
  const person = who === "owner" ? phone : guest;
  await person.say("plan: write down why", "Write docs/why.md");
  await person.tap("Apply", "Changes for notes");
}

test("in a frame of Telegram's the page lives, answers, and keeps nothing; elsewhere it is not shown", async () => {
  await using it = await openScene();
  const { scene, complaints } = it;
  const frameIn = (host: string) => {
    const address = addressFor(scene, OWNER).replaceAll("&", "&amp;");
    proxy.show(host, `<!doctype html><title>t</title><iframe src="${address}"></iframe>`);
  };
  frameIn(TELEGRAM);
  const page = await it.openPage(1280);
  // As where a browser keeps nothing for a page in another's frame.
  await page.addInitScript(`if (self !== top) for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
  }`);
  await page.goto(`https://${TELEGRAM}/`);
  const frame = page.frames().find((each) => each.url().startsWith(PUBLIC));
  if (!frame) throw new Error("there is no frame");
  await inbox(frame).waitFor();
  expect(frame.url()).toBe(`${PUBLIC}/app`);
  await frame.locator(".link.live").waitFor();
  await askOnPhone(scene, "owner"); // comes by itself
  await frame.getByRole("link", { name: "Review" }).click();
  await frame.locator(`button:not([aria-disabled="true"]):text-is("Approve")`).click();
  await frame.getByText("Applied in notes").first().waitFor();
  expect(Object.keys(readTree(scene.folder))).toContain("docs/why.md");
  expect(await frame.evaluate("document.cookie")).toBe("");
  expect(await page.context().cookies()).toEqual([]);
  expect(complaints).toEqual([]);

  frameIn(ELSEWHERE);
  await page.goto(`https://${ELSEWHERE}/`);
  const urls = page.frames().map((each) => each.url());
  expect(urls).toHaveLength(2);
  expect(urls[1]).toStartWith("chrome-error:");
  expect(complaints.join("\n")).toContain("frame-ancestors");
});

test("a question on the phone opens as its review, and the versions of it stay in the page", async () => {
  await using it = await openScene(({ body }) => {
    const isApply = JSON.stringify(body.messages).includes("Now APPLY");
    const actions = ["why", "how"].map((name) => {
      return { kind: "CREATE_FILE", path: `docs/${name}.md`, content: `# ${name}\n` };
    });
    const text = JSON.stringify({ actions: isApply ? actions : [], summary: "1. Write docs" });
    return { kind: "text", text };
  });
  const { phone, guest, bot } = it.scene;
  const inGroup = {
    chat: { id: -100, type: "supergroup", title: "Team" },
    entities: [{ type: "mention", offset: 0, length: bot.username.length + 1 }],
  };
  const goal = "plan: write docs";
  await phone.say(goal, "Write docs");
  await phone.tap("Apply", "Changes for notes");
  await guest.say(goal, "Write docs");
  await guest.tap("Apply", "Changes for notes");
  bot.say(OWNER, `@${bot.username} ${goal}`, inGroup);
  await bot.waitFor(() => bot.texts(-100).some((text) => text.includes("Write docs")));
  bot.say(OWNER, `@${bot.username} ok`, inGroup);
  await bot.waitFor(() => bot.texts(-100).some((text) => text.includes("Changes for notes")));
  const markups = bot.calls.map(({ payload }) => JSON.stringify(payload).replaceAll("\\", ""));
  const asks = markups.filter((each) => each.includes("approve:"));
  const paths = asks.map((each) => /"url":"[^"]+(\/app\/review\/ap_\w+)"/u.exec(each)?.[1]);
  expect(asks.map((each) => /"chat_id":"?(-?\d+)/u.exec(each)?.[1])).toEqual([
    "501",
    "502",
    "-100",
  ]);
  const [own = "", hers = "", none] = paths;
  expect([own === hers, none]).toEqual([false, undefined]);

  const other = await it.openPage();
  await other.goto(addressFor(it.scene, GUEST, hers));
  await other.getByRole("region", { name: "docs/how.md" }).waitFor();
  expect(await findBarriers(other)).toEqual([]);

  const page = await it.openPage();
  await page.goto(addressFor(it.scene, OWNER, own));
  await page.getByRole("region", { name: "docs/how.md" }).waitFor();
  await page.getByRole("checkbox", { name: "Include docs/how.md", exact: true }).click();
  await page.locator(`button:not([aria-disabled="true"]):text-is("Leave out 1 file")`).click();
  await page.getByRole("link", { name: "The previous version" }).click();
  await page.getByRole("link", { name: "A newer version took its place" }).click();
  await becomes(page.getByRole("region", { name: "docs/how.md" }), 0);
  expect(page.url()).toStartWith(`${PUBLIC}/app/review/ap_`);
  await page.locator(`button:not([aria-disabled="true"]):text-is("Approve")`).click();
  await page.getByText("Applied in notes").first().waitFor();
  expect(it.complaints).toEqual([]);
});

test("a reload says to open it from Telegram again, wherever in the page it is", async () => {
  await using it = await openScene();
  const page = await it.openPage();
  const address = addressFor(it.scene, OWNER);
  await page.goto(address);
  await page.getByRole("link", { name: "Chat" }).click();
  await page.getByRole("heading", { name: "Chat" }).waitFor();
  expect(page.url()).toBe(`${PUBLIC}/app/chat`);
  await page.reload();
  await page.getByRole("heading", { name: "Open this page from Telegram" }).waitFor();
  await page.getByText("It keeps nothing").waitFor();
  await page.getByText("/web", { exact: true }).waitFor();
  await becomes(page.getByText("papayu open"), 0);
  await picture(page, "reloaded");
  expect(await findBarriers(page)).toEqual([]);
  // What Telegram gave once is worth nothing twice: its own reload shows the same address.
  await page.goto("about:blank");
  await page.goto(address);
  await page.getByText("used already or is too old").waitFor();
  await page.goto("about:blank");
  await page.goto(addressFor(it.scene, OWNER, "/app/settings/people"));
  await page.getByRole("heading", { name: "People" }).waitFor();
  expect(it.complaints).toEqual([]);
});

test("the owner's pages on a phone have no barriers, in both colours", async () => {
  await using it = await openScene();
  await askOnPhone(it.scene, "owner");
  const page = await it.openPage();
  await page.goto(addressFor(it.scene, OWNER));
  for (const [link, heading] of [
    ["Inbox", /^Inbox/u],
    ["Workspaces", "Workspaces"],
    ["Routines", "Routines"],
    ["Chat", "Chat"],
    ["Traces", "Traces"],
    ["Settings", "Settings"],
  ] as const) {
    await page.getByRole("link", { name: link }).first().click();
    await page.getByRole("heading", { name: heading }).first().waitFor();
    expect([link, await findBarriers(page)]).toEqual([link, []]);
    expect([link, await overflow(page)]).toEqual([link, 0]);
    await picture(page, `owner-${link.toLowerCase()}`);
  }
  expect(it.complaints).toEqual([]);
});

test("somebody else has an inbox, reviews and chats, and is out as soon as they are removed", async () => {
  await using it = await openScene();
  const { scene } = it;
  await askOnPhone(scene, "guest");
  await askOnPhone(scene, "owner");
  const page = await it.openPage();
  await page.goto(addressFor(scene, GUEST));
  await inbox(page).waitFor();
  expect(await page.locator("nav.pages a").allTextContents()).toEqual(["Inbox1", "Chat"]);
  await becomes(page.locator("main .item"), 1);
  await picture(page, "guest-inbox");
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("link", { name: "Review" }).click();
  await page.getByRole("button", { name: "Approve" }).waitFor();
  await page.getByText("docs/why.md").first().waitFor();
  await picture(page, "guest-review");
  expect(await findBarriers(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await isReady(page, "Approve");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Applied in notes").first().waitFor();
  await scene.guest.waitForText("Answered in the web console:");
  await page.getByRole("link", { name: "Chat" }).click();
  await page.getByRole("textbox").first().fill("hello");
  await page.keyboard.press("Enter");
  await page.getByText("docs/why.md").first().waitFor(); // what the model says
  await page.getByRole("button", { name: "Send" }).waitFor();
  await becomes(page.getByRole("button", { name: "Add files" }), 0);
  await picture(page, "guest-chat");
  expect(await findBarriers(page)).toEqual([]);
  await page.evaluate(
    `history.pushState(null, "", "/app/settings"), dispatchEvent(new Event("popstate"))`,
  );
  await page.getByRole("heading", { name: "There is no such page" }).waitFor();
  await page.getByRole("link", { name: "To the inbox" }).click();
  await inbox(page).waitFor();
  const list = await (await scene.get("/api/browsers")).text();
  const { browsers }: { readonly browsers: readonly { readonly id: string }[] } = JSON.parse(list);
  await scene.post("/api/browsers", { id: browsers[0]?.id });
  await page.getByRole("heading", { name: "Open this page from Telegram" }).waitFor();
  expect(it.complaints).toEqual([]);
});

/** How far the page is wider than its window. */
const overflow = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
