import { AppError, errorMessage } from "../../core/app-error.ts";
import type { TellCounted } from "../../core/few.ts";
import type { Tool, ToolArguments, ToolFailure, ToolResult } from "../../tools/tool.ts";

/** How long a tool may take to clean up after a cancel; the user waits two seconds at most. */
const GRACE_MS = 1500;

/** Runs a tool; what it throws anyway is a failure too, and so is one that ignores a cancel. */
export function runTool(
  tool: Tool,
  args: ToolArguments,
  signal: AbortSignal,
  callId: string,
  tell?: TellCounted,
): Promise<ToolResult> {
  return endInTime(async () => tool.run(args, signal, callId, tell), signal);
}

/** The result of `work`, or a failure when it throws or goes on too long after an abort. */
export async function endInTime<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | ToolFailure> {
  const late = Promise.withResolvers<ToolFailure>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => {
    timer = setTimeout(() => late.resolve(internal("it did not end when cancelled")), GRACE_MS);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work().catch(toFailure), late.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    clearTimeout(timer);
  }
}

function toFailure(error: unknown): ToolFailure {
  if (!(error instanceof AppError)) return internal(errorMessage(error));
  return { ...internal(`${error.code}: ${error.message}`), cause: error.code };
}

function internal(error: string): ToolFailure {
  return { ok: false, error, errorCode: "internal", retryable: false };
}
