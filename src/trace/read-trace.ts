import { AppError, systemErrorCode } from "../core/app-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { openDay } from "./read-day.ts";
import { dayOf, OWN_ID } from "./segments.ts";
import { isTraceId, openTraces, reasonOf, type TraceFile, type TraceFiles } from "./trace-files.ts";

/**
 * The whole trace of an id: a line in a segment of its day, or a file of its own.
 *
 * @throws AppError ERR_USAGE for what is no id, ERR_NOT_FOUND for an unknown one, and ERR_IO for
 * what is no trace, and the signal's reason
 */
export async function readTrace(
  workspace: Workspace,
  traceId: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const action = `Cannot read the trace "${traceId}" of ${workspace.name}`;
  if (!isTraceId(traceId)) {
    throw new AppError("ERR_USAGE", `${action}: this is no id; papayu trace list shows them`);
  }
  try {
    using files = openTraces(workspace);
    if (!files) throw unknown(action);
    const { value } = (await findLine(files, traceId, signal)) ?? files.read(traceId);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
    throw new Error("it holds no object");
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    if (systemErrorCode(error) === "ENOENT") throw unknown(action);
    throw new AppError("ERR_IO", `${action}: ${reasonOf(error)}`, { cause: error });
  }
}

async function findLine(
  files: TraceFiles,
  traceId: string,
  signal: AbortSignal,
): Promise<TraceFile | undefined> {
  if (!OWN_ID.test(traceId)) return undefined;
  const name = dayOf(traceId);
  using day = openDay(files, name, files.list().segments.get(name) ?? []);
  await day.scan(signal);
  return day.has(traceId) ? day.readWhole(traceId) : undefined;
}

function unknown(action: string): AppError {
  return new AppError("ERR_NOT_FOUND", `${action}: there is none; papayu trace list shows them`);
}
