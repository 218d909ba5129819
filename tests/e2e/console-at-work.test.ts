import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";
import { findBarriers, letIn } from "./console-page.ts";
import { openConsoleScene } from "./console-scene.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const press = (page: Page, name: string) =>
  page.locator(`button:not([aria-disabled="true"]):text-is("${name}")`).click();
const atWork = (page: Page) => page.getByText("papa-yu is at it…");
const noButtons = (page: Page) => becomes(page.locator(".acts .act"), 0);

test("what is worked on offers nothing in any window, and how it failed stays with its plan", async () => {
  using signs = tempDir();
  const [go, fail] = ["go", "fail"].map((name) => join(signs.path, name));
  const script = `echo begun; until test -e ${go}; do sleep 0.05; done; test ! -e docs/why.md || test ! -e ${fail}`;
  const more = '[security]\nsandbox = "none"\n[agent]\nmax_fix_rounds = 0\n';
  const check = JSON.stringify([["sh", "-c", script]]);
  await using scene = await openConsoleScene(more, undefined, 0, "", check);
  const { phone, folder } = scene;
  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  const other = await letIn(browser, scene, complaints);
  await phone.say("plan: write down why", "Write docs/why.md");

  await press(page, "Apply");
  await other.getByRole("button", { name: "Show changes", exact: true }).waitFor();
  await page.getByRole("button", { name: "Show changes", exact: true }).click();
  await press(page, "Approve");
  await page.locator(".output.live", { hasText: "begun" }).waitFor();
  await atWork(other).waitFor();
  await noButtons(other);
  await other.getByText("Changes", { exact: true }).waitFor();
  await other.getByText("1 file", { exact: true }).waitFor();
  const [item] = (await scene.inbox()).items;
  expect(item).toMatchObject({ kind: "change_set", working: true, actions: [], files: 1 });
  expect(await findBarriers(other)).toEqual([]);
  await other.reload();
  await atWork(other).waitFor();
  await noButtons(other);
  for (const sign of [fail, go]) writeFileSync(sign ?? "", "");

  // It failed: whoever looks at the plan is told so, now and later.
  const failed = /The last attempt failed .*\(AUTO_CHECK_FAILED_ROLLED_BACK\)/u;
  for (const each of [page, other]) {
    await each.getByText(failed).waitFor();
    await becomes(each.locator(".press.ended"), 0);
  }
  expect(Object.keys(readTree(folder))).not.toContain("docs/");
  await other.reload();
  await other.getByText(failed).waitFor();
  expect(await findBarriers(other)).toEqual([]);
  expect((await scene.inbox()).items).toMatchObject([
    { kind: "plan", failed: { code: "AUTO_CHECK_FAILED_ROLLED_BACK" } },
  ]);

  // Another attempt is not that one.
  rmSync(fail ?? "");
  await press(other, "Apply");
  await becomes(page.getByText(failed), 0);
  await other.getByRole("button", { name: "Show changes", exact: true }).click();
  await press(other, "Approve");
  await until(async () => (await scene.inbox()).items.length === 0);
  expect(Object.keys(readTree(folder))).toContain("docs/why.md");
  expect(complaints).toEqual([]);
});

test("an Apply that fails before anything is asked stays with its plan, with its code and its words", async () => {
  let isBroken = true;
  await using scene = await openConsoleScene("", ({ body }) => {
    const said = body.messages.map(({ content }) => String(content)).join("\n");
    const isApply = said.includes("Now APPLY");
    if (isApply && isBroken) return { kind: "text", text: "I would rather not." };
    const actions = isApply ? [{ kind: "CREATE_FILE", path: "why.md", content: "# Why\n" }] : [];
    return { kind: "text", text: JSON.stringify({ actions, summary: "1. Write why.md" }) };
  });
  const page = await letIn(browser, scene, []);
  await scene.phone.say("plan: write down why", "Write why.md");
  await press(page, "Apply");
  await page.getByText(/The last attempt failed/u).waitFor();
  const [item] = (await scene.inbox()).items;
  expect(item).toMatchObject({ kind: "plan", actions: [{ act: "apply" }, {}, {}] });
  expect(item?.failed?.code).toMatch(/^[A-Z_]+$/u);
  expect(item?.failed?.text).not.toBe("");
  await becomes(page.locator(".press.ended"), 0);
  await page.reload();
  await page.getByText(/The last attempt failed/u).waitFor();
  isBroken = false;
  await press(page, "Apply");
  await page.getByRole("button", { name: "Show changes", exact: true }).waitFor();
  expect((await scene.inbox()).items[0]?.failed).toBeUndefined();
});
