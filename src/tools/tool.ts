import type { ErrorCode, ToolFailureCode } from "../core/error-codes.ts";
import type { TellCounted } from "../core/few.ts";
import type { ToolSchema } from "../providers/provider.ts";
import type { Denial, Effect } from "../security/policy.ts";
import type { Leaving, Origin } from "../security/provenance.ts";

/** See {@link Effect}; the policy decides by it. */
export type ToolEffect = Effect;

/** A failed call, classified from types and status codes, never from words. */
export interface ToolFailure {
  readonly ok: false;
  readonly error: string;
  readonly errorCode: ToolFailureCode;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** What was asked wants to be left alone, whatever it is asked for. */
  readonly isBusy?: true;
  /** It says something of this very call and nothing of the tool: the next may well work. */
  readonly isOfCall?: true;
  /** What of `error` is for a person; absent: all of it. The rest is advice to a model. */
  readonly reason?: string;
  /** What happened, where the table of error codes knows more than a tool's code says. */
  readonly cause?: ErrorCode;
  /** The policy or a person denied it: nothing was tried. */
  readonly denial?: Denial;
}

/** A failure that a repetition would not repair. */
export function failure(errorCode: ToolFailure["errorCode"], error: string): ToolFailure {
  return { ok: false, error, errorCode, retryable: false };
}

/** What a tool answers; tools never throw into the loop. */
export type ToolResult = (ToolSuccess | ToolFailure) & {
  /** Of this very answer, where that is known to be less strict than of the tool's. */
  readonly origin?: Origin;
};

/** An answer of a call that did what it was to. */
export interface ToolSuccess {
  readonly ok: true;
  readonly content: string;
  /** The address whose own words these are: no model had a part in them. */
  readonly page?: string;
}

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

/** What is known apart from a call. */
export interface ArgumentContext {
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
  /** Who may have written what it answers; of several the strictest. All but "own" is data. */
  readonly origin: Origin;
  /**
   * Who wrote its description and its schema, where not papa-yu: strangers, so that who is shown them
   * has read outside, or strangers whose words the owner made their own.
   */
  readonly wordedBy?: "owner" | "outside";
  /** The MCP server whose it is. */
  readonly server?: ToolServer;
  /**
   * What a call lets out of this machine: nothing, all its arguments, or what the function says.
   * It is asked before anything runs or is looked up.
   */
  readonly leaves: "nothing" | "arguments" | ((args: ToolArguments) => Leaving | Promise<Leaving>);
  /** It asks a person by itself, about more than its arguments: the policy need not. */
  readonly asksItself?: boolean;
  /** What a person approves, exactly and in full; without it the name and the arguments. */
  describe?(args: ToolArguments): string;
  /** Fills in arguments that a model left out, from what is known, or has a question for the user. */
  complete?(
    args: ToolArguments,
    context: ArgumentContext,
    signal: AbortSignal,
  ): Promise<Completion>;
  /**
   * `callId` is what a change that it makes is found by, after a crash in the middle of it: who
   * wraps a tool has to hand it on, and `tell`, which shows how far a long call is.
   */
  run(
    args: ToolArguments,
    signal: AbortSignal,
    callId: string,
    tell?: TellCounted,
  ): Promise<ToolResult>;
}

/** The server of a tool. */
export interface ToolServer {
  /** As the configuration calls it. */
  readonly name: string;
  /** A model sees the name of the tool before it asks for the server's. */
  readonly isNamed: boolean;
  /** Of its whole list, as `tools_sha256` has it. */
  readonly listSha256: string;
}

/** A tool of somebody else, who described it, too. */
export type ForeignTool = Tool & Required<Pick<Tool, "wordedBy" | "server">>;

/** What a call lets out: all of its arguments where the tool says neither what nor nothing. */
export async function leavingOf(tool: Tool, args: ToolArguments): Promise<Leaving> {
  if (typeof tool.leaves === "function") return tool.leaves(args);
  if (tool.leaves === "nothing") return { kind: "nothing" };
  const { properties } = tool.schema.parameters;
  const given = Object.entries(args);
  const known = given.filter(([name]) => Object.hasOwn(properties, name));
  const others = given.filter(([name]) => !Object.hasOwn(properties, name));
  // Numbers and yes or no as well: a tool with many of them, or many calls, spell a text out.
  const texts = [...known.map(([, value]) => value), Object.fromEntries(others)].flatMap(textsIn);
  const backTo = backToOf(tool, args);
  return { kind: "words", texts, ...(backTo !== undefined && { backTo }) };
}

/** The server that may be told its own words again: one whose list its owner has read, by what only reads. */
function backToOf(tool: Tool, args: ToolArguments): string | undefined {
  const isReading = tool.wordedBy === "owner" && tool.effect(args) === "network";
  return isReading ? tool.server?.name : undefined;
}

/** Everything in an argument that a model chose, names of properties among it. */
function textsIn(value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object") return [toText(value)];
  const parts = Array.isArray(value) ? value : Object.entries(value).flat();
  if (parts.length === 0) return [];
  // As one: the order of its parts is the model's to choose, too, in an object as in a list. What
  // has parts of its own, or none, could tell by its shape alone what was read.
  const isFlat = parts.every((part) => part !== "" && part !== null && typeof part !== "object");
  return [isFlat ? parts.map(toText).join(" ") : JSON.stringify(value)];
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Search, places and the weather: what the owner set up to be asked in the model's words. Nobody
 * else reads the question there, and it goes without another; see docs/security.md.
 */
export function toOwnersService(): Leaving {
  return { kind: "nothing" };
}
