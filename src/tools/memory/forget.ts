import { failure, type Tool } from "../tool.ts";
import type { MemoryAccess } from "./remember.ts";

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
      const near = memories
        .find(owner, { words: name, limit: 3 })
        .take(() => {}) // names that may be meant
        .map(({ key: each }) => each)
        .filter((each) => each !== name);
      const names = near.map((each) => JSON.stringify(each)).join(" or ");
      const advice = names === "" ? "recall lists them" : `did you mean ${names}`;
      return failure("not_found", `There is no note ${JSON.stringify(name)}; ${advice}`);
    },
  };
}
