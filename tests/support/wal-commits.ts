import { readFileSync } from "node:fs";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * How many commits are in the write-ahead log of a database since it last began anew: of each only the
 * last page says how large the database is behind it.
 */
export function countCommits(databasePath: string): number {
  const log = readFileSync(`${databasePath}-wal`);
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let commits = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    // Behind the newest frame are those of a log that came before.
    if (!log.subarray(at + 8, at + 16).equals(salts)) break;
    if (log.readUInt32BE(at + 4) > 0) commits++;
  }
  return commits;
}
