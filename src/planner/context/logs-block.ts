import { errorMessage } from "../../core/app-error.ts";
import type { Received } from "../../security/injection.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Block, quoteHeaders, toOneLine } from "./block.ts";

/**
 * Reads what is kept under one of the log sources `daemon`, `check` and `routine:NAME`;
 * undefined when there is nothing. May give more than `lastN` lines: masking needs to see where
 * a secret begins, so the cut comes after it.
 */
export type ReadLogs = (
  source: string,
  options: { readonly workspace: Workspace; readonly lastN: number },
) => Promise<string | undefined>;

/** What a `logs` request is answered with. */
export interface LogSources {
  readonly readLogs: ReadLogs;
  readonly redact: (text: string) => string;
}

/** The last lines of a log, masked; or which logs there are. */
export async function readLogsBlock(
  workspace: Workspace,
  request: { readonly source: string; readonly lastN: number },
  { readLogs, redact }: LogSources,
): Promise<Block> {
  const { source, lastN } = request;
  if (!/^(?:daemon|check|routine:.+)$/su.test(source)) return render(source, UNKNOWN);
  const origin = originOf(source, workspace);
  const read = readLogs(source, { workspace, lastN }).catch(failure);
  const text = redact((await read) ?? "").trimEnd();
  if (text === "") return render(source, "none are kept");
  const lines = text.split("\n");
  const shown = lines.slice(-lastN);
  const count = shown.length < lines.length ? `the last ${lastN} lines` : `${lines.length} lines`;
  return { ...render(source, count, quoteHeaders(shown.join("\n"))), origin };
}

/** A routine may have read the web, and so may a check that has the network. */
function originOf(source: string, workspace: Workspace): Received["origin"] {
  if (source === "check") return originOfCheck(workspace);
  return source === "daemon" ? "workspace" : "outside";
}

/** Who may have written what a check of the workspace prints. */
export function originOfCheck({ checkNetwork }: Workspace): Received["origin"] {
  return checkNetwork ? "outside" : "workspace";
}

const UNKNOWN = "there is no such log; there are: daemon, check, routine:NAME";

/** Logs are no reason for a plan to fail. */
function failure(error: unknown): string {
  return `cannot be read: ${errorMessage(error)}`;
}

function render(source: string, what: string, body = ""): Block {
  return { kind: "logs", priority: 2, header: toOneLine(`LOGS[${source}]: ${what}`), body };
}
