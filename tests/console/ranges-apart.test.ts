import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { becomes } from "../support/browser.ts";
import type { ConsoleServer } from "../support/console-server.ts";
import { until } from "../support/patience.ts";
import { type ConsoleWindow, openConsoleWindow } from "./console-window.ts";
import { PLAIN } from "./scenes.ts";

let opened: ConsoleWindow | undefined;
let server: ConsoleServer;
let page: Page;

beforeAll(async () => {
  opened = await openConsoleWindow({ viewport: { width: 1280, height: 1100 } });
  ({ server, page } = opened);
});

let made = 0;
beforeEach(async () => {
  const id = `ap_apart${made++}`;
  server.setScenes([{ ...PLAIN, id }]);
  await page.goto(`${server.origin}/review/${id}`);
  await page.getByTitle("Unified (u)").click();
  await number(99).scrollIntoViewIfNeeded();
});

afterAll(() => opened?.[Symbol.asyncDispose]());

const PATH = "src/upload/upload.ts";
const upload = () => page.getByRole("region", { name: PATH, exact: true });
const number = (line: number) => upload().locator(`button.num[data-side="R"][data-n="${line}"]`);
const box = (name: string) => page.getByRole("textbox", { name, exact: true });
const reach = (line: number) => number(line).click({ modifiers: ["Shift"] });
const kept = (line: number) =>
  server.kept.findLast((each) => JSON.stringify(each).includes(`"line":${line},`));

test("lines that nobody has written anew yet are those of the comment, however it becomes one of others", async () => {
  await number(98).click();
  await page.getByRole("button", { name: "Write the line yourself" }).click();
  await box("What line 98 is to be").waitFor();
  const texts = new Map<number, string>();
  const linesOf = async (name: string) => (await box(name).inputValue()).split("\n");
  for (const [end, name] of [
    [100, "What lines 98–100 are to be"],
    [96, "What lines 96–98 are to be"],
    [99, "What lines 98–99 are to be"],
  ] as const) {
    await reach(end);
    await box(name).waitFor();
    const first = Math.min(end, 98);
    await until(async () => (await linesOf(name)).length === Math.abs(end - 98) + 1);
    const text = await box(name).inputValue();
    await until(() =>
      Bun.deepEquals(kept(first), {
        path: PATH,
        side: "after",
        line: first,
        to: Math.max(end, 98),
        text,
        instead: true,
      }),
    );
    for (const [at, each] of text.split("\n").entries()) {
      expect(each).toBe(texts.get(first + at) ?? each);
      texts.set(first + at, each);
    }
  }
  expect(new Set(texts.keys())).toEqual(new Set([96, 97, 98, 99, 100]));
  // What somebody wrote stays as they wrote it.
  await box("What lines 98–99 are to be").fill("mine");
  await reach(97);
  await until(async () => (await box("What lines 97–98 are to be").inputValue()) === "mine");
  await reach(98);
  await until(async () => (await box("What line 98 is to be").inputValue()) === "mine");
});

test("whoever goes by lines passes those at which others begin, and takes none of them along", async () => {
  await number(96).click();
  await box("Comment on line 96").fill("one");
  await number(99).click();
  await box("Comment on line 99").pressSequentially("two");
  await page.keyboard.press("Escape");
  for (const [key, name] of [
    ["Shift+K", "98–99"],
    ["Shift+K", "97–99"],
    ["Shift+K", "95–99"],
    ["Shift+K", "94–99"],
    ["Shift+J", "95–99"],
    ["Shift+J", "97–99"],
  ] as const) {
    await page.keyboard.press(key);
    await box(`Comment on lines ${name}`).waitFor();
    expect(await box("Comment on line 96").inputValue()).toBe("one");
  }
  // Nor does who merely marks them, or has nothing in the box.
  for (const isOpen of [false, true]) {
    await number(101).click();
    await box("Comment on line 101").waitFor();
    await page.keyboard.press("Escape");
    await becomes(box("Comment on line 101"), 0);
    if (isOpen) {
      await page.keyboard.press("c");
      await box("Comment on line 101").waitFor();
      await upload().locator(".file-path").first().click();
    }
    for (const _ of [1, 2, 3, 4, 5, 6, 7]) await page.keyboard.press("Shift+K");
    expect(await box("Comment on lines 97–99").inputValue()).toBe("two");
    expect(await box("Comment on line 96").inputValue()).toBe("one");
  }
});

test("what a line is to be is joined to no other words: who goes on to it is there, and both are as they were", async () => {
  await number(96).click();
  await page.getByRole("button", { name: "Write the line yourself" }).click();
  await box("What line 96 is to be").fill("mine");
  await number(99).click();
  await box("Comment on line 99").fill("why?");
  await reach(96);
  await until(async () => (await page.evaluate("document.activeElement.value")) === "mine");
  expect(await box("What line 96 is to be").inputValue()).toBe("mine");
  expect(await box("Comment on line 99").inputValue()).toBe("why?");
});
