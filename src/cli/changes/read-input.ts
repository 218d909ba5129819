import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { AppError, errorMessage, systemErrorCode } from "../../core/app-error.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import type { CliContext } from "../context.ts";

/** What is read, and how it is spoken of. */
export interface InputSpec {
  /** A file's name, also of a pipe, or `-` for stdin. */
  readonly name: string;
  /** For messages: "Cannot VERB". */
  readonly verb: string;
  readonly mostBytes: number;
  /** What to do about one that is larger. */
  readonly ifTooLarge: string;
}

/** Where it is read from, and until when. */
export interface InputContext extends Pick<CliContext, "caller" | "signal"> {
  readonly stdin: Readable;
}

/** A pipe that nobody writes to would hold the command for good. */
const MOST_SILENCE_MS = 300_000;

/**
 * A file, a pipe or stdin to its end as text; a byte order mark is left out.
 *
 * @throws AppError ERR_NOT_FOUND, ERR_NON_UTF8_FILE, too_large or ERR_IO (also where nothing comes
 * for five minutes), and the signal's reason when it ends the command
 */
export async function readInput(
  spec: InputSpec,
  { caller: { cwd }, stdin, signal }: InputContext,
  silenceMs = MOST_SILENCE_MS,
): Promise<string> {
  const isStdin = spec.name === "-";
  const shown = isStdin ? "stdin" : spec.name;
  const action = `Cannot ${spec.verb} "${shown}"`;
  const stream = isStdin ? stdin : createReadStream(resolve(cwd, spec.name));
  const stopped = untilAborted(signal).then((): never => {
    throw signal.reason;
  });
  using silence = createSilence(silenceMs, `${action}: nothing came for ${silenceMs / 1000} s`);
  try {
    const read = readCapped(stream, spec, action, silence.reset);
    const bytes = await Promise.race([read, stopped, silence.over]);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!isStdin) stream.destroy();
    throw error instanceof AppError ? error : readError(action, error);
  }
}

/** Fails once nothing was heard for so long. */
function createSilence(ms: number, message: string) {
  const { promise: over, reject } = Promise.withResolvers<never>();
  over.catch(() => {}); // the input has ended by then
  const end = () => reject(new AppError("ERR_IO", message));
  let timer = setTimeout(end, ms);
  return {
    over,
    reset: () => {
      clearTimeout(timer);
      timer = setTimeout(end, ms);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

async function readCapped(
  stream: Readable,
  { mostBytes, ifTooLarge }: InputSpec,
  action: string,
  onChunk: () => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    onChunk();
    size += chunk.length;
    if (size > mostBytes) {
      throw new AppError("too_large", `${action}: it is over ${mostBytes} bytes; ${ifTooLarge}`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readError(action: string, error: unknown): AppError {
  if (error instanceof TypeError) {
    return new AppError("ERR_NON_UTF8_FILE", `${action}: it is not UTF-8 text; convert it`);
  }
  if (systemErrorCode(error) === "ENOENT") {
    const message = `${action}: it does not exist; name a file, or - for stdin`;
    return new AppError("ERR_NOT_FOUND", message);
  }
  return new AppError("ERR_IO", `${action}: ${errorMessage(error)}`, { cause: error });
}
