import type { MemoryAccess } from "./remember.ts";
import type { Tool } from "./tool.ts";

/** `forget`: removes a note for good. */
export function createForgetTool({ memories, owner }: MemoryAccess): Tool {
  return {
    schema: {
      name: "forget",
      description: "Removes the note of this key; recall tells the key",
      parameters: {
        type: "object",
        properties: { key: { type: "string" } },
        required: ["key"],
      },
    },
    origin: "own",
    leaves: "nothing",
    effect: () => "note",
    isRare: true,
    describe: ({ key }) => `Forget the note ${JSON.stringify(key)}`,
    async run({ key }) {
      const name = String(key).trim();
      if (memories.remove(owner, name) > 0) return { ok: true, content: "forgotten" };
      const error = `There is no note ${JSON.stringify(name)}; recall lists them`;
      return { ok: false, error, errorCode: "not_found", retryable: false };
    },
  };
}
