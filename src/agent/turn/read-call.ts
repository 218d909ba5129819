import { shorten } from "../../core/cut-text.ts";
import { parseForeignJson } from "../../core/guards.ts";
import type { ToolCall } from "../../providers/provider.ts";
import type {
  ArgumentContext,
  Completion,
  Tool,
  ToolArguments,
  ToolFailure,
  ToolParameter,
} from "../../tools/tool.ts";
import { endInTime } from "./run-tool.ts";
import type { Toolbox } from "./toolbox.ts";

/** What a call of a model comes to before anything runs. */
export type ReadCall =
  | { readonly kind: "run"; readonly tool: Tool; readonly args: ToolArguments }
  /** Only the user can complete it. */
  | { readonly kind: "ask"; readonly question: string }
  /** No tool has this name, or the arguments are no JSON: nothing was looked up for it. */
  | { readonly kind: "unreadable"; readonly failure: ToolFailure }
  | { readonly kind: "failed"; readonly failure: ToolFailure }
  /** The arguments are readable and do not fit the tool's schema. */
  | {
      readonly kind: "unfit";
      readonly tool: Tool;
      readonly args: ToolArguments;
      readonly faults: string;
      readonly isIncomplete: boolean;
    };

/** Finds the tool, reads the arguments, and has the tool fill in what the model left out. */
export async function readCall(
  toolbox: Toolbox,
  call: ToolCall,
  argumentContext: ArgumentContext,
  signal: AbortSignal,
): Promise<ReadCall> {
  const tool = toolbox.find(call.name);
  if (!tool) {
    const { toUnknown } = await import("./unknown-tool.ts");
    return { kind: "unreadable", failure: toUnknown(call.name, toolbox.told()) };
  }
  const given = parseArguments(tool, call.arguments);
  if (!given) {
    const error = `arguments are not a JSON object, or nested too deep: ${shorten(call.arguments, 200)}`;
    return { kind: "unreadable", failure: failure("invalid_args", error) };
  }
  const wrong = findWrong(tool, given);
  if (wrong.length > 0) return unfit(tool, given, wrong.join("; "), false);
  const completion = await completeCall(tool, given, argumentContext, signal);
  if ("ok" in completion) return { kind: "failed", failure: completion };
  if (completion.kind === "ask") return completion;
  const { args } = completion;
  const { required = [] } = tool.schema.parameters;
  const missing = required.filter((name) => !Object.hasOwn(args, name) || args[name] === undefined);
  if (missing.length === 0) return { kind: "run", tool, args };
  return unfit(tool, args, `required arguments are missing: ${missing.join(", ")}`, true);
}

function parseArguments({ schema }: Tool, text: string): ToolArguments | undefined {
  const parameters = new Map(Object.entries(schema.parameters.properties));
  // Models write null for "not given"; a parameter of more than one type may mean it.
  const mayBeNull = (name: string) =>
    parameters.has(name) && typeof parameters.get(name)?.type !== "string";
  const value = parseForeignJson(text || "{}");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const isGiven = ([name, each]: [string, unknown]) => each !== null || mayBeNull(name);
  return Object.fromEntries(Object.entries(value).filter(isGiven));
}

async function completeCall(
  tool: Tool,
  args: ToolArguments,
  argumentContext: ArgumentContext,
  signal: AbortSignal,
): Promise<Completion | ToolFailure> {
  if (!tool.complete) return { kind: "complete", args };
  return endInTime(
    async () => tool.complete?.(args, argumentContext, signal) ?? { kind: "complete", args },
    signal,
  );
}

/** Against the part of JSON Schema that our own tools use; a foreign one's rest is its own to check. */
function findWrong({ schema }: Tool, args: ToolArguments): readonly string[] {
  return Object.entries(schema.parameters.properties)
    .filter(([name, parameter]) => Object.hasOwn(args, name) && !fits(args[name], parameter))
    .map(([name, { type }]) => {
      return `"${name}" must be of type ${type === "array" ? "array of strings" : String(type)}`;
    });
}

function fits(value: unknown, { type, items }: ToolParameter): boolean {
  switch (type) {
    case "string":
    case "number":
    case "boolean":
    case "object":
      return typeof value === type;
    case "integer":
      return Number.isInteger(value);
    case "array":
      return !isOfTexts(items) || (Array.isArray(value) && value.every(isText));
    default:
      return true;
  }
}

function isOfTexts(items: unknown): boolean {
  return typeof items === "object" && items !== null && "type" in items && items.type === "string";
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function unfit(tool: Tool, args: ToolArguments, faults: string, isIncomplete: boolean): ReadCall {
  return { kind: "unfit", tool, args, faults, isIncomplete };
}

function failure(errorCode: ToolFailure["errorCode"], error: string): ToolFailure {
  return { ok: false, error, errorCode, retryable: false };
}
