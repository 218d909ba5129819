import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../core/sha256.ts";
import { parentOf } from "../tree.ts";

/** More names in a folder say nothing more about whether somebody built in it. */
const MOST_NAMES = 2000;

/** What can be seen of a folder of the workspace without reading its files. */
export interface FolderMark {
  /** Of the folder, what is in it at the top, and the folders around it. */
  readonly hash: string;
  /** When anything of that changed last; 0: there is nothing. */
  readonly changedAtMs: number;
}

/** A look at a folder that is quick however much is in it; undefined where no folder leads to it. */
export function markFolder(root: string, path: string): FolderMark | undefined {
  const lines: string[] = [];
  let changedAtMs = 0;
  const look = (name: string): void => {
    const stat = lstatSync(join(root, name), { throwIfNoEntry: false, bigint: true });
    if (stat) changedAtMs = Math.max(changedAtMs, Number(stat.ctimeNs / 1_000_000n));
    const seen = stat ? [stat.ino, stat.mode, stat.size, stat.mtimeNs, stat.ctimeNs] : ["nothing"];
    lines.push([name, ...seen].join(" "));
  };
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
    const stat = lstatSync(join(root, folder), { throwIfNoEntry: false });
    if (!stat?.isDirectory()) return undefined;
    lines.push(`${folder} ${stat.mode}`);
  }
  look(path);
  for (const name of namesIn(join(root, path))) look(`${path}/${name}`);
  return { hash: sha256(lines.join("\n")), changedAtMs };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted().slice(0, MOST_NAMES);
  } catch {
    return []; // no folder, or none that can be read
  }
}
