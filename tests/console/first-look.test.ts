import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { source as axe } from "axe-core";
import type { Page } from "playwright-core";
import { becomes } from "../support/browser.ts";
import { actionsOf, type ConsoleServer, type Scene } from "../support/console-server.ts";
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

beforeEach(async () => {
  server.dropItems();
  server.setScenes([]);
  await page.setViewportSize({ width: 1280, height: 800 });
});

afterAll(() => opened?.[Symbol.asyncDispose]());

const button = (name: string) => page.getByRole("button", { name, exact: true });
const isReady = (name: string) =>
  page.locator(`button:not([aria-disabled="true"]):text-is("${name}")`).waitFor();

async function open(scene: Scene): Promise<void> {
  server.setScenes([scene]);
  await page.goto(`${server.origin}/review/${scene.id}`);
  await page.locator(".text.add").first().waitFor();
}

/** What axe has to say, in light and in dark. */
async function findBarriers(): Promise<readonly string[]> {
  const all: string[] = [];
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe);
    const found: unknown = await page.evaluate(`axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + " " + target + " " + failureSummary)))`);
    all.push(...(Array.isArray(found) ? found.map(String) : ["axe said nothing"]));
  }
  return all;
}

/** A number that the page gives. */
const measure = async (script: string) => Number(await page.evaluate(script));

const FAILED = {
  check: {
    ok: false,
    stages: [{ name: "test", command: ["bun", "run", "test"], exit_code: 1, output: "1 fail" }],
  },
};

function failing(id: string): Scene {
  const [approve, ...others] = actionsOf(id, "Approve", "Reject", "Try another way", "Plan a fix");
  const anyway = { ...approve, label: "Approve anyway", anyway: true };
  return { ...PLAIN, id, more: { ...FAILED, actions: [anyway, ...others] } };
}

test("a menu does not move when another entry of it becomes the current one", async () => {
  const places = async () =>
    page.evaluate(
      `[...document.querySelectorAll(".pages a")].map((each) => each.getBoundingClientRect().left)`,
    );
  await page.goto(server.origin);
  await page.locator(".pages a[aria-current]", { hasText: "Inbox" }).waitFor();
  const before = await places();
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.locator(".pages a[aria-current]", { hasText: "Settings" }).waitFor();
  expect(await places()).toEqual(before);
});

test("the number of a line that is broken stands at its first row, of a button and of a mere number", async () => {
  await page.setViewportSize({ width: 700, height: 800 });
  await open({ ...PLAIN, id: "ap_numbers" });
  const kinds: unknown = await page.evaluate(
    `[...new Set([...document.querySelectorAll(".row .num")].map((each) =>
      [each.tagName, getComputedStyle(each).display, getComputedStyle(each).alignItems].join(" ")))].toSorted()`,
  );
  expect(kinds).toEqual(["BUTTON flex flex-start", "SPAN flex flex-start"]);
});

test("a phone keeps three quarters of its height for what is read, and all tools within reach", async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(failing("ap_phone"));
  await isReady("Reject");
  const bars = `[...document.querySelectorAll(".bar, .toolbar, .review > .acts")]
    .reduce((sum, each) => sum + each.getBoundingClientRect().height, 0)`;
  expect(await measure(bars)).toBeLessThan(740 / 4);
  expect(await measure("document.documentElement.scrollWidth")).toBe(360);
  expect(await findBarriers()).toEqual([]);
  expect(await button("Plan a fix").isVisible()).toBe(false);
  await button("More…").click();
  await button("Plan a fix").waitFor();
  await becomes(button("Unified"), 0);
  await button("Search and more ways to show it").click();
  await button("Unified").waitFor();
  expect(await findBarriers()).toEqual([]);
  await button("Search and more ways to show it").click();
  // The key of the search brings it, and what is searched for stays to be seen.
  const height = `document.querySelector(".search").getBoundingClientRect().height`;
  expect(await measure(height)).toBe(1);
  await page.locator(".review h1").click();
  await page.keyboard.press("/");
  await page.keyboard.type("grows");
  await page.keyboard.press("Enter");
  await page.locator("mark").first().waitFor();
  expect(await measure(height)).toBeGreaterThan(20);
});

test("the tree of files leaves files to be seen beside it, and goes where the room for it goes", async () => {
  await open({ ...PLAIN, id: "ap_tree" });
  await becomes(page.locator(".tree"), 1);
  await page.setViewportSize({ width: 360, height: 740 });
  await becomes(page.locator(".tree"), 0);
  await button("File tree").click();
  const tree = await page.locator(".tree").boundingBox();
  expect(tree?.width ?? 360).toBeLessThan(300);
  await page.locator(".tree").getByRole("button", { name: "README.md" }).click();
  await becomes(page.locator(".tree"), 0);
});

test("a yes in spite of what failed does not look like a yes, nor does the way back to what was rejected", async () => {
  await open(failing("ap_anyway"));
  await isReady("Approve anyway");
  await becomes(page.locator(".act.yes"), 0);
  const ground = () =>
    page.evaluate(`getComputedStyle(document.querySelector(".acts .act")).backgroundColor`);
  const anyway = await ground();
  expect(await findBarriers()).toEqual([]);
  await open({ ...PLAIN, id: "ap_yes" });
  await isReady("Approve");
  expect(await ground()).not.toBe(anyway);
  server.setScenes([]);
  server.addItems([
    {
      id: "plan_1",
      ref: "plan_1",
      kind: "plan",
      title: "Retry uploads",
      rejected: true,
      actions: [
        { act: "apply", ref: "plan_1", label: "Show its changes again" },
        { act: "drop", ref: "plan_1", label: "Drop" },
      ],
    },
  ]);
  await page.goto(server.origin);
  await isReady("Show its changes again");
  await page.getByText("Rejected changes", { exact: true }).waitFor();
  await becomes(page.getByText("Plan", { exact: true }), 0);
  await becomes(page.locator(".act.yes"), 0);
  expect(await findBarriers()).toEqual([]);
});

test("what is left out by a box is said beside it", async () => {
  await open({ ...PLAIN, id: "ap_boxes" });
  const file = page.getByRole("region", { name: "src/upload/upload.ts" });
  for (const name of ["Include src/upload/upload.ts", "Include change 1 of src/upload/upload.ts"]) {
    const box = page.getByRole("checkbox", { name, exact: true });
    const label = file.locator("label", { has: box });
    expect(await label.innerText()).toBe("Include");
    expect(await label.getAttribute("title")).toBe(name);
  }
});

test("checks that run only after a yes are spoken of beside it, with the reason, in the list as well", async () => {
  const reasons = [
    ["before", "before anything is written: nobody has seen their commands yet."],
    ["after", "nothing stays of what fails them: nobody has seen their commands yet."],
    [undefined, "nothing stays of what fails them."],
  ] as const;
  for (const [unseen, reason] of reasons) {
    const id = `ap_unseen_${unseen}`;
    const note = page.locator(".acts .note", { hasText: reason });
    await open({ ...PLAIN, id, more: { check: undefined, unseen } });
    await note.waitFor();
    await page.goto(server.origin);
    await button("Show changes").click();
    await isReady("Approve");
    await note.waitFor();
  }
  await open({ ...PLAIN, id: "ap_checked" });
  await isReady("Approve");
  expect(await page.locator(".acts .note").allInnerTexts()).toEqual(["0 of 6 files seen"]);
});

test("where papa-yu may only read, that is said in the place of the button, in every language", async () => {
  const drop = [{ act: "drop", ref: "plan_2", label: "Drop" }];
  const plan = { id: "plan_2", ref: "plan_2", kind: "plan", title: "x", actions: drop };
  server.addItems([{ ...plan, locked: "readonly" }]);
  for (const language of ["ru", "zh", "en"]) {
    server.setLanguage(language);
    await page.goto(server.origin);
    await isReady("Drop");
    const [note = ""] = await page.locator(".acts .note").allInnerTexts();
    expect(note).toContain("/mode supervised");
  }
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await until(async () => (await page.locator(".said").innerText()).includes("may only read"));
  expect(server.presses).toEqual([]);
  expect(await findBarriers()).toEqual([]);
});
