import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import type { ModelRequest, Reply } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { findBarriers, letIn } from "./console-page.ts";
import { openConsoleScene } from "./console-scene.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** Another plan once somebody wants it in short. */
function play({ body }: ModelRequest): Reply {
  const said = body.messages.map(({ content }) => String(content)).join("\n");
  const name = said.includes("in short") ? "short" : "long";
  const actions = [{ kind: "CREATE_FILE", path: `${name}.md`, content: `# ${name}\n` }];
  const isApply = said.includes("Now APPLY");
  const summary = `1. Write ${name}.md`;
  return { kind: "text", text: JSON.stringify({ actions: isApply ? actions : [], summary }) };
}

const press = (page: Page, name: string) =>
  page.locator(`button:not([aria-disabled="true"]):text-is("${name}")`).click();

test("a plan on the page has the Change… of the phone, with a box for what should be different", async () => {
  await using scene = await openConsoleScene("", play);
  const { phone } = scene;
  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  const { buttons } = await phone.say("plan: write docs", "Write long.md");
  expect(buttons.map(({ label }) => label)).toEqual(["Apply", "Change…", "Drop"]);
  const [before] = (await scene.inbox()).items;
  expect(before?.actions.map(({ label }) => label)).toEqual(buttons.map(({ label }) => label));
  await press(page, "Change…");
  const box = page.getByRole("textbox", { name: "What should be different about the plan" });
  await until(async () => {
    return true === (await page.evaluate("document.activeElement.matches('.words-of textarea')"));
  });
  // Without a word there is nothing to send.
  await press(page, "Change…");
  expect((await scene.inbox()).items).toEqual([before ?? fail()]);
  await box.fill("in short </script><img src=x onerror=alert(1)>");
  expect(await findBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await becomes(box, 1);
  expect(await box.inputValue()).toStartWith("in short <");
  await press(page, "Change…");
  await page.getByText("1. Write short.md", { exact: true }).waitFor();
  await becomes(box, 0);
  const told = await phone.waitForText("Write short.md");
  expect(told.buttons.map(({ label }) => label)).toEqual(["Apply", "Change…", "Drop"]);
  await press(page, "Apply");
  await page.getByRole("button", { name: "Show changes", exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test("words about a plan are passed over by no press that does not say so, and stay for the plan that takes its place", async () => {
  await using scene = await openConsoleScene("", play);
  const { phone } = scene;
  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  const asksToStay = () =>
    page.evaluate(`!dispatchEvent(new Event("beforeunload", { cancelable: true }))`);
  const box = page.getByRole("textbox", { name: "What should be different about the plan" });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await phone.say("plan: write docs", "Write long.md");
  await press(page, "Change…");
  expect(await asksToStay()).toBe(false);
  await box.fill("with a picture");
  expect(await asksToStay()).toBe(true);
  await becomes(button("Apply without sending what you typed"), 1);
  await becomes(button("Drop without sending what you typed"), 1);
  expect(await findBarriers(page)).toEqual([]);
  await box.fill("  ");
  await becomes(button("Apply"), 1);
  expect(await asksToStay()).toBe(false);
  await box.fill("with a picture");
  // The plan is another one by now, and the words are said of that.
  const before = (await scene.inbox()).items[0]?.ref;
  await phone.say("plan: write docs in short", "Write short.md");
  await page.getByText("1. Write short.md", { exact: true }).waitFor();
  expect((await scene.inbox()).items.map(({ ref }) => ref)).not.toContain(before ?? "");
  expect(await box.inputValue()).toBe("with a picture");
  expect(await asksToStay()).toBe(true);
  await page.reload();
  await becomes(box, 1);
  expect(await box.inputValue()).toBe("with a picture");
  // A key only leads to what would pass over them.
  await becomes(button("Apply without sending what you typed"), 1);
  await page.locator(".item-main").focus();
  await page.keyboard.press("a");
  await until(async () => {
    return "apply" === (await page.evaluate("document.activeElement.dataset.act"));
  });
  await press(page, "Drop without sending what you typed");
  await becomes(box, 0);
  await page.reload();
  await phone.say("plan: write docs", "Write long.md");
  await becomes(button("Apply"), 1);
  await becomes(box, 0);
  expect(await asksToStay()).toBe(false);
  expect(complaints).toEqual([]);
});

test("words with change plan anew once; without them it is asked for them", async () => {
  await using scene = await openConsoleScene("", play);
  const { phone, post } = scene;
  await phone.say("plan: write docs", "Write long.md");
  const ref = (await scene.inbox()).items[0]?.ref ?? "";
  const at = { act: "change", ref, session_id: "telegram:501" };
  expect((await post("/api/press", { ...at, words: 1 })).status).toBe(400);
  const answers = await Promise.all(
    ["in short", "in short too"].map(async (words) =>
      (await post("/api/press", { ...at, words })).text(),
    ),
  );
  expect(answers.filter((each) => each.includes("APPROVAL_INVALID"))).toHaveLength(1);
  const [next] = (await scene.inbox()).items;
  expect(next).toMatchObject({ kind: "plan", shown: "1. Write short.md" });
  const asked = await (await post("/api/press", { ...at, ref: next?.ref })).text();
  expect(asked).toContain("content");
  expect((await scene.inbox()).items[0]?.ref).toBe(next?.ref ?? "");
});

function fail(): never {
  throw new Error("nothing waits");
}
