import { Buffer } from "node:buffer"; // not global in browsers
/** The start of a stream, and all of it once more. */
export interface PeekedBytes {
  readonly head: Uint8Array;
  readonly whole: AsyncGenerator<Uint8Array>;
}

/** Reads until the start is enough to recognise a stream by, or the stream has ended. */
export async function peekBytes(
  bytes: AsyncIterable<Uint8Array>,
  isEnough: (head: Uint8Array) => boolean,
): Promise<PeekedBytes> {
  const iterator = bytes[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  while (!isEnough(head)) {
    const next = await iterator.next();
    if (next.done) break;
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  return { head, whole: replay(head, iterator) };
}

async function* replay(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    for (;;) {
      const next = await rest.next();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}
