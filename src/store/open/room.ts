import { type StatsFs, statfsSync } from "node:fs";

/** 64 MB: what is left free on the disk, for the database itself to go on. */
export const RESERVE_BYTES = 67_108_864;

const MEGABYTE = 1_048_576;

/** What is missing for so many bytes on the disk of a folder; undefined where there is room. */
export function findLack(dir: string, neededBytes: number): string | undefined {
  return describeLack(statfsSync(dir), neededBytes);
}

/** {@link findLack} by what is known of the disk. */
export function describeLack(
  { bavail, bsize }: Pick<StatsFs, "bavail" | "bsize">,
  neededBytes: number,
): string | undefined {
  const free = bavail * bsize;
  if (free >= neededBytes) return undefined;
  const megabytes = (bytes: number) => Math.ceil(bytes / MEGABYTE);
  return `it needs ${megabytes(neededBytes)} MB, ${megabytes(free)} MB are free; free some space on the disk`;
}
