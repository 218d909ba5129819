import { expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { toVisibleText } from "../../src/core/visible-text.ts";
import { EVIL } from "../console/scenes.ts";
import { findBarriers, letIn } from "../e2e/console-page.ts";
import { openConsoleScene } from "../e2e/console-scene.ts";
import { renamesIn } from "../planner/series/series-scene.ts";
import { becomes } from "../support/browser.ts";
import { tellFigures } from "../support/figures.ts";
import { runs } from "../support/long.ts";
import type { ModelRequest } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { writeTree } from "../support/tree.ts";
import { ask, isChanged } from "./flows.ts";
import type { Trial } from "./ways.ts";

const isReady = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true, disabled: false }).waitFor();
const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true, disabled: false }).click();

const saidIn = ({ body }: ModelRequest) =>
  body.messages.map(({ content }) => String(content)).join("\n\n");

/** Most elements at any time, however much there is to read. */
const MOST_NODES = 3000;

/** Many files of a line, and few of many lines; `npm test` has some of them. */
const LARGE = [
  { files: runs(12, 500), lines: 1, parts: runs(2, 5) },
  { files: runs(4, 60), lines: 42, parts: 2 },
];

const READ = LARGE.map(
  ({ files, lines, parts }): Trial => ({
    name: `a change of ${files} files of ${lines} lines is read to its end, ticked and approved`,
    async go(browser) {
      const limits = `max_actions = 200\n[context]\nmax_files = ${files / parts}\n`;
      await using scene = await openConsoleScene(limits, (request) => {
        const said = saidIn(request);
        const plan = { actions: [], summary: "1. Rename fetchUser" };
        const answer = said.includes("Now APPLY") ? renamesIn(said, "fetchUser", "loadUser") : plan;
        return { kind: "text", text: JSON.stringify(answer) };
      });
      const pathOf = (at: number) =>
        `src/part${at % parts}/module${String(at).padStart(3, "0")}.js`;
      const text = (at: number) =>
        Array.from(
          { length: lines },
          (_, line) => `export const v${line} = fetchUser(${at});\n`,
        ).join("");
      writeTree(
        scene.folder,
        Object.fromEntries(Array.from({ length: files }, (_, at) => [pathOf(at), text(at)])),
      );
      const complaints: string[] = [];
      const page = await letIn(browser, scene, complaints);
      await page.setViewportSize({ width: 1280, height: 800 });
      const ref = await ask(scene, "Rename `fetchUser` to `loadUser` everywhere");
      await page.locator(`main a[href="/review/${ref}"]`).click();
      await page.locator(".text.add").first().waitFor();
      let most = 0;
      await until(async () => {
        most = Math.max(most, Number(await page.evaluate(SCROLL_ON)));
        return (await page.evaluate(IS_AT_END)) === true;
      });
      expect(most).toBeLessThan(MOST_NODES);
      await page.locator(".text.add").last().waitFor();
      const last = page.locator("section[data-section]").last();
      const name = (await last.getAttribute("aria-label")) ?? "";
      await last.getByRole("checkbox", { name: `Seen: ${name}`, exact: true }).check();
      await page.getByText(`1 of ${files} files seen`, { exact: true }).waitFor();
      await press(page, "Approve");
      await isChanged(scene, parts);
      await page.locator(".review-head .state", { hasText: "Approved" }).waitFor();
      for (let at = 0; at < files; at++) {
        const now = readFileSync(join(scene.folder, pathOf(at)), "utf8");
        expect({ at, now }).toEqual({ at, now: text(at).replaceAll("fetchUser", "loadUser") });
      }
      expect(complaints).toEqual([]);
      tellFigures("large", { files, lines: files * lines * 2, most_nodes: most });
      await page.close();
    },
  }),
);

/** Goes on by most of a window; how many elements there are then. */
const SCROLL_ON = `new Promise((resolve) => {
  const box = document.querySelector(".scroller");
  box.scrollTop += box.clientHeight * 0.8;
  requestAnimationFrame(() => requestAnimationFrame(
    () => resolve(document.querySelectorAll("*").length)));
})`;
const IS_AT_END = `(() => {
  const { scrollTop, clientHeight, scrollHeight } = document.querySelector(".scroller");
  return scrollTop + clientHeight >= scrollHeight - 1;
})()`;

/** What strangers would have a file be called; papa-yu takes none with a colon, or with what nobody sees. */
const NAMES = EVIL.map((text, at) => `${text.replaceAll("/", "∕")}${at}.md`).filter(
  (name) => !/[\p{Cc}\p{Cf}\p{Cs}:]/u.test(name),
);
/** And what is in one; with a zero in it, it would be no text. */
const TEXT = EVIL.filter((text) => !/[\0\p{Cs}]/u.test(text)).join("\n");

const HOSTILE: Trial = {
  name: "what strangers wrote is text, wherever it is shown, and is answered as any other",
  async go(browser) {
    await using scene = await openConsoleScene("", (request) => {
      const said = saidIn(request);
      const content = `${TEXT}\n${said.includes("once more") ? "again\n" : ""}`;
      const actions = NAMES.map((path) => ({ kind: "CREATE_FILE", path, content }));
      const answer = { actions: said.includes("Now APPLY") ? actions : [], summary: `1. ${TEXT}` };
      return { kind: "text", text: JSON.stringify(answer) };
    });
    const complaints: string[] = [];
    const page = await letIn(browser, scene, complaints);
    const isHarmless = async () => {
      expect(await page.evaluate("[window.evil ?? null, document.title]")).toEqual([
        null,
        expect.stringMatching(/papa-yu$/u),
      ]);
      const foreign = "main :is(img, script, iframe, [onload], [onerror], a[href^='javascript:'])";
      expect(await page.locator(foreign).count()).toBe(0);
      expect(String(await page.evaluate("document.body.innerText"))).not.toMatch(HIDDEN);
      expect(await page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")).toBe(true);
    };
    const ref = await ask(scene, TEXT);
    const review = page.locator(`main a[href="/review/${ref}"]`);
    await review.waitFor();
    await isHarmless();
    await review.click();
    const first = page.getByRole("region", { name: toVisibleText(NAMES[0] ?? ""), exact: true });
    await first.locator(".text.add").first().waitFor();
    await becomes(page.locator("section[data-section]"), NAMES.length);
    await isHarmless();
    expect(await findBarriers(page)).toEqual([]);
    await first.getByRole("button", { name: "Comment on line 1", exact: true }).click();
    const words = `once more ${TEXT}`;
    await first.getByRole("textbox", { name: "Comment on line 1", exact: true }).fill(words);
    await press(page, "Change…");
    await until(() => !page.url().includes(ref));
    await page.getByText("You said of the version before").first().waitFor();
    await isHarmless();
    const left = NAMES.at(-1) ?? "";
    const include = `Include ${toVisibleText(left)}`;
    await page.getByRole("checkbox", { name: include, exact: true }).click();
    const second = page.url();
    await press(page, "Leave out 1 file");
    await until(() => page.url() !== second);
    await becomes(page.locator("section[data-section]"), NAMES.length - 1);
    await press(page, "Approve");
    await isChanged(scene, 1);
    await isReady(page, "Undo");
    for (const name of NAMES) expect(existsSync(join(scene.folder, name))).toBe(name !== left);
    await isHarmless();
    for (const path of ["/workspaces/notes", "/traces", "/chat", "/settings/log", "/report"]) {
      await page.goto(new URL(path, page.url()).href);
      await page.locator("main h1").first().waitFor();
      await isHarmless();
    }
    await page.goto(new URL("/chat/http%3Amine", page.url()).href);
    await page.getByRole("log").getByText("Applied in notes").first().waitFor();
    await isHarmless();
    await page.setViewportSize({ width: 360, height: 740 });
    await isHarmless();
    expect(complaints).toEqual([]);
    await page.close();
  },
};

/** What turns the text around it, or is not seen. */
const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/u;

/** What is much, and what means harm. */
export const HARD: readonly Trial[] = [...READ, HOSTILE];
