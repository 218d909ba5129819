import type { Tool } from "./tool.ts";

/** `propose_changes`: the only way a chat can change files; the user decides on the diff. */
export function createProposeChangesTool(
  propose: (goal: string, signal: AbortSignal) => Promise<string>,
): Tool {
  return {
    schema: {
      name: "propose_changes",
      description: "Plans a change of files and shows it to the user for approval",
      parameters: {
        type: "object",
        properties: { goal: { type: "string", description: "what to change and why" } },
        required: ["goal"],
      },
    },
    effect: "change",
    async run({ goal }, signal) {
      return { ok: true, content: await propose(String(goal), signal) };
    },
  };
}
