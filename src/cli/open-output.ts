import { write } from "node:fs";
import { Writable } from "node:stream";
import { isatty } from "node:tty";
import { systemErrorCode } from "../core/app-error.ts";

/** Where a command writes to: a terminal, or anything else that may be full, slow or gone. */
export type Output = Writable & {
  readonly isTTY: boolean;
  readonly columns: number;
  /** The terminal itself, for an editor of lines, which steers it. */
  readonly terminal?: NodeJS.WriteStream;
};

/** What is done to a text before it is written. */
export type Filter = (text: string) => string;

/** Both standard outputs; each is opened with its first use, as a stream costs a start much. */
export interface Outputs {
  stdout(): Output;
  stderr(): Output;
  /** Resolves when everything is written, or when nobody takes it any more. */
  flush(): Promise<void>;
}

/** The outputs of this process; without a filter a text is written as it is. */
export function createOutputs(filters: {
  readonly stdout: Filter | undefined;
  readonly stderr: Filter | undefined;
}): Outputs {
  const opened = new Map<1 | 2, Output>();
  const open = (descriptor: 1 | 2, filter: Filter | undefined): Output => {
    const output = opened.get(descriptor) ?? openOutput(descriptor, filter);
    opened.set(descriptor, output);
    return output;
  };
  return {
    stdout: () => open(1, filters.stdout),
    stderr: () => open(2, filters.stderr),
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
function openOutput(descriptor: 1 | 2, filter: Filter | undefined): Output {
  if (!isatty(descriptor)) return ignoreErrors(openFile(descriptor, filter));
  const terminal = ignoreErrors(descriptor === 1 ? process.stdout : process.stderr);
  return filter ? openFiltered(terminal, filter) : terminal;
}

function openFiltered(terminal: NodeJS.WriteStream, filter: Filter): Output {
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      terminal.write(filter(text));
      done(); // at once: what an editor of lines writes itself must not overtake it
    },
  });
  const { columns } = terminal;
  return Object.assign(stream, { isTTY: true, columns, terminal });
}

function openFile(descriptor: 1 | 2, filter: Filter = (text) => text): Output {
  const stream = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      writeAll(descriptor, Buffer.from(filter(text)), done);
    },
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

function ignoreErrors<Stream extends Writable>(output: Stream): Stream {
  return output.on("error", () => {});
}

function flush(opened: Output): Promise<void> {
  const output: Writable = opened.terminal ?? opened; // the filter before a terminal holds nothing
  return new Promise((resolve) => {
    if (output.destroyed) return resolve();
    output.once("error", () => resolve());
    output.end(() => resolve());
  });
}
