import { type FileHandle, open } from "node:fs/promises";
import { hasCode } from "../../core/app-error.ts";
import { EXACT_FLAGS } from "../../system/open-exact.ts";

const PIECE_BYTES = 256 * 1024;

/**
 * Whether what lies at `path` is a regular file with the bytes of the regular file `own`. Of files of
 * different sizes nothing is read, of others a piece at a time up to the first difference, while
 * others go on: what lies in a workspace may have any size. What cannot be looked into, such as a
 * link, a socket or a file of somebody else, is another.
 *
 * @throws Error of the system, for `own` and where it can open no file at all
 */
export async function holdsTheSame(path: string, own: string): Promise<boolean> {
  await using two = await open(own, EXACT_FLAGS);
  await using one = await open(path, EXACT_FLAGS).catch(orNothing);
  if (!one) return false;
  const [first, second] = await Promise.all([one.stat(), two.stat()]);
  if (!first.isFile() || !second.isFile() || first.size !== second.size) return false;
  const pieces = [Buffer.alloc(PIECE_BYTES), Buffer.alloc(PIECE_BYTES)] as const;
  for (let at = 0; at < first.size; at += PIECE_BYTES) {
    const [left, right] = await Promise.all([
      readPiece(one, pieces[0], at),
      readPiece(two, pieces[1], at),
    ]);
    if (!left.equals(right)) return false;
  }
  return true;
}

/** What open(2) says of what lies there, and not of the process or the disk. */
const isClosed = hasCode("ELOOP", "EMLINK", "ENXIO", "EOPNOTSUPP", "EACCES", "EPERM", "ENOENT");

function orNothing(error: unknown): undefined {
  if (!isClosed(error)) throw error;
}

async function readPiece(file: FileHandle, piece: Buffer, at: number): Promise<Buffer> {
  let done = 0;
  while (done < piece.length) {
    const { bytesRead } = await file.read(piece, done, piece.length - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return piece.subarray(0, done);
}
