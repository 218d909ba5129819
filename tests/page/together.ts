import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { letIn } from "../e2e/console-page.ts";
import { openConsoleScene } from "../e2e/console-scene.ts";
import { becomes } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { ask, isChanged, play } from "./flows.ts";
import type { Trial } from "./ways.ts";

const GOAL = "αβγ long.txt";
const LINES = `${Array.from({ length: 30 }, (_, at) => at + 1).join("\n")}\n`;

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const isReady = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true, disabled: false }).waitFor();
/** Presses in the same moment: a hand that waits for nothing. */
const pressNow = (page: Page, name: string) =>
  page.evaluate(`[...document.querySelectorAll(".acts button")]
    .find((each) => each.textContent === ${JSON.stringify(name)})?.click()`);

/** What three windows press at once, how many changes there are then, and what each says of it. */
const AT_ONCE = [
  { pressed: ["Approve", "Approve", "Approve"], ends: [[1, "Applied"]] },
  { pressed: ["Reject", "Reject", "Reject"], ends: [[0, "Rejected"]] },
  {
    pressed: ["Approve", "Reject", "Approve"],
    ends: [
      [1, "Applied"],
      [0, "Rejected"],
    ],
  },
  { first: "Approve", pressed: ["Undo", "Undo", "Undo"], ends: [[2, "Undone"]] },
] as const;

/** Three windows on one change set, of which one is a phone's. */
const WINDOWS = AT_ONCE.map(
  (row): Trial => ({
    name: `three windows press ${row.pressed.join(", ")} at once: it counts once, and all show its end`,
    async go(browser) {
      await using scene = await openConsoleScene("", play);
      await Bun.write(`${scene.folder}/long.txt`, LINES);
      const complaints: string[] = [];
      const pages: Page[] = [];
      for (let n = 0; n < 3; n++) pages.push(await letIn(browser, scene, complaints));
      await pages[2]?.setViewportSize({ width: 360, height: 740 });
      const ref = await ask(scene, GOAL);
      for (const page of pages) await page.locator(`main a[href="/review/${ref}"]`).click();
      if ("first" in row && pages[0]) {
        await isReady(pages[0], row.first);
        await button(pages[0], row.first).click();
      }
      await Promise.all(pages.map((page, at) => isReady(page, row.pressed[at] ?? "")));
      await Promise.all(pages.map((page, at) => pressNow(page, row.pressed[at] ?? "")));
      const states = async () =>
        Promise.all(pages.map((page) => page.locator(".review-head .state").innerText()));
      await until(async () => {
        const [first, ...others] = await states();
        const isEnd = row.ends.some(([, end]) => end === first);
        return isEnd && others.every((each) => each === first);
      });
      const [said] = await states();
      await isChanged(scene, row.ends.find(([, end]) => end === said)?.[0] ?? -1);
      for (const page of pages) {
        for (const name of ["Approve", "Reject"]) await becomes(button(page, name), 0);
        await becomes(button(page, "Undo"), said === "Applied" ? 1 : 0);
      }
      expect(complaints).toEqual([]);
      for (const page of pages) await page.close();
    },
  }),
);

/** When somebody writes and ticks, and papa-yu is away. */
const RESTARTS = ["before", "while"] as const;

/** Papa-yu goes and comes back while somebody reads a change. */
const AWAY = RESTARTS.map(
  (when): Trial => ({
    name: `what was written ${when} papa-yu was away is there when it is back`,
    async go(browser) {
      const port = freePort();
      await using scene = await openConsoleScene("", play, port);
      await Bun.write(`${scene.folder}/long.txt`, LINES);
      const complaints: string[] = [];
      const page = await letIn(browser, scene, complaints);
      const ref = await ask(scene, GOAL);
      await page.locator(`main a[href="/review/${ref}"]`).click();
      const long = page.getByRole("region", { name: "long.txt", exact: true });
      const box = long.getByRole("textbox", { name: "Comment on line 1", exact: true });
      const tick = page.getByRole("checkbox", { name: "Seen: docs/why.md", exact: true });
      const take = page.getByRole("checkbox", { name: "Include docs/how.md", exact: true });
      const write = async () => {
        await long.getByRole("button", { name: "Comment on line 1", exact: true }).click();
        await box.fill("uno");
        await tick.check();
        await take.uncheck();
      };
      await isReady(page, "Approve");
      if (when === "before") await write();
      await scene.daemon.stop();
      await page.locator(".link.offline").waitFor();
      if (when === "while") await write();
      await becomes(page.locator(".review > .acts .act:enabled:not(.more-acts)"), 0);
      await using _again = await scene.sandbox.host();
      await page.locator(".link.live").waitFor();
      expect(await box.inputValue()).toBe("uno");
      expect([await tick.isChecked(), await take.isChecked()]).toEqual([true, false]);
      await until(async () => {
        const kept = JSON.stringify(await scene.review(ref));
        return kept.includes('"text":"uno"') && kept.includes('"seen":"same"');
      });
      await isReady(page, "Leave out 1 file");
      await take.check();
      await page.reload();
      await until(async () => (await box.inputValue()) === "uno");
      expect(await tick.isChecked()).toBe(true);
      await isReady(page, "Change…");
      await button(page, "Change…").click();
      await until(() => !page.url().includes(ref));
      await isReady(page, "Approve");
      await button(page, "Approve").click();
      await isChanged(scene, 1);
      expect(await Bun.file(`${scene.folder}/long.txt`).text()).toStartWith("uno\n");
      expect(complaints).toEqual([]);
      await page.close();
    },
  }),
);

/** What more than one window, or more than one daemon, has to do with. */
export const TOGETHER: readonly Trial[] = [...WINDOWS, ...AWAY];

/** One that the daemon gets again when it comes back, as one that is configured. */
function freePort(): number {
  using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  return server.port ?? 0;
}
