import { describe, expect, test } from "bun:test";
import {
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { AppError } from "../../src/core/app-error.ts";
import { readTrace } from "../../src/trace/read-trace.ts";
import { type Reading, readTraces } from "../../src/trace/read-traces.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { tempDir } from "../support/temp.ts";
import { createTraces, NOW } from "./traces-scene.ts";

const SECOND = 1000;

async function readAll(workspace: Workspace, signal = new AbortController().signal) {
  const readings: Reading[] = [];
  for await (const reading of readTraces(workspace, { now: NOW, signal })) readings.push(reading);
  return readings;
}

/** Ids of traces, and names of what is none. */
async function readNames(workspace: Workspace): Promise<readonly string[]> {
  const readings = await readAll(workspace);
  return readings.map((reading) =>
    reading.kind === "trace" ? reading.trace.trace_id : reading.file,
  );
}

async function codeOf(workspace: Workspace, id: string): Promise<string> {
  try {
    await readTrace(workspace, id, new AbortController().signal);
    return "none";
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe("readTraces()", () => {
  test("gives the newest first, whatever the files are named", async () => {
    using scene = createTraces();
    const old = scene.write(50 * SECOND);
    const newest = scene.write(10 * SECOND);
    const foreign = scene.write(30 * SECOND, {}, "run-7");
    // Both look like ids, of years in which there was no such program.
    const early = scene.write(20 * SECOND, {}, "trace_0000000000000001");
    const late = scene.write(40 * SECOND, {}, "trace_9f86d081884c7d65");
    expect(await readNames(scene.workspace)).toEqual([newest, early, foreign, late, old]);
  });

  test("takes the time of its file for a trace that does not say when it began", async () => {
    using scene = createTraces();
    scene.write(10 * SECOND);
    scene.plant("undated.json", '{"event":"LLM_PLAN_OK","mode":"plan"}');
    utimesSync(join(scene.folder, "undated.json"), NOW / 1000, NOW / 1000);
    const [first] = await readAll(scene.workspace);
    const started_at = new Date(NOW).toISOString();
    const trace = { trace_id: "undated", event: "LLM_PLAN_OK", mode: "plan", started_at };
    expect(first).toEqual({ kind: "trace", trace: expect.objectContaining(trace) });
  });

  test("keeps the fields of a list and drops what a model wrote", async () => {
    using scene = createTraces();
    const used = { protocol_attempts: ["v2", "v1"], tokens: { input: 3, output: 4 }, cost: 0.5 };
    const id = scene.write(0, { ...used, validated_json: { actions: [] }, error_code: null });
    const started_at = new Date(NOW).toISOString();
    const common = { trace_id: id, event: "LLM_APPLY_OK", mode: "apply" as const, started_at };
    expect(await readAll(scene.workspace)).toEqual([
      { kind: "trace", trace: { ...common, ...used } },
    ]);
  });

  test("finds nothing where nothing was traced yet", async () => {
    using scene = createTraces();
    expect(await readAll(scene.workspace)).toEqual([]);
    rmSync(scene.folder, { recursive: true });
    expect(await readAll(scene.workspace)).toEqual([]);
    rmSync(join(scene.workspace.root, ".papa-yu"), { recursive: true });
    expect(await readAll(scene.workspace)).toEqual([]);
  });

  test.each([
    ["no JSON", "{"],
    ["no object", "[1]"],
    ["null", "null"],
    ["an unknown mode", '{"event":"X","mode":"fly"}'],
    ["no event", '{"mode":"apply"}'],
    ["an event that is a line", String.raw`{"mode":"apply","event":"A\nB"}`],
    ["an impossible time", '{"mode":"apply","event":"X","started_at":"2026-99-99T00:00:00Z"}'],
    ["negative tokens", '{"mode":"apply","event":"X","tokens":{"input":-1,"output":0}}'],
    ["tokens of none", '{"mode":"apply","event":"X","tokens":7}'],
    ["an endless cost", '{"mode":"apply","event":"X","cost":1e999}'],
    ["paths that are none", '{"mode":"apply","event":"X","repair_injected_paths":[1]}'],
    ["a code that is none", '{"mode":"apply","event":"X","error_code":{"toString":1}}'],
    ["nothing", ""],
  ])("names a file with %s and goes on", async (_, text) => {
    using scene = createTraces();
    const id = scene.write(0);
    scene.plant("broken.json", text);
    expect(await readNames(scene.workspace)).toEqual(["broken.json", id]);
  });

  test("follows no link, waits for no pipe, opens no folder, reads nothing huge", async () => {
    using scene = createTraces();
    using outside = tempDir();
    const id = scene.write(0);
    renameSync(join(scene.folder, `${id}.json`), join(outside.path, "good.json"));
    symlinkSync(join(outside.path, "good.json"), join(scene.folder, "a-link.json"));
    Bun.spawnSync(["mkfifo", join(scene.folder, "b-pipe.json")]);
    mkdirSync(join(scene.folder, "c-folder.json"));
    scene.plant("d-huge.json", "");
    truncateSync(join(scene.folder, "d-huge.json"), 5_000_000_000);
    scene.plant("e name.json", '{"mode":"apply","event":"X"}');
    scene.plant("trace_1.json.0a1b.tmp", "{");
    expect((await readNames(scene.workspace)).toSorted()).toEqual([
      "a-link.json",
      "b-pipe.json",
      "c-folder.json",
      "d-huge.json",
      "e name.json",
    ]);
    // They are named as they are, not by the descriptor that they were reached by.
    const reasons = (await readAll(scene.workspace)).map((each) =>
      each.kind === "unreadable" ? `${each.file}: ${each.reason}` : "",
    );
    expect(reasons.find((each) => each.startsWith("a-link.json"))).toContain("open 'a-link.json'");
    expect(reasons.join()).not.toContain("/proc/");
  });

  test.each([".papa-yu", ".papa-yu/traces"])("does not follow %s out", async (place) => {
    using scene = createTraces();
    using outside = tempDir();
    const path = join(scene.workspace.root, place);
    mkdirSync(join(outside.path, "traces"));
    writeFileSync(join(outside.path, "traces/x.json"), "{}");
    rmSync(path, { recursive: true });
    symlinkSync(outside.path, path);
    const failed = await readAll(scene.workspace).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "ERR_IO" });
    expect(await codeOf(scene.workspace, "x")).toBe("ERR_IO");
  });

  test("reads no further than it is asked to, and ends with its signal", async () => {
    using scene = createTraces();
    const ids = Array.from({ length: 100 }, (_, n) => scene.write(n * SECOND));
    const { signal } = new AbortController();
    for await (const reading of readTraces(scene.workspace, { now: NOW, signal })) {
      expect(reading).toMatchObject({ trace: { trace_id: ids[0] } });
      break;
    }
    const enough = new Error("enough");
    const stopped = readAll(scene.workspace, AbortSignal.abort(enough));
    expect(await stopped.catch((error: unknown) => error)).toBe(enough);
  });
});

describe("readTrace()", () => {
  test("gives all that is in the file", async () => {
    using scene = createTraces();
    const id = scene.write(0, { validated_json: { actions: [1] } });
    const found = await readTrace(scene.workspace, id, new AbortController().signal);
    expect(found).toMatchObject({ validated_json: { actions: [1] } });
  });

  test.each([
    ["../traces/x", "ERR_USAGE"],
    ["x/../x", "ERR_USAGE"],
    ["", "ERR_USAGE"],
    ["x\0", "ERR_USAGE"],
    ["x".repeat(129), "ERR_USAGE"],
    ["unknown", "ERR_NOT_FOUND"],
    ["broken", "ERR_IO"],
    ["list", "ERR_IO"],
  ])("refuses %j with %s", async (id, code) => {
    using scene = createTraces();
    scene.write(0, {}, "x");
    scene.plant("broken.json", "{");
    scene.plant("list.json", "[]");
    expect(await codeOf(scene.workspace, id)).toBe(code);
  });
});
