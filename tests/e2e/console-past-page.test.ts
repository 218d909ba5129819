import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { findBarriers, isReady, letIn } from "./console-page.ts";
import { type ConsoleScene, openConsoleScene } from "./console-scene.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const HOSTILE = "<img src=x onerror=\"document.title='owned'\"> \u202egnp.exe \u001b[31m";

async function openPage(scene: ConsoleScene, complaints: string[]): Promise<Page> {
  const page = await letIn(browser, scene, complaints);
  await page.getByRole("link", { name: "Workspaces" }).waitFor();
  return page;
}

test("what was done in a workspace is read, taken back as it was shown, and brought back", async () => {
  await using scene = await openConsoleScene();
  const { phone, folder } = scene;
  const why = join(folder, "docs/why.md");
  const complaints: string[] = [];
  const page = await openPage(scene, complaints);
  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("link", { name: /notes/u }).click();
  await page.getByText("Nothing was changed here yet").waitFor();

  // It comes by itself, while the page is open, with what others wrote spelled out.
  await phone.say(`plan: ${HOSTILE}`, "Write docs/why.md");
  await phone.tap("Apply", "Changes for notes");
  await phone.tap("Approve", /Applied/u);
  await page.getByRole("link", { name: /^Show changes/u }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const told = String(await page.evaluate("document.body.innerText"));
  expect(told).toContain("asked on Telegram");
  expect(told).toContain("\\u{202e}gnp.exe");
  expect(await page.locator("img").count()).toBe(0);
  await page.getByRole("link", { name: /^Show changes/u }).click();
  await page.getByRole("region", { name: "docs/why.md" }).locator(".text.add").first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(page.url()).toMatch(/\/workspaces\/notes\/tx_\w+$/u);
  // A line has an address: of who presses its number or a key, and for who comes by it.
  await page.getByRole("region", { name: "docs/why.md" }).locator(".k-keyword").first().waitFor();
  const change = page.url();
  await page.locator(".num[data-side='R'][data-n='4']").click();
  expect(page.url()).toBe(`${change}#1R4`);
  await page.goto("about:blank");
  await page.goto(`${change}#1R3`);
  const line = page.locator(".row.current .num[data-side='R']");
  await line.waitFor();
  expect(await line.getAttribute("data-n")).toBe("3");
  await page.keyboard.press("Shift+F7");
  await page.locator(".row.current .num[data-n='1']").waitFor();
  await page.keyboard.press("y");
  await until(() => page.url() === `${change}#1R1`);
  await page.getByRole("link", { name: "Back to the workspace: notes" }).click();

  await page.getByRole("link", { name: "Undo…" }).click();
  const shown = page.getByRole("region", { name: "docs/why.md" });
  await shown.locator(".text.del").first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await isReady(page, "Undo");
  // Somebody edits the file after it was shown: nothing is taken back, and it is shown anew.
  const written = readFileSync(why, "utf8");
  writeFileSync(why, `${written}more\n`);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("Stays as it is, for it was changed since in the same places").waitFor();
  expect(readFileSync(why, "utf8")).toBe(`${written}more\n`);
  await becomes(page.getByRole("button", { name: "Undo", exact: true }), 0);
  expect(await findBarriers(page)).toEqual([]);
  writeFileSync(why, written);
  await page.reload();
  await isReady(page, "Undo");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await until(() => !existsSync(why));
  // Nothing else to take back is no error, and what was done stays told at the foot of the window.
  await page.getByText("There is nothing to undo").waitFor();
  await becomes(page.locator(".panel.bad"), 0);
  const foot = await page.locator(".review > .acts").boundingBox();
  expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBe(page.viewportSize()?.height ?? 0);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("link", { name: "Back to the workspace: notes" }).click();
  await page.getByText("↶ Undone", { exact: true }).first().waitFor();
  // Its own page says the same, also while it is open.
  const own = await openPage(scene, complaints);
  await own.goto(change);
  await own.locator(".state.undone", { hasText: "Undone" }).waitFor();
  await page.getByRole("link", { name: "Redo…" }).click();
  await isReady(page, "Redo");
  await page.getByRole("button", { name: "Redo", exact: true }).click();
  await until(() => existsSync(why));
  await own.locator(".state.committed", { hasText: "Applied" }).waitFor();
  expect(await page.title()).not.toBe("owned");
  expect(complaints).toEqual([]);
});

test("a past of many changes comes page by page, and says how much of it is shown", async () => {
  await using scene = await openConsoleScene();
  const { phone, folder, sandbox } = scene;
  await phone.say("plan: write down why", "Write docs/why.md");
  await phone.tap("Apply", "Changes for notes");
  await phone.tap("Approve", /Applied/u);
  for (let n = 0; n < 30; n++) {
    await sandbox.run("undo", "-w", folder);
    await sandbox.run("redo", "-w", folder);
  }
  const complaints: string[] = [];
  const page = await openPage(scene, complaints);
  await page.goto(`${new URL(page.url()).origin}/workspaces/notes`);
  await page.getByText("the newest 50 of 61").waitFor();
  await becomes(page.locator(".entry"), 50);
  await page.getByRole("button", { name: "Show 11 older" }).click();
  await page.getByText("61 changes", { exact: true }).waitFor();
  await becomes(page.locator(".entry"), 61);
  await becomes(page.getByRole("button", { name: /older/u }), 0);
  expect(complaints).toEqual([]);
});
