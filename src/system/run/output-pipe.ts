import { closeSync } from "node:fs";
import { loadC } from "../processes/processes.ts";

/** What a command writes into, and what comes out of it. */
export interface OutputPipe extends Disposable {
  /** The end that the command gets, for both of its outputs: they keep their order. */
  readonly end: number;
  /** What comes out; gives up the end that the command has by now. */
  read(): ReadableStream<Uint8Array>;
}

const CLOSE_ON_EXEC = 0o2000000;

/**
 * A pipe as a shell makes one. What the runtime makes instead is a pair of sockets: on Linux those
 * cannot be opened by name, and `echo … >/dev/stderr`, which many a script has, fails. Undefined
 * where the two do not differ.
 */
export function openOutputPipe(): OutputPipe | undefined {
  const library = loadC({ pipe2: { args: ["ptr", "i32"], returns: "i32" } });
  if (!library) return undefined;
  const ends = new Int32Array(2);
  const isMade = library.symbols.pipe2(ends, CLOSE_ON_EXEC) === 0;
  library.close();
  if (!isMade) return undefined;
  const [out = -1, end = -1] = ends;
  const open = new Set([out, end]);
  const close = (fd: number) => {
    if (open.delete(fd)) closeSync(fd);
  };
  return {
    end,
    read() {
      close(end);
      return Bun.file(out).stream();
    },
    [Symbol.dispose]() {
      for (const fd of open) close(fd);
    },
  };
}
