import { existsSync } from "node:fs";
import { type Browser, chromium, type Locator } from "playwright-core";
import { until } from "./patience.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser of this machine. */
export function findBrowser(): string {
  const named = process.env["PAPAYU_TEST_CHROMIUM"];
  const found = [...(named === undefined ? [] : [named]), ...PLACES].find((path) =>
    existsSync(path),
  );
  if (found === undefined) {
    throw new Error("The tests of the console need a browser: apt-get install -y chromium");
  }
  return found;
}

/** A browser without a window, of its own folder and with nothing kept. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser(),
    // Root may not have its sandbox; what it opens are pages of ours.
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", ...more],
  });
}

/** Waits until a page shows as many of them: it hears of what changed after the daemon does. */
export async function becomes(shown: Locator, count: number): Promise<void> {
  let found = -1;
  await until(
    async () => (found = await shown.count()) === count,
    () => `waited for ${count} of ${shown.toString()}, and there are ${found}`,
  );
}
