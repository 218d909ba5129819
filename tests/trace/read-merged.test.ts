import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type MergedReading, readMerged, type TracePlace } from "../../src/trace/read-traces.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { runs } from "../support/long.ts";
import { createTraces, NOW } from "./traces-scene.ts";

const DAY = 86_400_000;

async function readPage(
  workspaces: readonly Workspace[],
  limit: number,
  before: TracePlace | undefined,
): Promise<readonly MergedReading[]> {
  const { signal } = new AbortController();
  const found: MergedReading[] = [];
  for await (const reading of readMerged(workspaces, { now: NOW, signal, before })) {
    found.push(reading);
    if (found.length === limit) break;
  }
  return found;
}

const idOf = ({ reading }: MergedReading) =>
  reading.kind === "trace" ? reading.trace.trace_id : reading.file;

test("pages over several workspaces have each trace once, in the order of all of them", async () => {
  const age = fc.integer({ min: 0, max: 5 * DAY });
  const kind = fc.constantFrom("line", "file", "foreign");
  const one = fc.tuple(age, kind, fc.nat({ max: 2 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(one, { maxLength: 25 }),
      fc.integer({ min: 1, max: 9 }),
      async (all, limit) => {
        using a = createTraces();
        using b = createTraces();
        using c = createTraces();
        const scenes = [a, b, c];
        for (const [n, [ageMs, how, at]] of all.entries()) {
          const scene = scenes[at] ?? a;
          if (how === "line") scene.append(ageMs);
          else scene.write(ageMs, {}, how === "file" ? undefined : `run-${n}`);
        }
        const workspaces = scenes.map(({ workspace }) => workspace);
        const whole = await readPage(workspaces, Number.POSITIVE_INFINITY, undefined);
        expect(whole).toHaveLength(all.length);
        const times = whole.map(({ reading }) =>
          reading.kind === "trace" ? Date.parse(reading.trace.started_at) : Number.NaN,
        );
        expect(times).toEqual(times.toSorted((x, y) => y - x));
        const paged: string[] = [];
        let before: TracePlace | undefined;
        do {
          const page = await readPage(workspaces, limit, before);
          paged.push(...page.map(idOf));
          before = page.length === limit ? page.at(-1)?.place : undefined;
        } while (before);
        expect(paged).toEqual(whole.map(idOf));
      },
    ),
    { numRuns: runs(25, 500) },
  );
});

test("a page of 10,000 traces opens the days that it shows, and reads their lines once", async () => {
  using scene = createTraces();
  for (let n = 0; n < 10_000; n++) scene.append(Math.floor((n * 90 * DAY) / 10_000));
  const names = readdirSync(scene.folder).toSorted().toReversed();
  expect(names.length).toBeGreaterThanOrEqual(90);
  const [newest = "", second = "", ...others] = names;
  const bytes = [newest, second].reduce(
    (sum, name) => sum + statSync(join(scene.folder, name)).size,
    0,
  );
  // Links are named as none where they are opened.
  for (const name of others) {
    unlinkSync(join(scene.folder, name));
    symlinkSync("/nowhere", join(scene.folder, name));
  }
  const before = bytesRead();
  const page = await readPage([scene.workspace], 50, undefined);
  const read = bytesRead() - before;
  expect(page).toHaveLength(50);
  expect(page.every(({ reading }) => reading.kind === "trace")).toBe(true);
  // Each line once to find it, and at most once to read it; and what the process itself reads.
  expect(read).toBeLessThan(2 * bytes + 100_000);
});

/** What this process has read so far, of whatever. */
function bytesRead(): number {
  const [, count = "0"] = /rchar: (\d+)/u.exec(readFileSync("/proc/self/io", "utf8")) ?? [];
  return Number(count);
}
