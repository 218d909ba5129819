import type { ErrorCode } from "../core/error-codes.ts";
import type { ToolSchema } from "../providers/provider.ts";

/**
 * What a call may do to the world, for the policy: look into the workspace or the daemon's own
 * state; read from outside; note something for later turns; change anything else; or something
 * that is a person's decision at every autonomy level.
 */
export type ToolEffect = "none" | "network" | "note" | "change" | "person";

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
}

/** What a tool answers; tools never throw into the loop. */
export type ToolResult = { readonly ok: true; readonly content: string } | ToolFailure;

/** The part of JSON Schema that arguments are checked against. */
export interface ToolParameters {
  readonly type: "object";
  readonly properties: Readonly<
    Record<
      string,
      { readonly type: "string" | "integer" | "boolean"; readonly description?: string }
    >
  >;
  readonly required?: readonly string[];
}

/** Arguments that fit the parameters of their tool, nulls left out. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** One thing the agent can do. */
export interface Tool {
  readonly schema: ToolSchema & { readonly parameters: ToolParameters };
  /** Of a call with these arguments; decided before it runs. */
  effect(args: ToolArguments): ToolEffect;
  run(args: ToolArguments, signal: AbortSignal): Promise<ToolResult>;
}
