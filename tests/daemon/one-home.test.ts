import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { createOneHome } from "../../src/daemon/routines/one-home.ts";
import { FakeClock } from "../routines/fake-clock.ts";
import { until } from "../support/patience.ts";

function open(homeId: string | undefined, home: string) {
  const clock = new FakeClock("2026-05-01T08:00:00Z");
  const did: string[] = [];
  const oneHome = createOneHome({
    home,
    homeId,
    start: (heldUntil) => void did.push(heldUntil === undefined ? "start" : `after ${heldUntil}`),
    clock,
    log: (event) => void did.push(event),
  });
  return { ...oneHome, clock, did };
}

test("createOneHome() starts in one of a home and its copies, and in the next when that ends", async () => {
  const id = randomUUID();
  const [first, copy, other] = [
    open(id, "/first"),
    open(id, "/copy"),
    open(randomUUID(), "/other"),
  ];
  for (const each of [first, copy, other]) await each.begin();
  expect([first.did, copy.did, other.did]).toEqual([["start"], ["ROUTINES_HELD"], ["start"]]);
  expect(copy.heldBy()).toEqual({ pid: process.pid, home: "/first" });
  expect(first.heldBy()).toBeUndefined();
  await copy.clock.advance(120_000);
  expect(copy.did).toEqual(["ROUTINES_HELD"]);
  first.stop();
  const stoppedAt = copy.clock.now();
  await until(async () => {
    await copy.clock.advance(60_000);
    return copy.did.length > 1;
  });
  const [, said = ""] = copy.did;
  expect(copy.did).toEqual(["ROUTINES_HELD", expect.stringMatching(/^after \d+$/u)]);
  const heldUntil = Number(said.slice("after ".length));
  // It looked at least once a minute.
  expect(stoppedAt - heldUntil).toBeLessThan(60_000);
  expect(heldUntil).toBeLessThanOrEqual(copy.clock.now());
  expect(copy.heldBy()).toBeUndefined();
  for (const each of [copy, other]) each.stop();
});

test("createOneHome() starts nothing once it was stopped, and at once where a home has no id", async () => {
  const id = randomUUID();
  const [first, copy, bare] = [open(id, "/first"), open(id, "/copy"), open(undefined, "/bare")];
  for (const each of [first, copy, bare]) await each.begin();
  copy.stop();
  first.stop();
  await copy.clock.advance(600_000);
  expect([copy.did, bare.did]).toEqual([["ROUTINES_HELD"], ["start"]]);
  const last = open(id, "/last");
  await last.begin();
  expect(last.did).toEqual(["start"]);
  last.stop();
});
