import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { newId } from "../../src/core/ids.ts";
import { readTrace } from "../../src/trace/read-trace.ts";
import { type Reading, readTraces } from "../../src/trace/read-traces.ts";
import {
  dayOf,
  dayOfSegment,
  FULL_SEGMENT_BYTES,
  MAX_SEGMENT_BYTES,
  segmentName,
} from "../../src/trace/segments.ts";
import { childProgram } from "../support/child-program.ts";
import { runs } from "../support/long.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { createTraces, HOME, NOW, TRACE, tracedAt } from "./traces-scene.ts";

const CHILD = await childProgram(new URL("./trace-writer-child.ts", import.meta.url));
const DAY_MS = 86_400_000;
const SEGMENT = `2026-11-21-${HOME}.jsonl`;
const { signal } = new AbortController();

async function readAll(root: string): Promise<readonly Reading[]> {
  return await Array.fromAsync(readTraces(tracedAt(root), { now: NOW + DAY_MS, signal }));
}

function idsOf(readings: readonly Reading[]): readonly string[] {
  return readings.flatMap((it) => (it.kind === "trace" ? [it.trace.trace_id] : []));
}

function faultsOf(readings: readonly Reading[]): readonly object[] {
  return readings.flatMap((it) =>
    it.kind === "trace" ? [] : [{ file: it.file, reason: it.reason }],
  );
}

/** A line of a trace of the day of the scene, with any fields more. */
function lineOf(id: string, fields: object = {}): string {
  return JSON.stringify({ ...TRACE, trace_id: id, ...fields });
}

/** What a writer says at its end: the ids of its traces, and why some were not written. */
async function readSaid(
  stdout: ReadableStream<Uint8Array>,
): Promise<{ readonly ids: readonly string[]; readonly failed: readonly string[] }> {
  return JSON.parse(await new Response(stdout).text());
}

const anyText = fc.string({ unit: "binary", maxLength: 40 });

describe("a segment", () => {
  test("gives back what was written, newest first, whatever is in it and whenever it began", async () => {
    const anyTrace = fc.record({ ageMs: fc.integer({ min: 0, max: 3 * DAY_MS }), text: anyText });
    const check = async (written: readonly { readonly ageMs: number; readonly text: string }[]) => {
      using scene = createTraces();
      const texts = new Map(written.map(({ ageMs, text }) => [append(ageMs, text), text]));
      function append(ageMs: number, text: string): string {
        return scene.append(ageMs, { error: text, model: `${text}\n{"trace_id":"` });
      }
      const readings = await readAll(scene.workspace.root);
      expect(idsOf(readings)).toEqual([...texts.keys()].toSorted().toReversed());
      expect(readings).toHaveLength(texts.size);
      for (const [id, error] of texts) {
        expect(await readTrace(scene.workspace, id, signal)).toMatchObject({ trace_id: id, error });
      }
    };
    const several = fc.array(anyTrace, { maxLength: 12 });
    await fc.assert(fc.asyncProperty(several, check), { numRuns: runs(40, 1000) });
  });

  test("cut off at any byte keeps every whole line, and what is added next; what was cut is told", async () => {
    using scene = createTraces();
    const path = join(scene.folder, SEGMENT);
    const ids = [3, 2, 1].map((ageMs) => scene.append(ageMs, { error: "}\n漢" }));
    const whole = readFileSync(path);
    const ends = ids.map((id) => whole.indexOf(10, whole.indexOf(`"${id}"`)));
    for (let bytes = 0; bytes <= whole.length; bytes++) {
      writeFileSync(path, whole.subarray(0, bytes));
      const next = scene.append(0);
      const readings = await readAll(scene.workspace.root);
      const left = ids.filter((_, n) => (ends[n] ?? 0) <= bytes);
      expect(idsOf(readings)).toEqual([next, ...left.toReversed()]);
      // Cut between two lines nothing is missing.
      const isTorn = !ends.some((end) => end === bytes || end + 1 === bytes || end + 2 === bytes);
      expect(faultsOf(readings)).toHaveLength(bytes > 1 && isTorn ? 1 : 0);
    }
  });

  test.each([2, 3])("takes lines of %p processes at once, each whole", async (count) => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "w"));
    const go = join(dir.path, "go");
    const ready = Array.from({ length: count }, (_, n) => join(dir.path, `ready-${n}`));
    const children = ready.map((path) =>
      Bun.spawn([process.execPath, CHILD, join(dir.path, "w"), path, go, "30", "700000"], {
        stdout: "pipe",
      }),
    );
    await until(() => ready.every((path) => existsSync(path)));
    writeFileSync(go, "");
    const said = await Promise.all(children.map(({ stdout }) => readSaid(stdout)));
    const ids = said.flatMap(({ ids: own }) => own);
    expect(said.flatMap(({ failed }) => failed)).toEqual([]);
    const readings = await readAll(join(dir.path, "w"));
    expect(readings).toHaveLength(30 * count);
    expect(idsOf(readings)).toEqual(ids.toSorted().toReversed());
  });

  test("of a disk that is full keeps what was whole; the cut line is told, here and there", async () => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "w"));
    writeFileSync(join(dir.path, "go"), "");
    // A limit on file sizes refuses in the middle of a write, as a full disk does.
    const args = [join(dir.path, "w"), join(dir.path, "ready"), join(dir.path, "go"), "9", "3000"];
    const child = Bun.spawn(
      ["sh", "-c", `ulimit -f 20; exec "$0" "$@"`, process.execPath, CHILD, ...args],
      { stdout: "pipe" },
    );
    const { ids, failed } = await readSaid(child.stdout);
    expect(failed[0]).toBe("no space was left for all of it");
    const left = ids.slice(0, ids.length - failed.length);
    expect(left.length).toBeGreaterThan(0);
    const readings = await readAll(join(dir.path, "w"));
    expect(idsOf(readings)).toEqual(left.toReversed());
    expect(faultsOf(readings)).toMatchObject([{ file: SEGMENT }]);
  });
});

describe("a stranger's segment", () => {
  test("shows no line in another place than its own, and tells what it leaves out", async () => {
    using scene = createTraces();
    const own = scene.append(0);
    const [a, b, old] = [newId("trace", NOW + 1), newId("trace", NOW), newId("trace", 0)];
    const lines = [
      lineOf(old),
      lineOf("../../../etc/passwd"),
      `{"trace_id":"${a}",${lineOf(b).slice(1)}`,
      lineOf(a.slice(0, -1)),
      `{"event":"X","trace_id":"${a}"}`,
      "[]",
      "\0".repeat(100),
    ];
    const strange = segmentName("2026-11-21", "ffffffff", 1);
    scene.plant(strange, lines.join("\n"));
    const readings = await readAll(scene.workspace.root);
    expect(idsOf(readings)).toEqual([own]);
    expect(faultsOf(readings)).toEqual([
      {
        file: strange,
        reason:
          "what is at byte 0 begins with no id of that day (and 5 more of its lines are no traces)",
      },
      { file: strange, reason: `${a}: it is of another id than it begins with` },
    ]);
    for (const id of [a, old]) {
      const code = await readTrace(scene.workspace, id, signal).catch((error: unknown) => error);
      expect(code).toMatchObject({ code: id === a ? "ERR_IO" : "ERR_NOT_FOUND" });
    }
  });

  test("that is a link, a pipe, a folder or huge is told and hides nothing", async () => {
    using scene = createTraces();
    using outside = tempDir();
    const own = scene.append(0);
    writeFileSync(join(outside.path, "good"), `${lineOf(newId("trace", NOW))}\n`);
    const at = (digit: string) => join(scene.folder, segmentName("2026-11-21", digit.repeat(8), 1));
    symlinkSync(join(outside.path, "good"), at("1"));
    Bun.spawnSync(["mkfifo", at("2")]);
    mkdirSync(at("3"));
    writeFileSync(at("4"), "");
    truncateSync(at("4"), MAX_SEGMENT_BYTES + 1);
    const readings = await readAll(scene.workspace.root);
    expect(idsOf(readings)).toEqual([own]);
    expect(faultsOf(readings)).toHaveLength(4);
    expect(await readTrace(scene.workspace, own, signal)).toMatchObject({ trace_id: own });
  });

  test("of one endless line, larger than one that is full, is read to its end, in pieces", async () => {
    using scene = createTraces();
    const own = scene.append(0);
    const path = join(scene.folder, SEGMENT);
    truncateSync(path, FULL_SEGMENT_BYTES + 1); // two that wrote at once
    const next = scene.append(0, { error: "behind it" });
    const readings = await readAll(scene.workspace.root);
    expect(idsOf(readings).toSorted()).toEqual([own, next].toSorted());
    expect(faultsOf(readings)).toMatchObject([{ file: SEGMENT }]);
    expect(await readTrace(scene.workspace, next, signal)).toMatchObject({ error: "behind it" });
  });

  test("is shown beside files of one trace; of one id the line counts", async () => {
    using scene = createTraces();
    const ids = [50, 40, 30, 20, 10].map((ageMs, n) =>
      n % 2 === 0 ? scene.append(ageMs) : scene.write(ageMs),
    );
    const [first = ""] = ids;
    scene.plant(`${first}.json`, "{}");
    expect(await readAll(scene.workspace.root)).toMatchObject(
      ids.toReversed().map((trace_id) => ({ kind: "trace", trace: { trace_id } })),
    );
    expect(await readTrace(scene.workspace, first, signal)).toMatchObject({ event: "LLM_PLAN_OK" });
  });
});

test("a day is that of the id in UTC, and a name of a segment is one of a day there is", () => {
  const end = Date.UTC(2026, 1, 28, 23, 59, 59, 999);
  expect([end, end + 1].map((at) => dayOf(newId("trace", at)))).toEqual([
    "2026-02-28",
    "2026-03-01",
  ]);
  for (const part of [1, 2, 16]) {
    expect(dayOfSegment(segmentName("2026-02-28", HOME, part))).toBe("2026-02-28");
  }
  for (const name of ["2026-02-30-0a1b2c3d.jsonl", "2026-02-28.jsonl", "x-0a1b2c3d.jsonl"]) {
    expect(dayOfSegment(name)).toBeUndefined();
  }
});

test("a list of the newest reads no further back than it has to", async () => {
  using scene = createTraces();
  const newest = scene.append(0);
  scene.append(2 * DAY_MS);
  appendFileSync(join(scene.folder, `2026-11-19-${HOME}.jsonl`), "rubbish");
  expect(statSync(join(scene.folder, SEGMENT)).size).toBeGreaterThan(0);
  for await (const reading of readTraces(scene.workspace, { now: NOW, signal })) {
    expect(reading).toMatchObject({ trace: { trace_id: newest } });
    break;
  }
  const readings = await readAll(scene.workspace.root);
  expect(readings.map(({ kind }) => kind)).toEqual(["trace", "unreadable", "trace"]);
});
