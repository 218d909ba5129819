import { chatTurn } from "../agent/chat.ts";
import type { AgentEvent } from "../channels/channel.ts";
import { renderPreview } from "../channels/socket/render-text.ts";
import { newId } from "../core/ids.ts";
import { type CliContext, EXIT } from "./context.ts";
import { openApp, pickWorkspace } from "./open-app.ts";
import { JSON_OPTION, parseCommand, WORKSPACE_OPTION } from "./parse.ts";

/** `papayu ask TEXT`: one agent turn without the daemon. */
export async function ask(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, "ask TEXT [-w WS] [--json]", {
    options: { ...WORKSPACE_OPTION, ...JSON_OPTION },
    positionals: [1, 1],
  });
  const json = parsed.flag("json");
  using app = await openApp(parsed, context);
  const speaker = { sessionId: newId("ask"), userId: "owner" };
  const { root } = pickWorkspace(app, parsed, context);
  app.agent.sessions.update(
    speaker.sessionId,
    speaker.userId,
    { workspace: root },
    app.clock.now(),
  );
  const emit = json ? () => {} : (event: AgentEvent) => show(event, context);
  const [text = ""] = parsed.positionals;
  const turn = await chatTurn(app.agent, speaker, text, emit, context.signal);
  const report = {
    ok: turn.error === undefined,
    text: turn.text,
    tool_calls: turn.toolCalls.map(({ name, args: given, ok, errorCode }) => ({
      name,
      args: given,
      ok,
      ...(errorCode !== undefined && { error_code: errorCode }),
    })),
    model_calls: turn.modelCalls,
    ...(turn.error && { error: turn.error.message, error_category: turn.error.code }),
    session_id: speaker.sessionId,
    trace_id: turn.traceId,
  };
  if (json) context.stdout.write(`${JSON.stringify(report)}\n`);
  else context.stdout.write(turn.text.endsWith("\n") ? "" : "\n");
  if (turn.error && !json)
    context.stderr.write(`papayu: ${turn.error.code}: ${turn.error.message}\n`);
  return turn.error ? EXIT.failed : EXIT.done;
}

function show(event: AgentEvent, context: CliContext): void {
  if (event.kind === "content") context.stdout.write(event.text);
  if (event.kind !== "approval") return;
  const { preview } = event;
  context.stdout.write(
    `\n${renderPreview(preview, context.stdout.isTTY)}\nnext: papayu apply ${preview.planId}\n`,
  );
}
