import { chatTurn } from "../../agent/chat.ts";
import type { Agent, RequestContext } from "../../agent/deps.ts";
import { actOn } from "../../agent/press.ts";
import { maskTexts } from "../../agent/session/session.ts";
import type { TurnCall, TurnError, TurnResult } from "../../agent/turn/turn.ts";
import type { Emit } from "../../channels/channel.ts";
import { parseForeignJson } from "../../core/guards.ts";
import { askYesNo } from "../ask-yes-no.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { pickWorkspace } from "../open-config.ts";
import { parseCommand, WORKSPACE_OPTION } from "../parse.ts";
import { print, tellFailure } from "../print.ts";
import { openRequest } from "./open-request.ts";

/** `papayu ask TEXT`: one agent turn without the daemon. */
export async function ask(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, {
    options: WORKSPACE_OPTION,
    positionals: [1, Infinity],
  });
  await using app = await openApp(parsed, context, "model", true);
  const opened = openRequest(
    app.current,
    pickWorkspace(app.current.loaded, parsed, context, app.state.ledger),
    context,
  );
  const asked: string[] = [];
  const emit: Emit = (event) => {
    if (event.kind === "call_approval") asked.push(event.approvalId);
    return opened.emit(event);
  };
  const request = { ...opened, emit };
  const { sessionId } = request.speaker;
  const { agent } = app.current; // as it was configured when this began
  const { redact } = agent.core;
  const text = parsed.positionals.join(" ");
  const turn = await agent.charge(sessionId, async () => {
    opened.activity.begin(request.texts.terminal.doing.answer);
    const first = await chatTurn(request, agent.turns, text);
    opened.activity.rest();
    for (const ref of asked) await answerCall(request, agent, ref, context);
    return first;
  });
  const error = turn.error ?? lackOfYes(turn);
  opened.endProse();
  const report = toReport({ ...turn, ...(error && { error }) }, sessionId);
  if (context.command.json) print(context, maskTexts(report, redact), "");
  else if (!turn.text.endsWith("\n")) context.stdout.write("\n");
  if (error) {
    const { code, isSaid } = error;
    const message = redact(error.message);
    const said = isSaid ? message : undefined;
    tellFailure(context.stderr, { code, message, said }, app.current.texts());
  }
  if (turn.toolCalls.some(({ needsPerson }) => needsPerson)) return EXIT.approvalNeeded;
  return error ? EXIT.failed : EXIT.done;
}

/** A script has to learn that something was left undone, however the model puts it. */
function lackOfYes({ toolCalls }: TurnResult): TurnError | undefined {
  const names = new Set(toolCalls.flatMap((call) => (call.needsPerson ? [call.name] : [])));
  if (names.size === 0) return undefined;
  const message = `Cannot run ${[...names].join(", ")}: it needs a yes on a terminal`;
  return { code: "CONFIRM_REQUIRED", message };
}

/** Asks about a call; after a yes it runs, and the turn goes on and may ask for more. */
async function answerCall(
  request: RequestContext,
  agent: Agent,
  ref: string,
  context: CliContext,
): Promise<void> {
  const act = (await askYesNo(request.texts.terminal.run, context)) ? "approve" : "reject";
  const next = await actOn(request, agent, { act, ref });
  await next?.(request, agent);
}

function toReport(turn: TurnResult & { readonly traceId: string }, sessionId: string): unknown {
  const { error } = turn;
  return {
    ok: error === undefined,
    text: turn.text,
    tool_calls: turn.toolCalls.map(toCall),
    model_calls: turn.modelCalls,
    ...(error && { error: error.message, error_code: error.code, error_category: error.code }),
    session_id: sessionId,
    trace_id: turn.traceId,
  };
}

function toCall({ name, args, ok, errorCode, needsPerson }: TurnCall): unknown {
  const code = needsPerson ? "CONFIRM_REQUIRED" : errorCode;
  return { name, args: toDocument(args), ok, ...(code !== undefined && { error_code: code }) };
}

/** Arguments as a document; a model may have sent what is none. */
function toDocument(args: string): unknown {
  return parseForeignJson(args || "{}") ?? args;
}
