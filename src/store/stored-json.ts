import {
  type Guard,
  type Guarded,
  isAny,
  isFlag,
  isListOf,
  isMapOf,
  isNumber,
  isObject,
  isOneOf,
  isText,
} from "../core/guards.ts";
import type { Action } from "../protocol/response.ts";
import type { ProtocolVersion } from "../protocol/version.ts";
import type { ChatMessage } from "../providers/provider.ts";

/**
 * What columns of JSON hold, looked at whenever a row is read: a database outlives versions of
 * papa-yu, and is repaired. What is something else counts as not there.
 */

const isCall = isObject({ id: isText, name: isText, arguments: isText });

const isAside = isObject(
  { provider: isText, model: isText },
  { thoughts: isText, details: isText, ofCalls: isMapOf(isText) },
);

const isOwn = isObject({ role: isOneOf("system", "user"), content: isText });
const isAnswer = isObject(
  { role: isOneOf("assistant"), content: isText },
  { toolCalls: isListOf(isCall), aside: isAside },
);
const isResult = isObject(
  { role: isOneOf("tool"), toolCallId: isText, content: isText },
  { page: isText },
);

/** A message of a conversation with a model. */
export const isMessage: Guard<ChatMessage> = isAny(isOwn, isAnswer, isResult);

/** What a person was shown or said in a conversation that no message of it holds; no model reads it. */
export type Shown = Guarded<typeof isShown>;

/** Whether a row is that. */
export const isShown = isObject(
  {
    kind: isOneOf(
      "said",
      "text",
      "plan",
      "change_set",
      "call",
      "call_result",
      "outcome",
      "research",
      "choice",
      "file",
      "error",
    ),
    text: isText,
  },
  {
    /** Of the plan, the question, the transaction or the file. */
    ref: isText,
    workspace: isText,
    /** What could be pressed below it, where nothing else remembers that. */
    actions: isListOf(isObject({ act: isText, ref: isText, label: isText })),
    /** It was shown by another channel than that of the conversation, and by that alone. */
    elsewhere: isFlag,
    file: isObject({ path: isText, absolute: isText, sha256: isText, sizeBytes: isNumber }),
  },
);

const isEdit = isObject(
  { op: isOneOf("replace"), anchor: isText, before: isText, after: isText },
  { occurrence: isNumber, context_lines: isNumber },
);

function isEdits(value: unknown): value is Guarded<typeof isEdit>[] {
  return Array.isArray(value) && value.every((each) => isEdit(each));
}

/** One action of a plan, as the protocol let it through. */
export const isAction: Guard<Action> = isAny(
  isObject(
    { kind: isOneOf("CREATE_FILE"), path: isText, content: isText },
    { rights_of: isText, as_stated: isFlag },
  ),
  isObject({ kind: isOneOf("UPDATE_FILE"), path: isText, content: isText }),
  isObject({ kind: isOneOf("CREATE_DIR", "DELETE_DIR"), path: isText }),
  isObject(
    { kind: isOneOf("DELETE_FILE"), path: isText },
    { base_sha256: isText, as_stated: isFlag },
  ),
  isObject(
    { kind: isOneOf("PATCH_FILE"), path: isText, patch: isText, base_sha256: isText },
    { as_stated: isFlag },
  ),
  isObject({
    kind: isOneOf("REPLACE_RANGE"),
    path: isText,
    base_sha256: isText,
    start_line: isNumber,
    end_line: isNumber,
    content: isText,
  }),
  isObject({
    kind: isOneOf("EDIT_FILE"),
    path: isText,
    base_sha256: isText,
    edits: isEdits,
  }),
);

/** A version of the protocol. */
export function isVersion(value: unknown): value is ProtocolVersion {
  return value === 1 || value === 2 || value === 3;
}

/** Paths, or other texts. */
export const isTexts = isListOf(isText);

/** Hashes by path. */
export const isTextMap = isMapOf(isText);

/** Counts by name. */
export const isCounts = isMapOf(isNumber);

/** What a search found. */
export const isHits = isListOf(
  isObject({ url: isText, title: isText, snippet: isText }, { date: isText }),
);

/** What research found. */
export const isFindings = isObject(
  {
    answerMd: isText,
    confidence: isNumber,
    sources: isListOf(isObject({ url: isText, title: isText }, { missing: isText })),
  },
  { notes: isText },
);
