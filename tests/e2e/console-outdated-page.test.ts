import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { writeTree } from "../support/tree.ts";
import { openConsoleScene } from "./console-scene.ts";
import { box, openReview, play } from "./review-window.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

test("of files that are others by now nothing is offered to be left out, and what was is taken in again", async () => {
  await using scene = await openConsoleScene("", play);
  const { page } = await openReview(browser, scene);
  const ref = (await scene.inbox()).items[0]?.ref ?? "";
  await box(page, "Include docs/how.md").click();
  await page.getByRole("button", { name: "Leave out 1 file" }).waitFor();
  await until(async () => JSON.stringify(await scene.review(ref)).includes('"unticked":[{'));
  writeTree(scene.folder, { "long.txt": "another\n" });
  await page.reload();
  await page.getByRole("button", { name: "Reject", exact: true }).waitFor();
  await becomes(page.getByRole("button", { name: /^(Leave out|Approve)/u }), 0);
  await page.getByRole("button", { name: "Include all again" }).click();
  await becomes(page.getByRole("button", { name: "Include all again" }), 0);
  await until(async () => JSON.stringify(await scene.review(ref)).includes('"unticked":[]'));
  expect((await scene.review(ref)).state).toBe("waiting");
});
