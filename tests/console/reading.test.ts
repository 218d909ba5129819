import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { findBarriers } from "../e2e/console-page.ts";
import { becomes } from "../support/browser.ts";
import type { ConsoleServer } from "../support/console-server.ts";
import { type ConsoleWindow, openConsoleWindow } from "./console-window.ts";
import { PLAIN } from "./scenes.ts";

let opened: ConsoleWindow | undefined;
let browser: Browser;
let server: ConsoleServer;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  opened = await openConsoleWindow({}, (shown) => {
    shown.on("pageerror", (error) => complaints.push(String(error)));
    shown.on("console", (message) => {
      if (/Content Security Policy|Trusted/u.test(message.text())) complaints.push(message.text());
    });
  });
  ({ browser, server, page } = opened);
});

afterAll(() => opened?.[Symbol.asyncDispose]());

const HUES = ["red", "yellow", "green", "cyan", "blue", "magenta"];

test("what a check printed is shown in its colours, as text, and its newest lines while it runs", async () => {
  const words = [...HUES, ...HUES.map((hue) => `on-${hue}`), "gray", "on-gray", "bold underline"];
  const output = `${words.join("\n")}\n<b>bold</b> \u202eend`;
  const stage = { command: ["bun", "test"], exit_code: 1, duration_ms: 9, output };
  const looks = words.map((names, line) => [line, 0, 99, names]);
  // What is no look of ours is no class, and what is no place is none.
  const wrong = [
    [words.length, 0, 3, 'red" onload="x'],
    [words.length, -5, 2, "red"],
    [999, 0, 1, "red"],
    "no",
  ];
  const check = { ok: false, stages: [{ ...stage, looks: [...looks, ...wrong] }] };
  server.setScenes([{ ...PLAIN, id: "ap_output", more: { check } }]);
  await page.goto(`${server.origin}/review/ap_output`);
  const output0 = page.locator(".output").first();
  await output0.locator(".look-red").waitFor();
  expect(await output0.innerText()).toBe(`${words.join("\n")}\n<b>bold</b> \\u{202e}end`);
  await becomes(output0.locator("[onload], b"), 0);
  const colors: unknown = await page.evaluate(
    `[...document.querySelectorAll(".output span")].map((each) => getComputedStyle(each).color)`,
  );
  expect(new Set(Array.isArray(colors) ? colors : []).size).toBeGreaterThan(6);
  await page.locator('button:not([aria-disabled="true"]):text-is("Approve")').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const letGo = server.holdPresses();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.locator(".output.live .look-green", { hasText: "12" }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  letGo();
  await page.getByText("Approve: finished").waitFor();
  await becomes(page.locator(".output.live"), 0);
});

test("changes are read as a text, whole, by headings and with the numbers last; the choice is kept", async () => {
  server.setScenes([{ ...PLAIN, id: "ap_read" }]);
  await page.goto(`${server.origin}/review/ap_read`);
  await page.getByRole("region", { name: "src/upload/upload.ts" }).waitFor();
  await page.keyboard.press("m");
  await page.getByRole("heading", { level: 2, name: "src/upload/upload.ts" }).waitFor();
  const file = page.getByRole("region", { name: "src/upload/upload.ts" });
  await file.getByRole("heading", { level: 3 }).or(file.getByText("Change 2")).first().waitFor();
  await becomes(page.locator(".row"), 0);
  const line = file.locator(".read-line.add").first();
  expect(await line.innerText()).toBe('added: import { pauseOf } from "./pause.ts";, line 1');
  // What is open is there from end to end, also where nobody scrolls.
  await file.getByRole("button", { name: /unchanged lines/u }).click();
  await file.locator(".read-line", { hasText: "part40" }).waitFor();
  expect(await file.locator(".read-line").last().innerText()).toBe("}, line 101");
  expect(await findBarriers(page)).toEqual([]);
  // The first is a picture, which has no lines.
  await page.keyboard.press("F7");
  await page.locator(".file-toggle:focus", { hasText: "logo.png" }).waitFor();
  await page.keyboard.press("F7");
  await page.locator(".read-line:focus").waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.reload();
  await page.locator(".read-line").first().waitFor();
  await page.getByRole("button", { name: /^Reading mode/u }).click();
  await page.locator(".row.add, .row.pair").first().waitFor();
  await becomes(page.locator(".read-line"), 0);
});

/** A browser without a window shows none: what it is asked to show is kept. */
const NOTIFICATIONS = `{
  let leave = "default";
  window.asked = 0;
  window.told = [];
  window.Notification = class extends EventTarget {
    static get permission() { return leave; }
    static async requestPermission() { window.asked += 1; return (leave = "granted"); }
    constructor(title, options) { super(); window.told.push({ title, ...options }); window.last = this; }
    close() { window.told.push("closed"); }
  };
  Document.prototype.hasFocus = () => false;
}`;

test("tells of what newly waits as its line does, once somebody pressed for it, and takes it back", async () => {
  server.setScenes([{ ...PLAIN, id: "ap_known" }]);
  const context = await browser.newContext({ reducedMotion: "reduce" });
  await context.addInitScript(NOTIFICATIONS);
  const made = await context.newPage();
  await made.goto(`${server.origin}/#login=one-code`);
  const button = made.getByRole("button", { name: "Notify me" });
  await made.locator(".item").first().waitFor();
  const told = () => made.evaluate("window.told");
  server.setScenes([
    { ...PLAIN, id: "ap_known" },
    { ...PLAIN, id: "ap_quiet" },
  ]);
  await becomes(made.locator(".item"), 2);
  expect([await made.evaluate("window.asked"), await told()]).toEqual([0, []]);
  expect(await button.getAttribute("aria-pressed")).toBe("false");
  await button.click();
  await made.locator(".notices [aria-pressed='true']").waitFor();
  expect(await findBarriers(made)).toEqual([]);
  const fresh = { ...PLAIN, id: "ap_new", summary: "Say \u202eit <b>once</b>" };
  server.setScenes([fresh]);
  await becomes(made.locator(".item"), 1);
  const line = { title: "Changes · site", body: "Say \\u{202e}it <b>once</b>", tag: "ap_new" };
  expect(await told()).toEqual([line]);
  await made.evaluate("window.last.dispatchEvent(new Event('click'))");
  await made.waitForURL(`${server.origin}/review/ap_new`);
  // What was answered elsewhere is told no more; many at once are told as one.
  server.setScenes([]);
  server.addItems(["a", "b", "c", "d"].map((id) => ({ id, ref: id, kind: "plan", title: id })));
  await made.getByRole("link", { name: "Inbox" }).click();
  await becomes(made.locator(".item"), 4);
  const many = { title: "papa-yu", body: "4 new things wait for you", tag: "papayu.many" };
  expect(await told()).toEqual([line, "closed", "closed", many]);
  await button.click();
  server.setScenes([{ ...PLAIN, id: "ap_off" }]);
  await becomes(made.locator(".item"), 5);
  expect(await told()).toEqual([line, "closed", "closed", many]);
  await context.close();
});

test("had nothing to complain about", () => {
  expect(complaints).toEqual([]);
});
