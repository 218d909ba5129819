import { errorMessage } from "../core/app-error.ts";
import { shorten } from "../core/cut-text.ts";
import type { Log } from "../core/log.ts";
import { writeWhole } from "../system/write-durably.ts";
import { inStateSubfolder } from "../workspace/state-folder.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Trace } from "./trace.ts";

const PREVIEW_CHARS = 200;

/**
 * Writes a trace into the workspace, masked and atomically, mode 0600.
 * It never throws: a trace that cannot be written is one log line, TRACE_NOT_WRITTEN.
 */
export function writeTrace(
  workspace: Workspace,
  trace: Trace,
  options: {
    redact: (text: string) => string;
    log: Log;
    /** `trace.raw`: keep all of what the model wrote. */
    raw: boolean;
  },
): void {
  try {
    const text = JSON.stringify(toRecord(trace, options), null, 2);
    // A link planted here would carry the trace out of the workspace.
    inStateSubfolder(workspace.root, "traces", (folder) =>
      writeWhole(folder.entry(`${trace.trace_id}.json`), `${text}\n`),
    );
  } catch (error) {
    options.log("TRACE_NOT_WRITTEN", { trace_id: trace.trace_id, reason: errorMessage(error) });
  }
}

/** Masked first and cut then: a secret cut in half would pass the mask. */
function toRecord(
  trace: Trace,
  options: { redact: (text: string) => string; raw: boolean },
): unknown {
  const { raw_content: content, ...rest } = trace;
  const masked = mask(rest, options.redact);
  if (content === undefined) return masked;
  const raw = options.redact(content);
  if (options.raw) return Object.assign({}, masked, { raw_content: raw });
  return Object.assign({}, masked, { raw_preview: shorten(raw, PREVIEW_CHARS) });
}

function mask(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => mask(item, redact));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [redact(key), mask(item, redact)]));
}
