import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { createPairing } from "../../src/store/chats/pairing.ts";
import { createSpendingStore } from "../../src/store/spending.ts";
import { becomes, openBrowser } from "../support/browser.ts";
import { openBeside } from "../support/open-beside.ts";
import { until } from "../support/patience.ts";
import { findBarriers, letIn } from "./console-page.ts";
import { type ConsoleScene, isClosed, OWNER, openConsoleScene, PLANTED } from "./console-scene.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const NAME = `<img src=x onerror=document.title='owned'>\u202e${PLANTED}`;

/** Somebody writes to the bot who is not known, and is told a code. */
function ask({ sandbox }: ConsoleScene, id: number, name: string): string {
  using store = openBeside(join(sandbox.home, "state.db"));
  return createPairing(store).ask({ id, name }, Date.now()) ?? "";
}

const texts = async ({ bot }: ConsoleScene, id: number) => bot.texts(id);

test("people are let in by their code, refused and removed, by programs too", async () => {
  await using scene = await openConsoleScene();
  await isClosed(scene, "/api/people");
  const post = async (body: unknown, headers?: Record<string, string>) => {
    const response = await scene.post("/api/people", body, headers);
    return { status: response.status, text: await response.text() };
  };
  const list = async () => JSON.parse(await (await scene.get("/api/people")).text());
  const code = ask(scene, 666, NAME);
  expect((await post({ act: "pair", code }, {})).status).toBe(401);
  const foreign = { ...scene.bearer, origin: "https://evil.example" };
  expect((await post({ act: "pair", code }, foreign)).status).toBe(403);
  const before = await list();
  expect(before).toMatchObject({ waiting: [{ user_id: 666 }], paired: [], owner: OWNER });
  expect(JSON.stringify(before)).not.toContain(PLANTED);
  expect(JSON.stringify(before)).not.toContain("\u202e");
  expect(JSON.stringify(before)).not.toContain(code);
  expect((await post({ act: "pair", code: "WRONG" })).status).toBe(422);
  expect((await post({ act: "pair", code })).status).toBe(200);
  scene.bot.say(666, "/help"); // the welcome goes out with the next poll
  await until(async () => (await texts(scene, 666)).join().includes("You are in."));
  expect(await list()).toMatchObject({ waiting: [], paired: [{ user_id: 666 }] });
  expect((await post({ act: "remove", user_id: 666 })).status).toBe(200);
  expect((await post({ act: "remove", user_id: 666 })).status).toBe(404);
  // Who is removed is a stranger at once, and who is refused gets no other code for an hour.
  scene.bot.say(666, "/status");
  await until(async () => (await texts(scene, 666)).join().includes("papayu pair"));
  expect((await post({ act: "refuse", user_id: 666 })).status).toBe(200);
  expect(ask(scene, 666, NAME)).toBe("");
  expect(await list()).toMatchObject({ waiting: [], paired: [] });
  for (const body of [{}, { act: "refuse" }, { act: "list", user_id: 1 }, "x"]) {
    expect((await post(body)).status).toBe(400);
  }
  for (let tries = 0; tries < 5; tries++) await post({ act: "pair", code: "WRONG" });
  expect((await post({ act: "pair", code: "WRONG" })).status).toBe(429);
});

test("a page lets in, refuses and removes, and ends browsers, each by two presses", async () => {
  await using scene = await openConsoleScene();
  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  const again = page.getByRole("button", { name: "press once more" });
  /** Until what it is for is seen: what is asked is asked no more where the focus goes elsewhere. */
  const press = async (name: string, isDone: () => Promise<boolean>) => {
    const button = page.getByRole("button", { name });
    await button.click();
    expect(await isDone()).toBe(false); // one press is none
    const isPressed = async () => {
      // What comes at once is no second look: it counts once that was possible.
      await page.evaluate(`[...document.querySelectorAll("button")]
        .find((each) => each.textContent.includes("press once more"))?.click()`);
      if (await isDone()) return true;
      if ((await again.count()) === 0 && (await button.count()) > 0) await button.click();
      return isDone();
    };
    await until(isPressed, () => `"${name}" did nothing`);
  };
  const isGone = (text: string) => async () => (await page.getByText(text).count()) === 0;
  const isSignedOut = (window: Page) => async () =>
    (await window.getByText("This browser is not signed in").count()) > 0;
  ask(scene, 667, "Mallory");
  const early = ask(scene, 668, "Trent");
  const code = ask(scene, 666, NAME);
  // Who asks waits in the inbox, with both answers.
  const asks = page.locator(".item", { has: page.getByText("Wants to speak to the bot") });
  await becomes(asks, 3);
  expect(await findBarriers(page)).toEqual([]);
  const trent = asks.filter({ hasText: "Trent (668)" });
  await trent.getByLabel("The code that somebody").fill("WRONG");
  await trent.getByRole("button", { name: "Let in" }).click();
  await trent.getByText("nobody waits with this code").waitFor();
  await trent.getByLabel("The code that somebody").fill(early);
  await trent.getByRole("button", { name: "Let in" }).click();
  await becomes(asks, 2);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await findBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 740 });
  await press("Refuse: Mallory", async () => (await asks.count()) < 2);
  await becomes(asks, 1);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "People" }).click();
  await page.getByText("Trent").waitFor();
  expect(await page.locator("main").innerText()).toContain("\\u{202e}");
  expect(await findBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await findBarriers(page)).toEqual([]);
  await press("Remove: Trent", isGone("Trent"));
  await becomes(page.getByText("Trent"), 0);
  await page.getByLabel("The code that somebody").fill("WRONG");
  await page.getByRole("button", { name: "Let in" }).click();
  await page.getByText("nobody waits with this code").waitFor();
  await page.getByLabel("The code that somebody").fill(code);
  await page.getByRole("button", { name: "Let in" }).click();
  await page.getByText("They may speak to the bot now.").waitFor();
  await press("Remove:", isGone("666"));
  await becomes(page.getByText("666"), 0);

  const other = await browser.newPage();
  await other.goto((await scene.sandbox.run("open", "--print", "--plain")).stdout.trim());
  await other.getByText("Nothing waits for you").waitFor();
  await page.getByRole("link", { name: "Browsers" }).click();
  await page.getByText("This one").waitFor();
  await becomes(page.locator(".item"), 2);
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  await press("End:", isSignedOut(other));
  await other.getByText("This browser is not signed in").waitFor();
  await press("Sign out:", isSignedOut(page));
  await page.getByText("This browser is not signed in").waitFor();
  expect(await page.title()).not.toBe("owned");
  expect(await page.locator("img").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("browsers are listed and ended by programs, and spending is read beside the caps", async () => {
  await using scene = await openConsoleScene("[agent]\nmax_tokens_per_day = 1000\n");
  for (const path of ["/api/browsers", "/api/spending"]) await isClosed(scene, path);
  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  await page.getByText("Nothing waits for you").waitFor();
  const read = async (path: string) => JSON.parse(await (await scene.get(path)).text());
  const { browsers } = await read("/api/browsers");
  expect(browsers).toMatchObject([{ browser: "Chrome", here: false }]);
  const day = new Date().toISOString().slice(0, 10);
  using store = openBeside(join(scene.sandbox.home, "state.db"));
  const spending = createSpendingStore(store, async (work) => work());
  await spending.settle({ day, payer: "routine:<b>tidy</b>" }, { tokens: 300, cost: 0.5 });
  await spending.settle({ day, payer: "telegram:501" }, { tokens: 100, cost: 0 });
  expect(await read("/api/spending")).toMatchObject({
    day,
    today: { tokens: 400, cost: 0.5 },
    month: { tokens: 400, cost: 0.5 },
    caps: { tokens: 1000, cost: 0 },
    payers: [
      { routine: null, today: { tokens: 100 } },
      { routine: "<b>tidy</b>", today: { tokens: 300 }, caps: { tokens: 0, cost: 0 } },
    ],
  });
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Spending" }).click();
  await page.getByText("40 % of 1,000 tokens").waitFor();
  expect(await page.locator("main").innerText()).toContain("<b>tidy</b>");
  expect(await findBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await findBarriers(page)).toEqual([]);
  const end = await scene.post("/api/browsers", { id: browsers[0].id });
  expect(end.status).toBe(200);
  await page.getByText("This browser is not signed in").waitFor();
  expect((await scene.post("/api/browsers", { id: browsers[0].id })).status).toBe(404);
  expect((await scene.post("/api/browsers", {})).status).toBe(400);
  expect(complaints).toEqual([]);
});
