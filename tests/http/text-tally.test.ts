import { expect, test } from "bun:test";
import { createTextTally } from "../../src/http/html-to-text/text-tally.ts";

test("createTextTally() takes for prose what runs on for 100 signs, and all of the run", () => {
  const tally = createTextTally();
  expect([tally.add(99), tally.add(1), tally.add(5)]).toEqual([false, true, true]);
  tally.breakRun();
  expect(tally.add(99)).toBe(false);
  expect(tally.counts()).toEqual({
    plain: 204,
    linked: 0,
    prose: 105,
    said: 2,
    links: 0,
    contacts: 0,
    figures: 0,
  });
});

test("createTextTally() takes no run for prose that has as much in links", () => {
  const tally = createTextTally();
  const close = tally.openLink(false);
  expect(tally.add(120)).toBe(false);
  close();
  expect([tally.add(120), tally.add(1)]).toEqual([false, true]);
  expect(tally.counts()).toEqual({
    plain: 121,
    linked: 120,
    prose: 121,
    said: 1,
    links: 1,
    contacts: 0,
    figures: 0,
  });
});

test("createTextTally() takes a link that nobody ended for text", () => {
  const tally = createTextTally();
  const closeOuter = tally.openLink(true);
  const close = tally.openLink(false);
  expect([tally.add(599), tally.add(1)]).toEqual([false, false]);
  tally.hadFigures();
  close();
  closeOuter();
  expect(tally.counts()).toEqual({
    plain: 1,
    linked: 599,
    prose: 0,
    said: 0,
    links: 2,
    contacts: 1,
    figures: 1,
  });
  tally.openLink(false)();
  tally.add(7);
  expect(tally.counts()).toMatchObject({ plain: 8, linked: 599, links: 3 });
});

test("createTextTally() goes back to what was counted before", () => {
  const tally = createTextTally();
  tally.add(3);
  const before = tally.counts();
  tally.openLink(false);
  tally.add(200);
  tally.hadFigures();
  tally.reset(before);
  expect(tally.counts()).toEqual(before);
});
