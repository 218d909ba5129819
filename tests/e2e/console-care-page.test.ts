import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { findBarriers, isReady, letIn } from "./console-page.ts";
import { type ConsoleScene, openConsoleScene } from "./console-scene.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const HOSTILE = `<img src=x onerror=document.title='owned'>\u202egnp`;

/** A workspace whose folder is gone, and a server that does not start. */
const TROUBLE = `
[[workspaces]]
name = "gone"
path = "./gone"

[mcp.servers.evil]
command = "/none/${HOSTILE}"
`;

/** What nobody may ask who shows nothing, or comes from elsewhere. */
async function isClosed({ get, bearer }: ConsoleScene, path: string): Promise<void> {
  expect((await get(path, {})).status).toBe(401);
  expect((await get(path, { "x-papayu-session": "0.0" })).status).toBe(401);
  expect((await get(path, { ...bearer, origin: "https://evil.example" })).status).toBe(403);
}

interface Examined {
  readonly healthy: boolean;
  readonly findings: readonly { readonly name: string; readonly state: string }[];
}

test("what doctor finds is read by programs, and waits in the inbox of who opens the page", async () => {
  await using scene = await openConsoleScene(TROUBLE);
  await isClosed(scene, "/api/doctor");
  expect((await scene.inbox()).items).toEqual([]); // no page was opened: nobody has looked
  const read = async (): Promise<Examined> =>
    JSON.parse(await (await scene.get("/api/doctor")).text());
  const { healthy, findings } = await read();
  expect(healthy).toBe(false);
  expect(findings.find(({ name }) => name === "workspace gone")).toMatchObject({ state: "failed" });
  expect(findings.find(({ name }) => name === "daemon")).toMatchObject({ state: "ok" });
  expect(JSON.stringify(findings)).not.toContain("\u202e");
  const { report } = await scene.sandbox.json("doctor");
  const names = (all: Examined["findings"]) => all.map(({ name, state }) => `${name} ${state}`);
  expect(names(findings)).toEqual(names(report["findings"] ?? []));
  const { items } = await scene.inbox();
  expect(items.map(({ kind, title }) => `${kind}: ${title}`).toSorted()).toEqual([
    "finding: MCP server evil",
    "finding: workspace gone",
  ]);
});

test("a page shows what is wrong and what to do, and looks again when it is asked", async () => {
  await using scene = await openConsoleScene(TROUBLE);
  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  // It comes by itself, without a look at servers or the web.
  await page.getByText("Workspace gone").waitFor();
  expect(await page.locator(".item").count()).toBe(1);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("link", { name: "Doctor" }).click();
  await page.getByText("2 failures").waitFor();
  const first = page.locator(".finding").first();
  expect(await first.innerText()).toContain("What to do:");
  const evil = page.locator(".finding", { hasText: "MCP server evil" });
  expect(await evil.innerText()).toContain("<img src=x");
  expect(await evil.innerText()).toContain("\\u{202e}gnp");
  expect(await findBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await findBarriers(page)).toEqual([]);

  mkdirSync(join(dirname(scene.folder), "gone"));
  await page.getByRole("button", { name: "Look again" }).click();
  await isReady(page, "Look again");
  await page.getByText("1 failure").waitFor();
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByText("MCP server evil").waitFor();
  expect(await page.getByText("Workspace gone").count()).toBe(0);
  expect(await page.title()).not.toBe("owned");
  expect(await page.locator("img").count()).toBe(0);
  expect(complaints).toEqual([]);
});
