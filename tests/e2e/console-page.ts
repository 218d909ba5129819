import { source as axe } from "axe-core";
import type { Browser, Locator, Page } from "playwright-core";
import type { ConsoleScene } from "./console-scene.ts";

/** A page of the console in a browser that was just let in; what breaks in it goes to `complaints`. */
export async function letIn(
  browser: Browser,
  scene: Pick<ConsoleScene, "sandbox">,
  complaints: string[],
): Promise<Page> {
  const page = await browser.newPage({ reducedMotion: "reduce" });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted/u.test(message.text())) complaints.push(message.text());
  });
  await page.goto((await scene.sandbox.run("open", "--print")).stdout.trim());
  return page;
}

/** Waits until a press on the button counts. */
export const isReady = (place: Page | Locator, name: string) =>
  place.locator(`button:not([aria-disabled="true"]):text-is("${name}")`).waitFor();

/** What axe finds on a page, in both themes. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const theme of ["light", "dark"]) {
    await page.locator(".theme select").selectOption(theme);
    await page.evaluate(axe);
    const said: unknown = await page.evaluate(`axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + " " + target + " " + failureSummary)))`);
    found.push(...(Array.isArray(said) ? said.map((each) => `${theme} ${String(each)}`) : ["?"]));
  }
  return found;
}
