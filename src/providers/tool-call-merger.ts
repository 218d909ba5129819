import { AppError } from "../core/app-error.ts";
import { newId } from "../core/ids.ts";
import type { ToolCall } from "./provider.ts";

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
  /** The whole calls in the order they began, each with an id of its own. */
  calls(): MergedCall[];
}

const MAX_CALLS = 64;
const MAX_ARGUMENTS_CHARS = 1024 * 1024;

/** Merges deltas by `index`; without one by id, then to the call that was spoken of last. */
export function createToolCallMerger(): ToolCallMerger {
  const drafts: Draft[] = [];
  const byIndex = new Map<number, Draft>();

  const find = (delta: ToolCallDelta): Draft | undefined => {
    if (delta.index !== undefined) {
      const draft = byIndex.get(delta.index);
      return draft && beginsAnother(draft, delta) ? undefined : draft;
    }
    if (delta.id !== undefined) return drafts.find((draft) => draft.id === delta.id);
    return delta.name === undefined ? drafts.at(-1) : undefined;
  };
  const open = (delta: ToolCallDelta): Draft => {
    if (drafts.length === MAX_CALLS) throw tooMuch(`more than ${MAX_CALLS} tool calls`);
    const draft: Draft = { id: undefined, name: undefined, arguments: "", extra: undefined };
    drafts.push(draft);
    if (delta.index !== undefined) byIndex.set(delta.index, draft);
    return draft;
  };

  return {
    add(delta) {
      const draft = find(delta) ?? open(delta);
      draft.id ??= delta.id;
      draft.name ??= delta.name;
      draft.extra ??= delta.extra;
      draft.arguments += delta.arguments;
      if (draft.arguments.length > MAX_ARGUMENTS_CHARS) {
        throw tooMuch("the arguments of a tool call are over 1 MiB");
      }
    },
    isEmpty: () => drafts.length === 0,
    calls() {
      const ids = new Set<string>();
      return drafts.map((draft) => {
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
}

/** Some servers give every parallel call index 0: a second id with a name is a second call. */
function beginsAnother(draft: Draft, delta: ToolCallDelta): boolean {
  return (
    draft.id !== undefined &&
    delta.id !== undefined &&
    draft.id !== delta.id &&
    delta.name !== undefined
  );
}

function tooMuch(reason: string): AppError {
  return new AppError("LLM_REQUEST", reason);
}
