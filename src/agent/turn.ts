import type { Emit } from "../channels/channel.ts";
import { AppError, errorMessage } from "../core/app-error.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import type { ChatMessage, Provider, ToolCall } from "../providers/provider.ts";
import type { Tool, ToolFailure, ToolResult } from "../tools/tool.ts";
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
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** What a turn added to the conversation and what it cost. */
export interface TurnResult {
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
  const timeout = AbortSignal.timeout(request.limits.turnTimeoutMs);
  const turn: Turn = {
    ...request,
    signal: AbortSignal.any([request.signal, timeout]),
    guard: createToolGuard(request.limits.maxFailuresInARow),
    added: [],
    calls: [],
    tokens: { input: 0, output: 0 },
  };
  let text = "";
  let modelCalls = 0;
  let iterations = 0;
  let failedRounds = 0;
  const end = (error?: TurnResult["error"]): TurnResult => {
    const { added, calls, tokens } = turn;
    return { messages: added, text, toolCalls: calls, modelCalls, tokens, ...(error && { error }) };
  };

  while (true) {
    modelCalls += 1;
    const answer = await askModel(turn);
    text += answer.text;
    if (answer.error) return end(answer.error);
    turn.added.push(toMessage(answer));
    if (answer.toolCalls.length === 0) return end();
    const succeeded = await runCalls(turn, answer.toolCalls);
    if (turn.signal.aborted) return end(abortError(request.signal));
    if (succeeded) iterations += 1;
    failedRounds = succeeded ? 0 : failedRounds + 1;
    if (failedRounds >= request.limits.maxFailedRounds) return end(EVERY_CALL_FAILED);
    if (iterations >= request.limits.maxToolIterations) return end(LOOP_LIMIT);
  }
}

const EVERY_CALL_FAILED: TurnError = {
  code: "tool_execution_error",
  message: "Every tool call failed, so the work was stopped; what worked is above",
};

const LOOP_LIMIT: TurnError = {
  code: "tool_loop_limit",
  message: "The limit of tool rounds for one message is reached; send another to go on",
};

interface Turn extends TurnRequest {
  readonly guard: ToolGuard;
  readonly added: ChatMessage[];
  readonly calls: TurnCall[];
  readonly tokens: { input: number; output: number };
}

interface Answer {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly error?: TurnError;
}

async function askModel(turn: Turn): Promise<Answer> {
  const { provider, emit, guard, signal } = turn;
  const offered = turn.tools.filter((tool) => !guard.isWithdrawn(tool.schema.name));
  const toolCalls: ToolCall[] = [];
  let text = "";
  const request = {
    messages: [...turn.messages, ...turn.added],
    ...(offered.length > 0 && { tools: offered.map((tool) => tool.schema) }),
    temperature: turn.temperature,
    signal,
  };
  for await (const event of provider.stream(request)) {
    switch (event.kind) {
      case "content":
        text += event.text;
        await emit({ kind: "content", text: event.text });
        break;
      case "tool_call":
        toolCalls.push(event.call);
        break;
      case "end":
        turn.tokens.input += event.usage.inputTokens;
        turn.tokens.output += event.usage.outputTokens;
        return { text, toolCalls, ...(event.failure && { error: event.failure }) };
      default:
        event satisfies never;
    }
  }
  throw new Error(`provider ${provider.name} ended its stream without an end event`);
}

function toMessage({ text, toolCalls }: Answer): ChatMessage {
  return { role: "assistant", content: text, ...(toolCalls.length > 0 && { toolCalls }) };
}

/** Runs a round's calls one after another; true when one of them succeeded. */
async function runCalls(turn: Turn, calls: readonly ToolCall[]): Promise<boolean> {
  let succeeded = false;
  for (const call of calls) {
    const result = turn.signal.aborted ? CANCELLED : await runCall(turn, call);
    const content = result.ok ? result.content : `Error (${result.errorCode}): ${result.error}`;
    turn.added.push({ role: "tool", toolCallId: call.id, content });
    turn.calls.push({
      name: call.name,
      args: call.arguments,
      ok: result.ok,
      ...(!result.ok && { errorCode: result.errorCode }),
    });
    succeeded ||= result.ok;
  }
  return succeeded;
}

async function runCall(turn: Turn, call: ToolCall): Promise<ToolResult> {
  const { guard, emit, tools, signal } = turn;
  const earlier = guard.earlier(call.name, call.arguments);
  if (earlier) return { ...earlier, error: `${earlier.error} (already tried; do not repeat it)` };
  await emit({ kind: "tool_call", id: call.id, name: call.name, args: call.arguments });
  const tool = tools.find((candidate) => candidate.schema.name === call.name);
  const result = tool ? await execute(tool, call.arguments, signal) : unknownTool(call.name, tools);
  if (result.ok) await emit({ kind: "tool_result", id: call.id, name: call.name, ok: true });
  const withdrawn = guard.record(call.name, call.arguments, result);
  if (!withdrawn || result.ok) return result;
  await emit({
    kind: "content",
    text: `\n(${call.name} could not be completed: ${result.error})\n`,
  });
  return { ...result, error: `${result.error} (the tool is withdrawn for this turn)` };
}

async function execute(tool: Tool, args: string, signal: AbortSignal): Promise<ToolResult> {
  const parsed = parseArguments(args);
  if (!parsed) {
    return failure("invalid_args", `arguments are not a JSON object: ${args.slice(0, 200)}`);
  }
  const missing = missingArguments(tool, parsed);
  if (missing.length > 0) {
    return failure("invalid_args", `required arguments are missing: ${missing.join(", ")}`);
  }
  try {
    return await tool.run(parsed, signal);
  } catch (error) {
    if (error instanceof AppError) return failure("internal", `${error.code}: ${error.message}`);
    return failure("internal", errorMessage(error));
  }
}

function parseArguments(args: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(args === "" ? "{}" : args);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return { ...value };
  } catch {
    return undefined;
  }
}

function missingArguments(tool: Tool, args: Record<string, unknown>): readonly string[] {
  const { required } = tool.schema.parameters;
  if (!Array.isArray(required)) return [];
  return required.filter((name) => args[name] === undefined || args[name] === null);
}

function unknownTool(name: string, tools: readonly Tool[]): ToolFailure {
  const known = tools.map((tool) => tool.schema.name).join(", ");
  return failure("not_found", `there is no tool "${name}"; there are: ${known}`);
}

function failure(errorCode: ToolFailure["errorCode"], error: string): ToolFailure {
  return { ok: false, error, errorCode, retryable: false };
}

const CANCELLED: ToolFailure = failure("denied", "cancelled before it ran");

function abortError(userSignal: AbortSignal): TurnError {
  return userSignal.aborted
    ? { code: "ERR_CANCELLED", message: "Cancelled" }
    : { code: "timeout", message: "The turn took longer than agent.turn_timeout_s allows" };
}
