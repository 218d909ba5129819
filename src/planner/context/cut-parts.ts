/** A file that a plan is about, with what it takes to show it. */
export interface WantedFile {
  readonly path: string;
  /** Of its block, in UTF-16 units. */
  readonly chars: number;
}

/** What one part holds at most. */
export interface PartLimits {
  /** Files, at least 1. */
  readonly maxFiles: number;
  /** Characters of all of its files together; a longer file is a part of its own, and is cut. */
  readonly maxChars: number;
}

/**
 * Cuts files into parts that follow each other: every file is in exactly one, folder by folder in
 * one order whatever order they came in. Files of one folder stay together where the folder fits
 * into a part, and a part is left half empty for that at most. No part is empty.
 */
export function cutIntoParts(
  files: readonly WantedFile[],
  { maxFiles, maxChars }: PartLimits,
): readonly (readonly string[])[] {
  const parts: WantedFile[][] = [];
  let part: WantedFile[] = [];
  const fits = (more: readonly WantedFile[]) =>
    part.length + more.length <= maxFiles && sum(part) + sum(more) <= maxChars;
  const isHalfFull = () => part.length * 2 >= maxFiles || sum(part) * 2 >= maxChars;
  const close = () => {
    if (part.length > 0) parts.push(part);
    part = [];
  };
  for (const folder of byFolder(files)) {
    if (!fits(folder) && isHalfFull()) close();
    for (const file of folder) {
      if (!fits([file])) close();
      part.push(file);
    }
  }
  close();
  return parts.map((each) => each.map(({ path }) => path));
}

function sum(files: readonly WantedFile[]): number {
  return files.reduce((chars, file) => chars + file.chars, 0);
}

/** Each path once, by folder and name. */
function byFolder(files: readonly WantedFile[]): Iterable<readonly WantedFile[]> {
  const once = new Map(files.map((file) => [file.path, file]));
  const sorted = [...once.values()].toSorted((a, b) => compare(keyOf(a.path), keyOf(b.path)));
  return Map.groupBy(sorted, ({ path }) => folderOf(path)).values();
}

/** Files of a folder before what is in folders below it. */
function keyOf(path: string): string {
  return `${folderOf(path)}\0${path}`;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
