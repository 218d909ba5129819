import { cutText } from "../core/cut-text.ts";
import type { ToolCall } from "../providers/provider.ts";
import type { Tool, ToolArguments, ToolEffect, ToolFailure, ToolResult } from "../tools/tool.ts";
import { isPutOff } from "./gate-call.ts";
import { type ReadCall, readCall } from "./read-call.ts";
import { isChange } from "./tool-guard.ts";
import { paragraphGap, say, type Turn, type TurnError } from "./turn-state.ts";

/** So much of what a tool answered is told to channels. */
const MOST_TOLD_CHARS = 20_000;

/** One call with what the model is told of it. */
export interface CallResult {
  readonly call: ToolCall;
  readonly ok: boolean;
  readonly content: string;
}

/** A round's calls; a question or an error ends the turn, and the calls behind it never run. */
export interface Round {
  readonly results: readonly CallResult[];
  readonly question?: string;
  readonly error?: TurnError;
}

/** Runs a round's calls one after another. */
export async function runCalls(turn: Turn, calls: readonly ToolCall[]): Promise<Round> {
  // Calls of one round were made together: only an earlier round can have taught the model.
  const toldBefore = new Set(turn.told);
  const results: CallResult[] = [];
  for (const call of calls) {
    const outcome = turn.signal.aborted ? CANCELLED : await runCall(turn, call, toldBefore);
    if (outcome.kind === "question") return { results, question: outcome.question };
    if (outcome.kind === "misused") {
      report(turn, call, outcome.failure);
      return { results, error: misused(call, outcome.failure) };
    }
    const { result } = outcome;
    if (outcome.kind === "result") report(turn, call, result);
    const content = result.ok ? result.content : `Error (${result.errorCode}): ${result.error}`;
    results.push({ call, ok: result.ok, content: turn.redact(content) });
  }
  return { results };
}

type CallOutcome =
  | { readonly kind: "result"; readonly result: ToolResult }
  /** A repeat: neither executed nor reported, but every call needs an answer. */
  | { readonly kind: "refused"; readonly result: ToolFailure }
  | { readonly kind: "question"; readonly question: string }
  | { readonly kind: "misused"; readonly failure: ToolFailure };

const CANCELLED: CallOutcome = {
  kind: "result",
  result: { ok: false, error: "cancelled before it ran", errorCode: "denied", retryable: false },
};

function report({ toolCalls }: Turn, call: ToolCall, result: ToolResult): void {
  const { name, arguments: args } = call;
  const { ok } = result;
  toolCalls.push({ name, args, ok, ...(!ok && { errorCode: result.errorCode }) });
}

function misused({ name }: ToolCall, { error }: ToolFailure): TurnError {
  const message = `The model called ${name} twice without what it needs: ${error}; say it in your message, or ask again`;
  return { code: "tool_validation_error", message };
}

async function runCall(
  turn: Turn,
  call: ToolCall,
  toldBefore: ReadonlySet<string>,
): Promise<CallOutcome> {
  const { guard, toolbox, clues, signal } = turn;
  const refused = guard.refuse(call);
  if (refused) return { kind: "refused", result: refused };
  const read = await readCall(toolbox, call, clues, signal);
  switch (read.kind) {
    case "ask":
      return { kind: "question", question: read.question };
    case "unknown":
      guard.withdraw(call.name);
      return { kind: "result", result: read.failure };
    case "failed":
      return { kind: "result", result: await recordFailure(turn, call, read.failure) };
    case "unfit":
      return judgeUnfit(turn, call, read, toldBefore);
    case "run":
      return { kind: "result", result: await execute(turn, call, read.tool, read.args) };
    default:
      return read satisfies never;
  }
}

/** Shows the schema once where the model can learn from it: it left something out, or never saw it. */
async function judgeUnfit(
  turn: Turn,
  call: ToolCall,
  { tool, faults, isIncomplete }: Extract<ReadCall, { kind: "unfit" }>,
  toldBefore: ReadonlySet<string>,
): Promise<CallOutcome> {
  const { toolbox, told } = turn;
  const { name, parameters } = tool.schema;
  const failure = { ok: false, error: faults, errorCode: "invalid_args", retryable: true } as const;
  if (!isIncomplete && toolbox.isOffered(name)) {
    return { kind: "result", result: await recordFailure(turn, call, failure) };
  }
  if (toldBefore.has(name)) return { kind: "misused", failure };
  told.add(name);
  toolbox.offer(name);
  const error = `${faults}; ${name} takes ${JSON.stringify(parameters)}`;
  return { kind: "result", result: { ...failure, error } };
}

async function execute(
  turn: Turn,
  call: ToolCall,
  tool: Tool,
  args: ToolArguments,
): Promise<ToolResult> {
  const { guard, emit, toolbox, signal, done } = turn;
  const { id, name } = call;
  const effect = tool.effect(args);
  toolbox.offer(name);
  await emit({ kind: "tool_call", id, name, args: call.arguments });
  let result = await turn.runTool(tool, args, signal);
  if (!result.ok && (await waitAsAsked(turn, name, result))) {
    // Recorded too: a service that goes on refusing is withdrawn, not asked a third time.
    guard.record(call, effect, result);
    result = await turn.runTool(tool, args, signal);
  }
  if (!result.ok) return recordFailure(turn, call, result, effect);
  guard.record(call, effect, result);
  if (isChange(effect)) done.push(isPutOff(result.content) ? `${name} (asked for)` : name);
  const content = cutText(turn.redact(result.content), MOST_TOLD_CHARS);
  await emit({ kind: "tool_result", id, name, ok: true, content });
  return result;
}

/** Waits for as long as a service asked to, if the turn lasts that long; false: no second try. */
async function waitAsAsked(turn: Turn, name: string, failure: ToolFailure): Promise<boolean> {
  const { clock, signal, endsAt, emit } = turn;
  const { retryable, retryAfterMs } = failure;
  if (!retryable || retryAfterMs === undefined || clock.now() + retryAfterMs >= endsAt)
    return false;
  const seconds = Math.ceil(retryAfterMs / 1000);
  await emit({ kind: "progress", text: `${name} was asked to wait ${seconds} s` });
  await clock.sleep(retryAfterMs, signal).catch(() => {});
  return !signal.aborted;
}

/** Counts a failure; a tool that is withdrawn by it is told to the user in one sentence. */
async function recordFailure(
  turn: Turn,
  call: ToolCall,
  failure: ToolFailure,
  effect: ToolEffect = "none",
): Promise<ToolFailure> {
  if (!turn.guard.record(call, effect, failure) || turn.signal.aborted) return failure;
  const { name } = call;
  const reason = turn.redact(failure.error);
  await say(turn, `${paragraphGap(turn)}(${name} could not be completed: ${reason})\n`);
  return { ...failure, error: `${failure.error} (${name} is withdrawn for this turn)` };
}
