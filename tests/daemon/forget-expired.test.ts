import { expect, test } from "bun:test";
import { forgetExpired } from "../../src/daemon/forget-expired.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { createVirtualTimers } from "../support/virtual-timers.ts";

const HOUR_MS = 3_600_000;

function openScene() {
  const store = memoryStore();
  const insert = store.query("INSERT INTO settings (key, value, expires_at) VALUES (?, 'x', 5)");
  const fill = (count: number) => {
    for (let n = 0; n < count; n++) insert.run(`undo.${n}`);
  };
  const left = () => {
    const row = store.query<{ n: number }, []>("SELECT count(*) AS n FROM settings").get();
    return row?.n;
  };
  const timers = createVirtualTimers();
  const logged: string[] = [];
  const log = (event: string) => void logged.push(event);
  const clock = { now: () => 1000, sleep: async () => {} };
  const running = forgetExpired({ store, clock, log }, timers.after);
  return { store, fill, left, timers, logged, running };
}

test("forgetExpired() goes on in small steps until nothing is left, and others come between", () => {
  const { store, fill, left, timers } = openScene();
  fill(1050);
  timers.pass(HOUR_MS - 1);
  expect(left()).toBe(1050);
  timers.pass(1);
  expect(left()).toBe(950);
  timers.pass(1);
  expect(left()).toBe(950);
  timers.pass(10_000);
  expect(left()).toBe(0);
  fill(1);
  timers.pass(HOUR_MS);
  expect(left()).toBe(0);
  store.close();
});

test("forgetExpired() waits an hour after a failure, and stops when told to between two steps", () => {
  const { store, fill, left, timers, logged, running } = openScene();
  fill(250);
  store.run("ALTER TABLE settings RENAME TO gone");
  timers.pass(HOUR_MS + 60_000);
  expect(logged).toEqual(["SETTINGS_NOT_PRUNED"]);
  store.run("ALTER TABLE gone RENAME TO settings");
  timers.pass(HOUR_MS - 60_000);
  expect(left()).toBe(150);
  running.stop();
  timers.pass(HOUR_MS);
  expect(left()).toBe(150);
  store.close();
});
