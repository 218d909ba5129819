import { write } from "node:fs";
import { Writable } from "node:stream";
import { isatty } from "node:tty";
import { systemErrorCode } from "../core/app-error.ts";

/** Where a command writes to: a terminal, or anything else that may be full, slow or gone. */
export type Output = Writable & { readonly isTTY: boolean; readonly columns: number };

/** Both standard outputs; each is opened with its first use, as a stream costs a start much. */
export interface Outputs {
  stdout(): Output;
  stderr(): Output;
  /** Resolves when everything is written, or when nobody takes it any more. */
  flush(): Promise<void>;
}

/** The outputs of this process. */
export function createOutputs(): Outputs {
  const opened = new Map<1 | 2, Output>();
  const open = (descriptor: 1 | 2): Output => {
    const output = opened.get(descriptor) ?? openOutput(descriptor);
    opened.set(descriptor, output);
    return output;
  };
  return {
    stdout: () => open(1),
    stderr: () => open(2),
    async flush() {
      await Promise.all(opened.values().map(flush));
    },
  };
}

/** A pipe that takes nothing right now is asked again after this time. */
const FULL_PIPE_MS = 10;

/**
 * A standard output. The runtime's own stream is used for a terminal only, as its line editor
 * needs it: for everything else it asks a full device again and again without ever letting go.
 * Here the first error is the last, and what is written after it is dropped: a reader that went
 * away, such as `head`, must not break off what the command is doing.
 */
function openOutput(descriptor: 1 | 2): Output {
  if (!isatty(descriptor)) return ignoreErrors(openFile(descriptor));
  return ignoreErrors(descriptor === 1 ? process.stdout : process.stderr);
}

function openFile(descriptor: 1 | 2): Output {
  const stream = new Writable({
    write: (bytes: Uint8Array, _encoding, done) => writeAll(descriptor, bytes, done),
  });
  return Object.assign(stream, { isTTY: false, columns: 0 });
}

/** On a thread of its own, so that a reader who takes nothing keeps no signal away. */
function writeAll(
  descriptor: number,
  bytes: Uint8Array,
  done: (error?: Error | null) => void,
): void {
  write(descriptor, bytes, (error, written) => {
    if (systemErrorCode(error) === "EAGAIN") {
      setTimeout(writeAll, FULL_PIPE_MS, descriptor, bytes, done);
    } else if (error || written >= bytes.length) done(error);
    else writeAll(descriptor, bytes.subarray(written), done);
  });
}

function ignoreErrors(output: Output): Output {
  return output.on("error", () => {});
}

function flush(output: Output): Promise<void> {
  return new Promise((resolve) => {
    if (output.destroyed) return resolve();
    output.once("error", () => resolve());
    output.end(() => resolve());
  });
}
