import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { findBarriers, isReady, letIn } from "./console-page.ts";
import {
  type ConsoleScene,
  eventsOf,
  isClosed,
  openConsoleScene,
  PLANTED,
} from "./console-scene.ts";

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
  await becomes(page.locator(".item"), 1);
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

  // The page of the folder says the same, and nothing of a past that nobody can see.
  const folder = join(dirname(scene.folder), "gone");
  await page.goto(`${new URL(page.url()).origin}/workspaces/gone`);
  await page.getByText("This folder is not there.").waitFor();
  const words = await page.locator("main").innerText();
  for (const part of [folder, scene.sandbox.env["PAPAYU_CONFIG"] ?? "?"]) {
    expect(words).toContain(part);
  }
  await becomes(page.getByRole("region"), 0);
  expect(await findBarriers(page)).toEqual([]);
  // A start says it once.
  expect(scene.daemon.log().match(/WORKSPACE_GONE|there is no folder/gu)).toEqual([
    "WORKSPACE_GONE",
  ]);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Doctor" }).click();
  await isReady(page, "Look again");

  mkdirSync(folder);
  await page.getByRole("button", { name: "Look again" }).click();
  await isReady(page, "Look again");
  await page.getByText("1 failure").waitFor();
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByText("MCP server evil").waitFor();
  await becomes(page.getByText("Workspace gone"), 0);
  expect(await page.title()).not.toBe("owned");
  expect(await page.locator("img").count()).toBe(0);
  expect(complaints).toEqual([]);
});

const AT = "2026-11-24T02:00:00.000Z [trace]";
const logOf = ({ sandbox }: ConsoleScene) => join(sandbox.home, "logs/papayu.log");

test("the log is read page by page, masked, and followed as long as a session lives", async () => {
  await using scene = await openConsoleScene();
  for (const path of ["/api/log", "/api/log/follow?after=1-0"]) await isClosed(scene, path);
  const read = async (query: string) => {
    const response = await scene.get(`/api/log?${query}`);
    return { status: response.status, text: await response.text() };
  };
  const lines = Array.from({ length: 500 }, (_, n) => `${AT} COUNTED n=${n}\n`).join("");
  appendFileSync(logOf(scene), `${lines}${AT} HTTP_ERROR key=${PLANTED} ${HOSTILE}\n`);
  const { text } = await read("limit=3&level=error");
  expect(text).not.toContain(PLANTED);
  expect(text).not.toContain("\u202e");
  const { lines: shown, end } = JSON.parse(text);
  expect(shown).toMatchObject([{ event: "HTTP_ERROR", level: "error" }]);
  const bad = ["limit=0", "limit=201", "before=x", "level=all", `text=${"x".repeat(201)}`];
  for (const query of bad) expect((await read(query)).status).toBe(400);
  expect((await scene.get("/api/log/follow")).status).toBe(400);
  const followed = await scene.get(`/api/log/follow?after=${end}&text=told`);
  appendFileSync(logOf(scene), `${AT} NOISE\n${AT} TOLD key=${PLANTED}\n`);
  for await (const event of eventsOf(followed)) {
    expect(event).toMatchObject({ event: "TOLD" });
    expect(JSON.stringify(event)).not.toContain(PLANTED);
    break;
  }
});

test("a page shows the log, live, searched, and older lines where they are wanted", async () => {
  await using scene = await openConsoleScene();
  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  const counted = Array.from({ length: 500 }, (_, n) => `${AT} COUNTED n=${n}\n`).join("");
  const long = `${AT} LONG x=${"a".repeat(2 ** 20)}\n`;
  appendFileSync(logOf(scene), `${counted}${long}${AT} HTTP_ERROR ${HOSTILE}\n`);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Log", exact: true }).click();
  const log = page.getByRole("region", { name: "Log" });
  await log.getByText("\\u{202e}gnp").waitFor();
  await log.getByText(/and \d+ characters/u).waitFor();
  // The daemon may have lines of its own to say meanwhile.
  await until(async () => (await log.locator("li").count()) >= 200);
  appendFileSync(logOf(scene), `${AT} CAME n=1\n`);
  await log.getByText("CAME").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await findBarriers(page)).toEqual([]);
  // Who looks at older ones is not moved by what comes.
  const before = await log.locator("li").count();
  await page.getByRole("button", { name: "Older lines" }).click();
  await until(async () => (await log.locator("li").count()) >= before + 200);
  await log.evaluate((box) => box.scrollTo(0, 50));
  appendFileSync(logOf(scene), `${AT} CAME n=2\n`);
  await page.getByRole("button", { name: /new lines?: to the end/u }).click();
  await log.getByText("n=2", { exact: true }).waitFor();
  await page.getByLabel("Level").selectOption("error");
  await until(async () => (await log.locator("li").count()) === 1);
  await page.getByLabel("Level").selectOption("info");
  await page.getByLabel("Search").fill("N=2");
  await until(async () => /n=2\b/u.test(await log.innerText()));
  // A session that ends takes the log with it.
  const { stdout } = await scene.sandbox.run("open", "--list", "--json");
  const { sessions }: { sessions: readonly { readonly id: string }[] } = JSON.parse(stdout);
  await scene.sandbox.run("open", "--revoke", sessions[0]?.id ?? "");
  await page.getByText("This browser is not signed in").waitFor();
  expect(await page.title()).not.toBe("owned");
  expect(await page.locator("img").count()).toBe(0);
  expect(complaints).toEqual([]);
});
