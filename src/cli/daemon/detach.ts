import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { AppError, describeDiskError } from "../../core/app-error.ts";
import { isErrorCode } from "../../core/error-code-prefix.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import { logPath } from "../../daemon/app/app.ts";
import type { Launch } from "../../daemon/heartbeat.ts";
import { makePrivateDir } from "../../system/make-private-dir.ts";
import { CONNECTIONS, CONNECTIONS_VARIABLE } from "../../system/own/connections.ts";
import { FOLDER_VARIABLE } from "../../system/own/own.ts";
import { ownCommand } from "../../system/own/programs.ts";
import { type CliContext, EXIT } from "../context.ts";
import { print } from "../print.ts";

/** How long a detached daemon may take until it is ready. */
const READY_MS = 10_000;

/**
 * `papayu start --detach`: a daemon in a session of its own. Its first and only line on stdout
 * says that it is ready, or why it cannot be.
 *
 * @throws AppError with the code and the message of the daemon's own failure
 */
export async function detach(
  { configPath, cwd }: Launch,
  home: string,
  context: CliContext,
): Promise<number> {
  const { signal, caller } = context;
  const { env } = caller;
  const log = logPath(home);
  const config = configPath === undefined ? [] : ["--config", configPath];
  const stderr = openLastWords(`${log}.stderr`);
  const child = Bun.spawn([...ownCommand(), "start", "--detached", "--json", ...config], {
    cwd: "/",
    env: { [CONNECTIONS_VARIABLE]: `${CONNECTIONS}`, ...env, [FOLDER_VARIABLE]: cwd },
    stdio: ["ignore", "pipe", stderr],
    detached: true,
  });
  closeSync(stderr);
  const late = AbortSignal.timeout(READY_MS);
  const until = AbortSignal.any([signal, late]);
  until.addEventListener("abort", () => child.kill(), { once: true });
  // It may not heed the signal, either.
  const line = await Promise.race([readFirstLine(child.stdout), untilAborted(until)]);
  const report = parseReport(line ?? "");
  signal.throwIfAborted();
  if (report?.ok === true) {
    const { pid } = child;
    print(context, { ok: true, pid, log }, `started (pid ${pid}), log: ${log}`);
    return EXIT.done;
  }
  if (report) throw new AppError(report.code, report.message);
  const what = late.aborted ? `it was not ready after ${READY_MS / 1000} s` : "it ended at once";
  throw new AppError("ERR_INTERNAL", `Cannot start the daemon: ${what}; see "${log}.stderr"`);
}

/** What the runtime itself says when it crashes; the log of the daemon is not in there. */
function openLastWords(path: string): number {
  makePrivateDir(dirname(path));
  try {
    return openSync(path, "a", 0o600);
  } catch (error) {
    const message = `Cannot open "${path}": ${describeDiskError(error)}`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}

async function readFirstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) break;
  }
  return text;
}

type Report =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

function parseReport(line: string): Report | undefined {
  if (line.trim() === "") return undefined;
  const report: unknown = JSON.parse(line);
  if (typeof report !== "object" || report === null || !("ok" in report)) return undefined;
  if (report.ok === true) return { ok: true };
  if (!("error_code" in report) || !("error" in report) || !isErrorCode(report.error_code)) {
    return undefined;
  }
  return { ok: false, code: report.error_code, message: String(report.error) };
}
