import { utf8Length } from "../core/decode-utf8.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { normalisePath } from "../core/relative-path.ts";
import { chooseHunks } from "../patch/hunks/hunks.ts";
import { findConflicts } from "./find-conflicts.ts";
import type { Problem } from "./problem.ts";
import type { Action } from "./response.ts";

/** Bounds that the workspace sets. */
export interface ActionLimits {
  /** Most actions of one transaction. */
  readonly maxActions: number;
}

/** No answer may have more actions, even if the workspace allows them. */
const MOST_ACTIONS = 200;
const MOST_CONTENT_BYTES = 5 * 1024 * 1024;
/** Share of control characters above which a text is none. */
const MOST_CONTROLS = 0.1;

/** One rule: the problems of all actions under it. */
type Rule = (actions: readonly Action[], limits: ActionLimits) => readonly Problem[];

const RULES: readonly Rule[] = [
  findBadPaths,
  findTooMany,
  findPseudoBinary,
  findTooLarge,
  findMissingPatches,
  findBadRanges,
  findConflicts,
  findPathMismatches,
];

/**
 * The static rules of a valid answer, those that need no disk. All problems of all actions, in the
 * order of the rules, so that one repair can fix them all; empty: nothing to object to.
 */
export function checkActions(actions: readonly Action[], limits: ActionLimits): readonly Problem[] {
  return RULES.flatMap((rule) => rule(actions, limits));
}

function findBadPaths(actions: readonly Action[]): readonly Problem[] {
  return actions.flatMap((action, index) => {
    const normal = normalisePath(action.path);
    return normal.ok ? [] : [problem(normal.code, action, index, normal.message)];
  });
}

function findTooMany(actions: readonly Action[], limits: ActionLimits): readonly Problem[] {
  const most = Math.min(MOST_ACTIONS, limits.maxActions);
  if (actions.length <= most) return [];
  const message = `Cannot take ${actions.length} actions: at most ${most} are allowed here`;
  const hint = "Do the most important ones first";
  return [{ code: "ERR_TOO_MANY_ACTIONS", actionIndex: -1, path: "", message, hint }];
}

function findPseudoBinary(actions: readonly Action[]): readonly Problem[] {
  return actions.flatMap((action, index) => {
    if (!isPseudoBinary(contentOf(action))) return [];
    const message = `Cannot write "${action.path}": its content looks binary; only text can be written`;
    return [problem("ERR_PSEUDO_BINARY", action, index, message)];
  });
}

/**
 * Whether content looks binary: a NUL, half a character, or many control characters other than tab,
 * LF, FF and CR.
 */
function isPseudoBinary(content: string): boolean {
  if (!content.isWellFormed()) return true;
  let controls = 0;
  for (let i = 0; i < content.length; i++) {
    const code = content.charCodeAt(i);
    if (code === 0) return true;
    const isText =
      code >= 0x20 ? code < 0x7f || code > 0x9f : code >= 9 && code <= 13 && code !== 11;
    if (!isText) controls++;
  }
  return controls > content.length * MOST_CONTROLS;
}

function findTooLarge(actions: readonly Action[]): readonly Problem[] {
  const bytes = actions.reduce((sum, action) => sum + utf8Length(contentOf(action)), 0);
  if (bytes <= MOST_CONTENT_BYTES) return [];
  const message = `Cannot take ${bytes} bytes of content: at most ${MOST_CONTENT_BYTES} are allowed in sum; split the work`;
  return [{ code: "ERR_CONTENT_TOO_LARGE", actionIndex: -1, path: "", message }];
}

function findMissingPatches(actions: readonly Action[]): readonly Problem[] {
  return actions.flatMap((action, index) => {
    if (action.kind !== "PATCH_FILE") return [];
    if (action.patch.trim() === "") {
      const message = `Cannot patch "${action.path}": its patch is empty; send a unified diff`;
      return [problem("ERR_PATCH_REQUIRED", action, index, message)];
    }
    return patchProblem(action, index, "ERR_PATCH_NOT_UNIFIED");
  });
}

function findBadRanges(actions: readonly Action[]): readonly Problem[] {
  return actions.flatMap((action, index) => {
    if (action.kind !== "REPLACE_RANGE" || action.end_line >= action.start_line - 1) return [];
    const message = `Cannot replace lines "${action.start_line}-${action.end_line}" of "${action.path}": end_line is too small; it is at least start_line, or start_line - 1 to insert`;
    return [problem("ERR_RANGE_INVALID", action, index, message)];
  });
}

function findPathMismatches(actions: readonly Action[]): readonly Problem[] {
  return actions.flatMap((action, index) =>
    action.kind === "PATCH_FILE" && action.patch.trim() !== ""
      ? patchProblem(action, index, "ERR_PATCH_PATH_MISMATCH")
      : [],
  );
}

/** What the patch reader objects to, if it is the fault that is asked for. */
function patchProblem(
  action: Extract<Action, { kind: "PATCH_FILE" }>,
  index: number,
  code: ErrorCode,
): readonly Problem[] {
  const chosen = chooseHunks(action.patch, action.path);
  return chosen.ok || chosen.code !== code ? [] : [problem(code, action, index, chosen.message)];
}

/** All that an action would write. */
function contentOf(action: Action): string {
  if ("content" in action) return action.content;
  if ("edits" in action) return action.edits.map(({ after }) => after).join("");
  return "patch" in action ? action.patch : "";
}

function problem(code: ErrorCode, action: Action, actionIndex: number, message: string): Problem {
  return { code, actionIndex, path: action.path, message };
}
