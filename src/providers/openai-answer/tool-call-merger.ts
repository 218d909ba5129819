import { AppError } from "../../core/app-error.ts";
import { isFields, parseJsonAs } from "../../core/guards.ts";
import { newId } from "../../core/ids.ts";
import type { ToolCall } from "../provider.ts";

/** A piece of a tool call; servers leave out any of its fields. */
export interface ToolCallDelta {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly arguments: string;
  /** JSON that only its sender understands. */
  readonly extra?: string | undefined;
}

/** A whole call, with what goes back to its sender alone. */
export interface MergedCall {
  readonly call: ToolCall;
  readonly extra: string | undefined;
}

/** Puts the pieces of interleaved tool calls together. */
export interface ToolCallMerger {
  /** @throws AppError LLM_REQUEST when the calls are too many or too long. */
  add(delta: ToolCallDelta): void;
  isEmpty(): boolean;
  /** Whether no call breaks off in its arguments. */
  isWhole(): boolean;
  /** The whole calls in the order they began, each with an id of its own. */
  calls(): MergedCall[];
}

const MAX_CALLS = 64;
const MAX_ARGUMENTS_CHARS = 1024 * 1024;

/** Merges deltas by `index`; without one by id, then to the call that was spoken of last. */
export function createToolCallMerger(): ToolCallMerger {
  const drafts: Draft[] = [];
  const byIndex = new Map<number, Draft>();

  const nearest = (delta: ToolCallDelta): Draft | undefined => {
    const { index, id } = delta;
    if (index === undefined) {
      return id === undefined ? drafts.at(-1) : drafts.find((draft) => draft.id === id);
    }
    const at = byIndex.get(index);
    const isOther = id !== undefined && at?.id !== undefined && at.id !== id;
    return (isOther && drafts.find((draft) => repeats(draft, delta))) || at;
  };
  const open = (delta: ToolCallDelta, before: Draft | undefined): Draft => {
    if (drafts.length === MAX_CALLS) throw tooMuch(`more than ${MAX_CALLS} tool calls`);
    const end = createObjectEnd();
    const draft: Draft = {
      id: undefined,
      name: undefined,
      arguments: "",
      extra: undefined,
      nameAgain: undefined,
      before,
      end,
    };
    drafts.push(draft);
    if (delta.index !== undefined) byIndex.set(delta.index, draft);
    return draft;
  };

  return {
    add(delta) {
      const near = nearest(delta);
      const isAnother = near === undefined || beginsAnother(near, delta);
      const draft = isAnother ? open(delta, near) : near;
      if (!isAnother && repeats(draft, delta)) return;
      draft.id ??= delta.id;
      draft.name ??= delta.name ?? near?.nameAgain;
      if (!isAnother && draft.end.isReached()) draft.nameAgain ??= delta.name;
      draft.extra ??= delta.extra;
      draft.arguments += delta.arguments;
      draft.end.add(delta.arguments);
      if (draft.arguments.length > MAX_ARGUMENTS_CHARS) {
        throw tooMuch("the arguments of a tool call are over 1 MiB");
      }
    },
    isEmpty: () => drafts.length === 0,
    isWhole: () => drafts.every((draft) => draft.name !== undefined && isWhole(draft)),
    calls() {
      const ids = new Set<string>();
      return drafts
        .filter((draft) => !isSaidAgain(draft))
        .map((draft) => {
          const id = draft.id !== undefined && !ids.has(draft.id) ? draft.id : newId("call");
          ids.add(id);
          const { name = "", arguments: args, extra } = draft;
          return { call: { id, name, arguments: args }, extra };
        });
    },
  };
}

interface Draft {
  id: string | undefined;
  name: string | undefined;
  arguments: string;
  extra: string | undefined;
  /** Said behind the whole arguments: for nothing, or for a call whose arguments are still to come. */
  nameAgain: string | undefined;
  /** The call that stood in its place. */
  readonly before: Draft | undefined;
  readonly end: ObjectEnd;
}

/**
 * Some servers give every parallel call index 0, and some of these no id. Others say the name again
 * with each piece, so that only what the call before lacks tells whether a name begins another one.
 */
function beginsAnother(draft: Draft, delta: ToolCallDelta): boolean {
  const name = delta.name ?? draft.nameAgain;
  if (draft.name === undefined || name === undefined) return false;
  if (draft.id !== undefined && delta.id !== undefined) {
    return draft.id !== delta.id && delta.name !== undefined;
  }
  return draft.name !== name || (delta.arguments.trim() !== "" && isWhole(draft));
}

/** Some servers say each call once more at the end, as a whole and under its id. */
function repeats(draft: Draft, { id, arguments: args }: ToolCallDelta): boolean {
  return id === draft.id && args.trim() !== "" && isWhole(draft) && isSame(args, draft.arguments);
}

/**
 * Others say it once more without an id: to run it twice may change something twice. What has an id
 * of its own is another call, however alike.
 */
function isSaidAgain({ id, name, arguments: args, before }: Draft): boolean {
  if (id !== undefined || before === undefined) return false;
  return before.name === name && isSame(args, before.arguments);
}

/** Whether both are the same object, however it is written. */
function isSame(one: string, other: string): boolean {
  if (one === other) return parseJsonAs(one, isFields) !== undefined;
  const [own, others] = [one, other].map((each) => parseJsonAs(each, isFields));
  return own !== undefined && Bun.deepEquals(own, others);
}

function isWhole(draft: Draft): boolean {
  return draft.end.isReached() && parseJsonAs(draft.arguments, isFields) !== undefined;
}

/** Whether a text that comes in pieces is at the end of the object that it began with. */
interface ObjectEnd {
  add(piece: string): void;
  isReached(): boolean;
}

/** Reads each character once: to parse all of it behind every piece takes hours of a long call. */
function createObjectEnd(): ObjectEnd {
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  let state: "before" | "within" | "reached" | "passed" = "before";
  const take = (char: string) => {
    if (isEscaped) isEscaped = false;
    else if (isInText && char === "\\") isEscaped = true;
    else if (char === '"') isInText = !isInText;
    else if (!isInText && (char === "{" || char === "[")) depth += 1;
    else if (!isInText && (char === "}" || char === "]")) depth -= 1;
    state = depth > 0 || isInText ? "within" : "reached";
  };
  return {
    add(piece) {
      for (const char of piece) {
        if (state !== "within" && char.trim() === "") continue;
        if (state === "reached" || (state === "before" && char !== "{")) state = "passed";
        if (state === "passed") return;
        take(char);
      }
    },
    isReached: () => state === "reached",
  };
}

function tooMuch(reason: string): AppError {
  return new AppError("LLM_REQUEST", reason);
}
