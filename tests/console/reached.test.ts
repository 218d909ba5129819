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
  opened = await openConsoleWindow({ viewport: { width: 1280, height: 800 } });
  ({ server, page } = opened);
});

beforeEach(() => server.setDown(false));

afterAll(() => opened?.[Symbol.asyncDispose]());

/** Whether all of what is found first is seen, and nothing lies over its middle. */
const isInSight = (selector: string) =>
  page.evaluate(`(() => {
    const found = document.querySelector(${JSON.stringify(selector)})?.getBoundingClientRect();
    if (!found || found.height === 0) return false;
    return found.top >= 0 && found.bottom <= innerHeight;
  })()`);

test("a search leads to words in a file that is closed, as it is drawn and as it is read", async () => {
  server.setScenes([{ ...PLAIN, id: "ap_found" }]);
  for (const isReading of [false, true]) {
    await page.goto(`${server.origin}/review/ap_found`);
    const lock = page.getByRole("region", { name: "bun.lock", exact: true });
    await lock.waitFor();
    if (isReading) await page.keyboard.press("m");
    await becomes(page.locator(".reading"), isReading ? 1 : 0);
    await becomes(lock.locator("[data-row]"), 0);
    await page.getByLabel("Search in the changes").fill("b@1");
    await page.keyboard.press("Enter");
    await page.getByText("1 of 1", { exact: true }).waitFor();
    const line = isReading ? ".read-line.add" : ".row mark";
    await until(async () => (await isInSight(`section[aria-label="bun.lock"] ${line}`)) === true);
    await page.keyboard.press("Escape");
  }
  await page.keyboard.press("m");
});

test("what is written and ticked while nobody answers is kept when somebody does, wherever one is", async () => {
  server.setScenes([{ ...PLAIN, id: "ap_away" }]);
  await page.goto(`${server.origin}/review/ap_away`);
  await page.getByRole("button", { name: "Comment on README.md" }).click();
  const box = page.getByRole("textbox", { name: "Comment on README.md" });
  await box.waitFor();
  const isHeld = () =>
    page.evaluate(`!window.dispatchEvent(new Event("beforeunload", { cancelable: true }))`);
  expect(await isHeld()).toBe(false);
  server.setDown(true);
  await page.getByText("Offline", { exact: false }).waitFor();
  await box.fill("say how often");
  await page.getByLabel("Seen: README.md").check();
  for (const what of ["What you write could not", "What you have seen could not"]) {
    await page.getByText(what, { exact: false }).waitFor();
  }
  expect(await isHeld()).toBe(true);
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByRole("heading", { name: /^Inbox/u }).waitFor();
  server.setDown(false);
  await page.evaluate("window.dispatchEvent(new Event('online'))");
  await page.getByText("Live", { exact: true }).waitFor();
  await until(() => server.kept.length === 2);
  expect(server.kept).toEqual([
    { path: "README.md", text: "say how often" },
    { path: "README.md", seen: true },
  ]);
  await until(async () => !(await isHeld())); // the page hears of it a little later
  await page.goBack();
  await page.getByRole("region", { name: "README.md", exact: true }).waitFor();
});

test("a place that could not be loaded says so, and is loaded by a press or when papa-yu is back", async () => {
  server.setScenes([{ ...PLAIN, id: "ap_lazy" }]);
  const fresh = await page.context().newPage();
  await fresh.goto(server.origin);
  await fresh.getByText("Live", { exact: true }).waitFor();
  const failed = fresh.getByRole("alert").getByText("could not be loaded", { exact: false });
  const again = fresh.getByRole("button", { name: "Try again" });
  await fresh.route("**/assets/*.js", (route) => route.abort());
  for (const name of ["Workspaces", "Routines", "Chat"]) {
    await fresh.getByRole("link", { name, exact: true }).click();
    await failed.waitFor();
  }
  await fresh.getByRole("link", { name: "Inbox" }).click();
  await fresh.getByRole("button", { name: "Show changes" }).click();
  await failed.waitFor();
  expect(await findBarriers(fresh)).toEqual([]);
  await fresh.unroute("**/assets/*.js");
  await again.click();
  await fresh.getByRole("region", { name: "README.md", exact: true }).waitFor();
  await fresh.getByRole("link", { name: "Chat", exact: true }).click();
  await fresh.getByLabel("Message").waitFor();
  // Nobody is asked to press when it is known that somebody answers again.
  server.setDown(true);
  await fresh.getByText("Offline", { exact: false }).waitFor();
  await fresh.getByRole("link", { name: "Traces", exact: true }).click();
  await failed.waitFor();
  server.setDown(false);
  await fresh.evaluate("window.dispatchEvent(new Event('online'))");
  await fresh.getByRole("heading", { name: "Traces" }).waitFor();
  // Of another version nothing can be had but by loading the page anew.
  await becomes(fresh.getByText("Another version of papa-yu", { exact: false }), 0);
  await fresh.route("**/assets/*.js", (route) => route.fulfill({ status: 404 }));
  server.setVersion("0.2.0");
  await fresh.getByText("Another version of papa-yu", { exact: false }).waitFor();
  expect(await findBarriers(fresh)).toEqual([]);
  await fresh.getByRole("link", { name: "Settings", exact: true }).click();
  await failed.waitFor();
  await becomes(fresh.getByRole("button", { name: "Reload the page" }), 2);
  await fresh.unroute("**/assets/*.js");
  await fresh.getByRole("button", { name: "Reload the page" }).last().click();
  await fresh.getByText("no /api/settings/config").waitFor();
  await becomes(fresh.getByText("Another version of papa-yu", { exact: false }), 0);
  await fresh.close();
});

test("of parts that fail together one alert says how many, with one button for all", async () => {
  server.setScenes(["ap_a", "ap_b", "ap_c"].map((id) => Object.assign({}, PLAIN, { id })));
  const fresh = await page.context().newPage();
  const openAll = async () => {
    const shut = fresh.getByRole("button", { name: "Show changes" });
    for (const left of [2, 1, 0]) {
      await shut.first().click();
      await becomes(shut, left);
    }
  };
  const again = fresh.getByRole("button", { name: "Try again" });
  const files = fresh.getByRole("region", { name: "README.md", exact: true });
  await fresh.goto(server.origin);
  await fresh.getByText("Live", { exact: true }).waitFor();
  // The code that draws them does not come.
  await fresh.route("**/assets/*.js", (route) => route.abort());
  await openAll();
  const code = fresh.getByRole("alert").getByText("3 parts of the page could not be loaded.");
  await code.waitFor();
  await becomes(fresh.getByRole("alert"), 1);
  await becomes(again, 1);
  await becomes(fresh.getByText("This part of the page could not be loaded."), 2);
  expect(await findBarriers(fresh)).toEqual([]);
  await fresh.unroute("**/assets/*.js");
  await again.click();
  await becomes(files, 3);
  await becomes(fresh.getByRole("alert"), 0);
  // What they say does not come; where one of two is closed, the other is told as one.
  await fresh.reload();
  await fresh.route("**/api/change-sets/*", (route) => route.abort());
  await openAll();
  await fresh.getByRole("alert").getByText("3 parts of the page could not be loaded.").waitFor();
  await becomes(fresh.getByRole("alert"), 1);
  await becomes(again, 1);
  const hide = fresh.getByRole("button", { name: "Hide changes" });
  await hide.first().click();
  await fresh.getByRole("alert").getByText("2 parts of the page could not be loaded.").waitFor();
  await hide.first().click();
  await becomes(fresh.getByText("parts of the page could not be loaded", { exact: false }), 0);
  await becomes(fresh.getByRole("alert"), 1);
  await fresh.unroute("**/api/change-sets/*");
  await again.click();
  await becomes(files, 1);
  await becomes(fresh.getByRole("alert"), 0);
  await fresh.close();
});

test("who goes to a place or back is there with the focus, hears its name, and reads in the title what waits", async () => {
  server.setScenes([{ ...PLAIN, id: "ap_one" }]);
  const fresh = await page.context().newPage();
  const focus = () => fresh.evaluate("document.activeElement.id");
  const spoken = fresh.locator(".only-heard[role=status]");
  await fresh.goto(server.origin);
  const review = fresh.getByRole("link", { name: /^Review:/u });
  await review.waitFor();
  expect([await focus(), await spoken.innerText(), await fresh.title()]).toEqual([
    "",
    "",
    "(1) papa-yu",
  ]);
  await review.focus();
  await fresh.keyboard.press("Enter");
  await spoken.getByText("site", { exact: true }).waitFor();
  await fresh.getByRole("region", { name: "README.md", exact: true }).waitFor();
  expect([await focus(), await fresh.title()]).toEqual(["content", "(1) site · papa-yu"]);
  // The keys of the place work from there, and where they lead the focus stays.
  await fresh.keyboard.press("j");
  await fresh.locator(".file-toggle:focus").waitFor();
  await fresh.keyboard.press("Control+c");
  await fresh.locator(".file-toggle:focus").waitFor();
  await fresh.goBack();
  await spoken.getByText("Inbox", { exact: true }).waitFor();
  expect(await focus()).toBe("content");
  await fresh.getByRole("link", { name: "Chat", exact: true }).click();
  await spoken.getByText("Chat", { exact: true }).waitFor();
  expect([await focus(), await fresh.title()]).toEqual(["content", "(1) Chat · papa-yu"]);
  // Nobody looks at the list, and it is told all the same.
  server.addItems([{ id: "x", ref: "x", kind: "plan", title: "x", actions: [] }]);
  await fresh.locator(".pages .badge", { hasText: "2" }).waitFor();
  expect(await fresh.title()).toBe("(2) Chat · papa-yu");
  server.dropItems();
  await fresh.close();
});

test("what traces are narrowed to is gone through by keys, and every workspace and model met may be picked", async () => {
  const fresh = await page.context().newPage();
  await fresh.route("**/api/workspaces", (route) =>
    route.fulfill({
      json: {
        ok: true,
        workspaces: ["empty", "notes"].map((name) => ({ name, root: `/${name}` })),
      },
    }),
  );
  await fresh.route("**/api/traces?*", (route) => {
    const wanted = new URL(route.request().url()).searchParams.get("model");
    const traces = ["one", "two"]
      .filter((model) => wanted === null || wanted === model)
      .map((model) => ({ trace_id: model, workspace: "notes", mode: "plan", model }));
    return route.fulfill({ json: { ok: true, traces, older: null, looked: 2, skipped_count: 0 } });
  });
  await fresh.goto(`${server.origin}/traces`);
  await becomes(fresh.locator("tbody tr"), 2);
  const pick = (name: string) =>
    fresh
      .locator(".filters label", { has: fresh.getByText(name, { exact: true }) })
      .locator("select");
  const offered = (name: string) => pick(name).locator("option").allTextContents();
  const model = pick("Model");
  await model.focus();
  for (const [key, wanted] of [
    ["ArrowDown", "one"],
    ["ArrowDown", "two"],
    ["ArrowUp", "one"],
  ] as const) {
    await fresh.keyboard.press(key);
    await fresh.waitForURL(`${server.origin}/traces?model=${wanted}`);
    await fresh.getByRole("row", { name: wanted }).waitFor();
    await becomes(fresh.locator("tbody tr"), 1);
    expect(await model.evaluate("document.activeElement.value")).toBe(wanted);
  }
  expect(await offered("Model")).toEqual(["any", "one", "two"]);
  expect(await offered("Workspace")).toEqual(["any", "empty", "notes"]);
  await fresh.goto(`${server.origin}/traces?workspace=gone`);
  await becomes(fresh.locator("tbody tr"), 2);
  expect(await offered("Workspace")).toEqual(["any", "empty", "gone", "notes"]);
  await fresh.close();
});
