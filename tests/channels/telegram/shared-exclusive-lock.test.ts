import { expect, test } from "bun:test";
import { createSharedExclusiveLock } from "../../../src/channels/telegram/work/work.ts";

/** Work that says when it begins and ends, as a test lets it. */
function openYard() {
  const lock = createSharedExclusiveLock();
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
    shared: (name: string) => lock.shared(work(name)),
    exclusive: (name: string) => lock.exclusive(work(name)),
  };
}

test("createSharedExclusiveLock() runs shared work side by side", async () => {
  const { shared, seen } = openYard();
  void shared("a");
  void shared("b");
  await Bun.sleep(0);
  expect(seen).toEqual(["a in", "b in"]);
});

test("createSharedExclusiveLock() runs exclusive work with nothing else, in the order of arrival", async () => {
  const { shared, exclusive, seen, leave } = openYard();
  void shared("a");
  await Bun.sleep(0);
  void exclusive("b");
  void shared("c");
  void exclusive("d");
  await Bun.sleep(0);
  expect(seen).toEqual(["a in"]);
  await leave("a");
  expect(seen).toEqual(["a in", "a out", "b in"]);
  await leave("b");
  expect(seen.slice(3)).toEqual(["b out", "c in"]);
  await leave("c");
  expect(seen.slice(5)).toEqual(["c out", "d in"]);
});

test("createSharedExclusiveLock() goes on behind what failed", async () => {
  const lock = createSharedExclusiveLock();
  const fail = () => Promise.reject(new Error("no"));
  const results = await Promise.allSettled([
    lock.shared(fail),
    lock.exclusive(fail),
    lock.shared(async () => "yes"),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});
