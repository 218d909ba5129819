import { afterAll, describe, expect, test } from "bun:test";
import { crossed } from "../support/long.ts";
import { createEntries, runTool } from "./matrix/entries.ts";
import { toName, verdict } from "./matrix/verdict.ts";
import { CANARIES, openWorld } from "./matrix/world.ts";
import { COMMAND_CALLS } from "./payloads/commands.ts";
import { OTHER_CALLS } from "./payloads/others.ts";
import { PATH_CALLS } from "./payloads/paths.ts";

/**
 * Every call through every way in. To add one, add its row to a list in `payloads/`; what it
 * must not do is the same for all: see `findHarm` in `matrix/world.ts`.
 */
const world = await openWorld();
afterAll(() => world[Symbol.asyncDispose]());
const targets = { dir: world.dir, sinkUrl: world.web.sinkUrl, secret: CANARIES.provider };
const PAYLOADS = [...COMMAND_CALLS, ...PATH_CALLS, ...OTHER_CALLS];

/** `papayu tool` does the call itself. */
const WAYS = [...createEntries(world), undefined];

describe("a call that a model was talked into", () => {
  for (const [payload, entry] of crossed(PAYLOADS, WAYS, 1)) {
    const { theme, name, tool, args, outcome } = payload;
    if (!entry) {
      test(`${theme}: ${toName(name)} by papayu tool is ${outcome}`, async () => {
        world.begin();
        const { exitCode } = await runTool(world, tool, args(targets), "supervised");
        const codes = { asked: [3], refused: [1, 2], harmless: [0, 1] }[outcome];
        expect(codes).toContain(exitCode);
        expect(world.findHarm()).toEqual([]);
      });
      continue;
    }
    test(`${theme}: ${toName(name)} by ${entry.name} is ${outcome}`, async () => {
      world.begin();
      world.play([[tool, args(targets)]], "end");
      await entry.say("do it", "supervised");
      expect(world.reported().at(-1)).toMatch(verdict(outcome, entry, tool));
      expect(world.findHarm()).toEqual([]);
    });
  }
});
