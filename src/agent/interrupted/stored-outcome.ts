import {
  type Guard,
  isAny,
  isFlag,
  isListOf,
  isNumber,
  isObject,
  isOneOf,
  isText,
} from "../../core/guards.ts";
import { isNote } from "../../texts/notes/notes.ts";
import { isCheckResult, isFixNote, isGeneration, isSideEffects } from "../../transaction/change.ts";
import type { OutcomeView } from "../../transaction/views.ts";

const isNull: Guard<null> = (value) => value === null;
const isHash = isAny(isText, isNull);

const isChange = isObject(
  {
    path: isText,
    kind: isOneOf("mkdir", "create", "update", "delete", "rmdir"),
    before_sha256: isHash,
    after_sha256: isHash,
    added: isNumber,
    removed: isNumber,
  },
  { generated: (value): value is true => value === true },
);

const isPart = isObject(
  {
    changeSetId: isText,
    changes: isNumber,
    status: isOneOf("committed", "rolled_back", "rejected", "conflict", "incomplete", "not begun"),
  },
  { txId: isText },
);

/** Whether what was stored is how a transaction ended. */
export const isOutcome: Guard<OutcomeView> = isObject(
  {
    ok: isFlag,
    status: isOneOf(
      "committed",
      "rolled_back",
      "rejected",
      "no_changes",
      "undone",
      "redone",
      "conflict",
      "incomplete",
    ),
    workspace: isText,
    changes: isListOf(isChange),
  },
  {
    txId: isText,
    notes: isListOf(isNote),
    reason: isText,
    check: isCheckResult,
    sideEffects: isSideEffects,
    fixRounds: isNumber,
    fixPaths: isListOf(isText),
    generation: isGeneration,
    fixNotes: isListOf(isFixNote),
    checkRef: isText,
    touched: isFlag,
    kept: isListOf(isText),
    pending: isListOf(isObject({ path: isText, reason: isText })),
    error: isText,
    errorCode: isText,
    row: isObject({ done: isNumber, parts: isListOf(isPart) }, { undoable: isNumber }),
  },
);
