import type { Emit } from "../channels/channel.ts";
import type { Clock } from "../core/clock.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import type { ChatMessage, Provider } from "../providers/provider.ts";
import type { Clues, Tool } from "../tools/tool.ts";
import type { Gate } from "./gate-call.ts";
import { createToolGuard, type ToolGuard } from "./tool-guard.ts";
import { createToolbox, type Toolbox } from "./toolbox.ts";

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
  /** Every call passes it. */
  readonly gate: Pick<Gate, "judge" | "receive">;
  /** System prompt, history and the user's message. */
  readonly messages: readonly ChatMessage[];
  /** What tools may fill in missing arguments from. */
  readonly clues: Clues;
  readonly temperature: number;
  readonly limits: TurnLimits;
  /** Masks secrets in what the model says and in what tools tell it. */
  readonly redact: (text: string) => string;
  /** Must not throw. */
  readonly emit: Emit;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** What a turn added to the conversation and what it cost. */
export interface TurnResult {
  /** For the history; calls that failed are left out, the model was told of them. */
  readonly messages: readonly ChatMessage[];
  readonly text: string;
  readonly toolCalls: readonly TurnCall[];
  readonly modelCalls: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** In the currency of the configured prices; absent without prices. */
  readonly cost?: number;
  readonly error?: TurnError;
}

/** Why a turn ended early. */
export interface TurnError {
  readonly code: ErrorCode;
  readonly message: string;
}

/** One tool call of a turn, for reports; repeats and calls that were put off are none. */
export interface TurnCall {
  readonly name: string;
  readonly args: string;
  readonly ok: boolean;
  readonly errorCode?: ErrorCode;
}

/** A turn while it runs; `signal` is the user's and the time limit's in one. */
export interface Turn extends TurnRequest {
  readonly endsAt: number;
  readonly toolbox: Toolbox;
  readonly guard: ToolGuard;
  readonly messages: ChatMessage[];
  readonly kept: ChatMessage[];
  readonly toolCalls: TurnCall[];
  readonly tokens: { input: number; output: number };
  /** Tools that did more than to look, in order. */
  readonly done: string[];
  /** A call waits for a person's answer. */
  hasAsked: boolean;
  /** Tools whose schema was told in answer to a call that did not fit it. */
  readonly told: Set<string>;
  text: string;
  modelCalls: number;
  cost: number | undefined;
}

/** A turn at its beginning. */
export function openTurn(request: TurnRequest): Turn {
  const { limits, signal, clock } = request;
  return {
    ...request,
    signal: AbortSignal.any([signal, AbortSignal.timeout(limits.turnTimeoutMs)]),
    endsAt: clock.now() + limits.turnTimeoutMs,
    toolbox: createToolbox(request.tools),
    guard: createToolGuard(limits.maxFailuresInARow),
    messages: [...request.messages],
    kept: [],
    toolCalls: [],
    tokens: { input: 0, output: 0 },
    done: [],
    hasAsked: false,
    told: new Set(),
    text: "",
    modelCalls: 0,
    cost: undefined,
  };
}

/** Says something to the user, now and in the turn's text. */
export async function say(turn: Turn, text: string): Promise<void> {
  turn.text += text;
  await turn.emit({ kind: "content", text });
}

/** What sets a new paragraph apart from what was said so far. */
export function paragraphGap({ text }: Turn): string {
  return text === "" || text.endsWith("\n") ? "" : "\n\n";
}
