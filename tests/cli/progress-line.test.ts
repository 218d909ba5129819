import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { createProgressLine } from "../../src/cli/chat/progress-line.ts";
import type { StatusLine } from "../../src/cli/screen/status-line.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function open() {
  const scene = { shown: [] as (readonly string[])[], now: 0, isFree: true };
  const status: StatusLine = {
    show: (lines) => void scene.shown.push(lines),
    hide: () => void scene.shown.push([]),
  };
  const line = createProgressLine(status, {
    render: (seconds) => [`working ${seconds} s`, "  ok 1"],
    isFree: () => scene.isFree,
    now: () => scene.now,
  });
  const pass = (seconds: number) => {
    for (let passed = 0; passed < seconds; passed++) {
      scene.now += 1000;
      jest.advanceTimersByTime(1000);
    }
  };
  return { scene, line, pass };
}

describe("createProgressLine()", () => {
  test("shows after two quiet seconds, over itself, and goes when text comes", () => {
    const { scene, line, pass } = open();
    line.begin();
    pass(1);
    expect(scene.shown).toEqual([]);
    pass(2);
    const at = (seconds: number) => [`working ${seconds} s`, "  ok 1"];
    expect(scene.shown).toEqual([at(2), at(3)]);
    line.clear();
    pass(1);
    expect(scene.shown).toEqual([at(2), at(3), []]);
    pass(1);
    line.end();
    pass(9);
    expect(scene.shown.slice(3)).toEqual([at(5), []]);
  });

  test("stays away from a half line and from what is being typed", () => {
    const { scene, line, pass } = open();
    scene.isFree = false;
    line.begin();
    pass(9);
    line.end();
    expect(scene.shown).toEqual([]);
  });
});
