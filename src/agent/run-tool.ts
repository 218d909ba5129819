import { AppError, errorMessage } from "../core/app-error.ts";
import type { ToolCall } from "../providers/provider.ts";
import type { Tool, ToolArguments, ToolFailure, ToolResult } from "../tools/tool.ts";

/** A call that can be run, or what is wrong with it. */
export type ReadCall =
  | { readonly ok: true; readonly tool: Tool; readonly args: ToolArguments }
  | ToolFailure;

/** Finds the tool that a model called and reads its arguments; a failure says what to do. */
export function readCall(tools: readonly Tool[], call: ToolCall): ReadCall {
  const tool = tools.find(({ schema }) => schema.name === call.name);
  if (!tool) {
    const known = tools.map(({ schema }) => schema.name).join(", ");
    return failure("not_found", `there is no tool "${call.name}"; there are: ${known}`);
  }
  const args = parseArguments(call.arguments);
  if (!args) {
    const shown = call.arguments.slice(0, 200);
    return failure("invalid_args", `arguments are not a JSON object: ${shown}`);
  }
  const faults = findFaults(tool, args);
  return faults.length > 0 ? failure("invalid_args", faults.join("; ")) : { ok: true, tool, args };
}

/** Runs a tool; what it throws after all is a failure too. */
export async function runTool(
  tool: Tool,
  args: ToolArguments,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    return await tool.run(args, signal);
  } catch (error) {
    if (error instanceof AppError) return failure("internal", `${error.code}: ${error.message}`);
    return failure("internal", errorMessage(error));
  }
}

function failure(errorCode: ToolFailure["errorCode"], error: string): ToolFailure {
  return { ok: false, error, errorCode, retryable: false };
}

function parseArguments(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text || "{}");
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    // Models write null for "not given".
    return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
  } catch {
    return undefined;
  }
}

/** Against the part of JSON Schema that tools use: required properties of simple types. */
function findFaults({ schema }: Tool, args: Readonly<Record<string, unknown>>): readonly string[] {
  const { required, properties } = schema.parameters;
  const missing = (required ?? []).filter((name) => args[name] === undefined);
  const wrong = Object.entries(properties).filter(
    ([name, { type }]) => args[name] !== undefined && !hasType(args[name], type),
  );
  return [
    ...(missing.length > 0 ? [`required arguments are missing: ${missing.join(", ")}`] : []),
    ...wrong.map(([name, { type }]) => `"${name}" must be of type ${type}`),
  ];
}

function hasType(value: unknown, type: string): boolean {
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}
