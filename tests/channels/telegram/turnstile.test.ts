import { expect, test } from "bun:test";
import { createTurnstile } from "../../../src/channels/telegram/turnstile.ts";

/** Work that says when it begins and ends, as a test lets it. */
function openYard() {
  const turnstile = createTurnstile();
  const seen: string[] = [];
  const doors = new Map<string, () => void>();
  const work = (name: string) => async () => {
    seen.push(`${name} in`);
    await new Promise<void>((resolve) => doors.set(name, resolve));
    seen.push(`${name} out`);
    return name;
  };
  const leave = async (name: string) => {
    doors.get(name)?.();
    await Bun.sleep(0);
  };
  return {
    seen,
    leave,
    together: (name: string) => turnstile.together(work(name)),
    alone: (name: string) => turnstile.alone(work(name)),
  };
}

test("createTurnstile() lets work through side by side", async () => {
  const { together, seen } = openYard();
  void together("a");
  void together("b");
  await Bun.sleep(0);
  expect(seen).toEqual(["a in", "b in"]);
});

test("createTurnstile() lets one be alone, in the order of arrival", async () => {
  const { together, alone, seen, leave } = openYard();
  void together("a");
  await Bun.sleep(0);
  void alone("b");
  void together("c");
  void alone("d");
  await Bun.sleep(0);
  expect(seen).toEqual(["a in"]);
  await leave("a");
  expect(seen).toEqual(["a in", "a out", "b in"]);
  await leave("b");
  expect(seen.slice(3)).toEqual(["b out", "c in"]);
  await leave("c");
  expect(seen.slice(5)).toEqual(["c out", "d in"]);
});

test("createTurnstile() goes on behind what failed", async () => {
  const turnstile = createTurnstile();
  const fail = () => Promise.reject(new Error("no"));
  const results = await Promise.allSettled([
    turnstile.together(fail),
    turnstile.alone(fail),
    turnstile.together(async () => "yes"),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});
