import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { becomes } from "../support/browser.ts";
import type { ConsoleServer } from "../support/console-server.ts";
import { type ConsoleWindow, openConsoleWindow } from "./console-window.ts";
import { PLAIN } from "./scenes.ts";

let opened: ConsoleWindow | undefined;
let server: ConsoleServer;
let page: Page;

beforeAll(async () => {
  opened = await openConsoleWindow();
  ({ server, page } = opened);
});

afterAll(() => opened?.[Symbol.asyncDispose]());

const ENDING = "a-rather-long-name-that-they-share/and-a-long-ending-as-well.component.ts";
const FILES = ["one", "two"].map((name) => ({
  path: `packages/${name}/src/${ENDING}`,
  before: "a\n",
  after: "b\n",
}));
const HEBREW = "\u05d0\u05d1\u05d2";
const ARABIC = "\u0627\u0628\u062a";
const RIGHT_TO_LEFT = { path: `${HEBREW}/${ARABIC}`, before: "a\n", after: "b\n" };
const CHECKS = {
  checks: [{ name: "test", command: "bun test" }],
  unseen: "other",
};

let made = 0;
async function open(language: string, width: number, height: number): Promise<void> {
  server.setLanguage(language);
  await page.setViewportSize({ width, height });
  const id = `ap_narrow${made++}`;
  server.setScenes([{ ...PLAIN, id, files: [...FILES, RIGHT_TO_LEFT], more: CHECKS }]);
  await page.goto(`${server.origin}/review/${id}`);
  await page.locator(".file-section .row").first().waitFor();
}

/** Where things are, by a selector. */
const boxes = (selector: string) =>
  page.locator(selector).evaluateAll((found) =>
    found.flatMap((each) => {
      if (!each.checkVisibility()) return [];
      const { left, right, top, bottom } = each.getBoundingClientRect();
      return [{ left, right, top, bottom, isCut: each.scrollWidth > each.clientWidth }];
    }),
  );

for (const language of ["en", "ru", "zh"]) {
  test(`nothing of the bar lies over another part of it, at any width, in ${language}`, async () => {
    for (const state of ["live", "offline"]) {
      for (const width of [360, 560, 561, 700, 720, 760, 800, 840, 880, 881, 1000, 1199, 1280]) {
        if (state === "live") server.setDown(false);
        await open(language, width, 800);
        server.setDown(state === "offline");
        await page.locator(`.link.${state}`).waitFor({ state: "attached" });
        const parts = await boxes(".bar > *");
        for (const [at, one] of parts.entries()) {
          expect([width, state, one.left >= 0, one.right <= width + 0.5]).toEqual([
            width,
            state,
            true,
            true,
          ]);
          for (const other of parts.slice(at + 1)) {
            const isOver =
              one.left < other.right - 0.5 &&
              other.left < one.right - 0.5 &&
              one.top < other.bottom - 0.5 &&
              other.top < one.bottom - 0.5;
            expect([width, state, isOver]).toEqual([width, state, false]);
          }
        }
        if (width === 1280) expect((await boxes(".link-words"))[0]?.isCut).toBe(false);
        server.setDown(false);
      }
    }
  });

  test(`on a phone the name of a file has a line of its own, and its box a word, in ${language}`, async () => {
    await open(language, 360, 740);
    const heads = await boxes(".file-head");
    expect(heads.map(({ top, bottom }) => Math.round(bottom - top))).toEqual([68, 68, 68]);
    const names = await boxes(".file-path");
    for (const [at, name] of names.entries()) {
      expect(name.right - name.left).toBeGreaterThan(280);
      expect(name.bottom).toBeLessThanOrEqual((heads[at]?.bottom ?? 0) - 28);
    }
    expect(await page.locator(".take-word").first().isVisible()).toBe(true);
    expect((await boxes(".file-head > *")).filter(({ right }) => right > 360)).toEqual([]);
    // Rows are where they are said to be: with the keys each is in sight below that head.
    for (const _ of [1, 2, 3, 4]) await page.keyboard.press("Alt+ArrowDown");
    await page.locator(".row.current").waitFor();
    const [row] = await boxes(".row.current");
    const pane = (await boxes(".scroller"))[0];
    expect(row?.top).toBeGreaterThanOrEqual((pane?.top ?? 0) + 67);
    expect(row?.bottom).toBeLessThanOrEqual(pane?.bottom ?? 0);
  });

  test(`in a low window at least half of the height is that of the files, in ${language}`, async () => {
    for (const [width, height] of [
      [740, 360],
      [900, 400],
      [1280, 420],
    ] as const) {
      await open(language, width, height);
      await page.locator(".acts .note").first().waitFor();
      const [pane] = await boxes(".panes");
      const share = ((pane?.bottom ?? 0) - (pane?.top ?? 0)) / height;
      expect([width, share >= 0.5 ? "half" : share]).toEqual([width, "half"]);
      const parts = await boxes(".acts > .act");
      expect(parts.filter(({ right, bottom }) => right > width || bottom > height)).toEqual([]);
    }
  });
}

test("of names from right to left the folder stands before its file, and none jumps to the other side", async () => {
  await open("en", 1280, 800);
  const order = await page.locator(".file-path, .tree-name").evaluateAll((all) =>
    all.flatMap((of) => {
      const names = [...of.querySelectorAll("bdi:not(:has(bdi))")];
      const found = names.map((each) => each.getBoundingClientRect());
      return found.slice(1).map((box, at) => box.left >= (found[at]?.right ?? 0) - 0.5);
    }),
  );
  expect(new Set(order)).toEqual(new Set([true]));
  const names = await boxes(".tree-name > bdi");
  expect((await boxes(".tree-name")).map(({ left }) => Math.round(left))).toEqual(
    names.map(({ left }) => Math.round(left)),
  );
  await becomes(page.getByRole("region", { name: `${HEBREW}/${ARABIC}` }), 1);
});
