import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { source as axe } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import type { ModelRequest, Reply } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { readTree } from "../support/tree.ts";
import { openConsoleScene } from "./console-scene.ts";
import { box, LINES, openReview, play, press } from "./review-window.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

async function findBarriers(page: Page): Promise<unknown> {
  await page.evaluate(axe);
  return page.evaluate(`axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => id + " " + target)))`);
}

test("files and hunks that are unticked give another change set, to which the page goes and the yes counts", async () => {
  await using scene = await openConsoleScene("", play);
  const { page, complaints } = await openReview(browser, scene);
  const before = page.url();
  await box(page, "Include docs").click();
  expect(await box(page, "Include docs/why.md").isChecked()).toBe(false);
  await box(page, "Include docs/how.md").click();
  expect(await box(page, "Include docs").isChecked()).toBe(true);
  await box(page, "Include change 1 of long.txt").click();
  await becomes(page.getByRole("button", { name: "Approve" }), 0);
  await press(page, "Leave out 1 file, 1 change");
  await until(() => page.url() !== before);
  await page.getByRole("region", { name: "docs/how.md" }).waitFor();
  await becomes(page.getByRole("region", { name: "docs/why.md" }), 0);
  // The lines of a file come behind its name.
  await page.getByRole("region", { name: "long.txt" }).getByText("last").first().waitFor();
  await page.getByText("The previous version").first().waitFor();
  const said = "You left out of the version before: docs/why.md, 1 change of long.txt";
  await page.getByText(said, { exact: true }).waitFor();
  await becomes(page.getByText(/No longer changed/u), 0);
  await press(page, "Since the previous version");
  await page.getByText("changed since", { exact: true }).waitFor();
  await page.getByText("Change 1: as in the previous version").waitFor();

  // Elsewhere the old one lost its buttons, and leads to the new one.
  const other = await page.context().newPage();
  await other.goto(before);
  await other.getByRole("link", { name: "A newer version took its place: show it" }).click();
  await until(() => other.url().replace(/#.*$/u, "") === page.url().replace(/#.*$/u, ""));
  await press(page, "Approve");
  await page.locator('button:text-is("Undo")').waitFor();
  const { "long.txt": _, ...rest } = readTree(scene.folder);
  expect(Object.keys(rest)).toEqual(["a.txt", "docs/", "docs/how.md"]);
  await press(page, "Undo");
  await until(() => !("docs/how.md" in readTree(scene.folder)));
  expect(complaints).toEqual([]);
});

test("comments on lines survive a reload, lead to another plan, and stay at their lines", async () => {
  await using scene = await openConsoleScene("", play);
  const { page, complaints } = await openReview(browser, scene);
  const before = page.url();
  const long = page.getByRole("region", { name: "long.txt" });
  await long.getByRole("button", { name: "Comment on line 1", exact: true }).click();
  const line = long.getByRole("textbox", { name: "Comment on line 1", exact: true });
  await line.fill("call it uno </script><img src=x onerror=alert(1)>");
  await page.getByRole("checkbox", { name: "Seen: docs/why.md", exact: true }).click();
  await long.getByRole("button", { name: "Comment on line 31", exact: true }).click();
  await long.getByRole("textbox", { name: "Comment on line 31", exact: true }).fill("keep");
  await page.getByText("2 comments to send with Change…").waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  await page.setViewportSize({ width: 1280, height: 800 });
  await until(async () => {
    const [item] = (await scene.inbox()).items;
    const review = await (await scene.get(`/api/change-sets/${item?.ref}`)).json();
    return JSON.stringify(review).includes('"text":"keep"');
  });
  await page.reload();
  await until(async () => (await line.inputValue()).startsWith("call it uno"));
  await press(page, "Change…");
  await until(() => page.url() !== before);
  await page.locator(".text.add", { hasText: "uno" }).waitFor();
  await page.getByText("You said of the version before", { exact: true }).waitFor();
  await page.getByText("You said of line 1 of the version before").waitFor();
  // They have looked at the one before: it begins with what is different, and what they said something
  // of; a file in which they said nothing, and which they did not tick, they have not looked at.
  const since = page.getByRole("button", { name: "Since you looked", exact: true });
  expect(await since.getAttribute("aria-pressed")).toBe("true");
  await page.getByText("The version you looked at", { exact: true }).waitFor();
  await becomes(page.getByRole("region", { name: "docs/why.md" }).locator(".row"), 0);
  await long.locator(".text.add", { hasText: "last" }).waitFor();
  await page.getByRole("region", { name: "docs/how.md" }).locator(".row").first().waitFor();
  await since.click();
  expect(await since.getAttribute("aria-pressed")).toBe("false");
  expect(await scene.inbox()).toMatchObject({ items: [{ kind: "change_set", files: 3 }] });
  expect(complaints).toEqual([]);
});

test("a line that is written on the page survives a reload, is the next version, and is what is applied", async () => {
  let asked = 0;
  const counted = (request: ModelRequest): Reply => {
    asked += 1;
    return play(request);
  };
  await using scene = await openConsoleScene("", counted);
  const { page, complaints } = await openReview(browser, scene);
  const [before, askedBefore] = [page.url(), asked];
  const long = page.getByRole("region", { name: "long.txt" });
  await long.getByRole("button", { name: "Comment on line 1", exact: true }).click();
  await long.getByRole("button", { name: "Write the line yourself" }).click();
  const line = long.getByRole("textbox", { name: "What line 1 is to be", exact: true });
  await until(async () => (await line.inputValue()) === "first");
  const written = "</script><img src=x onerror=alert(1)> \u202eeno";
  await line.fill(written);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  await page.setViewportSize({ width: 1280, height: 800 });
  const [item] = (await scene.inbox()).items;
  await until(async () => {
    const review = await (await scene.get(`/api/change-sets/${item?.ref}`)).text();
    return review.includes('"instead":true');
  });
  await page.reload();
  await until(async () => (await line.inputValue()) === written);
  await press(page, "Change…");
  await until(() => page.url().replace(/#.*$/u, "") !== before.replace(/#.*$/u, ""));
  await long.locator(".text.add", { hasText: "</script><img src=x" }).waitFor();
  expect(asked).toBe(askedBefore);
  await press(page, "Approve");
  await page.locator('button:text-is("Undo")').waitFor();
  const now = readFileSync(join(scene.folder, "long.txt"), "utf8");
  expect(now).toBe([written, ...LINES.slice(1), "last", ""].join("\n"));
  expect(complaints).toEqual([]);
});
