import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { tellFigures } from "../support/figures.ts";
import { CAN_MOUNT, UNSHARE } from "../support/mount.ts";
import { memoryDir, tempDir } from "../support/temp.ts";
import type { StormReport } from "./storm-worker.ts";

const WORKER = Bun.fileURLToPath(new URL("./storm-worker.ts", import.meta.url));

/** `STORM_KILLS=10000` is the long form; `STORM_SEED` repeats a run up to the moments of its kills. */
const KILLS = Number(process.env["STORM_KILLS"] ?? 8);
const SEED = Number(process.env["STORM_SEED"] ?? Math.floor(Math.random() * 1e9));
const WORKERS = 2;
/** So many of ten go to a disk that is full. */
const SHARE_OF_FULL = 1;

/** In memory where there is such a folder: every life waits for the disk many times. */
const PARENT = memoryDir();

/** A namespace of its own, whose mounts go with it. */
const SMALL_DISK = 'mount -t tmpfs -o size=3m none "$0"; exec "$@"';

async function runWorker(
  wrapper: readonly string[],
  folder: string,
  ...task: readonly string[]
): Promise<StormReport> {
  const argv = [...wrapper, process.execPath, WORKER, folder, ...task];
  const child = Bun.spawn(argv, { stdout: "pipe", stderr: "inherit" });
  const output = await child.stdout.text();
  expect(await child.exited).toBe(0);
  return JSON.parse(output);
}

test(
  `no tree is inconsistent and no word is false over ${KILLS} kills of applies, checks, undos and recoveries`,
  async () => {
    const full = CAN_MOUNT ? Math.ceil((KILLS * SHARE_OF_FULL) / 10) : 0;
    const each = Math.ceil((KILLS - full) / WORKERS);
    using dirs = new DisposableStack();
    const folder = (): string => {
      const { path } = dirs.use(tempDir("papayu-storm-", PARENT));
      chmodSync(path, 0o755); // some lives are another user's
      return path;
    };
    const disk = folder();
    const reports = await Promise.all([
      ...Array.from({ length: WORKERS }, (_, index) =>
        runWorker([], folder(), `${SEED + index}`, `${each}`),
      ),
      ...(full > 0
        ? [
            runWorker(
              [...UNSHARE, "sh", "-ec", SMALL_DISK, disk],
              disk,
              `${SEED + WORKERS}`,
              `${full}`,
              "full disk",
            ),
          ]
        : []),
    ]);
    const all = (pick: (report: StormReport) => readonly string[]) => reports.flatMap(pick);
    const said: Record<string, number> = {};
    for (const report of reports) {
      for (const [end, count] of Object.entries(report.said)) said[end] = (said[end] ?? 0) + count;
    }
    const kills = reports.reduce((sum, report) => sum + report.kills, 0);
    const [inconsistent, falseWords] = [all((it) => it.inconsistent), all((it) => it.falseWords)];
    const unneeded = all((it) => it.unneeded);
    tellFigures("storm", {
      seed: SEED,
      kills,
      inconsistent: inconsistent.length,
      falseWords: falseWords.length,
      said,
    });
    expect({ seed: SEED, inconsistent, falseWords, unneeded }).toEqual({
      seed: SEED,
      inconsistent: [],
      falseWords: [],
      unneeded: [],
    });
    expect(kills).toBeGreaterThanOrEqual(KILLS);
    expect(all(({ threw }) => threw).filter((line) => line.startsWith("none"))).toEqual([]);
    expect(said["apply committed"]).toBeGreaterThan(0);
    expect(said["fail rolled_back"]).toBeGreaterThan(0);
  },
  60_000 + KILLS * 3000,
);
