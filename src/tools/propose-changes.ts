import type { Tool, ToolResult } from "./tool.ts";

/** Plans a change and shows it to the user; answers what the model should be told. */
export type Propose = (goal: string, signal: AbortSignal, callId: string) => Promise<ToolResult>;

/** The tool's name: what became of its calls the journals know. */
export const PROPOSE_CHANGES = "propose_changes";

/** `propose_changes`: the only way a chat can change files; the user decides on the diff. */
export function createProposeChangesTool(propose: Propose): Tool {
  return {
    schema: {
      name: PROPOSE_CHANGES,
      description: "Plans a change of files and shows it to the user for approval",
      parameters: {
        type: "object",
        properties: { goal: { type: "string", description: "what to change and why" } },
        required: ["goal"],
      },
    },
    origin: "own",
    leaves: "nothing",
    effect: () => "change",
    asksItself: true,
    run: ({ goal }, signal, callId) => propose(String(goal), signal, callId),
  };
}
