import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
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
  opened = await openConsoleWindow({ viewport: { width: 1280, height: 1100 } });
  ({ server, page } = opened);
});

beforeEach(async () => {
  server.setDown(false);
  await page.setViewportSize({ width: 1280, height: 1100 });
});

afterAll(() => opened?.[Symbol.asyncDispose]());

const PATH = "src/upload/upload.ts";
const upload = () => page.getByRole("region", { name: PATH, exact: true });
const number = (line: number) => upload().locator(`button.num[data-side="R"][data-n="${line}"]`);
const box = (name: string) => page.getByRole("textbox", { name, exact: true });
const kept = () => server.kept.at(-1);

/** The numbers that are marked, by side, each once. */
const marked = async () =>
  upload()
    .locator(".num.marked")
    .evaluateAll((found) =>
      found.map((each) => `${each.getAttribute("data-side")}${each.getAttribute("data-n")}`),
    );
const lines = (from: number, to: number, side = "R") =>
  Array.from({ length: to - from + 1 }, (_, at) => `${side}${from + at}`);

let made = 0;
/** The review of a change set of its own, in a layout. */
async function open(
  isSplit: boolean,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const id = `ap_range${made++}`;
  server.setScenes([{ ...PLAIN, id, more: { ...PLAIN.more, ...more } }]);
  await page.goto(`${server.origin}/review/${id}`);
  await page.getByTitle(isSplit ? "Side by side (u)" : "Unified (u)").click();
  await number(99).scrollIntoViewIfNeeded();
  return id;
}

for (const isSplit of [false, true]) {
  test(`a press with Shift has a comment be of all lines up to there, ${isSplit ? "side by side" : "unified"}`, async () => {
    await open(isSplit);
    await number(95).click();
    await box("Comment on line 95").fill("too long");
    expect(await marked()).toEqual(["R95"]);
    await number(99).scrollIntoViewIfNeeded();
    const above = (await number(99).boundingBox())?.y;
    await number(99).click({ modifiers: ["Shift"] });
    await box("Comment on lines 95–99").waitFor();
    expect(await page.evaluate("document.activeElement.value")).toBe("too long");
    expect((await number(99).boundingBox())?.y).toBe(above ?? -1);
    await page.getByText("Lines 95–99", { exact: true }).waitFor();
    expect(await marked()).toEqual(lines(95, 99));
    await until(() =>
      Bun.deepEquals(kept(), { path: PATH, side: "after", line: 95, to: 99, text: "too long" }),
    );
    // Up to the other side of where it began, the words go along.
    await number(96).click({ modifiers: ["Shift"] });
    await box("Comment on lines 95–96").waitFor();
    await number(95).click({ modifiers: ["Shift"] });
    await box("Comment on line 95").waitFor();
    expect(await marked()).toEqual(["R95"]);
    await until(() =>
      Bun.deepEquals(kept(), { path: PATH, side: "after", line: 95, text: "too long" }),
    );
    // What is of the other side is not a part of it.
    await upload()
      .getByRole("button", { name: "Comment on removed line 97" })
      .click({ modifiers: ["Shift"] });
    await box("Comment on removed line 97").fill("why?");
    await upload()
      .getByRole("button", { name: "Comment on removed line 95" })
      .click({ modifiers: ["Shift"] });
    await box("Comment on old lines 95–97").waitFor();
    await page.getByText("Old lines 95–97", { exact: true }).waitFor();
    expect((await marked()).toSorted()).toEqual([...lines(95, 97, "L"), "R95"]);
    await until(() =>
      server.kept.some((each) =>
        Bun.deepEquals(each, { path: PATH, side: "before", line: 95, to: 97, text: "why?" }),
      ),
    );
    expect(server.kept).toContainEqual({ path: PATH, side: "before", line: 97, text: "" });
    expect(await findBarriers(page)).toEqual([]);
  });
}

test("by keys lines are marked and told, and the box that opens is of them; one that is open goes along", async () => {
  await open(false);
  await upload().getByRole("button", { name: "Show 20 more above" }).last().waitFor();
  await page.keyboard.press("Shift+J");
  expect(await marked()).toEqual([]);
  await page.goto(`${page.url()}#0R96`);
  await page.reload();
  await upload().locator(".row.current").waitFor();
  for (const _ of [1, 2, 3, 4, 5]) await page.keyboard.press("Shift+J");
  for (const _ of [1, 2]) await page.keyboard.press("Shift+ArrowUp");
  await page.locator(".said", { hasText: "Lines 96–99" }).waitFor();
  expect(await marked()).toEqual(lines(96, 99));
  await page.keyboard.press("c");
  await box("Comment on lines 96–99").pressSequentially("JK");
  // Letters are text there, and behind Escape keys again; nothing that is on the screen moves.
  await page.keyboard.press("Escape");
  const top = async () => (await number(95).boundingBox())?.y;
  const before = await top();
  await page.keyboard.press("Shift+ArrowDown");
  await box("Comment on lines 96–100").waitFor();
  for (const _ of [1, 2, 3, 4, 5]) await page.keyboard.press("Shift+K");
  await box("Comment on lines 95–96").waitFor();
  expect([await top(), await box("Comment on lines 95–96").inputValue()]).toEqual([before, "JK"]);
  // Where no further line is shown, or none of this file is left, nothing happens.
  for (const key of ["Shift+J", "Shift+K"]) {
    for (let at = 0; at < 30; at++) await page.keyboard.press(key);
    await until(async () => !(await marked()).includes("R0"));
  }
  await page.keyboard.press("c");
  await box("Comment on lines 92–96").fill("");
  await page.keyboard.press("Escape");
  await becomes(upload().locator(".comment-row"), 0);
  expect(await marked()).toEqual(lines(92, 96));
  await page.keyboard.press("Escape");
  expect(await marked()).toEqual([]);
  await page.keyboard.press("?");
  await page.getByText("One line further down", { exact: false }).waitFor();
  await page.keyboard.press("Escape");
});

test("a finger and a screen reader say the last line in a field, which takes none that cannot be", async () => {
  await open(false);
  await page.setViewportSize({ width: 360, height: 740 });
  for (const isReading of [false, true]) {
    if (isReading) {
      await page.reload();
      await upload().locator(".row.add").first().waitFor();
      await page.keyboard.press("m");
      await upload().locator(".read-line.add", { hasText: "sleep(" }).click();
      await page.keyboard.press("c");
    } else await number(98).click();
    await box("Comment on line 98").fill(isReading ? "read" : "seen");
    const field = page.getByLabel("Comment on line 98, to line");
    for (const [typed, taken] of [
      ["100", "100"],
      ["97", "98"],
      ["-5", "98"],
      ["99999999999", "101"],
      ["", "98"],
      ["1e2", "100"],
      ["100.7", "100"],
    ] as const) {
      await field.fill(typed);
      await field.press("Enter");
      expect([typed, await field.inputValue()]).toEqual([typed, taken]);
    }
    await box("Comment on lines 98–100").waitFor();
    // The field keeps the focus: nothing of the box was moved.
    expect(await page.evaluate("document.activeElement.type")).toBe("number");
    await becomes(upload().locator(".marked"), 3);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    await until(() =>
      Bun.deepEquals(kept(), {
        path: PATH,
        side: "after",
        line: 98,
        to: 100,
        text: isReading ? "read" : "seen",
      }),
    );
    await page.setViewportSize({ width: 1280, height: 1100 });
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
  }
  await page.keyboard.press("Escape");
  await page.keyboard.press("m");
  await upload().locator(".row.add").first().waitFor();
});

test("what is kept of lines stands below the last of them, is sent with all, and is one text for them", async () => {
  const said = { path: PATH, side: "after", line: 95, to: 97, text: "shorter" } as const;
  const earlier = { path: PATH, side: "after", line: 1, to: 2, text: "as I said" } as const;
  const id = await open(true, {
    drafts: [said],
    previous: { approval_id: "ap_before", comments: [earlier], gone: [] },
  });
  await box("Comment on lines 95–97").waitFor();
  const [last, words, next] = await Promise.all(
    [number(97), box("Comment on lines 95–97"), number(98)].map((each) => each.boundingBox()),
  );
  expect([last?.y ?? 0, next?.y ?? 0].map((y) => y > (words?.y ?? 0))).toEqual([false, true]);
  await page.getByText("· Lines 1–2", { exact: true }).waitFor();
  expect(await marked()).toEqual([...lines(1, 2), ...lines(95, 97)]);
  // Another one of some of these lines is one of its own.
  await number(97).click();
  await box("Comment on line 97").fill("and this");
  await number(98).click();
  await number(100).click({ modifiers: ["Shift"] });
  await page.getByRole("button", { name: "Write the lines yourself" }).last().click();
  const written = box("What lines 98–100 are to be");
  expect((await written.inputValue()).split("\n").map((line) => line.trim())).toEqual([
    "await sleep(pauseOf(round));",
    "}",
    "throw new UploadError(name);",
  ]);
  // Nobody wrote in it yet: it begins with the lines, whichever these are.
  await page.getByLabel("Comment on line 98, to line").fill("99");
  await page.getByLabel("Comment on line 98, to line").press("Enter");
  await until(
    async () => (await box("What lines 98–99 are to be").inputValue()).split("\n").length === 2,
  );
  await box("What lines 98–99 are to be").fill("    }");
  // Words of two that begin at the same line stand below each other.
  await box("Comment on line 97").focus();
  await number(95).click({ modifiers: ["Shift"] });
  await until(
    async () => (await box("Comment on lines 95–97").inputValue()) === "shorter\nand this",
  );
  await becomes(box("Comment on line 97"), 0);
  await page.getByText("2 comments to send with Change…").waitFor();
  await page.getByRole("button", { name: "Change…" }).click();
  await until(() => server.presses.some(({ ref }) => ref === id));
  expect(server.presses.find(({ ref }) => ref === id)).toMatchObject({
    act: "revise",
    comments: [
      { ...said, text: "shorter\nand this" },
      { path: PATH, side: "after", line: 98, to: 99, text: "    }", instead: true },
    ],
  });
});

test("lines that become others while nobody answers are kept when somebody does; what takes its place moves nothing", async () => {
  const id = await open(false);
  await number(96).click();
  await box("Comment on line 96").fill("wait");
  server.setDown(true);
  await page.getByText("Offline", { exact: false }).waitFor();
  // What was typed before may have been kept or not; nothing is while nobody answers.
  const before = server.kept.length;
  for (const line of [99, 94, 100, 92, 98]) await number(line).click({ modifiers: ["Shift"] });
  await box("Comment on lines 96–98").waitFor();
  server.setDown(false);
  await page.evaluate("window.dispatchEvent(new Event('online'))");
  const last = { path: PATH, side: "after", line: 96, to: 98, text: "wait" };
  const since = () => server.kept.slice(before);
  // The places on the way there are kept as empty, in any order.
  await until(() => since().some((each) => Bun.deepEquals(each, last)));
  expect(since().filter((each) => JSON.stringify(each).includes('"wait"'))).toHaveLength(1);
  // Another one takes its place while somebody writes.
  await box("Comment on lines 96–98").pressSequentially(" for it");
  const place = upload().locator('.num[data-side="R"][data-n="96"]');
  const top = (await place.boundingBox())?.y;
  server.setState(id, "superseded");
  await page.getByText("A newer version took its place", { exact: false }).first().waitFor();
  const words = page.getByRole("textbox", { name: /lines 96–98/u });
  expect(await words.inputValue()).toBe("wait for it");
  expect(await page.evaluate("document.activeElement.value")).toBe("wait for it");
  await becomes(page.getByRole("checkbox", { name: /^Include change/u }), 0);
  expect((await place.boundingBox())?.y).toBe(top ?? -1);
});

test("what took the place of what one looked at begins with what is different, and all of it is a press away", async () => {
  const said = { path: "README.md", side: "after", line: 1, text: "as it was" } as const;
  const previous = { approval_id: "ap_before", comments: [said], gone: [], looked: true };
  const since = ["changed", "same", "same", "same", "new", "same"];
  const files = PLAIN.files.map((file, at) => {
    const isUpload = file.path === PATH;
    const seen = isUpload ? "changed" : file.path === "src/upload/pause.ts" ? "same" : undefined;
    const more = { since: since[at], ...(seen && { seen }), ...(isUpload && { same: [0] }) };
    return Object.assign({}, file, more);
  });
  const show = async () => {
    const id = `ap_range${made++}`;
    server.setScenes([{ ...PLAIN, id, files, more: { ...PLAIN.more, previous } }]);
    await page.goto(`${server.origin}/review/${id}`);
  };
  await show();
  const toggle = page.getByRole("button", { name: "Since you looked", exact: true });
  await toggle.waitFor();
  const rowsOf = (name: string) => page.getByRole("region", { name, exact: true }).locator(".row");
  const hidden = page.getByText("Change 1: as when you looked", { exact: true });
  await rowsOf("README.md").first().waitFor();
  await page.getByText("You said of the version before", { exact: true }).waitFor();
  await hidden.waitFor();
  await becomes(rowsOf("src/upload/pause.ts"), 0);
  expect(await toggle.getAttribute("aria-pressed")).toBe("true");
  expect(await findBarriers(page)).toEqual([]);
  await toggle.click();
  await becomes(hidden, 0);
  // What is told of it meanwhile does not take the choice back.
  server.addItems([{ id: "x", ref: "x", kind: "plan", title: "x", actions: [] }]);
  await page.locator(".pages .badge", { hasText: "2" }).waitFor();
  server.dropItems();
  expect(await toggle.getAttribute("aria-pressed")).toBe("false");
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  // Words that stand in nothing but what is hidden are found all the same.
  await page.setViewportSize({ width: 1280, height: 1100 });
  await show();
  await hidden.waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("old-retry");
  await page.locator(".found", { hasText: "1" }).waitFor();
  await becomes(hidden, 0);
  expect(await toggle.getAttribute("aria-pressed")).toBe("false");
});
