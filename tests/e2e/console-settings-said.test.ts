import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { createSettings } from "../../src/store/settings/settings.ts";
import { openBrowser } from "../support/browser.ts";
import { openBeside as openStore } from "../support/open-beside.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { findBarriers, isReady, letIn } from "./console-page.ts";
import { createSandbox } from "./papayu.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const OWN = `[default]
language = "en"
[http]
port = 0
[[workspaces]]
name = "notes"
path = "../../notes"
check = false
`;

/** A daemon with a file of the owner's, started in a folder that has a `config.toml` of its own. */
async function openBeside(found: string) {
  await using cleanup = new AsyncDisposableStack();
  const dir = cleanup.use(tempDir());
  writeTree(dir.path, { "notes/a.txt": "one\n" });
  const sandbox = createSandbox(dir.path, found, { PAPAYU_CONFIG: "" });
  mkdirSync(sandbox.home, { mode: 0o700, recursive: true });
  const own = join(sandbox.home, "config.toml");
  writeFileSync(own, OWN, { mode: 0o600 });
  const daemon = cleanup.use(await sandbox.host());
  const complaints: string[] = [];
  const page = await letIn(browser, { sandbox }, complaints);
  const resources = cleanup.move();
  return {
    sandbox,
    daemon,
    own,
    found: join(dir.path, "config.toml"),
    complaints,
    page,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Changes the text in the box, and saves it. */
async function save(page: Page, from: string, to: string) {
  const box = page.locator("textarea");
  await until(async () => (await box.inputValue()).includes(from));
  await box.fill((await box.inputValue()).replace(from, to));
  await isReady(page, "Show what would change");
  await page.getByRole("button", { name: "Show what would change" }).click();
  await isReady(page, "Save");
  await page.getByRole("button", { name: "Save", exact: true }).click();
}

test("a file beside the one that is saved is told apart from it, in the words of the page", async () => {
  const untrusted = `[default]\nprovider = "offline"\nlanguage = "zh"\n[security]\nautonomy = "readonly"\n`;
  await using scene = await openBeside(untrusted);
  const { page, own, found, complaints } = scene;
  await page.getByRole("link", { name: "Settings" }).click();
  await save(page, "check = false", "check = false # mine");
  await page.getByText(`Saved in ${own}.`).waitFor();
  expect(readFileSync(own, "utf8")).toContain("check = false # mine");
  expect(readFileSync(found, "utf8")).toBe(untrusted);
  // What is wrong with the text or warned of stands at the text; nothing of the other file is there.
  expect(await page.locator("#settings-findings").innerText()).toBe("Nothing is wrong with it.");
  const beside = page.getByRole("region", { name: "There is another file, too" });
  const said = await beside.innerText();
  expect(said).toContain(`${found} is in the folder where papa-yu was started.`);
  expect(said).toContain("it keeps nothing from being saved");
  expect(said).toContain("holds, for it allows nothing more: security.autonomy.");
  expect(said).toContain("do not count: default.language.");
  expect(await findBarriers(page)).toEqual([]);

  writeFileSync(found, "[telegramm]\n");
  await page.reload();
  await page.getByText("It is not trusted, and it is left out, for it is wrong").waitFor();
  expect(await beside.innerText()).toContain("telegramm: unknown key");
  expect(complaints).toEqual([]);
});

test("another program's file is said to be that", async () => {
  await using scene = await openBeside('baseURL = "https://example.org/"\n[params]\na = 1\n');
  const { page } = scene;
  await page.getByRole("link", { name: "Settings" }).click();
  const beside = page.getByRole("region", { name: "There is another file, too" });
  await beside.getByText("another program's: papa-yu has no baseURL, params.").waitFor();
  expect(await beside.innerText()).not.toContain("config trust");
});

test("a language that is saved is spoken at once by every page, and nothing that was typed is lost", async () => {
  await using scene = await openBeside("");
  const { page, complaints } = scene;
  const other = await letIn(browser, scene, complaints);
  await other.getByRole("link", { name: "Chat" }).click();
  await other.getByLabel("Message").fill("half a thou");
  for (const each of [page, other]) await each.evaluate("window.isSame = true");
  await page.getByRole("link", { name: "Settings" }).click();
  await save(page, 'language = "en"', 'language = "ru"');
  await page.getByRole("heading", { level: 1, name: "Настройки" }).waitFor();
  await page.getByText("Сохранено в ").waitFor();
  expect(await page.title()).toBe("Настройки · papa-yu");
  await other.getByLabel("Сообщение").waitFor();
  expect(await other.getByLabel("Сообщение").inputValue()).toBe("half a thou");
  for (const each of [page, other]) {
    expect(await each.evaluate("document.documentElement.lang")).toBe("ru");
    expect(await each.evaluate("window.isSame")).toBe(true);
  }
  expect(await findBarriers(page)).toEqual([]);

  // What stands in the box stays, too, when somebody else saves.
  await page.locator("textarea").fill(`${await page.locator("textarea").inputValue()}# mine\n`);
  await scene.sandbox.run("config", "set", "default.language", "zh");
  await page.getByRole("heading", { level: 1, name: "设置" }).waitFor();
  expect(await page.locator("textarea").inputValue()).toEndWith("# mine\n");
  expect(complaints).toEqual([]);
});

test("a Save behind a login of eleven minutes is refused in the language that is spoken", async () => {
  await using scene = await openBeside("");
  const { page, complaints, sandbox } = scene;
  await page.getByRole("link", { name: "Settings" }).waitFor();
  await sandbox.run("config", "set", "default.language", "ru");
  await page.getByRole("link", { name: "Настройки" }).click();
  using store = openStore(join(sandbox.home, "state.db"));
  const kept = createSettings(store, Date.now).of("console.browser.");
  for (const { id, value } of kept.below("")) {
    kept.set(id, { ...value, signedInAt: value.signedInAt - 11 * 60_000 });
  }
  const box = page.locator("textarea");
  await until(async () => (await box.inputValue()).includes('language = "ru"'));
  await box.fill(`${await box.inputValue()}# mine\n`);
  await isReady(page, "Показать, что изменится");
  await page.getByRole("button", { name: "Показать, что изменится" }).click();
  await isReady(page, "Сохранить");
  await page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await page.getByText("нужен вход не старше десяти минут").waitFor();
  expect(await page.locator("main").innerText()).not.toContain("wants a login");
  expect(complaints).toEqual([]);
});
