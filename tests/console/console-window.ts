import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { type ConsoleServer, startConsoleServer } from "../support/console-server.ts";
import { tempDir } from "../support/temp.ts";

/** A window of the console that was let in, over a server of what tests tell it. */
export interface ConsoleWindow extends AsyncDisposable {
  readonly browser: Browser;
  readonly server: ConsoleServer;
  readonly page: Page;
}

/** Opens one at its inbox; `watch` gets the page before it has loaded anything. */
export async function openConsoleWindow(
  more: BrowserContextOptions = {},
  watch: (page: Page) => void = () => {},
): Promise<ConsoleWindow> {
  await using cleanup = new AsyncDisposableStack();
  const dir = cleanup.use(tempDir("papayu-test-console-"));
  const server = cleanup.use(await startConsoleServer(dir.path));
  const browser = cleanup.adopt(await openBrowser(), (opened) => opened.close());
  const context = await browser.newContext({ reducedMotion: "reduce", ...more });
  const page = await context.newPage();
  watch(page);
  await page.goto(`${server.origin}/#login=one-code`);
  await page.getByRole("heading", { name: /^Inbox/u }).waitFor();
  const resources = cleanup.move();
  return { browser, server, page, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
