import { writeTree } from "../support/tree.ts";

/** How often the link stands in the way. */
export const RACE_SWAPS = 10_000;

/** The files of a folder and of its twin outside: the same, so that no hash tells them apart. */
export function writeRaceFolder(path: string): void {
  writeTree(path, { "a.txt": "one\n", "b.txt": "gone\n" });
}
