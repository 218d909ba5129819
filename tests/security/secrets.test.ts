import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { crossed } from "../support/long.ts";
import { tracesIn } from "../support/traces.ts";
import { createEntries } from "./matrix/entries.ts";
import { CANARIES, OWNER, openWorld, spellings } from "./matrix/world.ts";
import { SECRETS } from "./payloads/secrets.ts";

/** A secret of the daemon in what a server answers: no way out may show it. */
const world = await openWorld();
afterAll(() => world[Symbol.asyncDispose]());

describe("the daemon's key in an answer", () => {
  for (const [{ name, reply }, entry] of crossed(SECRETS, createEntries(world), 2)) {
    test(`${name} is masked by ${entry.name}`, async () => {
      const before = world.model.requests.length;
      world.begin();
      world.play(reply(CANARIES.provider), "end");
      await entry.say("who are you?", "supervised");
      expect(world.model.requests.length).toBeGreaterThan(before);
      expect(world.findHarm()).toEqual([]);
    });
  }
});

describe("the bot's token in an error of Telegram", () => {
  test.each([
    ["as it is", CANARIES.bot],
    ["in the address of the call", `POST /bot${encodeURIComponent(CANARIES.bot)}/sendMessage`],
  ])("%s is masked in the log", async (_name, description) => {
    world.begin();
    world.play("first", "second");
    world.api.fail("sendMessage", { kind: "status", status: 403, description });
    world.api.say(OWNER, "hi");
    world.api.say(OWNER, "again");
    await world.api.waitForText("second");
    expect(world.findHarm()).toEqual([]);
  });
});

test("nothing of it is kept: neither in a trace nor in the database", async () => {
  const kept = [
    ...new Bun.Glob(".papa-yu/traces/*").scanSync({ cwd: world.folder, absolute: true, dot: true }),
    ...new Bun.Glob(".papa-yu/state.db*").scanSync({
      cwd: join(world.dir, "home"),
      absolute: true,
      dot: true,
    }),
  ];
  // Each of the calls above that ended left one.
  expect(tracesIn(world.folder).length).toBeGreaterThan(SECRETS.length);
  expect(kept.some((path) => path.endsWith("state.db"))).toBe(true);
  for (const path of kept) {
    const text = await Bun.file(path).text();
    for (const secret of spellings(CANARIES.provider)) expect(text).not.toContain(secret);
  }
});
