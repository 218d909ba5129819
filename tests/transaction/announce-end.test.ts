import { expect, test } from "bun:test";
import { announceEnd } from "../../src/transaction/run/announce-end.ts";

test("announceEnd() waits its two seconds for state.db, whatever somebody sets the clock to", async () => {
  const held = Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
  let [waitedMs, now] = [0, 1e12];
  const clock = {
    now: () => (now -= 60_000),
    async sleep(ms: number) {
      waitedMs += ms;
      if (waitedMs > 60_000) throw new Error("it waits for ever");
    },
  };
  const announce = () => {
    throw held;
  };
  const { signal } = new AbortController();
  const ending = announceEnd({ announce }, clock, signal).catch((error: unknown) => error);
  expect(await ending).toMatchObject({ code: "APPLY_FAILED_ROLLED_BACK", cause: held });
  expect(waitedMs).toBe(2_000);
});
