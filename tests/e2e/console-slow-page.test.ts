import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { openConsoleScene } from "./console-scene.ts";
import { box, openReview, play, press } from "./review-window.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

test("what is unticked and cannot be kept now is said to be so, and is kept as soon as it can", async () => {
  await using scene = await openConsoleScene("", play);
  const { page } = await openReview(browser, scene);
  const ref = (await scene.inbox()).items[0]?.ref ?? "";
  const [unticked, seen] = ["unticked", "seen"].map((what) => `**/${ref}/${what}`);
  for (const path of [unticked, seen]) {
    await page.route(path ?? "", (route) =>
      route.fulfill({ status: 503, json: { error: "full" } }),
    );
  }
  await box(page, "Include docs/how.md").click();
  await page.getByText("What you leave out could not be kept: full").waitFor();
  await box(page, "Seen: docs/why.md").click();
  await page.getByText("What you have seen could not be kept: full").waitFor();
  await page.unrouteAll();
  await becomes(page.getByText(/could not be kept/u), 0);
  expect(await scene.review(ref)).toMatchObject({ unticked: [{ path: "docs/how.md" }] });
  await press(page, "Leave out 1 file");
});

/** What is sent to a path comes to the daemon so much later. */
const slow = (page: Page, path: RegExp, ms: number) =>
  page.route(path, async (route) => {
    await Bun.sleep(ms);
    await route.continue();
  });
const idOf = (page: Page) => page.url().split("/review/")[1]?.replace(/#.*$/u, "") ?? "";

test("a press waits for what was typed and unticked before it, on a slow connection too", async () => {
  await using scene = await openConsoleScene("", play);
  const { page } = await openReview(browser, scene);
  await box(page, "Include docs/how.md").click();
  await page.locator('button:not([aria-disabled="true"]):text-is("Leave out 1 file")').waitFor();
  await slow(page, /\/(draft|unticked)$/u, 2000);
  await page.getByRole("button", { name: "Comment on docs/how.md", exact: true }).click();
  await page.getByRole("textbox", { name: "Comment on docs/how.md", exact: true }).fill("no how");
  const first = idOf(page);
  await press(page, "Leave out 1 file");
  await until(() => idOf(page) !== first);
  const second = idOf(page);
  await until(async () => (await scene.review(second)).state === "waiting");
  expect(await scene.review(second)).toMatchObject({
    previous: { comments: [{ path: "docs/how.md", text: "no how" }] },
  });
  // The same of what is unticked, which goes over to the next.
  await page.getByRole("region", { name: "docs/why.md" }).locator(".row").first().waitFor();
  await press(page, "Change…");
  await page.getByRole("textbox", { name: "Comment on the whole" }).fill("call it uno");
  await box(page, "Include docs/why.md").click();
  await press(page, "Change…");
  await until(() => idOf(page) !== second);
  expect(await scene.review(idOf(page))).toMatchObject({ unticked: [{ path: "docs/why.md" }] });
});

test("words that come too late are on the page of what took the place", async () => {
  await using scene = await openConsoleScene("", play);
  const { page } = await openReview(browser, scene);
  const first = idOf(page);
  await box(page, "Include docs/how.md").click();
  await page.locator('button:not([aria-disabled="true"]):text-is("Leave out 1 file")').waitFor();
  const isOver = Promise.withResolvers<void>();
  await page.route(/\/draft$/u, async (route) => {
    await isOver.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Comment on docs/why.md", exact: true }).click();
  await page.getByRole("textbox", { name: "Comment on docs/why.md", exact: true }).fill("not so");
  await press(page, "Leave out 1 file");
  await until(() => idOf(page) !== first);
  isOver.resolve();
  await page.getByText("What you write could not be kept").waitFor();
  await page.getByText("not so", { exact: true }).waitFor();
  await press(page, "Discard");
  await becomes(page.getByText("not so", { exact: true }), 0);
});

test("a yes in a window that does not know yet what is unticked in another says so, and applies nothing", async () => {
  await using scene = await openConsoleScene("", play);
  const { page } = await openReview(browser, scene);
  const ref = idOf(page);
  const isOver = Promise.withResolvers<void>();
  await page.route(`**/api/change-sets/${ref}`, async (route) => {
    await isOver.promise;
    await route.continue();
  });
  const unticked = [{ path: "docs/how.md" }];
  expect((await scene.post(`/api/change-sets/${ref}/unticked`, { unticked })).status).toBe(200);
  await press(page, "Approve");
  await page
    .getByText(/On the web page this is unticked: `docs\/how.md`/u)
    .first()
    .waitFor();
  isOver.resolve();
  await page.locator('button:not([aria-disabled="true"]):text-is("Leave out 1 file")').waitFor();
  await page.getByRole("button", { name: "Include all again" }).waitFor();
  expect((await scene.review(ref)).state).toBe("waiting");
});

test("a yes that was asked back is not said to be finished, and the key for it says why it does nothing", async () => {
  await using scene = await openConsoleScene("", play);
  const { page } = await openReview(browser, scene);
  const ref = (await scene.inbox()).items[0]?.ref ?? "";
  const before = await (await scene.get(`/api/change-sets/${ref}`)).text();
  // The window does not hear of it yet.
  const contentType = "application/json";
  await page.route(`**/api/change-sets/${ref}`, (route) =>
    route.fulfill({ contentType, body: before }),
  );
  const out = { unticked: [{ path: "docs/how.md" }] };
  expect((await scene.post(`/api/change-sets/${ref}/unticked`, out)).status).toBe(200);
  await press(page, "Approve");
  await page.getByText("Approve: nothing was applied, for something is left out").waitFor();
  await becomes(page.getByText("Approve: finished"), 0);
  await page.unrouteAll();
  await page.reload();
  await page.locator('button:not([aria-disabled="true"]):text-is("Leave out 1 file")').waitFor();
  await page.keyboard.press("a");
  await page.getByText("press “Leave out 1 file”, or include all again").waitFor();
  expect((await scene.inbox()).items[0]?.ref).toBe(ref);
});

test("a press whose answer was cut off leads to the question that came of it", async () => {
  await using scene = await openConsoleScene("", play);
  const { page } = await openReview(browser, scene);
  await box(page, "Include docs/how.md").click();
  const first = idOf(page);
  await page.route("**/api/press", async (route) => {
    const sent = route.request();
    const { host } = new URL(sent.url());
    const headers = { ...(await sent.allHeaders()), host, "sec-fetch-site": "same-origin" };
    const body = sent.postData() ?? "";
    const answer = await fetch(`${scene.root}/api/press`, { method: "POST", headers, body });
    await answer.text();
    await route.abort();
  });
  await press(page, "Leave out 1 file");
  await until(() => idOf(page) !== first);
  expect((await scene.inbox()).items[0]?.ref).toBe(idOf(page));
});
