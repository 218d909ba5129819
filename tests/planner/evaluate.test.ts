import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Rejection } from "../../src/planner/answer.ts";
import {
  type ApplyContext,
  evaluateActions,
  evaluateApply,
  evaluatePlan,
} from "../../src/planner/evaluate/evaluate.ts";
import type { Action } from "../../src/protocol/response.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { toWorkspace } from "./planner-scene.ts";

const TEXT = "one\ntwo\nthree\n";
const SHA = sha256(TEXT);
const OTHER = "0".repeat(64);
const PATCH = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";

const patch = (path: string, base_sha256 = SHA, text = PATCH): Action => ({
  kind: "PATCH_FILE",
  path,
  base_sha256,
  patch: text,
});
const create = (path: string, content = "x\n"): Action => ({ kind: "CREATE_FILE", path, content });

const RULES = { version: 2, normalizeEol: "keep", whole: [] } as const;

/** A folder with a.txt, which was shown, and hidden.txt, which was not. */
function context(
  more: Partial<ApplyContext> = {},
  files: Record<string, string | Uint8Array> = {},
) {
  const dir = tempDir();
  writeTree(dir.path, { "a.txt": TEXT, "hidden.txt": TEXT, ...files });
  const workspace = toWorkspace(dir.path);
  return {
    context: { ...RULES, workspace, seen: { "a.txt": SHA }, maxActions: 25, ...more },
    root: dir.path,
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

function rejection(actions: readonly Action[], on: ApplyContext): Rejection {
  const verdict = evaluateActions(actions, on);
  if (verdict.ok) throw new Error("it was accepted");
  return verdict;
}

describe("evaluatePlan()", () => {
  test.each([
    ["no JSON at all", "ERR_JSON_EXTRACT"],
    ['{"actions": [', "ERR_JSON_PARSE"],
    ['{"summary": "no actions"}', "ERR_SCHEMA_VALIDATION"],
    ['{"actions": [], "surprise": 1}', "ERR_SCHEMA_VALIDATION"],
    ['{"actions":[{"kind":"CREATE_DIR","path":"a"}]}', "ERR_PLAN_HAS_ACTIONS"],
  ])("refuses %p with %s and says in the repair what is wrong", async (text, code) => {
    const verdict = await evaluatePlan(text, 2);
    expect(verdict).toMatchObject({ ok: false, code });
    const fault = verdict.ok
      ? ""
      : verdict.message.replace("The model's answer cannot be used: ", "");
    if (!verdict.ok) expect(verdict.instruction).toBe(`${code}: ${fault}`);
  });

  test("takes an answer in fences", async () => {
    const verdict = await evaluatePlan('Sure:\n```json\n{"actions":[],"summary":"s"}\n```\n', 2);
    expect(verdict).toEqual({ ok: true, value: { actions: [], summary: "s" } });
  });
});

describe("evaluateApply()", () => {
  test("gives the response and its change set", async () => {
    using scene = context();
    const answer = { actions: [patch("a.txt"), create("new/b.txt")], summary: "s" };
    const verdict = await evaluateApply(JSON.stringify(answer), scene.context);
    if (!verdict.ok) throw new Error(verdict.message);
    expect(verdict.value.response).toEqual(answer);
    const kinds = verdict.value.changeSet.changes.map(({ kind, path }) => `${kind} ${path}`);
    expect(kinds).toEqual(["mkdir new", "create new/b.txt", "update a.txt"]);
  });

  test("refuses an answer without actions that does not say NO_CHANGES:", async () => {
    using scene = context();
    const empty = await evaluateApply('{"actions":[],"summary":"nothing"}', scene.context);
    expect(empty).toMatchObject({ ok: false, code: "ERR_APPLY_EMPTY_ACTIONS" });
    const said = await evaluateApply('{"actions":[],"summary":" NO_CHANGES: fine"}', scene.context);
    expect(said).toMatchObject({ ok: true, value: { changeSet: { changes: [] } } });
  });
});

describe("evaluateActions() on the base of a change", () => {
  test("repairs a wrong base_sha256 of an unchanged file by naming the right one", () => {
    using scene = context();
    const found = rejection([patch("a.txt", OTHER)], scene.context);
    expect(found.code).toBe("ERR_BASE_SHA256_INVALID");
    expect(found.instruction).toContain(`actions[0] PATCH_FILE a.txt: ERR_BASE_SHA256_INVALID`);
    expect(found.instruction).toContain(`use base_sha256 ${SHA}`);
    expect(found.injectedPaths).toEqual(["a.txt"]);
  });

  test("does not repair when the file really changed, whatever the base", async () => {
    using scene = context();
    await Bun.write(join(scene.root, "a.txt"), `zero\n${TEXT}`);
    const now = sha256(`zero\n${TEXT}`);
    for (const base of [SHA, OTHER, now]) {
      const found = rejection([patch("a.txt", base)], scene.context);
      expect(found.code).toBe("ERR_BASE_MISMATCH");
      expect(found.message).toContain(now);
      expect(found.instruction).toBeUndefined();
    }
  });

  test("does not repair when the file is gone", () => {
    using scene = context({ seen: { "gone.txt": SHA } });
    const found = rejection([patch("gone.txt")], scene.context);
    expect(found).toMatchObject({ code: "ERR_BASE_MISMATCH" });
    expect(found.instruction).toBeUndefined();
  });

  test("refuses a file that was not shown, right base or wrong, there or not", () => {
    using scene = context();
    const actions = [patch("hidden.txt"), patch("hidden2.txt"), patch("toString", OTHER)];
    const found = rejection(actions, scene.context);
    expect(found.problems?.map(({ code }) => code)).toEqual(
      Array(3).fill("ERR_UPDATE_WITHOUT_BASE"),
    );
    expect(found.instruction).toContain("the plan did not show this file");
    expect(found.instruction).not.toContain(SHA);
  });

  test("refuses to replace an existing file: by patch when shown, not at all when unseen", () => {
    using scene = context();
    const update = (path: string): Action => ({ kind: "UPDATE_FILE", path, content: "x" });
    const found = rejection([update("a.txt"), update("hidden.txt")], scene.context);
    expect(found.problems).toMatchObject([
      { code: "ERR_V2_UPDATE_EXISTING_FORBIDDEN", hint: `use PATCH_FILE with base_sha256 ${SHA}` },
      { code: "ERR_UPDATE_WITHOUT_BASE" },
    ]);
    const nothing = rejection([update("new.txt")], scene.context);
    expect(nothing.code).toBe("ERR_UPDATE_WITHOUT_BASE");
    expect(nothing.instruction).toContain("use CREATE_FILE");
  });

  test("tells of an existing file how to patch it only when it was shown", () => {
    using scene = context();
    const found = rejection([create("a.txt"), create("hidden.txt")], scene.context);
    expect(found.problems?.map(({ code }) => code)).toEqual(Array(2).fill("ERR_CREATE_EXISTS"));
    expect(found.instruction).toContain(`a.txt": the file exists; patch it instead`);
    expect(found.instruction).toContain(
      `hidden.txt": the file exists, and the plan did not show it`,
    );
    expect(found.instruction?.match(/use PATCH_FILE/g)).toHaveLength(1);
    expect(evaluateActions([create("hidden.txt", TEXT)], scene.context)).toMatchObject({
      ok: true,
      value: { changes: [] },
    });
  });

  test("takes ./x for x, in the path and in what was shown", () => {
    using scene = context();
    expect(evaluateActions([patch("./a.txt")], scene.context)).toMatchObject({
      ok: true,
      value: { changes: [{ kind: "update", path: "a.txt" }] },
    });
    const found = rejection([patch("./a.txt", OTHER)], scene.context);
    expect(found.code).toBe("ERR_BASE_SHA256_INVALID");
  });

  test("lets a file go that was not shown: the preview shows all of it", () => {
    using scene = context();
    expect(evaluateActions([{ kind: "DELETE_FILE", path: "hidden.txt" }], scene.context).ok).toBe(
      true,
    );
  });
});

describe("evaluateActions() on what the disk says", () => {
  test.each([
    [".env", "ERR_PROTECTED_PATH"],
    ["bun.lock", "ERR_PROTECTED_PATH"],
    ["sub/.git/config", "ERR_PROTECTED_PATH"],
    [".papa-yu/project.json", "ERR_PROTECTED_PATH"],
    ["../out.txt", "ERR_INVALID_PATH"],
    ["/etc/passwd", "ERR_INVALID_PATH"],
    ["link.txt", "ERR_INVALID_PATH"],
    ["out/x.txt", "ERR_INVALID_PATH"],
  ])("refuses to create or patch %s with %s, before asking whether it was shown", (path, code) => {
    using scene = context({}, { "other.txt": "o" });
    mkdirSync(join(scene.root, "real"));
    symlinkSync("a.txt", join(scene.root, "link.txt"));
    symlinkSync("/tmp", join(scene.root, "out"));
    expect<string>(rejection([create(path)], scene.context).code).toBe(code);
    expect<string>(rejection([patch(path)], scene.context).code).toBe(code);
  });

  test("gives up at once on a file that is no text", () => {
    const bytes = Buffer.from("caf\xe9\n", "latin1");
    using scene = context({}, { "old.txt": bytes });
    const found = rejection(
      [patch("old.txt", sha256(bytes)), patch("a.txt", OTHER)],
      scene.context,
    );
    expect(found.code).toBe("ERR_NON_UTF8_FILE");
    expect(found.instruction).toBeUndefined();
  });

  test("repairs a patch that fits nowhere with the nearest lines of the file", () => {
    using scene = context();
    const wrong = "@@ -1,3 +1,3 @@\n one\n-twelve\n+2\n three\n";
    const found = rejection([patch("a.txt", SHA, wrong)], scene.context);
    expect(found.code).toBe("ERR_PATCH_APPLY_FAILED");
    expect(found.instruction).toMatch(/2\W+two/);
  });

  test("repairs an ambiguous patch with the places it fits", () => {
    const twice = "x\nsame\ny\n\nx\nsame\ny\n";
    using scene = context({ seen: { "b.txt": sha256(twice) } }, { "b.txt": twice });
    const found = rejection(
      [patch("b.txt", sha256(twice), "@@ @@\n x\n-same\n+other\n y\n")],
      scene.context,
    );
    expect(found.code).toBe("ERR_PATCH_AMBIGUOUS");
    expect(found.instruction).toContain("fits at lines 1, 5 of 7");
  });

  test.each([
    [
      {
        kind: "REPLACE_RANGE",
        path: "a.txt",
        base_sha256: SHA,
        start_line: 9,
        end_line: 9,
        content: "",
      },
      "ERR_RANGE_OUT_OF_BOUNDS",
    ],
    [{ kind: "DELETE_FILE", path: "nothing.txt" }, "ERR_NOT_FOUND"],
    [{ kind: "DELETE_FILE", path: "dir" }, "ERR_NOT_FOUND"],
    [{ kind: "DELETE_DIR", path: "dir" }, "ERR_NOT_EMPTY"],
    [{ kind: "CREATE_FILE", path: "dir", content: "" }, "ERR_CREATE_EXISTS"],
    [{ kind: "CREATE_DIR", path: "a.txt" }, "ERR_CREATE_EXISTS"],
  ] satisfies [Action, string][])("refuses %j with %s, to be repaired", (action, code) => {
    using scene = context({}, { "dir/b.txt": "b" });
    const found = rejection([action], scene.context);
    expect<string>(found.code).toBe(code);
    expect(found.instruction).toContain(code);
  });
});

describe("evaluateActions() on many faults", () => {
  test("asks every rule and every gate about every action, so that one repair fixes all", () => {
    using scene = context();
    const actions = [
      create("../x"),
      patch("a.txt", OTHER),
      patch("hidden.txt"),
      create("ok.txt"),
      create(".env"),
      { kind: "DELETE_FILE", path: "nothing.txt" },
    ] satisfies Action[];
    const found = rejection(actions, scene.context);
    expect(found.code).toBe("ERR_INVALID_PATH");
    expect(found.problems?.map(({ actionIndex, code }) => `${actionIndex} ${code}`)).toEqual([
      "0 ERR_INVALID_PATH",
      "1 ERR_BASE_SHA256_INVALID",
      "2 ERR_UPDATE_WITHOUT_BASE",
      "4 ERR_PROTECTED_PATH",
      "5 ERR_NOT_FOUND",
    ]);
    expect(found.instruction?.match(/^- actions\[\d\]/gm)).toHaveLength(5);
    expect(found.injectedPaths).toEqual(["a.txt"]);
  });

  test("is named after the fault that no repair can fix", async () => {
    using scene = context({ seen: { "a.txt": SHA, "hidden.txt": SHA } });
    await Bun.write(join(scene.root, "hidden.txt"), "mine\n");
    const found = rejection([patch("a.txt", OTHER), patch("hidden.txt")], scene.context);
    expect(found.code).toBe("ERR_BASE_MISMATCH");
    expect(found.message).toStartWith('Cannot PATCH_FILE "hidden.txt"');
    expect(found.instruction).toBeUndefined();
  });

  test("names two actions on one path as a conflict, once", () => {
    using scene = context();
    const found = rejection([create("n.txt"), create("./n.txt")], scene.context);
    expect(found.problems).toHaveLength(1);
    expect(found.instruction).toContain("ERR_ACTION_CONFLICT");
  });

  test("keeps to the workspace's number of actions, and tells at most 20 faults", () => {
    using scene = context({ maxActions: 3 });
    const actions = Array.from({ length: 200 }, (_, i) => create(`../${i}`));
    const found = rejection(actions, scene.context);
    expect(found.problems).toHaveLength(201);
    expect(found.problems?.some(({ code }) => code === "ERR_TOO_MANY_ACTIONS")).toBe(true);
    const told = found.instruction?.split("\n") ?? [];
    expect([told.length, told.at(-1)]).toEqual([21, "and 181 more"]);
  });
});
