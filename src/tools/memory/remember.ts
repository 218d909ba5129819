import {
  type MemoryOwner,
  type MemoryStore,
  MOST_MEMORIES,
} from "../../store/memories/memories.ts";
import type { Tool, ToolArguments, ToolFailure } from "../tool.ts";

const MAX_KEY_CHARS = 80;
const MAX_CATEGORY_CHARS = 40;
const MAX_TEXT_CHARS = 2000;

/** What the memory tools work with. */
export interface MemoryAccess {
  readonly memories: MemoryStore;
  readonly owner: MemoryOwner;
  /** Masks secrets; what it would mask is not remembered. */
  readonly redact: (text: string) => string;
  readonly now: () => number;
}

/** `remember`: a note for later conversations, under a key that it can be replaced by. */
export function createRememberTool({ memories, owner, redact, now }: MemoryAccess): Tool {
  return {
    schema: {
      name: "remember",
      description: "Keeps a note for later conversations; the same key replaces it; no secrets",
      parameters: {
        type: "object",
        properties: {
          key: { type: "string" },
          text: { type: "string" },
          category: { type: "string" },
          everywhere: { type: "boolean", description: "not only in this workspace" },
        },
        required: ["key", "text"],
      },
    },
    origin: "own",
    leaves: "nothing",
    effect: () => "note",
    describe(args) {
      const { key, text, category, isEverywhere } = readNote(args);
      const place = isEverywhere ? "everywhere" : "in this workspace";
      return `Remember ${place}, under ${JSON.stringify(key)} (${JSON.stringify(category)}): ${text}`;
    },
    async run(args) {
      const note = readNote(args);
      const fault = findFault(note);
      if (fault) return failure("invalid_args", fault);
      const whole = [note.key, note.category, note.text].join("\n");
      if (redact(whole) !== whole) {
        return failure("denied", "Cannot remember this: it holds a secret; leave the secret out");
      }
      const outcome = memories.save(owner, note, now());
      return outcome === "full"
        ? failure(
            "too_large",
            `Cannot remember more than ${MOST_MEMORIES} notes; forget some first`,
          )
        : { ok: true, content: outcome };
    },
  };
}

function readNote({ key, text, category = "note", everywhere }: ToolArguments) {
  return {
    key: String(key).trim(),
    category: String(category).trim(),
    text: String(text).trim(),
    isEverywhere: everywhere === true,
  };
}

function findFault({ key, category, text }: ReturnType<typeof readNote>): string | undefined {
  const lengths = [
    ["key", key, MAX_KEY_CHARS],
    ["category", category, MAX_CATEGORY_CHARS],
    ["text", text, MAX_TEXT_CHARS],
  ] as const;
  const wrong = lengths.find(([, value, most]) => value === "" || value.length > most);
  return wrong && `"${wrong[0]}" must have 1 to ${wrong[2]} characters`;
}

function failure(errorCode: ToolFailure["errorCode"], error: string): ToolFailure {
  return { ok: false, error, errorCode, retryable: false };
}
