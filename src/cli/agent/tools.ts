import { NOTHING_SEEN, toolsOf } from "../../agent/chat.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import type { Tool, ToolServer } from "../../tools/tool.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { pickWorkspace } from "../open-config.ts";
import { parseCommand, WORKSPACE_OPTION } from "../parse.ts";
import { print } from "../print.ts";
import { openRequest } from "./open-request.ts";

/** `papayu tools`: what a chat can call, with its schemas. */
export async function tools(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { options: WORKSPACE_OPTION, positionals: [0, 0] });
  await using app = await openApp(parsed, context, "no model", true);
  const workspace = pickWorkspace(app.current.loaded, parsed, context, app.state.ledger);
  const request = openRequest(app.current, workspace, context);
  const found = await toolsOf(request, app.current.agent.turns, workspace, NOTHING_SEEN);
  context.signal.throwIfAborted();
  const lists = new Map(found.flatMap(({ server }) => (server ? [[server.name, server]] : [])));
  const lines = [...found.map(renderTool), ...lists.values().map(renderList)];
  print(context, { ok: true, tools: found.map(toEntry) }, lines.join("\n"));
  return EXIT.done;
}

function toEntry({ schema, isRare = false, origin, server }: Tool) {
  const { name, description, parameters } = schema;
  const list = server && { server: server.name, tools_sha256: server.listSha256 };
  return { name, description, parameters, rare: isRare, outside: origin === "outside", ...list };
}

/** What the owner may have in the configuration once they have read all of it. */
function renderList({ name, listSha256 }: ToolServer): string {
  return `mcp.servers.${name}.tools_sha256 = "${listSha256}"`;
}

function renderTool({ schema: { name, description, parameters } }: Tool): string {
  const { properties, required = [] } = parameters;
  const args = Object.keys(properties).map((each) =>
    required.includes(each) ? each : `[${each}]`,
  );
  return toPrintableText(`${[name, ...args].join(" ")}\n    ${description.split("\n")[0]}`);
}
