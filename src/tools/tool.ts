import type { ErrorCode } from "../core/error-codes.ts";
import type { ToolSchema } from "../providers/provider.ts";

/** What a tool may do to the world, for the policy. */
export type ToolEffect = "none" | "network" | "change";

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

/** One thing the agent can do. `run` gets arguments that fit `schema.parameters`, nulls left out. */
export interface Tool {
  readonly schema: ToolSchema & { readonly parameters: ToolParameters };
  readonly effect: ToolEffect;
  run(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult>;
}
