import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { source as axe } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import { actionsOf, type ConsoleServer, startConsoleServer } from "../support/console-server.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { hostile, large, PLAIN } from "./scenes.ts";

const dir = tempDir("papayu-test-console-");
let browser: Browser;
let server: ConsoleServer;
let page: Page;
/** What the browser complained about: of a page that runs under its policy, nothing. */
const complaints: string[] = [];

beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), startConsoleServer(dir.path)]);
  page = await signIn();
});

// What one test has left in the list would have buttons in the next one.
beforeEach(() => server.dropItems());

afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  dir[Symbol.dispose]();
});

async function signIn(width = 1280, height = 800): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    reducedMotion: "reduce",
  });
  const made = await context.newPage();
  made.on("pageerror", (error) => complaints.push(String(error)));
  made.on("console", (message) => {
    const text = message.text();
    const isExpected = /500|503|404|ERR_/u.test(text); // a server that is down, or forgot, is what tests are about
    if (message.type() === "error" && !isExpected) complaints.push(text);
  });
  await made.goto(`${server.origin}/#login=one-code`);
  await made.getByRole("heading", { name: /^Inbox/u }).waitFor();
  return made;
}

/** Opens an address and waits for what it shows; buttons count from then on. */
async function open(path: string, name: string): Promise<void> {
  await page.goto(`${server.origin}${path}`);
  await page.getByRole("region", { name }).waitFor();
}

const button = (name: string) => page.getByRole("button", { name, exact: true });
/** It takes presses: what has just appeared does not. */
const isReady = (name: string) =>
  page.locator(`button:not([aria-disabled="true"]):text-is("${name}")`).waitFor();
/** Begins with one thing in the page, and does another in the moment in which something is so. */
const asSoonAs = (isSo: string, first: string, then: string) =>
  page.evaluate(`new Promise((resolve) => {
    ${first};
    // Looked at with each change of the page: a busy machine has no frame for a second.
    const watch = new MutationObserver(() => look());
    const look = () => {
      if (!(${isSo})) return;
      watch.disconnect();
      ${then};
      resolve();
    };
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    watch.observe(document, all);
    look();
  })`);
const focused = () =>
  page.evaluate("document.activeElement.id || document.activeElement.className");
const textOf = (selector: string) => page.locator(selector).allTextContents();

/** What axe has to say of what is shown; it is laid in from outside, past the page's policy. */
async function findBarriers(): Promise<readonly string[]> {
  await page.evaluate(axe);
  const found: unknown = await page.evaluate(`axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + " " + target + " " + failureSummary)))`);
  return Array.isArray(found) ? found.map(String) : ["axe said nothing"];
}

describe("the page", () => {
  test("takes the code out of the address, signs in and shows that nothing waits", async () => {
    server.setScenes([]);
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    expect(page.url()).toBe(`${server.origin}/`);
    expect(await page.evaluate("history.length")).toBeLessThanOrEqual(2);
    expect(await page.evaluate("document.cookie")).toBe("");
  });

  test("shows what comes while it is open, and approves it from the list, once it was unfolded", async () => {
    server.setScenes([PLAIN]);
    await page.getByRole("button", { name: /Uploads are tried/u }).waitFor();
    expect(await page.title()).toBe("(1) papa-yu");
    await becomes(button("Approve"), 0);
    await page.keyboard.press("j");
    await page.keyboard.press("a");
    await page.getByRole("region", { name: "src/upload/upload.ts" }).waitFor();
    expect(server.presses).toEqual([]);
    await isReady("Approve");
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    await page.getByText("Approve: finished Did approve.").waitFor();
    expect(server.presses).toMatchObject([
      { act: "approve", ref: "ap_plain", digest: "cs_ap_plain" },
    ]);
  });

  test("shows how a press goes on, its end, and Undo; the old buttons are gone", async () => {
    server.setScenes([{ ...PLAIN, id: "ap_press" }]);
    const letGo = server.holdPresses();
    await open("/review/ap_press", "README.md");
    await isReady("Approve");
    await button("Approve").click();
    const pressed = () => server.presses.filter(({ ref }) => ref === "ap_press");
    await until(() => pressed().length > 0);
    await page.getByText("bun run test", { exact: true }).last().waitFor();
    await button("Approve").click({ force: true });
    expect(pressed()).toHaveLength(1);
    letGo();
    await page.getByText("Approve: finished").waitFor();
    await isReady("Undo");
    await becomes(button("Approve"), 0);
    await button("Undo").click();
    await until(() => server.presses.some(({ act }) => act === "undo"));
    expect(server.presses.at(-1)).toMatchObject({ act: "undo", ref: "tx_1" });
  });

  test("counts no press on what has just appeared", async () => {
    server.setScenes([{ ...PLAIN, id: "ap_fast" }]);
    await page.goto(`${server.origin}/review/ap_fast`);
    // As soon as there is a button at all, in the same moment.
    await asSoonAs(
      `document.querySelector(".act.yes")?.disabled === false`,
      "0",
      `document.querySelector(".act.yes").click()`,
    );
    await page.getByText("too soon", { exact: false }).waitFor();
    expect(server.presses.filter(({ ref }) => ref === "ap_fast")).toEqual([]);
  });

  test("counts no press on what another answer or an arrival has put under the hand", async () => {
    const plan = (ref: string) => ({
      id: ref,
      ref,
      kind: "plan",
      title: ref,
      at: new Date(0).toISOString(),
      actions: actionsOf(ref, "Apply", "Drop"),
    });
    const dropped = () => server.presses.filter(({ act }) => act === "drop").map(({ ref }) => ref);
    server.setScenes([]);
    await page.goto(server.origin);
    server.addItems([plan("one"), plan("two"), plan("three")]);
    const drops = page.locator('button:not([aria-disabled="true"]):text-is("Drop")');
    await until(async () => (await drops.count()) === 3);
    // Twice the first one, the second time in the moment in which that is another.
    await asSoonAs(
      `document.querySelector(".item-title")?.textContent === "two"`,
      `document.querySelector(".act.no").click()`,
      `document.querySelector(".act.no").click()`,
    );
    await page.getByText("too soon", { exact: false }).waitFor();
    expect(dropped()).toEqual(["one"]);
    // What stays is answered in a moment, where it is now.
    await until(async () => (await drops.count()) === 2);
    await drops.first().click();
    await until(() => dropped().length === 2);
    expect(dropped()).toEqual(["one", "two"]);
  });

  test("is answered from the list by nothing while it is not there to be read", async () => {
    server.setScenes([{ ...PLAIN, id: "ap_slow" }]);
    await page.goto(server.origin);
    await page.getByRole("button", { name: /Uploads are tried/u }).waitFor();
    const reading = Promise.withResolvers<void>();
    await page.route("**/api/change-sets/ap_slow", async (route) => {
      await reading.promise;
      await route.continue();
    });
    await page.keyboard.press("j");
    for (const key of ["a", "a", "a"]) await page.keyboard.press(key);
    await page.getByText("Loading").first().waitFor();
    await becomes(button("Approve"), 0);
    const pressed = asSoonAs(
      `document.querySelector(".act.yes")`,
      "0",
      `document.querySelector(".act.yes").click()`,
    );
    reading.resolve();
    await pressed;
    await page.getByText("too soon", { exact: false }).waitFor();
    expect(server.presses.filter(({ ref }) => ref === "ap_slow")).toEqual([]);
    await page.unroute("**/api/change-sets/ap_slow");
  });

  test("takes the buttons away at once when another version took the place of what is shown", async () => {
    server.setScenes([{ ...PLAIN, id: "ap_old" }]);
    await open("/review/ap_old", "README.md");
    await button("Approve").waitFor();
    server.setState("ap_old", "superseded");
    await page.getByText("A newer version took its place").waitFor();
    await becomes(button("Approve"), 0);
  });

  test("asks for a change set again when it may be another, and not for what happens elsewhere", async () => {
    server.setScenes([{ ...PLAIN, id: "ap_calm" }]);
    let asked = 0;
    const count = (request: { url(): string }) => {
      if (new URL(request.url()).pathname === "/api/change-sets/ap_calm") asked += 1;
    };
    page.on("request", count);
    await open("/review/ap_calm", "README.md");
    await isReady("Approve");
    const first = asked;
    server.addItems([{ id: "x", ref: "x", kind: "plan", title: "x", actions: [] }]);
    await page.locator(".pages .badge", { hasText: "2" }).waitFor();
    expect(asked).toBe(first);
    server.setState("ap_calm", "superseded");
    await page.getByText("A newer version took its place").waitFor();
    expect(asked).toBe(first + 1);
    page.off("request", count);
  });

  test("has its buttons off while nobody answers, and goes on by itself when somebody does", async () => {
    server.setScenes([{ ...PLAIN, id: "ap_off" }]);
    await open("/review/ap_off", "README.md");
    await isReady("Approve");
    server.setDown(true);
    await page.getByText("Offline", { exact: false }).waitFor();
    expect(await button("Approve").isDisabled()).toBe(true);
    await page.keyboard.press("a");
    server.setDown(false);
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    await page.getByText("Live", { exact: true }).waitFor();
    expect(server.presses.filter(({ ref }) => ref === "ap_off")).toEqual([]);
  });

  test("says that a file could not be read, and takes no yes until it was", async () => {
    server.setScenes([{ ...PLAIN, id: "ap_unread" }]);
    server.failFiles(0, 3);
    const pressed = () => server.presses.filter(({ ref }) => ref === "ap_unread");
    const unread = page.getByText("2 files could not be read", { exact: false });
    for (const isList of [true, false]) {
      await page.goto(`${server.origin}/${isList ? "" : "review/ap_unread"}`);
      if (isList) await button("Show changes").click();
      await unread.waitFor();
      await isReady("Reject");
      await button("Approve").click({ force: true });
      await page.getByText("A yes counts when", { exact: false }).last().waitFor();
      await page.keyboard.press("a");
      expect(pressed()).toEqual([]);
    }
    expect(await findBarriers()).toEqual([]);
    server.failFiles(3);
    const held = Promise.withResolvers<void>();
    await page.route("**/change-sets/ap_unread/files/3*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await button("Try again").last().click();
    // While the last of them is on its way, nobody knows how many are left.
    await page.locator(".unread", { hasText: "Loading" }).waitFor();
    await becomes(page.locator(".unread", { hasText: "could not be read" }), 0);
    held.resolve();
    await page.getByText("1 file could not be read", { exact: false }).waitFor();
    await page.unroute("**/change-sets/ap_unread/files/3*");
    server.failFiles();
    await button("Try again").first().click();
    await isReady("Approve");
    await button("Approve").click();
    await until(() => pressed().length === 1);
  });

  test("tells what came of a press whose answer broke off, and leads there", async () => {
    const ends = [
      [{ state: "ended", outcomes: [{ ok: true, status: "committed" }] }, "Approve: finished"],
      [{ state: "ended", outcomes: [{ ok: false, error: "no room" }] }, "Approve: failed"],
      [{ state: "unknown" }, "no change came of it"],
      [{ state: "unknown", may_have_run: true }, "Look before you press again"],
    ] as const;
    for (const [at, [work, said]] of ends.entries()) {
      const id = `ap_broken${at}`;
      server.setScenes([{ ...PLAIN, id }]);
      server.breakPress(work);
      await open(`/review/${id}`, "README.md");
      await isReady("Approve");
      await button("Approve").click();
      await page.getByText("nobody here knows yet", { exact: false }).waitFor();
      expect(await page.getByText("Failed to fetch").isVisible()).toBe(false);
      await page.keyboard.press("a");
      server.setDown(false);
      if (at === 0) {
        const outcome = { ok: true, status: "committed", text: "✓ 3 changes", actions: [] };
        server.setState(id, "approved", outcome);
      }
      await page.evaluate("window.dispatchEvent(new Event('online'))");
      await page.getByText(said, { exact: false }).first().waitFor();
      expect(server.presses.filter(({ ref }) => ref === id)).toHaveLength(1);
      if (at === 0) {
        await until(async () => (await focused()) === "outcome");
        await page.getByText("✓ 3 changes").waitFor();
      } else await isReady("Approve");
    }
    server.breakPress(undefined);
  });

  test("leads to what came of an answer, and leaves alone who has gone on", async () => {
    server.setScenes([{ ...PLAIN, id: "ap_focus" }]);
    await open("/review/ap_focus", "README.md");
    await isReady("Approve");
    await button("Approve").focus();
    await page.keyboard.press("Enter");
    await until(async () => (await focused()) === "outcome");
    server.setScenes([{ ...PLAIN, id: "ap_focus2" }]);
    await open("/review/ap_focus2", "README.md");
    await isReady("Approve");
    const letGo = server.holdPresses();
    await button("Approve").click();
    await page.keyboard.press("/");
    letGo();
    await isReady("Undo");
    expect(await focused()).toBe("search");
    server.setScenes([{ ...PLAIN, id: "ap_focus3" }]);
    await page.goto(server.origin);
    await button("Show changes").click();
    await isReady("Approve");
    await button("Approve").click();
    await until(async () => (await focused()) === "said");
  });

  test("is worked by the same keys under a Russian layout", async () => {
    server.setScenes([{ ...PLAIN, id: "ap_keys" }]);
    await open("/review/ap_keys", "README.md");
    const press = (key: string, code: string) =>
      page.evaluate(`document.body.dispatchEvent(new KeyboardEvent("keydown",
        { key: "${key}", code: "${code}", bubbles: true, cancelable: true }))`);
    await isReady("Reject");
    await press("к", "KeyR");
    await until(() => server.presses.some(({ act, ref }) => act === "reject" && ref === "ap_keys"));
    await press("е", "KeyT");
    await until(async () => (await page.locator(".tree").count()) === 0);
  });

  test("shows each folder that comes or goes once, and every name, however deep", async () => {
    const deep = Array.from({ length: 14 }, (_, at) => `level-${at}`);
    const folder = (at: number) => ({
      path: deep.slice(0, at + 1).join("/"),
      before: null,
      after: null,
      kind: "mkdir",
    });
    const file = { path: [...deep, "a-name.ts"].join("/"), before: null, after: "a\n" };
    const files = [...deep.map((_, at) => folder(at)), file];
    server.setScenes([{ ...PLAIN, id: "ap_deep", files }]);
    await open("/review/ap_deep", file.path);
    const names = page.locator(".tree-name");
    expect(await names.allTextContents()).toEqual([...deep, "a-name.ts"]);
    const widths: unknown = await page.evaluate(
      `[...document.querySelectorAll(".tree-name")].map((each) => each.getBoundingClientRect().width)`,
    );
    expect(Math.min(...(Array.isArray(widths) ? widths.map(Number) : [0]))).toBeGreaterThan(50);
    await isReady("Approve");
    expect(await findBarriers()).toEqual([]);
  });

  test("goes through the files by keys, opens folds, searches what is not drawn, and links to a line", async () => {
    server.setScenes([PLAIN, large(60, 5000)]);
    await open("/review/ap_plain", "src/upload/upload.ts");
    await page.keyboard.press("u");
    await page.locator(".row.add").first().waitFor();
    await page
      .getByRole("button", { name: /unchanged lines/u })
      .first()
      .click();
    await until(async () => (await textOf(".text.same")).some((text) => text.includes("part40")));
    await page.keyboard.press("/");
    await page.keyboard.type("grows");
    await page.keyboard.press("Enter");
    await page.locator("mark").first().waitFor();
    await page.keyboard.press("Escape");
    await page.goto(`${server.origin}/review/ap_large#7R33`);
    const line = page.locator(".row.current .num[data-side='R']");
    await line.waitFor();
    expect(await line.getAttribute("data-n")).toBe("33");
    await page.keyboard.press("F7");
    await until(async () => (await page.locator(".row.current.del").count()) === 1);
  });

  test("colours what is shown, by classes, without a complaint of its policy", async () => {
    server.setScenes([{ ...PLAIN, id: "ap_colors" }]);
    await open("/review/ap_colors", "src/upload/upload.ts");
    const file = page.getByRole("region", { name: "src/upload/upload.ts" });
    await file.locator(".k-keyword", { hasText: "import" }).first().waitFor();
    await file.locator(".k-string").first().waitFor();
    const color = await page.evaluate(
      `getComputedStyle(document.querySelector(".k-keyword")).color`,
    );
    expect(color).toBe("rgb(121, 44, 175)");
    await isReady("Approve");
    expect(await findBarriers()).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    await open("/review/ap_colors", "src/upload/upload.ts");
    await file.locator(".k-keyword").first().waitFor();
    await isReady("Approve");
    expect(await findBarriers()).toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });
    // Without a worker it is what it was: text.
    await page.route("**/assets/worker-*", (route) => route.abort());
    await open("/review/ap_colors", "README.md");
    await page.locator(".row").first().waitFor();
    await isReady("Approve");
    await becomes(page.locator(".row [class*=k-]"), 0);
    await page.unroute("**/assets/worker-*");
  });

  test("draws 5,000 changed lines in 60 files with less than 3,000 nodes, wherever somebody scrolls", async () => {
    server.setScenes([large(60, 5000)]);
    await open("/review/ap_large", "packages/part0/src/module-0.ts");
    await page.locator(".row").first().waitFor();
    const count = async () => Number(await page.evaluate("document.querySelectorAll('*').length"));
    const counts = [await count()];
    for (const share of [0.2, 0.5, 0.9, 1]) {
      await page.evaluate(
        `{ const box = document.querySelector('.scroller'); box.scrollTop = box.scrollHeight * ${share} }`,
      );
      await until(async () => (await page.locator(".row .k-keyword").count()) > 10);
      counts.push(await count());
    }
    expect(Math.max(...counts)).toBeLessThan(3000);
    await becomes(page.getByRole("region", { name: /^packages/u }), 60);
  });

  test("runs nothing of what others wrote, and spells out what cannot be seen", async () => {
    server.setScenes([hostile()]);
    server.setState("ap_evil", "waiting");
    await page.goto(`${server.origin}/`);
    await page.getByRole("button", { name: "Show changes", exact: true }).click();
    await page.locator(".unfolded .file-head").first().waitFor();
    await page.goto(`${server.origin}/review/ap_evil`);
    await page.locator(".file-head").first().scrollIntoViewIfNeeded();
    await page.locator(".row.add").first().waitFor();
    const text = String(await page.evaluate("document.body.innerText"));
    expect(text).toContain("<script>window.evil");
    expect(text).toContain("\\u{202e}txt.exe");
    expect(["\u202e", "\u2066", "\u200b", "\ufeff"].filter((each) => text.includes(each))).toEqual(
      [],
    );
    expect(await page.evaluate("typeof window.evil")).toBe("undefined");
    expect(await page.locator("a[href^='javascript'], #page script, #page img").count()).toBe(0);
    await page.keyboard.press("/");
    await page.keyboard.type("w".repeat(8));
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /characters left/u }).waitFor();
  });

  test("has nothing that keeps people out, in light and in dark", async () => {
    server.setScenes([{ ...PLAIN, id: "ap_all" }]);
    server.addItems([
      {
        id: "c",
        ref: "c",
        kind: "call",
        title: "run",
        actions: actionsOf("c", "Approve"),
        shown: "rm -rf build",
      },
      {
        id: "f",
        ref: "f",
        kind: "failed_routine",
        title: "nightly",
        actions: actionsOf("f", "Run"),
      },
    ]);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${server.origin}/`);
      await isReady("Approve");
      expect(await findBarriers()).toEqual([]);
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      expect(await findBarriers()).toEqual([]);
      await open("/review/ap_all", "README.md");
      await isReady("Approve");
      await page.locator(".row").first().waitFor();
      expect(await findBarriers()).toEqual([]);
    }
  });

  test("says it in the language of the person, and says no to an address that is none", async () => {
    server.setScenes([]);
    server.setLanguage("ru");
    await page.goto(`${server.origin}/nothing`);
    await page.getByRole("heading", { name: "Такой страницы нет" }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("ru");
    server.setLanguage("en");
  });

  test("says in the browser's own language that it is not signed in", async () => {
    for (const [locale, title] of [
      ["ru-RU", "Этот браузер не вошёл"],
      ["zh-TW", "此浏览器尚未登录"],
      ["fr-FR", "This browser is not signed in"],
    ] as const) {
      const context = await browser.newContext({ locale });
      const made = await context.newPage();
      await made.goto(server.origin);
      await made.getByRole("heading", { level: 1 }).waitFor();
      expect(await made.getByRole("heading", { level: 1 }).textContent()).toBe(title);
      expect(await made.evaluate("document.documentElement.lang")).toBe(
        locale.slice(0, 2).replace("fr", "en"),
      );
      await context.close();
    }
  });

  test("had nothing to complain about", () => {
    expect(complaints).toEqual([]);
  });
});
