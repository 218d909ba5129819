import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Routine } from "../../src/routines/routine.ts";
import { CAN_MOUNT, UNSHARE } from "../support/mount.ts";
import { tempDir } from "../support/temp.ts";
import { bench, patient, routine } from "./bench.ts";
import { FakeClock } from "./fake-clock.ts";

const CHILD = Bun.fileURLToPath(new URL("./timezone-child.ts", import.meta.url));
const ZONES = "/usr/share/zoneinfo";

/** Runs a script of a shell with the child as $BUN $CHILD; gives the lines it printed. */
async function run(command: readonly string[], env: Record<string, string> = {}) {
  const { TZ: _, ...rest } = process.env;
  const own = { ...rest, BUN: process.execPath, CHILD, ...env };
  const child = Bun.spawn([...command], { env: own, stdout: "pipe", stderr: "inherit" });
  const text = await child.stdout.text();
  await child.exited;
  return text.trim().split("\n");
}

describe("toRoutine() without a timezone", () => {
  test.if(CAN_MOUNT)("has the machine's as it is now, while a process runs", async () => {
    using dir = tempDir();
    const script = `set -e
      cp -aL /etc/passwd ${dir.path}/ 2>/dev/null; ln -s ${ZONES}/Europe/Berlin ${dir.path}/localtime
      mount --bind ${dir.path} /etc
      (read line <&3; ln -sfn ${ZONES}/America/New_York /etc/localtime; echo) 3<${dir.path}/said |
        "$BUN" "$CHILD" | tee ${dir.path}/said`;
    Bun.spawnSync(["mkfifo", join(dir.path, "said")]);
    const said = await run([...UNSHARE, "bash", "-c", script]);
    expect(said).toEqual(["Europe/Berlin true", "America/New_York true"]);
  });

  test("has that of TZ where a process is given one", async () => {
    const said = await run(["bash", "-c", '"$BUN" "$CHILD" < /dev/null'], { TZ: "Asia/Tokyo" });
    expect(said).toEqual(["Asia/Tokyo true"]);
  });
});

describe("createScheduler() in a machine that travels", () => {
  const at = (timezone: string): Routine =>
    routine({ timezone, isLocal: true, channel: "telegram" });
  const MOVED =
    "telegram: This machine is in another timezone now: America/New_York, before Europe/Berlin. Routines without a timezone of their own follow it: hello";
  const ran = (started: readonly string[]) => started.map((line) => line.slice(6, 22));

  test("follows its clock without a restart, and says so once", async () => {
    const clock = new FakeClock("2026-05-01T05:00:00Z");
    const jobs = [at("Europe/Berlin"), routine({ name: "fixed", timezone: "Europe/Berlin" })];
    const { scheduler, started, sent, logged } = bench(clock, jobs);
    scheduler.start();
    await clock.advanceTo("2026-05-01T20:00:00Z");
    jobs[0] = at("America/New_York");
    await clock.advanceTo("2026-05-02T20:00:00Z");
    await scheduler.stop(patient);
    expect(ran(started.filter((line) => line.startsWith("hello")))).toEqual([
      "2026-05-01T06:00",
      "2026-05-02T12:00",
    ]);
    expect(started.filter((line) => line.startsWith("fixed"))).toHaveLength(2);
    expect(sent.filter((text) => text.includes("timezone"))).toEqual([MOVED]);
    expect(logged.filter((line) => line.startsWith("TIMEZONE_CHANGED"))).toHaveLength(1);
  });

  test.each([
    ["Europe/Berlin", "America/New_York", "2026-05-02T20:00:00Z", "2026-05-02T12:00"],
    ["America/New_York", "Europe/Berlin", "2026-05-02T20:00:00Z", "2026-05-02T06:00"],
  ])(
    "makes up for the eight o'clock that was missed between %s and %s",
    async (from, to, back, due) => {
      const clock = new FakeClock("2026-05-01T03:00:00Z");
      const before = bench(clock, [at(from)]);
      before.scheduler.start();
      await clock.advanceTo("2026-05-01T20:00:00Z");
      await before.scheduler.stop(patient);
      expect(before.started).toHaveLength(1);
      clock.jumpTo(back);
      const after = bench(clock, [at(to)], { database: before.database });
      after.scheduler.start();
      await clock.advance(60_000);
      await after.scheduler.stop(patient);
      // That of the day before was run, by the clock of then.
      expect(ran(after.started)).toEqual([due]);
      expect(after.sent[0]).toContain(`now: ${to}, before ${from}`);
      expect(after.sent.join()).not.toContain("missed");
    },
  );

  test("goes on with what an earlier version watched by the machine's timezone", async () => {
    const clock = new FakeClock("2026-05-01T03:00:00Z");
    const before = bench(clock, [routine({ timezone: "Europe/Berlin" })]);
    before.scheduler.start();
    await before.scheduler.stop(patient);
    clock.jumpTo("2026-05-01T20:00:00Z");
    const after = bench(clock, [at("Europe/Berlin")], { database: before.database });
    after.scheduler.start();
    await clock.advance(1000);
    await after.scheduler.stop(patient);
    expect(ran(after.started)).toEqual(["2026-05-01T06:00"]);
  });
});
