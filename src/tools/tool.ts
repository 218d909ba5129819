import type { ErrorCode } from "../core/error-codes.ts";
import type { ToolSchema } from "../providers/provider.ts";
import type { Effect } from "../security/policy.ts";

/** See {@link Effect}; the policy decides by it. */
export type ToolEffect = Effect;

/** A failed call, classified from types and status codes, never from words. */
export interface ToolFailure {
  readonly ok: false;
  readonly error: string;
  readonly errorCode: Extract<
    ErrorCode,
    | "invalid_args"
    | "not_found"
    | "unavailable"
    | "rate_limited"
    | "timeout"
    | "denied"
    | "too_large"
    | "internal"
  >;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** It was denied only because nobody is there who could say yes. */
  readonly needsPerson?: true;
}

/** A failure that a repetition would not mend. */
export function failure(errorCode: ToolFailure["errorCode"], error: string): ToolFailure {
  return { ok: false, error, errorCode, retryable: false };
}

/** What a tool answers; tools never throw into the loop. */
export type ToolResult = { readonly ok: true; readonly content: string } | ToolFailure;

/** The part of JSON Schema that arguments are checked against; models get all of it. */
export interface ToolParameters {
  readonly type: "object";
  readonly properties: Readonly<Record<string, ToolParameter>>;
  readonly required?: readonly string[];
}

/** One argument; all but a single type, and an array but one of texts, is the tool's to check. */
export interface ToolParameter {
  readonly type?: unknown;
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/** Arguments that fit the parameters of their tool, nulls left out. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** What is known beside a call. */
export interface Clues {
  /** What the user wrote last, newest first; at most four. */
  readonly userTexts: readonly string[];
}

/** A call made whole, or what only the user can tell, as a sentence in their language. */
export type Completion =
  | { readonly kind: "complete"; readonly args: ToolArguments }
  | { readonly kind: "ask"; readonly question: string };

/** One thing the agent can do. */
export interface Tool {
  readonly schema: ToolSchema & { readonly parameters: ToolParameters };
  /** Of a call with these arguments; decided before it runs. */
  effect(args: ToolArguments): ToolEffect;
  /** Seldom needed: models get its name, and its schema when they ask for it. */
  readonly isRare?: boolean;
  /** What it answers was written by strangers: it is data, wherever it goes. */
  readonly isOutside?: boolean;
  /** What it answers quotes files, notes or what a program printed: data as well, but the user's own. */
  readonly isQuoted?: boolean;
  /** It asks a person by itself, about more than its arguments: the policy need not. */
  readonly asksItself?: boolean;
  /** What a person approves, exactly and in full; without it the name and the arguments. */
  describe?(args: ToolArguments): string;
  /** Fills in arguments that a model left out, from what is known, or has a question for the user. */
  complete?(args: ToolArguments, clues: Clues): Promise<Completion>;
  /** `callId` is what a change that it makes is found by, after a crash in the middle of it. */
  run(args: ToolArguments, signal: AbortSignal, callId?: string): Promise<ToolResult>;
}
