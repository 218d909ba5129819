import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { newId } from "../../src/core/ids.ts";
import { dayOf, segmentName } from "../../src/trace/segments.ts";
import { EVIL } from "../console/scenes.ts";
import { becomes, openBrowser } from "../support/browser.ts";
import { writeTree } from "../support/tree.ts";
import { findBarriers, letIn } from "./console-page.ts";
import { openConsoleScene } from "./console-scene.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

test("traces are narrowed, one is read as it went, and the report is drawn and taken along", async () => {
  await using scene = await openConsoleScene();
  const { get, sandbox, folder } = scene;
  expect((await sandbox.run("plan", "say why", "-w", "notes")).exitCode).toBe(0);
  const hostile = plant(folder, {
    event: "VALIDATION_FAILED",
    error_code: "ERR_JSON_PARSE",
    error: EVIL.join("\n"),
    tokens: { input: 5, output: 5 },
    cost: 0.05,
    model: `${EVIL.join(" ")} ${"w".repeat(1_000_000)}`,
    provider: EVIL.join(" "),
    context_files: EVIL.map((path) => ({ path, sha256: "0a", whole: false })),
    context_stats: { context_files_dropped_count: 3, __proto__: 1 },
    calls: EVIL.map((kind) => ({
      kind,
      version: kind,
      at_ms: 5,
      duration_ms: 5,
      cost: 0.0125,
      error_code: kind,
    })),
    raw_preview: EVIL.join("\n"),
  });

  const listed = await (await get("/api/traces?limit=1")).json();
  expect(listed).toMatchObject({ ok: true, looked: 1, traces: [{ trace_id: hostile }] });
  const { older } = JSON.parse(JSON.stringify(listed));
  expect(await (await get(`/api/traces?before=${older}`)).json()).toMatchObject({
    traces: [{ mode: "plan", workspace: "notes" }],
    older: null,
  });
  for (const wrong of ["limit=0", "before=..%2f", "mode=x", "protocol=v9", "error_code=a-b"]) {
    expect([wrong, (await get(`/api/traces?${wrong}`)).status]).toEqual([wrong, 400]);
  }
  expect((await get("/api/traces/..%2f..%2fproject")).status).not.toBe(200);
  expect((await get("/api/traces/nobody")).status).toBe(404);
  expect((await get("/api/traces?workspace=nobody")).status).toBe(404);
  expect((await get("/api/report?days=400")).status).toBe(400);

  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  await page.getByRole("link", { name: "Traces" }).click();
  await page.locator("tbody code").waitFor();
  await becomes(page.locator("tbody tr"), 2);
  expect(await findBarriers(page)).toEqual([]);

  await page.locator(".filters label:last-child select").selectOption({ value: "any" });
  await page.waitForURL(/error_code=any/u);
  await page.locator("tbody tr:only-child").waitFor();
  await page.locator("tbody a").click();
  await page.getByRole("heading", { name: "How it went" }).waitFor();
  await page.getByText("3 left out").waitFor();
  const text = await page.locator("main").innerText();
  expect(text).toContain("\\u{202e}");
  expect(text).not.toContain("\u202e");
  expect(await findBarriers(page)).toEqual([]);
  // Beside what it sent and got, each call has its price where the provider has one.
  await page.locator(".waterfall").getByText("cost 0.0125").first().waitFor();
  await page.getByText("The whole trace").click();
  await page
    .getByRole("button", { name: /^Show more/u })
    .first()
    .waitFor();

  await page.goBack();
  await page.waitForURL(/error_code=any/u);
  await page.locator(".filters label:last-child select").selectOption({ value: "" });
  await page.locator("tbody tr:nth-child(2) a").click();
  await page.locator(".bar-ask").first().waitFor();
  await page.getByText("say why").first().waitFor();

  await page.goto(new URL("/report", page.url()).href);
  await page.getByRole("heading", { name: "Tokens a day", exact: true }).waitFor();
  await page.getByText("Not safe yet").waitFor();
  await page.getByRole("heading", { name: "Tokens a day by model", exact: true }).waitFor();
  // Nothing has a price but in a file that somebody else wrote.
  await page.getByRole("heading", { name: "Cost a day by model", exact: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.locator("details summary").nth(2).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV: Tokens a day", exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^papayu-tokens-\d{4}-\d\d-\d\d\.csv$/u);
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(31);
  expect(lines[0]).toBe("day,in,out");

  // The rules of the verdict are in the person's words.
  await page.getByText("100 applies known: 1").waitFor();

  // What is no trace is not drawn as one, and one without a date has none.
  const odd = plant(folder, { event: 5 });
  await page.goto(new URL(`/traces/${odd}`, page.url()).href);
  await page.getByText('its "event" is not what a trace has there').waitFor();
  const undated = plant(folder, { event: "APPLIED", started_at: null });
  await page.goto(new URL(`/traces/${undated}`, page.url()).href);
  await page.getByText("without a date").waitFor();
  expect(await page.locator("main").innerText()).not.toContain("1970");
  expect(await findBarriers(page)).toEqual([]);
  await page.goto(new URL("/report", page.url()).href);

  await page.setViewportSize({ width: 360, height: 780 });
  const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  expect(overflow).toBe(0);
  expect(await page.evaluate("window.evil")).toBeUndefined();
  expect(await page.locator("img, main script").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("an apply whose checks failed did not go well, whether they ran before a yes or after it", async () => {
  const check = JSON.stringify([["sh", "-c", "! test -f docs/why.md"]]);
  const site = (name: string, more: string) =>
    `[[workspaces]]\nname = "${name}"\npath = "./${name}"\ncheck = ${check}\n${more}`;
  const both = `${site("before", "")}${site("after", 'check_when = "after"\n')}`;
  await using scene = await openConsoleScene(both);
  const { get, sandbox, folder } = scene;
  for (const name of ["before", "after"]) {
    writeTree(join(folder, "..", name), { "a.txt": "x\n" });
    const { exitCode } = await sandbox.run("apply", "--goal", "say why", "-w", name, "--yes");
    expect([name, exitCode === 0]).toEqual([name, false]);
  }
  expect((await sandbox.run("apply", "--goal", "say why", "-w", "notes", "--yes")).exitCode).toBe(
    0,
  );
  const code = "AUTO_CHECK_FAILED_ROLLED_BACK";
  /** But for corrections, which were asked for in between. */
  const ends = async (query: string) => {
    const { traces }: Listed = JSON.parse(await (await get(`/api/traces?${query}`)).text());
    return traces
      .filter(({ fix }) => fix !== true)
      .map((trace) => [trace.workspace, trace.event, trace.error_code]);
  };
  const failed = [
    ["after", "LLM_APPLY_OK", code],
    ["before", "LLM_APPLY_OK", code],
  ];
  const good = ["notes", "LLM_APPLY_OK", undefined];
  expect(await ends("mode=apply")).toEqual([good, ...failed]);
  for (const wanted of ["any", code]) expect(await ends(`error_code=${wanted}`)).toEqual(failed);
  expect(await (await get("/api/report?days=7")).json()).toMatchObject({
    apply_count: 3,
    failed_count: 0,
    error_by_code: { [code]: 2 },
    activity: {
      days: [{ endings: { clean: 1, repaired: 0, fell_back: 0, checks_failed: 2, failed: 0 } }],
    },
  });
  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  await page.getByRole("link", { name: "Traces" }).click();
  await becomes(page.locator("tbody .outcome-rolled_back", { hasText: code }), 2);
  await page
    .locator("tbody tr", { hasText: code })
    .filter({ hasText: "before" })
    .locator("a")
    .first()
    .click();
  await page.getByRole("heading", { name: new RegExp(code, "u") }).waitFor();
  await page.goto(new URL("/report", page.url()).href);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    (async () => {
      await page.locator("details summary").first().click();
      await page.getByRole("button", { name: "CSV: Applies and how they ended" }).click();
    })(),
  ]);
  const [head, ...days] = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(head).toBe("day,at once,after a repair,after a fallback,checks failed,failed");
  expect(days.filter((day) => day.endsWith(",1,0,0,2,0"))).toHaveLength(1);
  expect(complaints).toEqual([]);
});

interface Listed {
  readonly traces: readonly {
    readonly workspace: string;
    readonly event: string;
    readonly error_code?: string;
    readonly fix?: boolean;
  }[];
}

/** A trace that somebody else wrote into the folder, a moment ago. */
function plant(folder: string, fields: object): string {
  const id = newId("trace", Date.now());
  const started_at = new Date().toISOString();
  const line = JSON.stringify({
    trace_id: id,
    mode: "apply",
    started_at,
    duration_ms: 90,
    ...fields,
  });
  const file = segmentName(dayOf(id), "0a1b2c3d", 1);
  appendFileSync(join(folder, ".papa-yu/traces", file), `\n${line}\n`);
  return id;
}
