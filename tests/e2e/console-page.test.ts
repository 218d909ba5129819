import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { openConsoleScene } from "./console-scene.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** What a page asks for or does that it must not. */
function watch(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    const isPolicy = /Content Security Policy|Trusted/u.test(message.text());
    if (message.type() === "error" && isPolicy) complaints.push(message.text());
  });
  return complaints;
}

const isReady = (page: Page, name: string) =>
  page.locator(`button:not([aria-disabled="true"]):text-is("${name}")`).waitFor();

test("a change that the phone was asked about is read, approved and undone on the page", async () => {
  await using scene = await openConsoleScene();
  const { sandbox, phone, folder } = scene;
  const page = await browser.newPage({ reducedMotion: "reduce" });
  const complaints = watch(page);
  const { stdout } = await sandbox.run("open", "--print");
  await page.goto(stdout.trim());
  await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
  expect(page.url()).toMatch(/^http:\/\/papayu-[a-z]{8}\.localhost:\d+\/$/u);
  expect(await page.evaluate("document.cookie")).toBe("");

  // It comes by itself, while the page is open.
  await phone.say("plan: write down why", "Write docs/why.md");
  await page.getByRole("button", { name: /^Plan/u }).waitFor();
  await phone.tap("Apply", "Changes for notes");
  const item = page.getByRole("button", { name: /^Changes/u });
  await item.waitFor();
  await page.getByRole("link", { name: /^Review/u }).click();
  const file = page.getByRole("region", { name: "docs/why.md" });
  await file.locator(".text.add").first().waitFor();
  const shown = String(await page.evaluate("document.body.innerText"));
  expect(shown).toContain("# Why");
  expect(shown).toContain("abc\\u{202e}");
  expect(shown).not.toContain("sk-proj-abcdefgh");

  await isReady(page, "Approve");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await isReady(page, "Undo");
  expect(existsSync(join(folder, "docs/why.md"))).toBe(true);
  await becomes(page.getByRole("button", { name: "Approve", exact: true }), 0);
  await page.reload();
  await isReady(page, "Undo");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await until(() => !existsSync(join(folder, "docs/why.md")));
  await page.getByText("Undone", { exact: true }).first().waitFor();
  expect(complaints).toEqual([]);

  // Whose session is ended sees nothing any more.
  const { stdout: list } = await sandbox.run("open", "--list", "--json");
  const { sessions } = JSON.parse(list);
  await sandbox.run("open", "--revoke", String(sessions[0].id));
  await page.getByRole("heading", { name: "This browser is not signed in" }).waitFor();
  expect(await page.title()).not.toMatch(/^\(/u);
});

test("what was answered on the phone loses its buttons on the page at once", async () => {
  await using scene = await openConsoleScene();
  const { sandbox, phone } = scene;
  const page = await browser.newPage({ reducedMotion: "reduce" });
  await page.goto((await sandbox.run("open", "--print")).stdout.trim());
  await phone.say("plan: write down why", "Write docs/why.md");
  await phone.tap("Apply", "Changes for notes");
  await page.getByRole("link", { name: /^Review/u }).click();
  await isReady(page, "Approve");
  await phone.tap("Reject", /ejected/u);
  await page.getByText("Rejected", { exact: true }).first().waitFor();
  await becomes(page.getByRole("button", { name: "Approve", exact: true }), 0);
});
