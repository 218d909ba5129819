import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import type { ModelRequest, Reply } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
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
const NAMES = ["a.txt", "draw.svg", "odd.png", "point.png", "secret.png"];
/** A drawing that would do something, wherever it is more than a picture. */
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="window.evil = 1">
<script>top.evil = 2; fetch("/api/inbox")</script><image href="https://evil.example/a.png"/>
<rect width="40" height="30" fill="green"/><!-- ${PLANTED} --></svg>
`;

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
  writeFileSync(join(folder, "draw.svg"), DRAWING);
  writeFileSync(join(folder, "secret.png"), `key ${PLANTED}\n`);
  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  await phone.say("plan: remove pictures", "Remove");
  await phone.tap("Apply", "Changes for notes");
  const [item] = (await scene.inbox()).items;
  const at = (n: number, side: string) => get(`/api/change-sets/${item?.ref}/files/${n}/${side}`);
  const sent = await at(3, "before");
  expect(Buffer.from(await sent.arrayBuffer())).toEqual(PICTURE);
  expect(Object.fromEntries(sent.headers)).toMatchObject({
    "content-type": "image/png",
    "content-disposition": "attachment",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  for (const [n, side] of [
    [3, "after"],
    [0, "before"],
    [2, "before"],
    [4, "before"],
    [9, "before"],
  ] as const) {
    expect([n, (await at(n, side)).status]).toEqual([n, 404]);
  }
  const bare = await get(`/api/change-sets/${item?.ref}/files/3/before`, {});
  expect(bare.status).toBe(401);
  const drawn = await at(1, "before");
  expect(drawn.headers.get("content-type")).toBe("image/svg+xml");
  expect(drawn.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  const drawing = await drawn.text();
  expect(drawing).toContain("<rect");
  expect(drawing).not.toContain(PLANTED);

  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByRole("link", { name: /^Review/u }).click();
  const file = page.getByRole("region", { name: "point.png" });
  await file.getByText("Binary:").waitFor();
  await page.getByRole("region", { name: "a.txt" }).locator(".text.del").first().waitFor();
  expect(asked.filter((path) => /(?:before|after)$/u.test(path))).toEqual([]);
  await page.getByRole("button", { name: "Show point.png" }).click();
  await file.getByText("Before · 1 × 1 ·").waitFor();
  expect(await file.locator("img").count()).toBe(1);
  await page.getByRole("button", { name: "Show odd.png" }).click();
  await page.getByRole("region", { name: "odd.png" }).getByText("Could not be read").waitFor();
  // A drawing has lines, and is a picture for who wants to see one; nothing of it runs.
  const svg = page.getByRole("region", { name: "draw.svg" });
  await svg.locator(".text.del").first().waitFor();
  await page.evaluate(`{
    const revoke = URL.revokeObjectURL;
    window.revoked = [];
    URL.revokeObjectURL = (url) => (window.revoked.push(url), revoke.call(URL, url));
  }`);
  await page.getByRole("button", { name: "Show draw.svg as a picture" }).click();
  await svg.getByText("Before · 40 × 30 ·").waitFor();
  await becomes(svg.locator(".row"), 0);
  expect(await page.evaluate("window.evil")).toBe(undefined);
  const address = await svg.locator("img").getAttribute("src");
  expect(address).toStartWith("blob:");
  // Nobody can open it: it had an address until it was drawn.
  await until(async () => {
    const revoked: unknown = await page.evaluate("window.revoked");
    return Array.isArray(revoked) && revoked.includes(address);
  });
  expect(await findBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  await page.setViewportSize({ width: 1280, height: 740 });
  await page.getByRole("button", { name: "Show draw.svg as a picture" }).click();
  await svg.locator(".text.del").first().waitFor();

  // In the past, and in what an undo would do.
  await phone.tap("Approve", /Applied/u);
  const past = JSON.parse(await (await get("/api/workspaces/notes")).text());
  const change = `/workspaces/notes/${past.entries[0].tx_id}`;
  const { origin } = new URL(page.url());
  for (const [path, side] of [
    [change, "Before"],
    ["/workspaces/notes/undo", "After"],
  ]) {
    await page.goto(origin + path);
    await page.getByRole("button", { name: "Show point.png" }).click();
    await file.getByText(`${side} · 1 × 1 ·`).waitFor();
    await page.getByRole("button", { name: "Show draw.svg as a picture" }).click();
    await svg.getByText(`${side} · 40 × 30 ·`).waitFor();
  }
  const tx = `/api/workspaces/notes/transactions/${past.entries[0].tx_id}/files`;
  expect((await get(`${tx}/2/before`)).status).toBe(404);
  expect((await get(`${tx}/3/before`, {})).status).toBe(401);
  expect((await get("/api/workspaces/notes/undo/0/files/3/after")).status).toBe(409);
  expect(asked.filter((each) => each.includes("evil"))).toEqual([]);
  expect(complaints).toEqual([]);
});
