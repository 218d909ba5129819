import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { tellFigures } from "../support/figures.ts";
import { crossed, oneOf } from "../support/long.ts";
import { FLOWS, play, WRITTEN } from "./flows.ts";
import { HARD } from "./hard.ts";
import { TOGETHER } from "./together.ts";
import { type Trial, visit, WAYS } from "./ways.ts";

/**
 * The console as people use it, with a daemon and a browser: `npm run test:long -- page` goes every way
 * through it in every language, on every screen and over every line; `npm test` has a few of them.
 */
let browser: Browser;
let done = 0;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  tellFigures("page", { flows: FLOWS.length, ways: WAYS.length, done });
});

const VISITS = crossed(FLOWS, WAYS, 1).map(([flow, way]): Trial => {
  const go = async (opened: Browser) => {
    await using visited = await visit(opened, way, play, WRITTEN);
    await flow.go(visited);
  };
  return { name: `${flow.name}: ${Object.values(way).join(", ")}`, go };
});

test.each(oneOf(11, [...VISITS, ...HARD, ...TOGETHER]).map((each) => [each.name, each] as const))(
  "%s",
  async (_name, { go }) => {
    await go(browser);
    expect(browser.contexts()).toEqual([]);
    done += 1;
  },
);
