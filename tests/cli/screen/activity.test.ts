import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { Writable } from "node:stream";
import { openActivity } from "../../../src/cli/screen/activity.ts";
import { renderBar } from "../../../src/cli/screen/bar.ts";
import type { TerminalQueue } from "../../../src/cli/screen/open-output.ts";
import { screensOf } from "../../../src/cli/screen/screen.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { screenOf } from "../../support/screen-of.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** What stands in the passing line of a terminal, at a time. */
function open(columns = 80, env: Readonly<Record<string, string>> = {}) {
  let written = "";
  const shared: TerminalQueue = { written: Promise.resolve(), waitingBytes: 0, isCut: false };
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      written += (shared.uncover?.(text) ?? "") + text;
      done();
    },
  });
  const stderr = Object.assign(stream, { isTTY: true, columns, shared });
  let time = 0;
  const lastMs = (check: string) => (check === "bun test" ? 4000 : undefined);
  const screens = { stderr, screen: screensOf(env), command: { quiet: false } };
  const activity = openActivity(screens, textsIn("en"), lastMs, () => time);
  const at = (ms: number) => {
    time = ms;
    jest.advanceTimersByTime(125);
    return screenOf(written, columns).at(-1);
  };
  return { activity, at, written: () => written };
}

describe("openActivity()", () => {
  test("says how many of how many, as a bar, from when it takes longer than a second", () => {
    const { activity, at } = open();
    activity.begin("searching");
    activity.step({ counted: 10, of: 100 });
    expect(at(900)).toBe("⠋ searching · 0 s, Ctrl-C cancels");
    activity.step({ counted: 50, of: 100 });
    expect(at(1100)).toBe("⠙ searching · ██████░░░░░░ 50/100 · 1 s, Ctrl-C cancels");
    activity.step({ counted: 100, of: 100 }); // something else goes on by now
    expect(at(2100)).toBe("⠹ searching · 2 s, Ctrl-C cancels");
    activity.begin("more");
    expect(at(4000)).toBe("⠸ more · 1 s, Ctrl-C cancels");
    activity.rest();
    expect(at(5000)).toBe("");
  });

  test("says which of several checks runs, and how far it may be", () => {
    const { activity, at } = open();
    activity.step({ check: "bun test", at: 2, of: 3 });
    expect(at(1000)).toBe("⠋ check 2 of 3: bun test · ███░░░░░░░░░ 1/4 s, Ctrl-C cancels");
    activity.step("tsc");
    expect(at(2000)).toBe("⠙ check tsc · 1 s, Ctrl-C cancels");
  });

  test("keeps the line within a narrow window", () => {
    const { activity, at } = open(20);
    activity.begin("searching");
    activity.step({ counted: 50, of: 100 });
    expect(at(1100)).toBe("⠋ searching · █████");
  });

  test("says for how long behind a check that is longer than the line, too", () => {
    const { activity, at } = open(50);
    activity.step({ check: `sh -c ${"中文 ".repeat(30)}`, at: 2, of: 3 });
    expect(at(1000)).toBe("⠋ check 2 of 3: sh -c 中文… · 1 s, Ctrl-C cancels");
  });

  test("says a line for each check where a terminal can no more, and nothing of numbers", () => {
    const { activity, written } = open(80, { PAPAYU_PLAIN: "1" });
    activity.begin("searching");
    activity.step({ counted: 50, of: 100 });
    activity.step({ check: "bun test", at: 2, of: 3 });
    activity.step({ printed: "1 pass" });
    expect(written()).toBe("check 2 of 3: bun test\n");
  });
});

test.each([
  [0, 0, "░░░░░░░░░░░░"],
  [0, 5, "░░░░░░░░░░░░"],
  [4, 5, "█████████░░░"],
  [5, 5, "████████████"],
  [9, 5, "████████████"],
])("renderBar() of %p of %p", (counted, of, bar) => {
  expect(renderBar({ counted, of })).toBe(bar);
});
