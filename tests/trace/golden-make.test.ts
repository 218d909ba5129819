import { describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { createRedactor } from "../../src/security/redact/redact.ts";
import { toGolden } from "../../src/trace/golden.ts";
import { writeGolden } from "../../src/trace/write-golden.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { toWorkspace } from "../planner/planner-scene.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const TEXT = "one\ntwo\n";
const KEY = "sk-abcdefghijklmnopqrstuvwx";
const LONG_AGO = "2020-01-01T00:00:00.000Z";
const PATCH = {
  kind: "PATCH_FILE",
  path: "a.txt",
  patch: "@@ @@\n-one\n+1\n",
  base_sha256: sha256(TEXT),
};

/** A trace that ended before any file of the test was written. */
function traceOf(actions: readonly object[], fields: object = {}): Record<string, unknown> {
  return {
    trace_id: "trace_1",
    event: "LLM_APPLY_OK",
    mode: "apply",
    started_at: LONG_AGO,
    duration_ms: 5,
    model: "m",
    provider: "p",
    schema_version: 2,
    schema_hash: sha256("schema"),
    config_snapshot: { protocol: { normalize_eol: "lf" } },
    context_stats: {},
    cache_stats: {},
    strict_json: true,
    token_budget: 0,
    input_chars: 10,
    validated_json: { actions, summary: "s" },
    protocol_default: 2,
    protocol_attempts: ["v2"],
    protocol_repair_attempt: 0,
    protocol_fallback_attempted: false,
    ...fields,
  };
}

/** A workspace with files, and what toGolden() makes of a trace in it. */
function setUp(files: Readonly<Record<string, string | Uint8Array>>) {
  const dir = tempDir();
  writeTree(dir.path, files);
  const make = (trace: Record<string, unknown>, rules: Partial<Workspace> = {}) => {
    const workspace = toWorkspace(dir.path, rules);
    return toGolden(trace, { workspace, maxActions: 15, redact: createRedactor().redact });
  };
  return { ...dir, root: dir.path, make };
}

/** Paths kept, and what the golden says of the tree. */
function treeOf({ golden, tree }: ReturnType<typeof toGolden>) {
  return { kept: [...tree.files.keys()], says: golden.tree };
}

/** What the golden says when a.txt is missing. */
const missing = (reason: string) => ({ kept: [], says: `missing: "a.txt": ${reason}` });

describe("toGolden()", () => {
  test("takes what was asked, what was answered and how it was evaluated, and no more", () => {
    using room = setUp({ "a.txt": TEXT });
    const raw = { raw_content: KEY, raw_preview: KEY, error: KEY, tokens: { input: 1, output: 1 } };
    const { golden } = room.make(traceOf([PATCH], raw), { protectedPaths: ["*.sql"] });
    expect(JSON.stringify(golden)).not.toContain(KEY);
    expect(golden).toEqual({
      protocol: {
        schema_version: 2,
        schema_hash: sha256("schema"),
        protocol_default: 2,
        protocol_attempts: ["v2"],
        protocol_repair_attempt: 0,
        protocol_fallback_attempted: false,
      },
      request: {
        mode: "apply",
        provider: "p",
        model: "m",
        strict_json: true,
        token_budget: 0,
        input_chars: 10,
      },
      context: {
        context_stats: {},
        cache_stats: {},
        files: [{ path: "a.txt", sha256: sha256(TEXT), whole: true }],
      },
      rules: { max_actions: 15, normalize_eol: "lf", protected_paths: ["*.sql"] },
      result: {
        validated_json: { actions: [PATCH], summary: "s" },
        validation_outcome: "ok",
        error_code: null,
      },
      tree: "kept",
    });
  });

  test.each<[string, object]>([
    ["of a chat", { mode: "chat" }],
    ["of a correction", { fix: { round: 1 } }],
    ["without an answer", { validated_json: undefined }],
    ["whose answer is not valid", { validated_json: { actions: [{ kind: "RUN" }] } }],
    ["of no version", { schema_version: 9 }],
    ["that lacks a field", { context_stats: undefined }],
    ["with something else for a code", { error_code: "../../x" }],
    ["with something else for files", { context_files: "a.txt" }],
  ])("refuses a trace %s", (_, fields) => {
    using room = setUp({});
    const trace = traceOf([{ ...PATCH }], fields);
    expect(() => room.make(trace)).toThrow('Cannot make a golden of the trace "trace_1"');
  });

  test("keeps a file that is as the plan saw it, byte for byte", () => {
    using room = setUp({ "d/a.txt": "\uFEFFone\r\ntwo" });
    const base_sha256 = sha256("\uFEFFone\r\ntwo");
    const { tree } = room.make(traceOf([{ ...PATCH, path: "./d/a.txt", base_sha256 }]));
    expect([...tree.files]).toEqual([["d/a.txt", Buffer.from("\uFEFFone\r\ntwo")]]);
  });

  test.each<[string, string, (path: string) => void]>([
    ["changed", "it changed since", (path) => writeFileSync(path, "zero\n")],
    ["went", "it is gone since", (path) => rmSync(path)],
    ["grew", "it is over 256 KiB", (path) => writeFileSync(path, "x".repeat(262_145))],
  ])("keeps no file that %s, and says so", (_, reason, spoil) => {
    using room = setUp({ "a.txt": TEXT });
    spoil(join(room.root, "a.txt"));
    expect(treeOf(room.make(traceOf([PATCH])))).toEqual(missing(reason));
  });

  test("follows no link and takes no file with a second name", () => {
    using room = setUp({ "real.txt": TEXT });
    symlinkSync("real.txt", join(room.root, "a.txt"));
    expect(treeOf(room.make(traceOf([PATCH]))).says).toContain("a symbolic link");
    rmSync(join(room.root, "a.txt"));
    linkSync(join(room.root, "real.txt"), join(room.root, "a.txt"));
    expect(treeOf(room.make(traceOf([PATCH]))).says).toContain("hard link");
  });

  test("never keeps a secret, by its name or by what is in it", () => {
    const secret = `key = "${KEY}"\n`;
    using room = setUp({ ".env": "A=1", "bun.lock": "", "x.sql": "", "a.txt": secret });
    const paths = [".env", "bun.lock", "x.sql"];
    const actions = paths.map((path) => ({ ...PATCH, path, base_sha256: sha256("") }));
    const refused = traceOf(actions, { error_code: "ERR_PROTECTED_PATH" });
    const made = room.make(refused, { protectedPaths: ["*.sql"] });
    expect(treeOf(made)).toEqual({ kept: [], says: "kept" });
    expect(made.tree.protected.map(({ path }) => path)).toEqual(paths);
    const shown = room.make(traceOf([{ ...PATCH, base_sha256: sha256(secret) }]));
    expect(treeOf(shown)).toEqual(missing("it holds what looks like a secret"));
  });

  test("leaves out what the answer made, and what its spelling decides", () => {
    using room = setUp({ "new.txt": "x", "dir/y": "" });
    const made = [
      { kind: "CREATE_FILE", path: "new.txt", content: "x" },
      { kind: "CREATE_DIR", path: "dir" },
    ];
    expect(treeOf(room.make(traceOf(made)))).toEqual({ kept: [], says: "kept" });
    const outside = [{ kind: "DELETE_FILE", path: "../../etc/passwd" }];
    const refused = traceOf(outside, { error_code: "ERR_INVALID_PATH" });
    expect(treeOf(room.make(refused))).toEqual({ kept: [], says: "kept" });
  });

  test("keeps a file that the plan never saw only when nobody touched it since", () => {
    using room = setUp({ "a.txt": TEXT });
    const change = { kind: "UPDATE_FILE", path: "a.txt", content: "" };
    const fields = { error_code: "ERR_UPDATE_WITHOUT_BASE", schema_version: 1, context_files: [] };
    expect(treeOf(room.make(traceOf([change], fields)))).toEqual(missing("it changed since"));
    const later = new Date(Date.now() + 1000).toISOString();
    const untouched = traceOf([change], { ...fields, started_at: later });
    expect(treeOf(room.make(untouched)).kept).toEqual(["a.txt"]);
  });

  test("takes a file that is as it was shown for another one where it had changed", () => {
    using room = setUp({ "a.txt": TEXT });
    const trace = traceOf([PATCH], { error_code: "ERR_BASE_MISMATCH" });
    expect(treeOf(room.make(trace))).toEqual(missing("it changed since"));
    rmSync(join(room.root, "a.txt"));
    expect(treeOf(room.make(trace))).toEqual({ kept: [], says: "kept" });
  });

  test("keeps no folder", () => {
    using room = setUp({ "d/x": "" });
    const trace = traceOf([{ kind: "DELETE_DIR", path: "d" }]);
    expect(treeOf(room.make(trace)).says).toBe('missing: "d": it is a folder, which is not kept');
  });
});

describe("writeGolden()", () => {
  const parts = (fields: object = {}, actions: readonly object[] = [PATCH]) => {
    using room = setUp({ "a.txt": TEXT });
    return room.make(traceOf(actions, fields));
  };

  test("counts up in the folder of the version and writes nothing over", () => {
    using dir = tempDir();
    const folder = join(dir.path, "tests/golden/v2");
    expect(writeGolden(dir.path, parts(), "same")).toBe(join(folder, "001_same.json"));
    writeTree(folder, { "041_old.json": "old", "x.json": "", v_9: "" });
    expect(writeGolden(dir.path, parts(), "same")).toBe(join(folder, "042_same.json"));
    expect(Object.keys(readTree(folder))).toEqual([
      "001_same/",
      "001_same/a.txt",
      "001_same.json",
      "041_old.json",
      "042_same/",
      "042_same/a.txt",
      "042_same.json",
      "v_9",
      "x.json",
    ]);
  });

  test.each<[string, object]>([
    ["apply", {}],
    ["patch_apply_failed", { error_code: "ERR_PATCH_APPLY_FAILED" }],
    ["apply_repaired", { protocol_repair_attempt: 1 }],
    ["apply_fallback", { protocol_fallback_attempted: true, protocol_repair_attempt: 1 }],
  ])("names a golden %s after its outcome", (name, fields) => {
    using dir = tempDir();
    expect(writeGolden(dir.path, parts(fields))).toEndWith(`/001_${name}.json`);
  });

  test.each(["", ".", "../x", "a/b", "a\\b", "A", "a b", "a.json", "-x", "x\n", "x".repeat(65)])(
    "refuses the name %j",
    (name) => {
      using dir = tempDir();
      expect(() => writeGolden(dir.path, parts(), name)).toThrow("Cannot name a golden");
      expect(readTree(dir.path)).toEqual({});
    },
  );

  test("follows no link in the place of its folders", () => {
    for (const place of ["tests", "tests/golden", "tests/golden/v2"]) {
      using dir = tempDir();
      using outside = tempDir();
      mkdirSync(dirname(join(dir.path, place)), { recursive: true });
      symlinkSync(outside.path, join(dir.path, place));
      expect(() => writeGolden(dir.path, parts(), "x")).toThrow("is no folder");
      expect(readTree(outside.path)).toEqual({});
    }
  });
});
