import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
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
