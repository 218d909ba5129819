import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { readTree } from "../support/tree.ts";
import { openConsoleScene } from "./console-scene.ts";
import { box, openReview, play, press } from "./review-window.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** The same review in another window of the same browser. */
async function openOther(page: Page): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole("region", { name: "long.txt" }).waitFor();
  return other;
}

const ready = (page: Page, name: string) =>
  page.locator(`button:not([aria-disabled="true"]):text-is("${name}")`).waitFor();
const noApprove = (page: Page) => becomes(page.getByRole("button", { name: /^Approve/u }), 0);
const lineBox = (page: Page) =>
  page.getByRole("textbox", { name: "Comment on line 1", exact: true });
const toLine = (page: Page) =>
  page
    .getByRole("region", { name: "long.txt" })
    .getByRole("button", { name: "Comment on line 1", exact: true })
    .click();
const hasFocus = (page: Page, act: string) =>
  until(async () => act === (await page.evaluate("document.activeElement.dataset.act")));
const toInbox = (page: Page) => page.getByRole("link", { name: /Inbox/u }).first().click();

test("what is unticked is kept, told to every window, and no Approve beside it counts for the whole", async () => {
  await using scene = await openConsoleScene("", play);
  const { page, complaints } = await openReview(browser, scene);
  const other = await openOther(page);
  await box(page, "Include docs/how.md").click();
  await box(page, "Include change 1 of long.txt").click();
  await ready(other, "Leave out 1 file, 1 change");
  await noApprove(other);
  expect(await box(other, "Include docs/how.md").isChecked()).toBe(false);
  // In the list, where it is unfolded, and back.
  await toInbox(page);
  await page.getByRole("button", { name: "Show changes", exact: true }).click();
  await ready(page, "Leave out 1 file, 1 change");
  await noApprove(page);
  await page.goBack();
  await ready(page, "Leave out 1 file, 1 change");
  await page.reload();
  await ready(page, "Leave out 1 file, 1 change");
  expect(await box(page, "Include change 1 of long.txt").isChecked()).toBe(false);
  // Another plan for the goal: the file is still left out, and the hunk where its file is the same.
  await box(other, "Include change 1 of long.txt").click();
  await ready(page, "Leave out 1 file");
  await press(page, "Change…");
  await page.getByRole("textbox", { name: "Comment on the whole" }).fill("call it uno");
  const before = page.url();
  await press(page, "Change…");
  await until(() => page.url() !== before);
  await page.locator(".text.add", { hasText: "uno" }).waitFor();
  await ready(page, "Leave out 1 file");
  await press(page, "Include all again");
  await ready(page, "Approve");
  await page.reload();
  await ready(page, "Approve");
  expect(complaints).toEqual([]);
});

test("a typed yes is not for a whole of which something is unticked", async () => {
  await using scene = await openConsoleScene("", play);
  const { page } = await openReview(browser, scene);
  await box(page, "Include docs/how.md").click();
  await ready(page, "Leave out 1 file");
  const origin = new URL(page.url()).origin;
  await page.goto(`${origin}/chat/${encodeURIComponent("telegram:501")}`);
  const log = page.getByRole("log");
  await ready(page, "Leave out 1 file");
  await noApprove(page);
  const words = page.getByRole("textbox", { name: "Message" });
  await words.fill("yes");
  const [answer] = await Promise.all([
    page.waitForResponse((each) => each.url().endsWith("/api/chat")),
    words.press("Enter"),
  ]);
  expect(answer.status()).toBe(409);
  await becomes(log.getByText("Applied in notes"), 0);
  expect(Object.keys(readTree(scene.folder))).not.toContain("docs/");
  await press(page, "Leave out 1 file");
  await ready(page, "Approve");
});

test("what may be unticked is a file of what waits, and what is kept of it is bounded", async () => {
  await using scene = await openConsoleScene("", play);
  const { page } = await openReview(browser, scene);
  const ref = page.url().split("/review/")[1]?.replace(/#.*$/u, "") ?? "";
  const untick = async (unticked: unknown, id = ref, headers = scene.bearer) =>
    (await scene.post(`/api/change-sets/${id}/unticked`, { unticked }, headers)).status;
  for (const wrong of [undefined, "x", [{}], [{ path: 1 }], [{ path: "a", hunk: [0] }]]) {
    expect(await untick(wrong)).toBe(400);
  }
  expect(await untick([{ path: "long.txt", hunks: [-1] }])).toBe(400);
  expect(await untick(Array.from({ length: 2001 }, () => ({ path: "long.txt" })))).toBe(400);
  expect(await untick([{ path: "long.txt" }], ref, {})).toBe(401);
  expect(await untick([{ path: "other.txt" }])).toBe(409);
  expect(await untick([{ path: "docs", hunks: [0] }])).toBe(409);
  // As many as may be named are read to the end: the file has no such hunk.
  const many = Array.from({ length: 20_000 }, (_, at) => at);
  expect(await untick([{ path: "long.txt", hunks: many }])).toBe(409);
  expect(await untick([{ path: "long.txt", hunks: [1, 0, 1] }])).toBe(200);
  expect(await scene.review(ref)).toMatchObject({
    unticked: [{ path: "long.txt", hunks: [0, 1] }],
  });
  expect(await untick([{ path: "long.txt" }], "ap_other")).toBe(409);
  for (let times = 0; times < 3; times++) expect(await untick([{ path: "long.txt" }])).toBe(200);
  expect(await untick([{ path: "docs/how.md", hunks: [] }])).toBe(200);
  expect(await scene.review(ref)).toMatchObject({ unticked: [{ path: "long.txt" }] });
  await press(page, "Reject");
  await until(async () => (await scene.review(ref)).state === "rejected");
  expect(await untick([{ path: "long.txt", hunks: [] }])).toBe(409);
});

test("an answer that leaves comments unsent says so, a key only leads to it, and the words stay to be let go", async () => {
  await using scene = await openConsoleScene("", play);
  const { page, complaints } = await openReview(browser, scene);
  await toLine(page);
  await lineBox(page).fill("call it uno");
  await ready(page, "Approve without sending 1 comment");
  await becomes(page.locator(".acts .act.yes"), 0);
  await page.locator(".scroller").focus();
  await page.keyboard.press("a");
  await hasFocus(page, "approve");
  // In the list, too.
  const other = await openOther(page);
  await toInbox(other);
  await other.getByRole("button", { name: "Show changes", exact: true }).click();
  await ready(other, "Reject without sending 1 comment");
  await other.locator(".item-main").focus();
  await other.keyboard.press("r");
  await hasFocus(other, "reject");
  expect(Object.keys(readTree(scene.folder))).not.toContain("docs/");
  await press(page, "Approve without sending 1 comment");
  await page.locator('button:text-is("Undo")').waitFor();
  await page.getByText("1 comment was not sent", { exact: true }).waitFor();
  expect(await lineBox(page).inputValue()).toBe("call it uno");
  expect(await lineBox(page).getAttribute("readonly")).not.toBeNull();
  await page.reload();
  await lineBox(page).waitFor();
  expect(await lineBox(page).inputValue()).toBe("call it uno");
  await page.getByRole("button", { name: "Discard: Comment on line 1" }).click();
  await becomes(page.getByText("1 comment was not sent"), 0);
  const ref = page.url().split("/review/")[1]?.replace(/#.*$/u, "") ?? "";
  await until(async () => JSON.stringify(await scene.review(ref)).includes('"drafts":[]'));
  await page.reload();
  await page.getByRole("region", { name: "long.txt" }).waitFor();
  await page.locator('button:text-is("Undo")').waitFor();
  await becomes(lineBox(page), 0);
  expect(complaints).toEqual([]);
});

test("what is typed is there in every window, never under somebody's hands, and Change… sends what its window shows", async () => {
  await using scene = await openConsoleScene("", play);
  const { page, complaints } = await openReview(browser, scene);
  const other = await openOther(page);
  await toLine(page);
  await lineBox(page).fill("call it eins");
  await until(async () => (await lineBox(other).inputValue()) === "call it eins");
  await lineBox(page).blur();
  // Here the box has the focus, and keeps its words while there are others elsewhere.
  await lineBox(page).focus();
  await lineBox(other).fill("call it zwei");
  await page.getByText("Another window has other words here.").waitFor();
  expect(await lineBox(page).inputValue()).toBe("call it eins");
  await lineBox(page).blur();
  expect(await lineBox(page).inputValue()).toBe("call it eins");
  await page.getByRole("button", { name: "Show those" }).click();
  await until(async () => (await lineBox(page).inputValue()) === "call it zwei");
  await becomes(page.getByText("Another window has other words here."), 0);
  // What somebody goes on with is the last word, and told there.
  await lineBox(other).focus();
  await lineBox(page).fill("call it uno");
  await other.getByText("Another window has other words here.").waitFor();
  await lineBox(other).fill("call it uno!");
  await becomes(other.getByText("Another window has other words here."), 0);
  await until(
    async () =>
      (await lineBox(page).inputValue()) === "call it uno!" ||
      page.getByText("Another window has other words here.").isVisible(),
  );
  const before = page.url();
  const [request] = await Promise.all([
    other.waitForRequest((each) => each.url().endsWith("/api/press")),
    press(other, "Change…"),
  ]);
  expect(request.postDataJSON()).toMatchObject({ comments: [{ text: "call it uno!" }] });
  await until(() => other.url() !== before);
  expect(complaints).toEqual([]);
});

test("Escape leads from a box to its line, and what is too long for a comment is said to be", async () => {
  await using scene = await openConsoleScene("", play);
  const { page } = await openReview(browser, scene);
  await toLine(page);
  await lineBox(page).fill("one");
  await page.keyboard.press("Escape");
  const focused = () => page.evaluate("document.activeElement.closest('.row')?.textContent ?? ''");
  expect(await focused()).toContain("first");
  await lineBox(page).fill("");
  await page.keyboard.press("Escape");
  await becomes(lineBox(page), 0);
  expect(await focused()).toContain("first");
  await page.keyboard.press("c");
  await lineBox(page).waitFor();
  await page.keyboard.insertText("x".repeat(12_000));
  await page.getByText("A comment has at most 10000 characters").waitFor();
  expect(await lineBox(page).inputValue()).toHaveLength(10_000);
  await lineBox(page).fill("short");
  await becomes(page.getByText("A comment has at most 10000 characters"), 0);
});
