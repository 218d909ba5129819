import { AppError, errorMessage, systemErrorCode } from "../core/app-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { isTraceId, openTraces } from "./trace-files.ts";

/**
 * The whole trace of an id, as it is in its file.
 *
 * @throws AppError ERR_USAGE for what is no id, ERR_NOT_FOUND for an unknown one, and ERR_IO for a
 * file that is no trace
 */
export function readTrace(
  workspace: Workspace,
  traceId: string,
): Readonly<Record<string, unknown>> {
  const action = `Cannot read the trace "${traceId}" of ${workspace.name}`;
  if (!isTraceId(traceId)) {
    throw new AppError("ERR_USAGE", `${action}: this is no id; papayu trace list shows them`);
  }
  try {
    using files = openTraces(workspace);
    const found = files?.read(traceId);
    if (!found) throw unknown(action);
    const { value } = found;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
    throw new Error("it holds no object");
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (systemErrorCode(error) === "ENOENT") throw unknown(action);
    throw new AppError("ERR_IO", `${action}: ${errorMessage(error)}`, { cause: error });
  }
}

function unknown(action: string): AppError {
  return new AppError("ERR_NOT_FOUND", `${action}: there is none; papayu trace list shows them`);
}
