import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import type { ModelRequest, Reply } from "../support/model-server.ts";
import { findBarriers, letIn } from "./console-page.ts";
import { openConsoleScene, PLANTED } from "./console-scene.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** One green point. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const ODD = Buffer.from([0x89, 0xff, 0, 1, 2]);
const NAMES = ["a.txt", "odd.png", "point.png", "secret.png"];

function play({ body }: ModelRequest): Reply {
  const said = body.messages.map(({ content }) => String(content)).join("\n");
  const actions = NAMES.map((path) => ({ kind: "DELETE_FILE", path }));
  const isApply = said.includes("Now APPLY");
  const text = JSON.stringify({ actions: isApply ? actions : [], summary: "1. Remove" });
  return { kind: "text", text };
}

test("pictures are shown when they are opened, and no other bytes are sent", async () => {
  await using scene = await openConsoleScene("", play);
  const { phone, folder, get } = scene;
  writeFileSync(join(folder, "point.png"), PICTURE);
  writeFileSync(join(folder, "odd.png"), ODD);
  writeFileSync(join(folder, "secret.png"), `key ${PLANTED}\n`);
  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  await phone.say("plan: remove pictures", "Remove");
  await phone.tap("Apply", "Changes for notes");
  const [item] = (await scene.inbox()).items;
  const at = (n: number, side: string) => get(`/api/change-sets/${item?.ref}/files/${n}/${side}`);
  const sent = await at(2, "before");
  expect(Buffer.from(await sent.arrayBuffer())).toEqual(PICTURE);
  expect(Object.fromEntries(sent.headers)).toMatchObject({
    "content-type": "image/png",
    "content-disposition": "attachment",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  for (const [n, side] of [
    [2, "after"],
    [0, "before"],
    [1, "before"],
    [3, "before"],
    [9, "before"],
  ] as const) {
    expect([n, (await at(n, side)).status]).toEqual([n, 404]);
  }
  const bare = await get(`/api/change-sets/${item?.ref}/files/2/before`, {});
  expect(bare.status).toBe(401);

  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole("link", { name: /^Review/u }).click();
  const file = page.getByRole("region", { name: "point.png" });
  await file.getByText("Binary:").waitFor();
  await page.getByRole("region", { name: "a.txt" }).locator(".text.del").first().waitFor();
  expect(asked.filter((path) => /before|after/u.test(path))).toEqual([]);
  await page.getByRole("button", { name: "Show point.png" }).click();
  await file.getByText("Before · 1 × 1 ·").waitFor();
  expect(await file.locator("img").count()).toBe(1);
  await page.getByRole("button", { name: "Show odd.png" }).click();
  await page.getByRole("region", { name: "odd.png" }).getByText("Could not be read").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(complaints).toEqual([]);
});
