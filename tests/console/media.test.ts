import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { becomes } from "../support/browser.ts";
import type { ConsoleServer } from "../support/console-server.ts";
import { type ConsoleWindow, openConsoleWindow } from "./console-window.ts";
import { large, PLAIN } from "./scenes.ts";

let opened: ConsoleWindow | undefined;
let server: ConsoleServer;
let page: Page;

beforeAll(async () => {
  opened = await openConsoleWindow();
  ({ server, page } = opened);
});

afterAll(() => opened?.[Symbol.asyncDispose]());

test("what is drawn of a long review is printed on as many sheets as it takes, and says what is not", async () => {
  server.setScenes([large(60, 5000)]);
  await page.goto(`${server.origin}/review/ap_large`);
  await page.locator(".row").first().waitFor();
  const pdf = Buffer.from(await page.pdf({ format: "A4" })).toString("latin1");
  expect(pdf.match(/\/Type \/Page\b/gu)?.length ?? 0).toBeGreaterThan(2);
  await page.emulateMedia({ media: "print" });
  await page.getByText("Printed is what was drawn on the screen", { exact: false }).waitFor();
  await becomes(page.locator(".file-head"), 60);
  expect(await page.locator(".toolbar").isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });
  expect(await page.locator(".print-note").isVisible()).toBe(false);
});

test("in forced colours the layout that is chosen, changed words and the button of the tree are told apart", async () => {
  server.setScenes([{ ...PLAIN, id: "ap_forced" }]);
  await page.goto(`${server.origin}/review/ap_forced`);
  await page.emulateMedia({ forcedColors: "active" });
  await page.locator(".row .word").first().waitFor();
  const look = (selector: string, what: "outlineStyle" | "backgroundColor" | "backgroundImage") =>
    page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${what}`);
  expect(await look(".switch .tool[aria-pressed='true']", "outlineStyle")).toBe("solid");
  expect(await look(".switch .tool[aria-pressed='false']", "outlineStyle")).toBe("none");
  expect(await look(".text .word", "backgroundColor")).not.toBe(
    await look(".row .text", "backgroundColor"),
  );
  expect(await look(".icon-tree", "backgroundImage")).toContain("gradient");
  await page.emulateMedia({ forcedColors: "none" });
});

test("the search of the browser stays its own, and says where all lines are searched", async () => {
  await page.evaluate(
    `document.addEventListener("keydown", (event) => (window.taken = event.defaultPrevented))`,
  );
  await page.keyboard.press("Control+f");
  await page.locator(".said", { hasText: "/ looks into all of them" }).waitFor();
  expect(await page.evaluate("window.taken")).toBe(false);
});

test("an address that narrows traces by what is no filter says so", async () => {
  await page.goto(`${server.origin}/traces?error=ERR_X&mode=apply&<b>=1`);
  await page.getByText("which has no effect: error, <b>", { exact: false }).waitFor();
  await page.goto(`${server.origin}/traces?error_code=ERR_X&mode=apply`);
  await page.getByRole("heading", { name: "Traces" }).waitFor();
  await becomes(page.getByText("which has no effect"), 0);
});
