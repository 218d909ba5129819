import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { findBarriers } from "../e2e/console-page.ts";
import { becomes } from "../support/browser.ts";
import type { ConsoleServer } from "../support/console-server.ts";
import { until } from "../support/patience.ts";
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

const WORDS = "rather as a table, and a row for each";

/** A review in which presses count. */
async function open(id: string): Promise<void> {
  server.setScenes([{ ...PLAIN, id }]);
  await page.goto(`${server.origin}/review/${id}`);
  await page.getByRole("region", { name: "README.md" }).waitFor();
  await page.locator('button:not([aria-disabled="true"]):text-is("Approve")').waitFor();
}

test.each([
  ["a picture, which has no lines", ["j", "c"], "Comment on public/logo.png"],
  ["the file that one has just come to", ["j", "j", "c"], "Comment on src/upload/old-retry.ts"],
])(
  "words behind the key for a comment on %s are those of its box, however fast",
  async (_, keys, name) => {
    await open(`ap_fast${keys.length}`);
    for (const key of keys) await page.keyboard.press(key);
    await page.keyboard.type(WORDS, { delay: 5 });
    const box = page.getByRole("textbox", { name, exact: true });
    expect(await box.inputValue()).toBe(WORDS);
    await until(() =>
      server.kept.some((each) =>
        Bun.deepEquals(each, { path: name.replace("Comment on ", ""), text: WORDS }),
      ),
    );
    expect(server.presses).toEqual([]);
    expect(await findBarriers(page)).toEqual([]);
    // Whoever has it read out finds it there, too.
    await box.blur();
    await page.keyboard.press("m");
    await page.locator(".scroller.reading").waitFor();
    expect(await box.inputValue()).toBe(WORDS);
    await page.keyboard.press("m");
    await becomes(page.locator(".scroller.reading"), 0);
  },
);

test("words that are typed where no box has the focus answer nothing", async () => {
  await open("ap_words");
  await page.keyboard.type(WORDS, { delay: 20 });
  await page.getByText("too soon", { exact: false }).first().waitFor();
  await page.reload();
  await page.getByRole("region", { name: "README.md" }).waitFor();
  await page.locator('button:not([aria-disabled="true"]):text-is("Approve")').waitFor();
  expect(server.presses).toEqual([]);
  await page.keyboard.press("a");
  await until(() => server.presses.some(({ act, ref }) => act === "approve" && ref === "ap_words"));
});
