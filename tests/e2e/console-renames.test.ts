import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import type { ModelRequest, Reply } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { findBarriers, letIn } from "./console-page.ts";
import { openConsoleScene } from "./console-scene.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const LINES = Array.from({ length: 30 }, (_, at) => `line number ${at + 1}`);
const textOf = (word: string) => `${LINES.with(9, word).join("\n")}\n`;

/** A file that gets another name and another line, and one beside it. */
function play({ body }: ModelRequest): Reply {
  const said = body.messages.map(({ content }) => String(content)).join("\n");
  const actions = [
    { kind: "DELETE_FILE", path: "long.txt" },
    { kind: "CREATE_FILE", path: "docs/tall.txt", content: textOf("another line") },
    { kind: "CREATE_FILE", path: "why.md", content: "# Why\n" },
  ];
  const isApply = said.includes("Now APPLY");
  const text = JSON.stringify({ actions: isApply ? actions : [], summary: "1. Rename" });
  return { kind: "text", text };
}

const press = async (page: Page, name: string) => {
  await page.locator(`button:not([aria-disabled="true"]):text-is("${name}")`).click();
};

test("a file with another name is one with its differing lines; left out it is with both names", async () => {
  await using scene = await openConsoleScene("", play);
  const { phone, folder } = scene;
  writeTree(folder, { "long.txt": textOf("this line") });
  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  await phone.say("plan: rename long.txt", "Rename");
  await phone.tap("Apply", "Changes for notes");
  const [item] = (await scene.inbox()).items;
  // As the review counts them.
  expect(item).toMatchObject({ files: 2, added: 2, removed: 1 });
  const ask = async (path: string) =>
    (await scene.get(`/api/change-sets/${item?.ref}${path}`)).json();
  expect(await ask("")).toMatchObject({
    files: [
      { path: "docs" },
      {
        path: "docs/tall.txt",
        renamed_from: { n: 3, path: "long.txt", alike: 96, added: 1, removed: 1 },
      },
      { path: "why.md" },
      { path: "long.txt", kind: "delete", renamed_to: { n: 1, path: "docs/tall.txt" } },
    ],
  });
  expect(await ask("/files/1")).toMatchObject({ before: null });
  expect(await ask("/files/1?renamed=true")).toMatchObject({
    path: "docs/tall.txt",
    old_path: "long.txt",
    hunks: [{ old_start: 7, old_lines: 7, new_start: 7, new_lines: 7 }],
  });

  await page.getByRole("link", { name: /^Review/u }).click();
  const file = page.getByRole("region", { name: "docs/tall.txt" });
  await file.locator(".text.add").waitFor();
  expect(await page.locator(".toolbar .count").innerText()).toMatch(/^2 files\s*\+2\s*−1$/u);
  expect(await file.locator(".file-path").textContent()).toBe("long.txt → docs/tall.txt");
  const names = await file
    .locator(".file-path bdi bdi")
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
  expect(names).toEqual(names.toSorted((one, other) => one - other));
  await becomes(file.locator(".text.add"), 1);
  await becomes(file.locator(".text.del"), 1);
  await becomes(page.locator("section.file-section"), 3);
  // A link to a line of what goes leads to the same place.
  const root = page.url().replace(/#.*$/u, "");
  await page.goto("about:blank");
  await page.goto(`${root}#3L10`);
  await page.locator(".row.current").waitFor();
  expect(await page.locator(".row.current").textContent()).toContain("this line");

  await page.getByRole("checkbox", { name: "Seen: docs/tall.txt" }).click();
  await page.getByText("1 of 2 files seen", { exact: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  await page.setViewportSize({ width: 1280, height: 740 });

  await page.getByRole("checkbox", { name: "Include docs/tall.txt", exact: true }).click();
  const before = page.url();
  // With both names and the folder it is in: one file, as everywhere on the page.
  await press(page, "Leave out 1 file");
  await until(() => page.url().replace(/#.*$/u, "") !== before.replace(/#.*$/u, ""));
  await page.getByRole("region", { name: "why.md" }).waitFor();
  await press(page, "Approve");
  await page.locator('button:text-is("Undo")').waitFor();
  expect(Object.keys(readTree(folder)).toSorted()).toEqual(["a.txt", "long.txt", "why.md"]);
  expect(complaints).toEqual([]);
});
