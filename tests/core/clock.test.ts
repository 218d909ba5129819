import { expect, test } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";

test("sleep() waits for longer than a timer can count, until it is aborted", async () => {
  const stop = new AbortController();
  const asleep = systemClock.sleep(2 ** 31, stop.signal).then(() => "woke up");
  expect(await Promise.race([asleep, systemClock.sleep(20)])).toBeUndefined();
  stop.abort(new Error("enough"));
  expect(await asleep.catch(String)).toBe("Error: enough");
});

test("sleep() does not begin when the signal has ended", async () => {
  const sleeping = systemClock.sleep(60_000, AbortSignal.abort(new Error("over")));
  expect(await sleeping.catch(String)).toBe("Error: over");
});
