import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { AppError, errorMessage, systemErrorCode } from "../../core/app-error.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { type ProtocolVersion, versionName } from "../../protocol/version.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openConfig } from "../open-config.ts";
import { type Parsed, parseCommand, usageError } from "../parse.ts";
import { print } from "../print.ts";
import { type AnswerReport, validateAnswer } from "./validate-answer.ts";

const OPTIONS = { protocol: { type: "string" }, mode: { type: "string" } } as const;

/** No model writes a longer answer. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** `papayu validate FILE|-`: checks a model's answer as the planner would; 1 when it is refused. */
export async function validate(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { options: OPTIONS, positionals: [1, 1] });
  const mode = parseMode(parsed, context);
  const { config } = await openConfig(parsed, context);
  const version = parseVersion(parsed.text("protocol") ?? `${config.protocol.version}`, context);
  const text = await readAnswer(parsed.positionals[0] ?? "-", context);
  const report = validateAnswer(text, version, mode);
  print(context, report, renderReport(report));
  return report.ok ? EXIT.done : EXIT.failed;
}

function parseMode(parsed: Parsed, context: CliContext): "plan" | "apply" | undefined {
  const mode = parsed.text("mode");
  if (mode === undefined || mode === "plan" || mode === "apply") return mode;
  throw usageError(`Cannot validate for the mode "${mode}"`, context);
}

function parseVersion(text: string, context: CliContext): ProtocolVersion {
  const version = VERSIONS.find((known) => `${known}` === text);
  if (version !== undefined) return version;
  throw usageError(`Cannot validate for the protocol "${text}"`, context);
}

const VERSIONS: readonly ProtocolVersion[] = [1, 2, 3];

/** Reads a file, a pipe or stdin to its end, or until the signal ends the command. */
async function readAnswer(
  name: string,
  { caller: { cwd }, stdin, signal }: CliContext,
): Promise<string> {
  const shown = name === "-" ? "stdin" : name;
  const stream = name === "-" ? stdin : createReadStream(resolve(cwd, name));
  const stopped = untilAborted(signal).then((): never => {
    throw signal.reason;
  });
  try {
    const bytes = await Promise.race([readCapped(stream, shown), stopped]);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw error instanceof AppError ? error : readError(shown, error);
  }
}

async function readCapped(stream: Readable, shown: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      const message = `Cannot validate "${shown}": it is over ${MAX_ANSWER_BYTES} bytes; give one answer`;
      throw new AppError("too_large", message);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readError(shown: string, error: unknown): AppError {
  const action = `Cannot validate "${shown}"`;
  if (error instanceof TypeError) {
    return new AppError("ERR_NON_UTF8_FILE", `${action}: it is not UTF-8 text; convert it`);
  }
  if (systemErrorCode(error) === "ENOENT") {
    return new AppError(
      "ERR_NOT_FOUND",
      `${action}: it does not exist; name a file, or - for stdin`,
    );
  }
  return new AppError("ERR_IO", `${action}: ${errorMessage(error)}`, { cause: error });
}

function renderReport({
  ok,
  protocol,
  mode,
  actions_count,
  error_code,
  errors,
}: AnswerReport): string {
  const actions = actions_count === 1 ? "1 action" : `${actions_count} actions`;
  const head = `protocol ${versionName(protocol)}, ${mode}, ${actions}`;
  if (ok) return `ok: ${head}`;
  const faults = errors.map((error) => `  ${toVisibleText(error)}`);
  return [`${error_code}: ${head}`, ...faults].join("\n");
}
