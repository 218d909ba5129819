import { NOTHING_SEEN, toolsOf } from "../../agent/chat.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import type { Tool } from "../../tools/tool.ts";
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
  print(context, { ok: true, tools: found.map(toEntry) }, found.map(renderTool).join("\n"));
  return EXIT.done;
}

function toEntry({ schema, isRare = false, origin }: Tool) {
  const { name, description, parameters } = schema;
  return { name, description, parameters, rare: isRare, outside: origin === "outside" };
}

function renderTool({ schema: { name, description, parameters } }: Tool): string {
  const { properties, required = [] } = parameters;
  const args = Object.keys(properties).map((each) =>
    required.includes(each) ? each : `[${each}]`,
  );
  return toPrintableText(`${[name, ...args].join(" ")}\n    ${description.split("\n")[0]}`);
}
