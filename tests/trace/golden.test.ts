import { afterAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import traceSchema from "../../schemas/trace_schema.json" with { type: "json" };
import { checkGoldens } from "../golden/check-goldens.ts";
import { makeGoldens } from "../golden/make-goldens.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";

const GOLDEN = join(import.meta.dir, "../golden");
const VERSIONS = ["v1", "v2", "v3"] as const;

/** A copy of some that are checked in, to be spoilt. */
function copyGoldens() {
  const dir = tempDir();
  const filter = (path: string) => !/\/v\d\/(?!001_|006_|009_)[^/]*$/u.test(path);
  for (const name of VERSIONS)
    cpSync(join(GOLDEN, name), join(dir.path, name), { recursive: true, filter });
  return dir;
}

/** Problems by golden, of those that have any. */
async function faultsIn(dir: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const found = Object.entries(await checkGoldens(dir));
  return Object.fromEntries(found.filter(([, problems]) => problems.length > 0));
}

/** Contents by path; modes are the matter of whoever checked them out. */
function contentsOf(root: string): Readonly<Record<string, string>> {
  const entries = Object.entries(readTree(root));
  return Object.fromEntries(entries.map(([path, is]) => [path, is.replace(/ \d+/u, "")]));
}

const work = tempDir();
afterAll(() => work[Symbol.dispose]());
const traces = makeGoldens(work.path);

test("makeGoldens() gives the bytes that are checked in, every time", async () => {
  const made = join(work.path, "tests/golden");
  expect((await traces).length).toBeGreaterThan(60);
  if (process.env["UPDATE_GOLDEN"] === "1") cpSync(made, GOLDEN, { recursive: true });
  expect(contentsOf(GOLDEN)).toMatchObject(contentsOf(made));
});

test("every trace of these scenes follows schemas/trace_schema.json", async () => {
  const isTrace = new Ajv({ allErrors: true }).compile(traceSchema);
  for (const trace of await traces) {
    isTrace(JSON.parse(JSON.stringify(trace)));
    expect(isTrace.errors).toBe(null);
  }
});

test("every golden is valid, and is evaluated again as it was", async () => {
  expect(await faultsIn(GOLDEN)).toEqual({});
});

test.each([
  ["v1", ["plan", "apply", "protected_path", "update_without_base", "diet_applied", "no_changes"]],
  ["v1", ["base_mismatch", "apply_repaired", "fallback_v2_v1", "fallback_v3_v2_v1"]],
  ["v2", ["plan", "apply", "protected_path", "update_without_base", "diet_applied", "no_changes"]],
  ["v2", ["base_mismatch", "patch_failed", "patch_ambiguous", "repair_injected_sha"]],
  ["v3", ["plan", "apply", "protected_path", "update_without_base", "diet_applied", "no_changes"]],
  ["v3", ["base_mismatch", "patch_failed", "patch_ambiguous", "repair_injected_sha"]],
  ["v3", ["anchor_not_found", "edit_ambiguous"]],
])("the goldens of %s have %j", (version, names) => {
  const files = readdirSync(join(GOLDEN, version)).map((file) => /_(.+)\.json$/u.exec(file)?.[1]);
  expect(files).toEqual(expect.arrayContaining(names));
});

describe("checkGoldens()", () => {
  test("finds fault with a folder that is missing or empty", async () => {
    using dir = tempDir();
    for (const folder of [dir.path, join(dir.path, "none")]) {
      const faults = await faultsIn(folder);
      expect(Object.keys(faults)).toEqual([...VERSIONS]);
      expect(faults["v2"]?.[0]).toStartWith("no golden in");
    }
    mkdirSync(join(dir.path, "v1"));
    expect(Object.keys(await faultsIn(dir.path))).toEqual([...VERSIONS]);
  });

  test.each<[string, (text: string) => string, string]>([
    [
      "another schema",
      (text) => text.replace(/(?<="schema_hash": ")\w{64}/u, "0".repeat(64)),
      "the schema of v2 changed since",
    ],
    ["a text that is no JSON", (text) => text.slice(1), "it is no JSON"],
    ["a field that no golden has", (text) => text.replace("{", '{ "raw": "",'), "additional"],
    ["nothing to check", (text) => text.replace('"validated_json"', '"x"'), "validated_json"],
    [
      "an answer that is not valid",
      (text) => text.replace("PATCH_FILE", "PATCH"),
      "its answer is not valid",
    ],
    [
      "another outcome",
      (text) => text.replace('"ERR_PATCH_APPLY_FAILED"\n', '"ERR_PATCH_AMBIGUOUS"\n'),
      "it was evaluated as error (ERR_PATCH_AMBIGUOUS), and is now evaluated as ERR_PATCH_APPLY_FAILED",
    ],
    [
      "a fault whose files are missing",
      (text) => text.replace('"kept"', '"missing: a.txt"'),
      "nothing of it can be checked",
    ],
    [
      "another version than its folder's",
      (text) => text.replace('"schema_version": 2', '"schema_version": 3'),
      "it is of v3",
    ],
  ])("finds fault with %s", async (_, spoil, problem) => {
    using dir = copyGoldens();
    const name = "v2/006_patch_failed.json";
    const path = join(dir.path, name);
    const spoilt = spoil(readFileSync(path, "utf8"));
    expect(spoilt).not.toBe(readFileSync(path, "utf8"));
    writeFileSync(path, spoilt);
    const faults = await faultsIn(dir.path);
    expect(Object.keys(faults)).toEqual([name]);
    expect(faults[name]?.join()).toContain(problem);
  });

  test("finds fault with a tree or a plan that is another", async () => {
    using dir = copyGoldens();
    rmSync(join(dir.path, "v2/006_patch_failed"), { recursive: true });
    writeFileSync(join(dir.path, "v3/009_apply/a.txt"), "other\n");
    const plan = join(dir.path, "v1/001_plan.json");
    writeFileSync(plan, readFileSync(plan, "utf8").replace("1. Do it", "NEEDS_ONLINE_RESEARCH: x"));
    expect(await faultsIn(dir.path)).toEqual({
      "v1/001_plan.json": [expect.stringContaining("now evaluated as NEEDS_ONLINE_RESEARCH")],
      "v2/006_patch_failed.json": [expect.stringContaining("now evaluated as ERR_BASE_MISMATCH")],
      "v3/009_apply.json": [expect.stringContaining("now evaluated as ERR_EDIT_BASE_MISMATCH")],
    });
  });
});
