import { constants, openSync, write } from "node:fs";
import { Writable } from "node:stream";
import { isatty } from "node:tty";
import { systemErrorCode } from "../../core/app-error.ts";

/** Where a command writes to: a terminal, or anything else that may be full, slow or gone. */
export type Output = Writable & {
  readonly isTTY: boolean;
  readonly columns: number;
  /** Of a terminal: what a program writes to that is to be seen where this is. */
  readonly descriptor?: 1 | 2;
  /** Of a terminal: how many lines it shows. */
  readonly rows?: number;
  /** The terminal itself, for an editor of lines, which steers it. */
  readonly terminal?: Writable;
  /** Of a terminal: what both outputs share. */
  readonly shared?: TerminalQueue | undefined;
};

/** The size of a window that does not tell it. */
export const USUAL_SIZE = { columns: 80, rows: 24 } as const;

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
  const queue: TerminalQueue = { written: Promise.resolve(), waitingBytes: 0, isCut: false };
  const open = (descriptor: 1 | 2, filter: Filter | undefined): Output => {
    const output = opened.get(descriptor) ?? openOutput(descriptor, filter, queue);
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

/** What is kept for a terminal that takes nothing; what is said beyond it is not seen. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * A standard output. None is the runtime's own: that asks a full device again and again without
 * ever letting go, and writes to a terminal at once, so that one that takes nothing (Ctrl-S, a
 * connection that went) stops everything else this process does. Here the first error is the last,
 * and what is written after it is dropped: a reader that went away, such as `head`, must not break
 * off what the command is doing.
 */
function openOutput(descriptor: 1 | 2, filter: Filter | undefined, queue: TerminalQueue): Output {
  if (!isatty(descriptor)) return ignoreErrors(openFile(descriptor, filter));
  const terminal = ignoreErrors(openTerminal(descriptor, queue));
  return filter ? openFiltered(terminal, filter) : terminal;
}

/** Both outputs are mostly the same terminal, which shows what is said in its order. */
export interface TerminalQueue {
  written: Promise<void>;
  waitingBytes: number;
  /** Something was said and not shown, since too much waited by then. */
  isCut: boolean;
  /** Told of each text before it is written; gives what takes a line for the moment away. */
  uncover?: (text: string) => string;
}

/** Resolves when a terminal takes more without a loss: for who has much to say, piece by piece. */
export async function roomIn({ shared }: Pick<Output, "shared">): Promise<void> {
  if (shared && shared.waitingBytes > MAX_WAITING_BYTES / 2) await shared.written;
}

function openTerminal(descriptor: 1 | 2, queue: TerminalQueue): Output {
  const device = descriptor === 1 ? process.stdout : process.stderr; // knows the size, writes nothing
  const own = openWithoutWaiting(descriptor);
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      done();
      queue.isCut ||= queue.waitingBytes > MAX_WAITING_BYTES;
      if (queue.waitingBytes > MAX_WAITING_BYTES) return;
      const bytes = Buffer.from((queue.uncover?.(text) ?? "") + text);
      queue.waitingBytes += bytes.length;
      queue.written = queue.written
        .then(() => writeWhole(own, bytes))
        .then(
          () => void (queue.waitingBytes -= bytes.length),
          (error: Error) => void stream.destroy(error),
        );
    },
    final: (done) => void queue.written.then(() => done()),
  });
  const facts = { isTTY: true, descriptor, shared: queue };
  const terminal = Object.assign(stream, { ...facts, ...sizeOf(device) });
  device.on("resize", () => {
    Object.assign(terminal, sizeOf(device)).emit("resize");
  });
  return terminal;
}

/** A window that does not tell its size, as that of a serial line, says 0. */
function sizeOf({ columns, rows }: { readonly columns: number; readonly rows?: number }) {
  return { columns: columns || USUAL_SIZE.columns, rows: rows || USUAL_SIZE.rows };
}

/**
 * The same terminal, opened once more: writes to it come back at once, and those of the shell that
 * shares the descriptor do not. A write that waits would hold up whoever changes its mode, too.
 */
function openWithoutWaiting(descriptor: number): number {
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync(`/dev/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return descriptor; // of another user, after su
  }
}

function openFiltered(terminal: Output, filter: Filter): Output {
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      terminal.write(filter(text));
      done(); // at once: what an editor of lines writes itself must not overtake it
    },
  });
  const { descriptor, shared } = terminal;
  const facts = { isTTY: true, ...(descriptor && { descriptor }), shared, terminal };
  const filtered = Object.assign(stream, { ...facts, ...sizeOf(terminal) });
  terminal.on("resize", () => void Object.assign(filtered, sizeOf(terminal)));
  return filtered;
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

function writeWhole(descriptor: number, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    writeAll(descriptor, bytes, (error) => (error ? reject(error) : resolve()));
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
