import { expect } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { type Texts, textsIn } from "../../src/console/texts/texts.ts";
import type { Language } from "../../src/core/language.ts";
import { textsIn as wordsIn } from "../../src/texts/texts.ts";
import { findBarriers } from "../e2e/console-page.ts";
import { type ConsoleScene, openConsoleScene } from "../e2e/console-scene.ts";
import type { ModelRequest, Reply } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { findEnglish } from "./english.ts";
import { openLine } from "./line.ts";

/** How somebody comes to the page: what they read, on what, and over which line. */
export interface Way {
  readonly language: Language;
  readonly size: keyof typeof SIZES;
  readonly line: keyof typeof LINES;
}

const SIZES = {
  phone: { width: 360, height: 740 },
  laptop: { width: 1280, height: 800 },
  wall: { width: 2560, height: 1440 },
} as const;

const SLOW = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/** What a line is like; one that breaks is away before each press, and breaks off its answer. */
const LINES = { fast: undefined, slow: SLOW, breaking: undefined } as const;

/** Each language on each screen, over each line, and each screen over each line: any two of them meet. */
export const WAYS: readonly Way[] = [
  { language: "ru", size: "phone", line: "fast" },
  { language: "zh", size: "laptop", line: "breaking" },
  { language: "en", size: "wall", line: "slow" },
  { language: "zh", size: "phone", line: "slow" },
  { language: "en", size: "phone", line: "breaking" },
  { language: "ru", size: "laptop", line: "slow" },
  { language: "en", size: "laptop", line: "fast" },
  { language: "zh", size: "wall", line: "fast" },
  { language: "ru", size: "wall", line: "breaking" },
];

/** One thing that is tried in a browser of all tests; when it ends, no page of its is open. */
export interface Trial {
  readonly name: string;
  readonly go: (browser: Browser) => Promise<void>;
}

/** A person before the page, who came in one of the ways. */
export interface Visit extends AsyncDisposable {
  readonly scene: ConsoleScene;
  readonly page: Page;
  readonly way: Way;
  /** The words of the page in their language, and of the buttons that every channel has. */
  readonly words: Texts;
  readonly buttons: ReturnType<typeof wordsIn>["buttons"];
  /** Goes to a place by the bar of pages. */
  go(path: string): Promise<void>;
  /** Presses a button as soon as it counts, where it can be seen. */
  press(name: string, place?: Locator): Promise<void>;
  /** The same of one whose answer is no work that can be asked about. */
  click(name: string, place?: Locator): Promise<void>;
  /** Holds what is shown to what every page keeps. */
  look(): Promise<void>;
  /** The same, and what axe finds in both colours. */
  lookClosely(): Promise<void>;
}

/** Opens a daemon in the language of a way, and its page as the way has it. */
export async function visit(
  browser: Browser,
  way: Way,
  model: (request: ModelRequest) => Reply,
  written: readonly string[],
): Promise<Visit> {
  await using cleanup = new AsyncDisposableStack();
  const scene = cleanup.use(await openConsoleScene("", model));
  await speak(scene, way.language);
  const line = cleanup.use(await openLine());
  const context = await browser.newContext({
    ...(way.line === "breaking" && { proxy: { server: line.address } }),
    viewport: SIZES[way.size],
    locale: way.language,
    reducedMotion: "reduce",
  });
  cleanup.defer(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted/u.test(message.text())) complaints.push(message.text());
  });
  await slowDown(page, LINES[way.line]);
  await page.goto((await scene.sandbox.run("open", "--print")).stdout.trim());
  await page.locator(".link.live").waitFor();

  const look = async () => {
    expect(await page.evaluate(TOO_WIDE)).toEqual([]);
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(MOST_NODES);
    const all = [...written, readFileSync(join(scene.sandbox.dir, "config.toml"), "utf8")];
    expect(findEnglish(await readTexts(page), way.language, all)).toEqual([]);
    expect(complaints).toEqual([]);
  };
  const act = async (name: string, place: Page | Locator, isWork: boolean) => {
    const button = place.getByRole("button", { name, exact: true, disabled: false });
    await unfold(place, name);
    await button.waitFor();
    if (way.line === "breaking") {
      line.cut();
      await page.locator(".link.offline").waitFor();
      await button.waitFor({ state: "detached" });
      line.mend();
      await button.waitFor();
    }
    await until(
      () => isInView(page, button),
      () => `${name} is not in the window at ${page.url()}`,
    );
    const taken = page.waitForResponse((response) => response.url().endsWith("/api/press"));
    taken.catch(() => {}); // of a click nobody waits for it
    await button.click();
    if (way.line !== "breaking" || !isWork) return;
    await taken; // it counts by now, whoever hears of it
    line.cut();
    line.mend();
  };
  const words = textsIn(way.language);
  const resources = cleanup.move();
  return {
    scene,
    page,
    way,
    words,
    buttons: wordsIn(way.language).buttons,
    go: (path) => page.locator(`nav.pages a[href="${path}"]`).click(),
    press: (name, place) => act(name, place ?? page, true),
    click: (name, place) => act(name, place ?? page, false),
    look,
    async lookClosely() {
      await look();
      expect(await findBarriers(page)).toEqual([]);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** More would be felt while somebody scrolls. */
const MOST_NODES = 3000;

/** What reaches over the right edge of the window. */
const TOO_WIDE = `document.scrollingElement.scrollWidth <= innerWidth ? [] : [
  "the page is " + document.scrollingElement.scrollWidth + " wide",
  ...[...document.body.querySelectorAll("*")]
    .filter((each) => each.getBoundingClientRect().right > innerWidth)
    .map((each) => each.tagName + "." + each.className),
]`;

/** The configuration in another language; what runs takes it up by itself. */
async function speak({ sandbox, daemon }: ConsoleScene, language: Language): Promise<void> {
  if (language === "en") return;
  const path = join(sandbox.dir, "config.toml");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace("[default]\n", `[default]\nlanguage = "${language}"\n`));
  await daemon.waitForLog(/CONFIG_RELOADED/u);
}

async function slowDown(page: Page, line: typeof SLOW | undefined): Promise<void> {
  if (!line) return;
  const session = await page.context().newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", { offline: false, ...line });
}

/** On a phone what is pressed seldom comes when it is asked for. */
async function unfold(place: Page | Locator, name: string): Promise<void> {
  const button = place.getByRole("button", { name, exact: true, includeHidden: true });
  await button.waitFor({ state: "attached" });
  if (!(await button.isVisible())) {
    await place.locator("button.more-acts[aria-expanded='false']").click();
  }
}

/** Whether all of a button is in the window once it was scrolled to, if it has to be. */
async function isInView(page: Page, button: Locator): Promise<boolean> {
  // What is drawn anew meanwhile is looked at again.
  await button.scrollIntoViewIfNeeded().catch(() => {});
  const box = await button.boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  return (
    box !== null &&
    box.x >= 0 &&
    box.y >= 0 &&
    box.x + box.width <= width &&
    box.y + box.height <= height
  );
}

/** All that somebody reads or hears of a page. */
async function readTexts(page: Page): Promise<readonly string[]> {
  const found: unknown = await page.evaluate(`(() => {
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, data } = walker.currentNode;
      if (parentElement.checkVisibility()) texts.push(data.trim());
    }
    for (const each of document.body.querySelectorAll("*")) {
      if (!each.checkVisibility()) continue;
      for (const name of ["aria-label", "title", "placeholder"]) {
        const text = each.getAttribute(name);
        if (text) texts.push(text);
      }
    }
    return texts.filter((text) => text !== "");
  })()`);
  return Array.isArray(found) ? found.map(String) : [];
}
