import { afterAll, beforeAll, expect, test } from "bun:test";
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
  opened = await openConsoleWindow({
    viewport: { width: 1280, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
  });
  ({ server, page } = opened);
});

afterAll(() => opened?.[Symbol.asyncDispose]());

const FRESH = Array.from({ length: 400 }, (_, at) => `const fresh${at} = ${at};`);
const OLD = ["one", "two old", "three", "gone", "five"];
const NEW = ["one", "two new", "three", "five"];
const FILES = [
  { path: "fresh.ts", before: null, after: `${FRESH.join("\n")}\n` },
  { path: "pair.txt", before: `${OLD.join("\n")}\n`, after: `${NEW.join("\n")}\n` },
];

let made = 0;
async function open(isSplit: boolean): Promise<void> {
  const id = `ap_hand${made++}`;
  server.setScenes([{ ...PLAIN, id, files: FILES, more: {} }]);
  await page.goto(`${server.origin}/review/${id}`);
  await page.getByTitle(isSplit ? "Side by side (u)" : "Unified (u)").click();
  await page.locator('[data-section="0"] .row').first().waitFor();
}

/** Where somebody is: a side and the number on it. */
const here = () =>
  page.evaluate(`(() => {
    const at = document.querySelector(".row.current .num.here");
    return at && at.dataset.side + at.dataset.n;
  })()`);
const isHere = (place: string) => until(async () => (await here()) === place);
const copied = async (): Promise<string> => {
  await page.evaluate(`navigator.clipboard.writeText("nothing")`);
  await page.keyboard.press("Control+c");
  let text = "";
  await until(async () => {
    text = String(await page.evaluate(`navigator.clipboard.readText()`));
    return text !== "nothing";
  });
  return text;
};
const text = (section: number, row: number, which: "first" | "last" = "first") =>
  page.locator(`[data-section="${section}"] [data-row="${row}"] > .text`)[which]();
const middle = async (of: ReturnType<typeof text>) => {
  const box = await of.boundingBox();
  return { x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 8 };
};

test("by keys alone every line is reached, on both of its sides, and written anew", async () => {
  await open(false);
  for (const place of ["R1", "R2", "R3"]) {
    await page.keyboard.press("Alt+ArrowDown");
    await isHere(place);
  }
  await page.keyboard.press("Alt+ArrowUp");
  await isHere("R2");
  // It has the focus, and is in sight.
  for (let at = 0; at < 60; at++) await page.keyboard.press("Alt+ArrowDown");
  await isHere("R62");
  expect(
    await page.evaluate(`(() => {
      const box = document.activeElement.getBoundingClientRect();
      const pane = document.querySelector(".scroller").getBoundingClientRect();
      return document.activeElement.matches(".row.current") && box.top >= pane.top && box.bottom <= pane.bottom;
    })()`),
  ).toBe(true);
  // The line that was and the one that it became, and the one that only was.
  await page.keyboard.press("j");
  await page.locator('[data-section="1"] .row').first().waitFor();
  for (const place of ["R1", "L2", "R2", "R3", "L4", "L5"]) {
    await page.keyboard.press("Alt+ArrowDown");
    await isHere(place);
  }
  for (const place of ["L4", "L3", "R2", "L2", "L1"]) {
    await page.keyboard.press("Alt+ArrowUp");
    await isHere(place);
  }
  await page.keyboard.press("Alt+ArrowDown");
  await isHere("L2");
  await page.keyboard.press("s");
  await isHere("R2");
  await page.locator(".said", { hasText: "Line 2" }).waitFor();
  await page.keyboard.press("s");
  await page.locator(".said", { hasText: "Old line 2" }).waitFor();
  await page.keyboard.press("s");
  await isHere("R2");
  await page.keyboard.press("c");
  await page.getByRole("textbox", { name: "Comment on line 2", exact: true }).waitFor();
  await page.getByRole("button", { name: "Write the line yourself" }).press("Enter");
  const box = page
    .getByRole("textbox", { name: "What is to stand in line 2" })
    .or(page.locator(".comment-box textarea.verbatim"));
  expect(await box.first().inputValue()).toBe("two new");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByText("Next line", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
});

test("side by side the keys stay on a side where it has a line, and the address is of that", async () => {
  await open(true);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.locator('[data-section="1"] .row').first().waitFor();
  await page.keyboard.press("Alt+ArrowDown");
  await isHere("R1");
  await page.keyboard.press("s");
  await isHere("L1");
  for (const place of ["L2", "L3", "L4"]) {
    await page.keyboard.press("Alt+ArrowDown");
    await isHere(place);
  }
  await page.keyboard.press("s");
  await page.locator(".said", { hasText: "no other side" }).waitFor();
  await isHere("L4");
  await page.keyboard.press("y");
  await until(() => page.url().endsWith("#1L4"));
});

test("what is copied is whole lines of one side, also those that are not drawn any more", async () => {
  await open(true);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await text(1, 0).waitFor();
  for (const [which, lines] of [
    ["first", OLD],
    ["last", NEW],
  ] as const) {
    const from = await middle(text(1, 0, which));
    const to = await middle(text(1, 4, which));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 8 });
    const other = which === "first" ? NEW : OLD;
    const selected = String(await page.evaluate(`String(getSelection())`));
    expect(other.filter((line) => !lines.includes(line) && selected.includes(line))).toEqual([]);
    await page.mouse.up();
    expect(await copied()).toBe(lines.join("\n"));
    await page.locator(".said", { hasText: `Copied: ${lines.length} lines` }).waitFor();
  }
  // Unified, the pane scrolls while the button is down: the first rows are not drawn by then.
  await open(false);
  const from = await middle(text(0, 2));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 40, { steps: 4 });
  await page.locator(".scroller").evaluate((pane) => pane.scrollBy(0, 5000));
  await text(0, 250).waitFor();
  await becomes(text(0, 2), 0);
  const row = text(0, 250);
  await row.scrollIntoViewIfNeeded();
  const to = await middle(row);
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  expect(await copied()).toBe(FRESH.slice(2, 251).join("\n"));
  // A press, and one with Shift far below it.
  await text(0, 240).click();
  await page.locator(".scroller").evaluate((pane) => pane.scrollBy(0, -4600));
  await text(0, 10).waitFor();
  await becomes(text(0, 240), 0);
  await text(0, 10).click({ modifiers: ["Shift"] });
  expect(await copied()).toBe(FRESH.slice(10, 241).join("\n"));
  // All of the file; a part of a line is the browser's; what is typed in is not touched.
  await page.keyboard.press("Control+a");
  expect(await copied()).toBe(FRESH.join("\n"));
  await text(0, 10).dblclick({ position: { x: 40, y: 8 } });
  expect(await copied()).not.toContain("\n");
  await page.keyboard.press("/");
  await page.keyboard.type("word");
  await page.keyboard.press("Control+a");
  expect(await copied()).toBe("word");
});

/** The line at the upper edge, below the head of its file that stays there, and how far below. */
const edge = () =>
  page.evaluate(`(() => {
    const top = (document.querySelector(".scroller")?.getBoundingClientRect().top ?? 0) + 40;
    for (const row of document.querySelectorAll("[data-row].row")) {
      const box = row.getBoundingClientRect();
      if (box.bottom <= top) continue;
      return row.closest("[data-file]").dataset.file + ":" + row.querySelector(".text:last-child").textContent;
    }
  })()`);
const LONG = Array.from({ length: 300 }, (_, at) => `line ${at} ${"word ".repeat(at % 30)}`);
const CHANGED = LONG.map((line, at) =>
  at % 3 === 0 ? `${line} changed ${"and ".repeat(30)}` : line,
);

test("whoever goes back, loads anew or lays the lines in another way is at the same line", async () => {
  const id = `ap_hand${made++}`;
  const long = {
    path: "long.txt",
    before: `${LONG.join("\n")}\n`,
    after: `${CHANGED.join("\n")}\n`,
  };
  server.setScenes([{ ...PLAIN, id, files: [...FILES, long], more: {} }]);
  await page.goto(`${server.origin}/review/${id}`);
  await page.getByTitle("Unified (u)").click();
  await page.locator('[data-section="0"] .row').first().waitFor();
  await page.locator(".scroller").evaluate((pane) => pane.scrollTo(0, 8600));
  await page.locator('[data-section="1"] .row').first().waitFor();
  await page.locator(".scroller").evaluate((pane) => pane.scrollBy(0, 3000));
  await until(async () => /^1:line \d{2,}/u.test(String(await edge())));
  const at = await edge();
  const isThere = () =>
    until(
      async () => (await edge()) === at,
      () => `not at ${String(at)}`,
    );
  for (const _ of [1, 2]) {
    await page.keyboard.press("u");
    await page.locator(".files.split").waitFor();
    await isThere();
    await page.keyboard.press("u");
    await page.locator(".files.unified").waitFor();
    await isThere();
  }
  await page.setViewportSize({ width: 900, height: 900 });
  await isThere();
  await page.setViewportSize({ width: 1280, height: 900 });
  await isThere();
  await page.getByRole("link", { name: /^Inbox/u }).click();
  await page.getByRole("heading", { name: /^Inbox/u }).waitFor();
  await page.goBack();
  await isThere();
  await page.reload();
  await isThere();
  // What the address names is where others begin, and not who was elsewhere by then.
  await page.goto(`${server.origin}/review/${id}#2R150`);
  await page.locator(".row.current").waitFor();
  await page.locator(".scroller").evaluate((pane) => pane.scrollTo(0, 3000));
  await until(async () => String(await edge()).startsWith("0:"));
  const other = await edge();
  await until(async () => (await page.evaluate("history.state?.path")) === "fresh.ts");
  await page.reload();
  await until(async () => (await edge()) === other);
});
