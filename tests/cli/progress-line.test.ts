import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { createProgressLine } from "../../src/cli/chat/progress-line.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function open(columns = 80) {
  const scene = { written: "", now: 0, isFree: true };
  const line = createProgressLine(
    { columns, write: (text: string | Uint8Array) => ((scene.written += String(text)), true) },
    {
      render: (seconds) => `working ${seconds} s`,
      isFree: () => scene.isFree,
      now: () => scene.now,
    },
  );
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
    expect(scene.written).toBe("");
    pass(2);
    expect(scene.written).toBe(
      "\r\x1b[K\x1b[2mworking 2 s\x1b[0m\r\x1b[K\x1b[2mworking 3 s\x1b[0m",
    );
    line.clear();
    expect(scene.written).toEndWith("\r\x1b[K");
    scene.written = "";
    pass(1);
    expect(scene.written).toBe("");
    pass(1);
    line.end();
    pass(9);
    expect(scene.written).toBe("\r\x1b[K\x1b[2mworking 5 s\x1b[0m\r\x1b[K");
  });

  test("stays away from a half line and from what is being typed", () => {
    const { scene, line, pass } = open();
    scene.isFree = false;
    line.begin();
    pass(9);
    line.end();
    expect(scene.written).toBe("");
  });

  test("is never wider than the window", () => {
    const { scene, line, pass } = open(5);
    line.begin();
    pass(2);
    line.end();
    expect(scene.written).toBe("\r\x1b[K\x1b[2mwork\x1b[0m\r\x1b[K");
  });
});
