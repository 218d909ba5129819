/** What a server may send after each request of ours before it counts as a flood. */
const MAX_COST = 16 * 1024 * 1024;
/** A line is a message, and that costs more than its bytes. */
const LINE_COST = 1024;

/** Counts what a server sends, whatever way it comes. */
export interface FloodGuard {
  /** We asked for something: the count starts over. */
  asked(): void;
  /** False as soon as it is too much. */
  accept(chunk: Uint8Array): boolean;
}

/** A guard for one connection. */
export function createFloodGuard(): FloodGuard {
  let cost = 0;
  return {
    asked() {
      cost = 0;
    },
    accept(chunk) {
      cost += chunk.length + LINE_COST * countLines(chunk);
      return cost <= MAX_COST;
    },
  };
}

function countLines(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) count++;
  return count;
}

const LF = 10;
