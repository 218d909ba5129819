import type { Emit } from "../channels/channel.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import type { ChatMessage, Provider, ToolCall } from "../providers/provider.ts";
import type { Tool, ToolFailure, ToolResult } from "../tools/tool.ts";
import { createMaskedStream } from "./masked-stream.ts";
import { readCall, runTool } from "./run-tool.ts";
import { createToolGuard, type ToolGuard } from "./tool-guard.ts";

/** Bounds of one turn. */
export interface TurnLimits {
  /** Rounds with at least one successful call. */
  readonly maxToolIterations: number;
  /** Rounds in a row in which every call failed. */
  readonly maxFailedRounds: number;
  /** Failures of one tool in a row before it is withdrawn. */
  readonly maxFailuresInARow: number;
  readonly turnTimeoutMs: number;
}

/** One turn's material. */
export interface TurnRequest {
  readonly provider: Provider;
  readonly tools: readonly Tool[];
  /** System prompt, history and the user's message. */
  readonly messages: readonly ChatMessage[];
  readonly temperature: number;
  readonly limits: TurnLimits;
  /** Masks secrets in what the model says and in what tools tell it. */
  readonly redact: (text: string) => string;
  /** Must not throw. */
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** What a turn added to the conversation and what it cost. */
export interface TurnResult {
  /** For the history; calls that failed are left out, the model was told of them. */
  readonly messages: readonly ChatMessage[];
  readonly text: string;
  readonly toolCalls: readonly TurnCall[];
  readonly modelCalls: number;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly error?: TurnError;
}

/** Why a turn ended early. */
export interface TurnError {
  readonly code: ErrorCode;
  readonly message: string;
}

/** One tool call of a turn, for reports. */
export interface TurnCall {
  readonly name: string;
  readonly args: string;
  readonly ok: boolean;
  readonly errorCode?: ErrorCode;
}

/**
 * Asks the model, runs the tools it calls, and asks again until it answers with text,
 * a limit is reached, or the signal ends it. Never throws: failures are in the result.
 */
export async function runTurn(request: TurnRequest): Promise<TurnResult> {
  const { limits } = request;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limits.turnTimeoutMs)]);
  const turn: Turn = {
    ...request,
    signal,
    guard: createToolGuard(limits.maxFailuresInARow),
    messages: [...request.messages],
    kept: [],
    text: "",
    toolCalls: [],
    hasActed: false,
    modelCalls: 0,
    tokens: { input: 0, output: 0 },
  };
  const error = await runRounds(turn);
  const { kept: messages, text, toolCalls, modelCalls, tokens } = turn;
  const cause = signal.aborted ? abortError(request.signal) : error;
  return { messages, text, toolCalls, modelCalls, tokens, ...(cause && { error: cause }) };
}

/** A turn while it runs. */
interface Turn extends TurnRequest {
  readonly guard: ToolGuard;
  readonly messages: ChatMessage[];
  readonly kept: ChatMessage[];
  text: string;
  readonly toolCalls: TurnCall[];
  /** Some tool did more than to look. */
  hasActed: boolean;
  modelCalls: number;
  readonly tokens: { input: number; output: number };
}

async function runRounds(turn: Turn): Promise<TurnError | undefined> {
  const { maxToolIterations, maxFailedRounds } = turn.limits;
  let iterations = 0;
  let failedRounds = 0;
  while (!turn.signal.aborted) {
    const { content, toolCalls, error } = await askModel(turn);
    const results = await runCalls(turn, toolCalls);
    const successes = results.filter(({ ok }) => ok);
    turn.messages.push(...toMessages(content, results));
    turn.kept.push(...toMessages(content, successes));
    if (error) return error;
    if (results.length === 0) {
      return turn.text.trim() === "" && !turn.hasActed ? NO_ANSWER : undefined;
    }
    const succeeded = successes.length > 0;
    if (succeeded) iterations += 1;
    failedRounds = succeeded ? 0 : failedRounds + 1;
    if (failedRounds >= maxFailedRounds) return EVERY_CALL_FAILED;
    if (iterations >= maxToolIterations) return LOOP_LIMIT;
  }
  return undefined;
}

const NO_ANSWER: TurnError = {
  code: "LLM_REQUEST",
  message: "The model answered with nothing; ask again, or in other words",
};

const EVERY_CALL_FAILED: TurnError = {
  code: "tool_execution_error",
  message: "Every tool call failed, so the work was stopped; what worked is above",
};

const LOOP_LIMIT: TurnError = {
  code: "tool_loop_limit",
  message: "The limit of tool rounds for one message is reached; send another to go on",
};

function abortError(userSignal: AbortSignal): TurnError {
  return userSignal.aborted
    ? { code: "ERR_CANCELLED", message: "Cancelled" }
    : { code: "timeout", message: "The turn took longer than agent.turn_timeout_s allows" };
}

interface Answer {
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  readonly error?: TurnError;
}

/** One answer of the model, said as it comes; one that broke off has no calls. */
async function askModel(turn: Turn): Promise<Answer> {
  const { provider, guard, temperature, signal } = turn;
  const tools = turn.tools
    .map(({ schema }) => schema)
    .filter(({ name }) => !guard.isWithdrawn(name));
  const request = { messages: [...turn.messages], tools, temperature, signal };
  const masked = createMaskedStream(turn.redact);
  const toolCalls: ToolCall[] = [];
  let content = "";
  // What a later round says begins a paragraph of its own.
  let gap = turn.text === "" || turn.text.endsWith("\n") ? "" : "\n\n";
  const pass = async (text: string) => {
    if (text === "") return;
    await say(turn, gap + text);
    content += text;
    gap = "";
  };
  turn.modelCalls += 1;
  for await (const event of provider.stream(request)) {
    switch (event.kind) {
      case "content":
        await pass(masked.add(event.text));
        break;
      case "tool_call":
        toolCalls.push(event.call);
        break;
      case "end": {
        await pass(masked.end());
        turn.tokens.input += event.usage.inputTokens;
        turn.tokens.output += event.usage.outputTokens;
        if (event.failure) return { content, toolCalls: [], error: event.failure };
        return { content, toolCalls };
      }
      default:
        event satisfies never;
    }
  }
  throw new Error(`provider ${provider.name} ended its stream without an end event`);
}

async function say(turn: Turn, text: string): Promise<void> {
  turn.text += text;
  await turn.emit({ kind: "content", text });
}

interface CallResult {
  readonly call: ToolCall;
  readonly ok: boolean;
  /** What the model is told. */
  readonly content: string;
}

/** Runs a round's calls one after another. */
async function runCalls(turn: Turn, calls: readonly ToolCall[]): Promise<readonly CallResult[]> {
  const results: CallResult[] = [];
  for (const call of calls) {
    const result = turn.signal.aborted ? CANCELLED : await runCall(turn, call);
    const { ok } = result;
    const content = ok ? result.content : `Error (${result.errorCode}): ${result.error}`;
    results.push({ call, ok, content: turn.redact(content) });
    turn.toolCalls.push({
      name: call.name,
      args: call.arguments,
      ok,
      ...(!ok && { errorCode: result.errorCode }),
    });
  }
  return results;
}

/** A round as the model wants to see it: what it said and called, then the result of each call. */
function toMessages(content: string, results: readonly CallResult[]): readonly ChatMessage[] {
  if (content === "" && results.length === 0) return [];
  const toolCalls = results.map(({ call }) => call);
  return [
    { role: "assistant", content, ...(toolCalls.length > 0 && { toolCalls }) },
    ...results.map((each) => ({
      role: "tool" as const,
      toolCallId: each.call.id,
      content: each.content,
    })),
  ];
}

const CANCELLED: ToolFailure = {
  ok: false,
  error: "cancelled before it ran",
  errorCode: "denied",
  retryable: false,
};

async function runCall(turn: Turn, call: ToolCall): Promise<ToolResult> {
  const { guard, emit, tools, signal } = turn;
  const { id, name } = call;
  const refused = guard.refuse(call);
  if (refused) return refused;
  await emit({ kind: "tool_call", id, name, args: call.arguments });
  const read = readCall(tools, call);
  const effect = read.ok ? read.tool.effect(read.args) : "none";
  const result = read.ok ? await runTool(read.tool, read.args, signal) : read;
  const isWithdrawn = guard.record(call, effect, result);
  if (result.ok) {
    turn.hasActed ||= effect !== "none";
    await emit({ kind: "tool_result", id, name, ok: true });
    return result;
  }
  if (!isWithdrawn) return result;
  await say(turn, `\n(${name} could not be completed: ${turn.redact(result.error)})\n`);
  return { ...result, error: `${result.error} (the tool is withdrawn for this turn)` };
}
