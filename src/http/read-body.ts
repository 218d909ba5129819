import type { IncomingMessage } from "node:http";
import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { AppError } from "../core/app-error.ts";

/** What the frame of a compressed body may add to its content. */
const FRAME_BYTES = 64 * 1024;

/** What a body may unpack to, however small it came. */
const FREE_BYTES = 1024 * 1024;
/** Beyond that: pages seldom shrink to a thirtieth; what shrinks to a hundredth is a bomb. */
const MAX_RATIO = 100;

/** How far a body may go. */
export interface BodyLimits {
  /** Bytes after decompression; hardly more are read from the network either. A bomb gets 1 MiB. */
  readonly maxBytes: number;
  /** Called for every piece that arrives. */
  readonly onChunk: () => void;
}

/** A body on its way: decompressed, and not downloaded beyond its limit. */
export interface BodyStream {
  /**
   * To be read once.
   *
   * @throws AppError unavailable for a coding that was not asked for, and what the streams throw
   * when the body breaks off: half a body is never taken for a whole one.
   */
  readonly chunks: AsyncGenerator<Uint8Array>;
  /** Whether there was more than may be read; known when `chunks` has ended. */
  readonly isCut: () => boolean;
  /** How much was read so far, after decompression. */
  readonly readBytes: () => number;
  /** Whether it was read to its own end. */
  readonly isWhole: () => boolean;
}

/** The body of a response; a reader who stops hangs up. */
export function openBody(response: IncomingMessage, limits: BodyLimits): BodyStream {
  const wire = createWire(response, limits);
  let isCut = false;
  let hasEnded = false;
  let sizeBytes = 0;
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      const coding = response.headers["content-encoding"];
      for await (const { bytes, readBytes } of decode(wire.chunks, coding)) {
        const limit = Math.min(limits.maxBytes, Math.max(FREE_BYTES, MAX_RATIO * readBytes));
        const room = limit - sizeBytes;
        isCut = bytes.length > room;
        sizeBytes += isCut ? Math.max(0, room) : bytes.length;
        if (room > 0) yield bytes.subarray(0, room);
        if (isCut) return;
      }
      hasEnded = true;
    } catch (error) {
      // A decoder misses the end that was cut off here; what it gave until then counts.
      if (!wire.isCut()) throw error;
    } finally {
      response.destroy();
    }
  }
  return {
    chunks: read(),
    isCut: () => wire.isCut() || isCut,
    readBytes: () => sizeBytes,
    isWhole: () => hasEnded && !wire.isCut(),
  };
}

interface Wire {
  readonly chunks: AsyncGenerator<Uint8Array>;
  /** The other side had more to send than it may. */
  readonly isCut: () => boolean;
}

function createWire(response: IncomingMessage, { maxBytes, onChunk }: BodyLimits): Wire {
  const limit = maxBytes + FRAME_BYTES;
  let sizeBytes = 0;
  async function* count(): AsyncGenerator<Uint8Array> {
    for await (const chunk of response) {
      onChunk();
      const room = limit - sizeBytes;
      sizeBytes += chunk.length;
      yield chunk.subarray(0, room);
      if (sizeBytes > limit) return;
    }
  }
  return { chunks: count(), isCut: () => sizeBytes > limit };
}

/** A piece of the content, and how much of the coded body it took to get so far. */
interface Decoded {
  readonly bytes: Uint8Array;
  readonly readBytes: number;
}

/** The streams of `node:zlib` wait for their reader, so a bomb expands by one chunk at most. */
async function* decode(
  wire: AsyncGenerator<Uint8Array>,
  coding = "identity",
): AsyncGenerator<Decoded> {
  const first = await wire.next();
  // Nothing is a valid body in every coding: the answer to HEAD has one and no bytes.
  if (first.done) return;
  const decoder = createDecoder(coding.trim().toLowerCase(), first.value);
  const chunks = prepend(first.value, wire);
  // The reader of the last stream sees every error; the callback is only there to be one.
  const decoded = decoder === undefined ? chunks : pipeline(chunks, decoder, () => {});
  for await (const bytes of decoded) {
    yield { bytes, readBytes: decoder === undefined ? Infinity : decoder.bytesWritten };
  }
}

/** What `node:zlib` makes; it counts what it has taken in. */
type Decoder = Transform & { readonly bytesWritten: number };

function createDecoder(coding: string, head: Uint8Array): Decoder | undefined {
  switch (coding) {
    case "":
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "deflate":
      // The standard says zlib, but some servers send the bare stream; zlib's first byte tells.
      return ((head[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      throw new AppError("unavailable", `the body is coded as "${coding}", which nobody asked for`);
  }
}

async function* prepend(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
