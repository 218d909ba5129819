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

/** Two files in a folder; the first another one once somebody wants it in short. */
function play({ body }: ModelRequest): Reply {
  const said = body.messages.map(({ content }) => String(content)).join("\n");
  const actions = ["why", "how"].map((name) => {
    const content = `# ${name}${name === "why" && said.includes("in short") ? ", in short" : ""}\n`;
    return { kind: "CREATE_FILE", path: `docs/${name}.md`, content };
  });
  const isApply = said.includes("Now APPLY");
  const text = JSON.stringify({ actions: isApply ? actions : [], summary: "1. Write docs" });
  return { kind: "text", text };
}

const seenBox = (page: Page, path: string) =>
  page.getByRole("checkbox", { name: `Seen: ${path}`, exact: true });

test("what is seen is kept by its content, and refused for what does not wait", async () => {
  await using scene = await openConsoleScene("", play);
  const { phone, post } = scene;
  await phone.say("plan: write docs", "Write docs");
  await phone.tap("Apply", "Changes for notes");
  const [item] = (await scene.inbox()).items;
  const { ref = "", digest = "" } = item ?? {};
  const see = async (said: unknown, id = ref, headers = scene.bearer) =>
    (await post(`/api/change-sets/${id}/seen`, said, headers)).status;
  const filesOf = async (id: string) => JSON.stringify(await scene.review(id));
  for (const wrong of ["x", {}, { path: "docs/why.md" }, { path: 1, seen: true }, []]) {
    expect(await see(wrong)).toBe(400);
  }
  expect(await see({ path: "docs/why.md", seen: true }, ref, {})).toBe(401);
  expect(await see({ path: "docs/x.md", seen: true })).toBe(409);
  expect(await see({ path: "docs/why.md", seen: true }, "ap_other")).toBe(409);
  for (const name of ["why", "how"]) {
    expect(await see({ path: `docs/${name}.md`, seen: true })).toBe(200);
  }
  expect((await filesOf(ref)).match(/"seen":"same"/gu)).toHaveLength(2);
  await (
    await post("/api/press", { act: "revise", ref, digest, comments: [{ text: "in short" }] })
  ).text();
  const [next] = (await scene.inbox()).items;
  expect(await scene.review(next?.ref ?? "")).toMatchObject({
    files: [
      { path: "docs" },
      { path: "docs/how.md", seen: "same" },
      { path: "docs/why.md", seen: "changed" },
    ],
  });
  expect(await see({ path: "docs/how.md", seen: false })).toBe(409); // of the old one
  expect(await see({ path: "docs/how.md", seen: false }, next?.ref)).toBe(200);
  expect(await filesOf(next?.ref ?? "")).not.toContain('"seen":"same"');
});

test("a tick folds a file, is there in every window, and stays with what is the same in the next version", async () => {
  await using scene = await openConsoleScene("", play);
  const { phone } = scene;
  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  await phone.say("plan: write docs", "Write docs");
  await phone.tap("Apply", "Changes for notes");
  await page.getByRole("link", { name: /^Review/u }).click();
  const why = page.getByRole("region", { name: "docs/why.md" });
  await why.locator(".text.add").first().waitFor();
  await page.getByText("0 of 2 files seen", { exact: true }).waitFor();
  const other = await letIn(browser, scene, complaints);
  await other.getByRole("link", { name: /^Review/u }).waitFor();
  await other.goto(page.url());
  await seenBox(other, "docs/why.md").waitFor();

  await seenBox(page, "docs/why.md").click();
  await page.getByText("1 of 2 files seen", { exact: true }).waitFor();
  await until(async () => (await why.locator(".text.add").count()) === 0);
  await until(() => seenBox(other, "docs/why.md").isChecked());
  // What others tick is not closed under the eyes of who reads it.
  await becomes(other.locator(".text.add"), 2);
  await other.locator("body").press("j");
  await other.locator("body").press("j");
  await other.locator("body").press("v");
  await until(() => seenBox(page, "docs/how.md").isChecked());
  await page.getByText("2 of 2 files seen", { exact: true }).waitFor();
  await page.reload();
  await page.getByText("2 of 2 files seen", { exact: true }).waitFor();
  await becomes(page.locator(".text.add"), 0);

  // The list has the boxes, too, where the changes are unfolded in it.
  await other.goto(new URL("/", other.url()).href);
  await other.getByRole("button", { name: "Show changes", exact: true }).click();
  await until(() => seenBox(other, "docs/how.md").isChecked());
  expect(await findBarriers(other)).toEqual([]);
  await seenBox(other, "docs/how.md").click();
  await page.getByText("1 of 2 files seen", { exact: true }).waitFor();
  await seenBox(other, "docs/how.md").click();
  await page.getByText("2 of 2 files seen", { exact: true }).waitFor();

  await page.locator('button:not([aria-disabled="true"]):text-is("Change…")').click();
  await page.getByRole("textbox", { name: "Comment on the whole" }).fill("in short");
  const before = page.url();
  await page.locator('button:not([aria-disabled="true"]):text-is("Change…")').click();
  await until(() => page.url() !== before);
  await why.getByText("changed since you looked").waitFor();
  expect(await seenBox(page, "docs/why.md").isChecked()).toBe(false);
  expect(await seenBox(page, "docs/how.md").isChecked()).toBe(true);
  await page.getByText("1 of 2 files seen", { exact: true }).waitFor();
  await why.locator(".text.add").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  const isWithin = await page.evaluate(`[...document.querySelectorAll(".acts .act, .tools .tool")]
    .every((each) => each.getBoundingClientRect().right <= 360)`);
  expect(isWithin).toBe(true);
  expect(complaints).toEqual([]);
});
