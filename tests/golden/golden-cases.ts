import type { ProtocolVersion } from "../../src/protocol/version.ts";
import { type Line, PLAN, type SceneOptions } from "../planner/planner-scene.ts";

/** One golden: a folder, what the author says, and what happens in between. */
export interface GoldenCase {
  readonly name: string;
  /** Whether the plan or its apply becomes the golden. */
  readonly mode: "plan" | "apply";
  readonly files: Readonly<Record<string, string>>;
  readonly goal: string;
  readonly lines: readonly Line[];
  readonly options: SceneOptions;
  /** Files that change between the plan and the apply. */
  readonly change: Readonly<Record<string, string>>;
}

type Parts = Partial<Pick<GoldenCase, "files" | "goal" | "options" | "change">>;

/** One action; a base_sha256 that it needs and lacks is copied from the context. */
interface ActionDraft {
  readonly kind: string;
  readonly path: string;
  readonly [field: string]: unknown;
}

const FILES = {
  "a.txt": "one\ntwo\nthree\n",
  "b.txt": "x\nsame\ny\n\nx\nsame\ny\n",
  "hidden.txt": "nobody asked\n",
};
const GOAL = "change a.txt and b.txt";
const LONG = { "a.txt": "one\n", "a-long.txt": "a line of a long file\n".repeat(400) };
const CHANGED = { "a.txt": "zero\none\ntwo\nthree\n" };
const NO_FALLBACK = { options: { fallback: false } };

const CREATE = { kind: "CREATE_FILE", path: "docs/new.md", content: "# New\n" };
const RANGE = { kind: "REPLACE_RANGE", path: "a.txt", content: "2\n" };
const PROTECTED = answer({ ...CREATE, path: ".env" });
const UPDATE = answer({ kind: "UPDATE_FILE", path: "a.txt", content: "one\n2\nthree\n" });
const PATCH = patch("a.txt", "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n");
const MISFIT = answer(patch("a.txt", "@@ -1,3 +1,3 @@\n one\n-twelve\n+2\n three\n"));
const AMBIGUOUS = answer(patch("b.txt", "@@ @@\n x\n-same\n+other\n y\n"));
const EDIT = edit("a.txt", "one", "two");
const NO_ANCHOR = answer(edit("a.txt", "four", "two"));
const WRONG_BASE = { base_sha256: "0".repeat(64) };

/** In the order of their numbers. */
export const CASES: readonly GoldenCase[] = [
  ...([1, 2, 3] as const).flatMap((version) => [
    plan(version, "plan", [PLAN]),
    plan(version, "plan_after_read", [asking("hidden.txt"), PLAN]),
    plan(version, "diet_applied", [PLAN], {
      files: LONG,
      goal: "change a-long.txt and a.txt",
      options: { limits: { maxFiles: 1, maxFileChars: 4200 } },
    }),
    apply(version, "protected_path", twice(PROTECTED)),
    apply(version, "no_changes", [{ actions: [], summary: "NO_CHANGES: it is done already" }]),
  ]),

  apply(1, "apply", [UPDATE]),
  apply(1, "update_without_base", twice(overwrite("hidden.txt"))),
  apply(1, "update_of_a_part", twice(overwrite("a-long.txt")), {
    files: LONG,
    goal: "change a-long.txt",
    options: { limits: { maxFileChars: 4200 } },
  }),
  apply(1, "base_mismatch", [UPDATE], { change: CHANGED }),
  apply(1, "create_exists", twice(answer({ ...CREATE, path: "a.txt" }))),
  apply(1, "apply_repaired", [answer({ ...CREATE, path: "a.txt" }), UPDATE]),
  apply(2, "fallback_v2_v1", [MISFIT, MISFIT, UPDATE]),
  apply(3, "fallback_v3_v2_v1", [NO_ANCHOR, NO_ANCHOR, MISFIT, UPDATE]),

  ...([2, 3] as const).flatMap((version) => [
    apply(version, "patch_failed", twice(MISFIT), NO_FALLBACK),
    apply(version, "patch_ambiguous", twice(AMBIGUOUS), NO_FALLBACK),
    apply(version, "update_existing_forbidden", twice(UPDATE), NO_FALLBACK),
  ]),
  apply(2, "apply", [answer(PATCH, CREATE, { kind: "DELETE_FILE", path: "b.txt" })]),
  apply(2, "apply_range", [answer({ ...RANGE, start_line: 2, end_line: 2 })]),
  apply(2, "range_out_of_bounds", twice(answer({ ...RANGE, start_line: 9, end_line: 9 }))),
  apply(2, "update_without_base", twice(answer({ ...PATCH, path: "hidden.txt", ...WRONG_BASE }))),
  apply(2, "base_mismatch", [answer(PATCH)], { change: CHANGED }),
  apply(2, "repair_injected_sha", [answer({ ...PATCH, ...WRONG_BASE }), answer(PATCH)]),
  apply(3, "fallback_v3_v2", [NO_ANCHOR, NO_ANCHOR, answer(PATCH)]),

  apply(3, "apply", [answer(EDIT, CREATE)]),
  apply(3, "update_without_base", twice(answer({ ...EDIT, path: "hidden.txt", ...WRONG_BASE }))),
  apply(3, "base_mismatch", [answer(PATCH)], { change: CHANGED }),
  apply(3, "edit_base_mismatch", [answer(EDIT)], { change: CHANGED }),
  apply(3, "repair_injected_sha", [answer({ ...EDIT, ...WRONG_BASE }), answer(EDIT)]),
  apply(3, "anchor_not_found", twice(NO_ANCHOR), NO_FALLBACK),
  apply(3, "before_not_found", twice(answer(edit("a.txt", "one", "twelve"))), NO_FALLBACK),
  apply(3, "edit_ambiguous", twice(answer(edit("b.txt", "same", "same"))), NO_FALLBACK),
];

function plan(
  version: ProtocolVersion,
  name: string,
  lines: readonly Line[],
  parts: Parts = {},
): GoldenCase {
  const { files = FILES, goal = GOAL, options = {}, change = {} } = parts;
  return { name, mode: "plan", files, goal, lines, options: { ...options, version }, change };
}

function apply(
  version: ProtocolVersion,
  name: string,
  answers: readonly Line[],
  parts: Parts = {},
): GoldenCase {
  return { ...plan(version, name, [PLAN, ...answers], parts), mode: "apply" };
}

/** A fault, and the same again after the repair. */
function twice(line: Line): readonly Line[] {
  return [line, line];
}

function asking(path: string): Line {
  return { actions: [], summary: "", context_requests: [{ type: "read_file", path }] };
}

function answer(...drafts: readonly ActionDraft[]): Line {
  return ({ messages }) => {
    const said = messages.map(({ content }) => content).join("\n");
    const actions = drafts.map((draft) => {
      const needsBase = "patch" in draft || "edits" in draft || "start_line" in draft;
      if (!needsBase || "base_sha256" in draft) return draft;
      const shown = new RegExp(`FILE\\[${RegExp.escape(draft.path)}\\] \\(sha256=(\\w{64})`, "u");
      return Object.assign({ base_sha256: shown.exec(said)?.[1] }, draft);
    });
    return { actions, summary: "What was planned" };
  };
}

function overwrite(path: string): Line {
  return answer({ kind: "UPDATE_FILE", path, content: "" });
}

function patch(path: string, text: string): ActionDraft {
  return { kind: "PATCH_FILE", path, patch: text };
}

function edit(path: string, anchor: string, before: string): ActionDraft {
  return { kind: "EDIT_FILE", path, edits: [{ op: "replace", anchor, before, after: "2" }] };
}
