import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { findBarriers, isReady, letIn } from "./console-page.ts";
import { type ConsoleScene, openConsoleScene } from "./console-scene.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const SECRET = "kept-in-plain-sight-1";
const MORE = `
# <img src=x onerror="document.title='owned'"> \u202egnp
# api_key = "${SECRET}-of-before"
[transcription] # voice
api_key = "${SECRET}" # as it came
`;

const fileOf = ({ folder }: ConsoleScene) => join(dirname(folder), "config.toml");

interface Read {
  readonly text: string;
  readonly digest: string;
  readonly masks: number;
}

const read = async ({ get }: ConsoleScene): Promise<Read> =>
  JSON.parse(await (await get("/api/settings/config")).text());

test("of eight saves at once one counts, and the others are told that the file is another", async () => {
  await using scene = await openConsoleScene(MORE);
  const { text, digest } = await read(scene);
  const texts = Array.from({ length: 8 }, (_, n) => `${text}# save ${n}\n`);
  const answers = await Promise.all(
    texts.map((each) => scene.post("/api/settings/config", { text: each, digest })),
  );
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
  expect(readFileSync(fileOf(scene), "utf8").match(/^# save \d$/gmu)).toHaveLength(1);
});

test("the configuration is read, checked, shown and saved by programs, without its secrets", async () => {
  await using scene = await openConsoleScene(MORE);
  const { get, post } = scene;
  const before = readFileSync(fileOf(scene), "utf8");
  const { text, digest, masks } = await read(scene);
  expect(masks).toBe(2);
  expect(text).not.toContain(SECRET);
  expect(text).toContain("[transcription] # voice");
  const at = "/api/settings/config";
  const said = async (path: string, body: unknown) => {
    const response = await post(path, body);
    const document: unknown = await response.json();
    expect(JSON.stringify(document)).not.toContain(SECRET);
    return { status: response.status, document };
  };
  const wrong = text.replace("check = false", 'check = false\nmax_actions = "many"');
  const line = wrong.split("\n").indexOf('max_actions = "many"') + 1;
  const problem = { line, key: "workspaces[0].max_actions" };
  expect((await said(`${at}/check`, { text: wrong, digest })).document).toMatchObject({
    problems: [problem],
  });
  expect(await said(at, { text: wrong, digest })).toMatchObject({
    status: 422,
    document: { ok: false, problems: [problem] },
  });
  const moved = text.replace('model = "scripted"', 'model = "[secret 2]"');
  expect(await said(at, { text: moved, digest })).toMatchObject({ status: 422 });
  const other = text.replace("[secret 2]", "[secret 2].");
  expect(await said(at, { text: other, digest })).toMatchObject({ status: 422 });
  expect(await said(at, { text, digest: "0" })).toMatchObject({ status: 409 });
  expect(await said(at, { text })).toMatchObject({ status: 400 });
  expect((await post(at, { text, digest }, {})).status).toBe(401);
  expect((await get(at, {})).status).toBe(401);
  expect((await get("/api/settings/keys", {})).status).toBe(401);
  const foreign = { ...scene.bearer, origin: "https://evil.example" };
  expect((await post(at, { text, digest }, foreign)).status).toBe(403);
  expect(readFileSync(fileOf(scene), "utf8")).toBe(before);

  const open = `${text}[security]\nautonomy = "full"\n`;
  expect((await said(`${at}/check`, { text: open, digest })).document).toMatchObject({
    changes: [{ line: 'security.autonomy = "full"', gate: true, looser: true, restart: false }],
  });
  expect(await said(at, { text: open, digest })).toMatchObject({ status: 200 });
  expect(readFileSync(fileOf(scene), "utf8")).toBe(`${before}[security]\nautonomy = "full"\n`);
  expect(await said(at, { text: open, digest })).toMatchObject({ status: 409 });
});

test("a comment that repeats a secret goes with the key that had it", async () => {
  const repeated = `${MORE}# once more: ${SECRET}\n`;
  await using scene = await openConsoleScene(repeated);
  const before = readFileSync(fileOf(scene), "utf8");
  const { text, digest } = await read(scene);
  expect(text).not.toContain(SECRET);
  const set = (to: string) => text.replace(/^api_key = "\[secret \d\]"/mu, `api_key = "${to}"`);
  const last = text.trimEnd().split("\n").length;
  const path = "/api/settings/config";
  for (const at of [path, `${path}/check`]) {
    const kept = await scene.post(at, { text: set("another-one-now"), digest });
    const said: unknown = await kept.json();
    expect(said).toMatchObject({
      problems: [{ line: last, message: expect.stringContaining("take it away") }],
    });
    expect(JSON.stringify(said)).not.toContain(SECRET);
  }
  expect(readFileSync(fileOf(scene), "utf8")).toBe(before);
  const without = set("another-one-now").replace(/^# once more.*\n/mu, "");
  expect((await scene.post(path, { text: without, digest })).status).toBe(200);
});

test("the configuration is edited on the page: found, put in, checked, shown and saved", async () => {
  await using scene = await openConsoleScene(MORE);
  const complaints: string[] = [];
  const page = await letIn(browser, scene, complaints);
  const sent: string[] = [];
  page.on(
    "response",
    (response) =>
      void response.text().then(
        (body) => sent.push(body),
        () => {},
      ),
  );
  await page.getByRole("link", { name: "Settings" }).click();
  const box = page.getByLabel("The text of the configuration");
  await page.getByText("Nothing is wrong with it.").waitFor();
  expect(await box.inputValue()).toContain('api_key = "[secret 2]" # as it came');
  await page.getByText("has characters that nobody sees:").waitFor();
  expect(await page.locator(".findings").innerText()).toContain("\\u{202e}gnp");
  expect(await findBarriers(page)).toEqual([]);

  await page.getByText("All keys").click();
  await page.getByLabel("Search by words").fill("allowed commands");
  await page.getByRole("button", { name: "Put it in: security.allowed_commands" }).click();
  await until(async () => (await box.inputValue()).includes("[security]\nallowed_commands = "));
  expect(await findBarriers(page)).toEqual([]);
  const text = await box.inputValue();
  // What may stand where somebody types is offered: a key takes it, or a press.
  await box.press("Control+End");
  await page.keyboard.type("autonom");
  await page.keyboard.press("Control+Space");
  expect(await box.inputValue()).toBe(`${text}autonomy = `);
  // It is undone like what is typed.
  await page.keyboard.press("Control+z");
  expect(await box.inputValue()).toBe(`${text}autonom`);
  await page.keyboard.press("Control+Space");
  await page.keyboard.type('"f');
  const offers = page.getByRole("group", { name: "Suggestions" });
  expect(await findBarriers(page)).toEqual([]);
  await offers.getByRole("button", { name: '"full"' }).click();
  expect(await box.inputValue()).toBe(`${text}autonomy = "full"`);
  expect(await page.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
  await becomes(offers.getByRole("button"), 0);
  await page.getByRole("status").getByText('Put in: "full"').waitFor();
  await box.fill(`${text}autonomy = "everything"\n`);
  const line = text.split("\n").length;
  await page.getByText("1 problem", { exact: true }).waitFor();
  await page.getByRole("button", { name: `Line ${line}` }).click();
  expect(await page.evaluate("getSelection().toString()")).toBe('autonomy = "everything"');
  await box.fill(`${text.replace('["ls",', '["curl", "ls",')}autonomy = "full"\n`);
  // As long as there is something to save, the way there is in view.
  await page.getByText("All keys").scrollIntoViewIfNeeded();
  await page.locator("main").evaluate((each) => each.scrollTo(0, 0));
  const bar = await page.locator(".save-bar").boundingBox();
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
  // What is not saved is there again after a look elsewhere.
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByRole("link", { name: "Settings" }).click();
  await isReady(page, "Show what would change");
  await page.getByRole("button", { name: "Show what would change" }).click();
  const gate = "Decides who may speak to papa-yu, or what it does without a question";
  expect(await page.getByRole("region", { name: gate }).innerText()).toContain(
    'security.autonomy = "full"',
  );
  const programs = "Names programs that papa-yu starts, or what they are started with";
  expect(await page.getByRole("region", { name: programs }).innerText()).toContain("curl");
  expect(await findBarriers(page)).toEqual([]);
  await isReady(page, "Save");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(`Saved in ${fileOf(scene)}.`).waitFor();
  const saved = readFileSync(fileOf(scene), "utf8");
  expect(saved).toContain(`api_key = "${SECRET}" # as it came`);
  expect(saved).toContain(`# api_key = "${SECRET}-of-before"`);

  // Somebody else saves meanwhile: nothing of theirs is lost, and nothing that was typed.
  await box.fill(`${await box.inputValue()}# mine\n`);
  appendFileSync(fileOf(scene), "# theirs\n");
  await box.fill(`${await box.inputValue()}# mine too\n`);
  await page.getByRole("button", { name: "Read the file anew, and keep what I typed" }).click();
  await isReady(page, "Show what would change");
  expect(await box.inputValue()).toContain("# mine too");
  expect(readFileSync(fileOf(scene), "utf8")).toContain("# theirs");
  expect(sent.join("\n")).not.toContain(SECRET);
  expect(await page.title()).not.toBe("owned");
  expect(await page.locator("img").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("the buttons below what would change are in the window without scrolling, at every size", async () => {
  await using scene = await openConsoleScene(MORE);
  const page = await letIn(browser, scene, []);
  await page.getByRole("link", { name: "Settings" }).click();
  const text = page.getByLabel("The text of the configuration");
  await text.fill((await text.inputValue()).replace("check = false", "check = false # mine"));
  await page.setViewportSize({ width: 1280, height: 800 });
  await isReady(page, "Show what would change");
  await page.getByRole("button", { name: "Show what would change" }).click();
  await isReady(page, "Save");
  for (const [width, height] of [
    [1280, 800],
    [360, 740],
    [360, 480],
    [2560, 1440],
  ] as const) {
    await page.setViewportSize({ width, height });
    // A click would scroll to them: what counts is where they stand.
    for (const name of ["Save", "Back to the text"]) {
      const place = await page.getByRole("button", { name, exact: true }).boundingBox();
      expect([name, width, place && place.y + place.height <= height]).toEqual([name, width, true]);
    }
    expect(
      await page.locator("main").evaluate((each) => each.scrollHeight - each.clientHeight),
    ).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  }
});
