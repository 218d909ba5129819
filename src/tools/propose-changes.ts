import type { Tool, ToolResult } from "./tool.ts";

/** Plans a change and shows it to the user; answers what the model should be told. */
export type Propose = (goal: string, signal: AbortSignal) => Promise<ToolResult>;

/** `propose_changes`: the only way a chat can change files; the user decides on the diff. */
export function createProposeChangesTool(propose: Propose): Tool {
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
    origin: "own",
    effect: () => "change",
    asksItself: true,
    run: ({ goal }, signal) => propose(String(goal), signal),
  };
}
