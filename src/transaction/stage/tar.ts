import { fstatSync, readSync } from "node:fs";

const BLOCK_BYTES = 512;

/** Of two for each change; one that holds more was made by somebody else. */
const MOST_ENTRIES = 100_000;

/** Where a file's content lies in an archive. */
export interface TarEntry {
  readonly offset: number;
  readonly sizeBytes: number;
}

/** Two empty blocks end an archive. */
export const TAR_END: Uint8Array = new Uint8Array(2 * BLOCK_BYTES);

/** One file of a POSIX ustar archive; `name` is ASCII, of up to 100 bytes. */
export function tarEntry(name: string, content: Uint8Array, modifiedAt: number): Uint8Array {
  const padded = Math.ceil(content.length / BLOCK_BYTES) * BLOCK_BYTES;
  const entry = Buffer.alloc(BLOCK_BYTES + padded);
  entry.write(name, 0, 100);
  entry.write("0000600", 100); // mode, then owner, group, size, time
  entry.write("0000000", 108);
  entry.write("0000000", 116);
  entry.write(octal(content.length), 124);
  entry.write(octal(Math.max(0, Math.floor(modifiedAt / 1000))), 136);
  entry.write("0", 156); // a regular file
  entry.write("ustar\u000000", 257);
  entry.write(checksum(entry), 148);
  entry.set(content, BLOCK_BYTES);
  return entry;
}

/** The files of an archive by name, as far as its headers are whole; contents are not looked at. */
export function indexTar(fd: number): ReadonlyMap<string, TarEntry> {
  const entries = new Map<string, TarEntry>();
  const header = Buffer.alloc(BLOCK_BYTES);
  const { size } = fstatSync(fd);
  for (
    let at = 0;
    entries.size < MOST_ENTRIES && readSync(fd, header, 0, BLOCK_BYTES, at) === BLOCK_BYTES;
  ) {
    if (header.toString("latin1", 148, 156) !== checksum(header)) break; // the end, or damage
    const sizeBytes = Number.parseInt(header.toString("latin1", 124, 135), 8);
    const offset = at + BLOCK_BYTES;
    if (!(offset + sizeBytes <= size)) break; // cut off
    const name = header.toString("latin1", 0, 100);
    entries.set(name.slice(0, name.indexOf("\0")), { offset, sizeBytes });
    at = offset + Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return entries;
}

function octal(value: number): string {
  return value.toString(8).padStart(11, "0");
}

/** The sum of a header's bytes, with blanks in place of the sum itself. */
function checksum(header: Buffer): string {
  let sum = 8 * 0x20;
  for (let at = 0; at < BLOCK_BYTES; at++) {
    if (at < 148 || at >= 156) sum += header[at] ?? 0;
  }
  return `${sum.toString(8).padStart(6, "0")}\0 `;
}
