import type { Browser, Page } from "playwright-core";
import type { ModelRequest, Reply } from "../support/model-server.ts";
import { writeTree } from "../support/tree.ts";
import type { ConsoleScene } from "./console-scene.ts";

/** Of the file that is changed. */
export const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);

/** Two hunks in one file and two new ones; the first hunk as the newest comment wants it. */
export function play({ body }: ModelRequest): Reply {
  const said = body.messages.map(({ content }) => String(content)).join("\n");
  const sha = /FILE\[long\.txt\] \(sha256=(\w+)/u.exec(said)?.[1] ?? "";
  const word = said.includes("call it uno") ? "uno" : "first";
  const patch = `--- a/long.txt\n+++ b/long.txt\n@@ -1,2 +1,2 @@\n-line 1\n+${word}\n line 2\n@@ -29,2 +29,3 @@\n line 29\n line 30\n+last\n`;
  const actions = [
    { kind: "PATCH_FILE", path: "long.txt", base_sha256: sha, patch },
    { kind: "CREATE_FILE", path: "docs/why.md", content: "# Why\n" },
    { kind: "CREATE_FILE", path: "docs/how.md", content: "# How\n" },
  ];
  const isApply = said.includes("Now APPLY");
  const text = JSON.stringify({ actions: isApply ? actions : [], summary: "1. Write docs" });
  return { kind: "text", text };
}

/** The review of what the phone was asked, in a browser. */
export async function openReview(browser: Browser, scene: ConsoleScene) {
  const { sandbox, phone, folder } = scene;
  writeTree(folder, { "long.txt": `${LINES.join("\n")}\n` });
  const page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto((await sandbox.run("open", "--print")).stdout.trim());
  await phone.say("plan: change long.txt", "Write docs");
  await phone.tap("Apply", "Changes for notes");
  await page.getByRole("link", { name: /^Review/u }).click();
  await page.getByRole("region", { name: "long.txt" }).locator(".text.add").first().waitFor();
  return { page, complaints };
}

/** Presses a button as soon as that counts. */
export const press = async (page: Page, name: string) => {
  await page.locator(`button:not([aria-disabled="true"]):text-is("${name}")`).click();
};
/** A box to be ticked. */
export const box = (page: Page, name: string) => page.getByRole("checkbox", { name, exact: true });
