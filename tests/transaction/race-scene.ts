import { writeTree } from "../support/tree.ts";

/** How often each link is in the way; `npm run test:long -- race` is the long form. */
export const RACE_SWAPS = Number(process.env["RACE_SWAPS"] ?? 2000);

/** What is swapped for a link: the file that is changed, or its folder; each in its own workspace. */
export const RACE_KINDS = ["file", "folder"] as const;

/** The files of a folder and of its twin outside: the same, so that no hash tells them apart. */
export function writeRaceFolder(path: string): void {
  writeTree(path, { "a.txt": "one\n", "b.txt": "gone\n" });
}
