import { type FileHandle, open } from "node:fs/promises";
import { EXACT_FLAGS } from "../../system/open-exact.ts";

const PIECE_BYTES = 256 * 1024;

/**
 * Whether two regular files hold the same bytes. Of files of different sizes nothing is read, of
 * others a piece at a time up to the first difference, while others go on: what lies in a
 * workspace may have any size.
 *
 * @throws Error of the system, ELOOP for a link
 */
export async function holdsTheSame(path: string, other: string): Promise<boolean> {
  await using one = await open(path, EXACT_FLAGS);
  await using two = await open(other, EXACT_FLAGS);
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

async function readPiece(file: FileHandle, piece: Buffer, at: number): Promise<Buffer> {
  let done = 0;
  while (done < piece.length) {
    const { bytesRead } = await file.read(piece, done, piece.length - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return piece.subarray(0, done);
}
