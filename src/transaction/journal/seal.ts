import { createHmac, timingSafeEqual } from "node:crypto";
import { sha256 } from "../../core/sha256.ts";
import type { LedgerKey } from "../../workspace/ledger.ts";

/** One record of a journal as its line carries it. */
export interface Frame {
  readonly record: Buffer;
  /** Of the record and all before it, by the key of the home that wrote it. */
  readonly seal: string;
  /** Where the line ends in the file, after its line end. */
  readonly end: number;
}

/** Puts records into lines, each sealed together with all before it. */
export interface Sealer {
  toLine(record: object): Buffer;
  /** The seal of the newest line. */
  readonly last: string;
}

/** A sealer that goes on after a line with the seal `last`; empty: at the start of a journal. */
export function createSealer(key: Buffer, transaction: LedgerKey, last = ""): Sealer {
  const own = toTransactionKey(key, transaction);
  return {
    toLine(record) {
      const text = JSON.stringify(record);
      last = sealOf(own, last, text);
      const bytes = Buffer.byteLength(text);
      const frame = `{"seal":"${last}","sha256":"${sha256(text)}","bytes":${bytes},"record":`;
      return Buffer.from(`${frame}${text}}\n`);
    },
    get last() {
      return last;
    },
  };
}

/** The whole lines of a journal up to the first that is incomplete or damaged. */
export function readFrames(bytes: Buffer): readonly Frame[] {
  const frames: Frame[] = [];
  for (let start = 0; ; ) {
    const lineEnd = bytes.indexOf(10, start);
    const frame = lineEnd === -1 ? undefined : readFrame(bytes.subarray(start, lineEnd));
    if (!frame) return frames;
    start = lineEnd + 1;
    frames.push({ ...frame, end: start });
  }
}

/** Those of the first frames that this key sealed for this transaction, one after the other. */
export function keepSealed(
  frames: readonly Frame[],
  key: Buffer,
  transaction: LedgerKey,
): readonly Frame[] {
  const own = toTransactionKey(key, transaction);
  let last = "";
  const firstOther = frames.findIndex(({ record, seal }) => {
    const expected = sealOf(own, last, record);
    last = seal;
    return !timingSafeEqual(Buffer.from(expected, "latin1"), Buffer.from(seal, "latin1"));
  });
  return firstOther === -1 ? frames : frames.slice(0, firstOther);
}

const FRAME = /^\{"seal":"([0-9a-f]{64})","sha256":"([0-9a-f]{64})","bytes":(\d{1,9}),"record":/;
const MOST_FRAME_BYTES = 200;

function readFrame(line: Buffer): Omit<Frame, "end"> | undefined {
  const [frame, seal = "", hash, size] =
    FRAME.exec(line.toString("latin1", 0, MOST_FRAME_BYTES)) ?? [];
  if (frame === undefined || line.at(-1) !== 125) return undefined; // "}"
  const record = line.subarray(frame.length, -1);
  if (record.length !== Number(size) || sha256(record) !== hash) return undefined;
  return { record, seal };
}

/** A seal of one transaction is none of another's. */
function toTransactionKey(key: Buffer, { workspaceId, txId }: LedgerKey): Buffer {
  return createHmac("sha256", key).update(`papa-yu journal\n${workspaceId}\n${txId}\n`).digest();
}

function sealOf(key: Buffer, last: string, record: string | Uint8Array): string {
  return createHmac("sha256", key).update(`${last}\n`).update(record).digest("hex");
}
