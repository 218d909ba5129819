import type { Tool } from "../tool.ts";
import type { ListedTool } from "./launch.ts";
import type { Server } from "./server.ts";
import { toToolName } from "./tool-name.ts";

/**
 * A server's tool as one of ours. What it does to the world is the owner's word alone: a server's
 * own hints are as strange as all it says.
 */
export function toTool(server: Server, { name, description, parameters }: ListedTool): Tool {
  const { name: serverName, readOnlyTools } = server.settings;
  const isReadOnly = readOnlyTools.includes(name);
  return {
    schema: { name: toToolName(serverName, name), description, parameters },
    effect: () => (isReadOnly ? "network" : "change"),
    isRare: true,
    origin: "outside",
    leaves: "arguments",
    describe: (args) =>
      `Tool "${name}" of the MCP server "${serverName}" with ${JSON.stringify(args, null, 2)}`,
    run: (args, signal) => server.call(name, args, signal),
  };
}
