import { chatTurn } from "../agent/chat.ts";
import type { Exchange } from "../agent/deps.ts";
import { actOn } from "../agent/press.ts";
import type { TurnResult } from "../agent/turn-state.ts";
import type { AgentEvent, Emit } from "../channels/channel.ts";
import { renderCall, renderCallResult } from "../channels/render-call.ts";
import { renderOutcome, renderPreview } from "../channels/render-text.ts";
import { newId } from "../core/ids.ts";
import { toPrintableText } from "../core/visible-text.ts";
import { askYesNo } from "./ask-yes-no.ts";
import { type CliContext, EXIT } from "./context.ts";
import { openApp } from "./open-app.ts";
import { pickWorkspace } from "./open-config.ts";
import { parseCommand, WORKSPACE_OPTION } from "./parse.ts";
import { print, wantsColor } from "./print.ts";

/** `papayu ask TEXT`: one agent turn without the daemon. */
export async function ask(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, {
    options: WORKSPACE_OPTION,
    positionals: [1, Infinity],
  });
  using app = await openApp(parsed, context);
  const { agent, clock, loaded } = app;
  const speaker = { sessionId: newId("ask"), userId: "owner" };
  const { root } = pickWorkspace(loaded, parsed, context);
  agent.sessions.update(speaker.sessionId, speaker.userId, { workspace: root }, clock.now());
  const asked: string[] = [];
  const emit: Emit = (event) => {
    if (event.kind === "call_approval") asked.push(event.approvalId);
    if (!context.json) show(event, context);
  };
  const hasApprover = !context.json && context.stdin.isTTY && context.stdout.isTTY;
  const exchange = { deps: agent, speaker, emit, signal: context.signal, hasApprover };
  const text = parsed.positionals.join(" ");
  const turn = await agent.charge(speaker.sessionId, async () => {
    const first = await chatTurn(exchange, text);
    for (const ref of asked) await answerCall(exchange, ref, context);
    return first;
  });
  if (context.json) print(context, toReport(turn, speaker.sessionId), "");
  else if (!turn.text.endsWith("\n")) context.stdout.write("\n");
  if (turn.error) context.stderr.write(`papayu: ${turn.error.code}: ${turn.error.message}\n`);
  return turn.error ? EXIT.failed : EXIT.done;
}

/** Asks about a call; after a yes it runs, and the turn goes on and may ask for more. */
async function answerCall(exchange: Exchange, ref: string, context: CliContext): Promise<void> {
  const act = (await askYesNo("Run it?", context)) ? "approve" : "reject";
  const next = await actOn(exchange, { act, ref });
  await next?.(exchange);
}

/** Text of a model, so nothing in it may command the terminal. */
function show(event: AgentEvent, context: CliContext): void {
  const { stdout } = context;
  if (event.kind === "content") stdout.write(toPrintableText(event.text));
  if (event.kind === "call_approval") stdout.write(`\n${renderCall(event)}\n`);
  if (event.kind === "call_result") stdout.write(`\n${renderCallResult(event)}\n`);
  if (event.kind === "outcome") stdout.write(`\n${renderOutcome(event.outcome)}\n`);
  if (event.kind !== "approval") return;
  const { preview } = event;
  const shown = renderPreview(preview, wantsColor(stdout, context));
  stdout.write(`\n${shown}\nnext: papayu apply ${preview.planId}\n`);
}

function toReport(turn: TurnResult & { readonly traceId: string }, sessionId: string): unknown {
  const { error } = turn;
  return {
    ok: error === undefined,
    text: turn.text,
    tool_calls: turn.toolCalls.map(({ name, args, ok, errorCode }) => ({
      name,
      args: toDocument(args),
      ok,
      ...(errorCode !== undefined && { error_code: errorCode }),
    })),
    model_calls: turn.modelCalls,
    ...(error && { error: error.message, error_code: error.code, error_category: error.code }),
    session_id: sessionId,
    trace_id: turn.traceId,
  };
}

/** Arguments as a document; a model may have sent what is none. */
function toDocument(args: string): unknown {
  try {
    return JSON.parse(args || "{}");
  } catch {
    return args;
  }
}
