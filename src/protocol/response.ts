import { shorten } from "../core/cut-text.ts";
import type { AnswerV1 } from "./schema-v1.ts";
import type { AnswerV3 } from "./schema-v3.ts";

/** A valid answer of any version, in the one form that the planner works with. */
export type ModelResponse = Exclude<AnswerV3, readonly unknown[]>;
/** One intended change as the model wrote it, or as a patch has it. */
export type Action = Exclude<Written, { kind: Patched }> | MadeFrom | Stated<"PATCH_FILE"> | Gone;
type Written = ModelResponse["actions"][number];
type Patched = "CREATE_FILE" | "PATCH_FILE" | "DELETE_FILE";
/** Only what reads patches says which file a new one is made from: models have no such field. */
type MadeFrom = Stated<"CREATE_FILE"> & {
  /** The file whose rights it has. */
  readonly rights_of?: string;
};
type Gone = Stated<"DELETE_FILE"> & {
  /** Of the file as the patch knows it. */
  readonly base_sha256?: string;
};
/** Nor have they this one: what somebody made of files that were there, nobody made up. */
type Stated<Kind extends Patched> = Extract<Written, { kind: Kind }> & {
  /** It is carried out as git would, at the lines and with the line ends it states, lock files too. */
  readonly as_stated?: boolean;
};
/** Whether an action is carried out as its patch has it, and nothing of it was made up. */
export function isStated(action: Action): boolean {
  return "as_stated" in action && action.as_stated;
}

/** Something the model wants to see before it answers. */
export type ContextRequest = NonNullable<ModelResponse["context_requests"]>[number];
/** What the model wants to be remembered. */
export type MemoryPatch = NonNullable<ModelResponse["memory_patch"]>;

/** An answer under v3, which may be nothing but its actions. */
export function fromV3(answer: AnswerV3): ModelResponse {
  return Array.isArray(answer) ? { actions: answer } : answer;
}

type ObjectV1 = Exclude<AnswerV1, readonly unknown[]>;
/** One action as v1 writes it; one that writes a file may still lack its content. */
export type ActionV1 = NonNullable<ObjectV1["actions"]>[number];

/** The actions of an answer under v1, which has several places for them. */
export function actionsOfV1(answer: AnswerV1): readonly ActionV1[] {
  if (Array.isArray(answer)) return answer;
  const { proposed_changes: proposed, actions = [] } = answer;
  return proposed?.actions?.length ? proposed.actions : actions;
}

/** An answer under v1, whose summary comes in pieces. A missing content is an empty one. */
export function fromV1(answer: AnswerV1): ModelResponse {
  const actions = actionsOfV1(answer).map(toAction);
  if (Array.isArray(answer)) return { actions };
  const { context_requests = [], memory_patch } = answer;
  const summary = shorten(toSummary(answer), MOST_SUMMARY_CHARS - 1);
  const memory = toMemory(memory_patch);
  return {
    actions,
    ...(summary !== "" && { summary }),
    context_requests: context_requests.flatMap(toRequest),
    ...(memory && { memory_patch: memory }),
  };
}

/** As in the later versions, the mark of a cut with it. */
const MOST_SUMMARY_CHARS = 8000;

/** Under v1 anything may be there; what cannot be remembered is left out. */
function toMemory(patch: object = {}): MemoryPatch | undefined {
  const isPlain = (value: unknown) =>
    Array.isArray(value)
      ? value.every((item) => typeof item === "string")
      : typeof value === "string" || typeof value === "number";
  const entries = Object.entries(patch).filter(([, value]) => isPlain(value));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function toAction({ kind, path, content = "" }: ActionV1): Action {
  return kind === "CREATE_FILE" || kind === "UPDATE_FILE"
    ? { kind, path, content }
    : { kind, path };
}

/** Summary, numbered plan, questions and risks as one text. */
function toSummary({ summary, plan = [], questions = [], risks = [] }: ObjectV1): string {
  const steps = plan.map(({ step, details }, i) => {
    const name = typeof step === "number" ? "" : step;
    return `${i + 1}. ${[name, details].filter(Boolean).join(": ")}`;
  });
  const parts = [summary, steps.join("\n"), questions.join("\n"), toList("Risks", risks)];
  return parts.filter(Boolean).join("\n\n");
}

function toList(title: string, items: readonly string[]): string {
  return items.length === 0 ? "" : [`${title}:`, ...items.map((item) => `- ${item}`)].join("\n");
}

type RequestV1 = NonNullable<ObjectV1["context_requests"]>[number];

/** A request as the later versions write it; one that does not say what it wants is left out. */
function toRequest({ type, ...request }: RequestV1): ContextRequest[] {
  switch (type) {
    case "read_file": {
      const { path, start_line, end_line } = request;
      if (!path) return [];
      return [{ type, path, ...(start_line && { start_line }), ...(end_line && { end_line }) }];
    }
    case "search": {
      const { query, glob } = request;
      return query ? [{ type, query, ...(glob && { glob }) }] : [];
    }
    case "logs": {
      const { source, last_n } = request;
      return source ? [{ type, source, ...(last_n && { last_n }) }] : [];
    }
    case "env":
      return [{ type }];
    default:
      return type satisfies never;
  }
}
