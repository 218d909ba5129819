import type { Listing } from "../../workspace/files.ts";
import { type Block, toOneLine } from "./block.ts";

/** Most lines of a tree in brief. */
const MOST_ROWS = 150;
/** No tree is opened further; deeper than most. */
const MOST_LEVELS = 12;

/** All files, or as many levels of folders as fit, with the number of files below each. */
export function renderTreeBlock({ paths, truncated }: Listing): Block {
  const more = truncated ? "+" : "";
  const rows = [...openFolders(paths)].map(([name, count]) =>
    name.endsWith("/") ? `${toOneLine(name)} (${count} files)` : toOneLine(name),
  );
  const left = rows.length - MOST_ROWS;
  return {
    kind: "tree",
    priority: 0,
    header: `FILES (${paths.length}${more}):`,
    body: [...rows.slice(0, MOST_ROWS), ...(left > 0 ? [`… ${left}${more} more …`] : [])].join(
      "\n",
    ),
  };
}

/** Rows of the deepest level that fits, or of the first one; values: files behind a row. */
function openFolders(paths: readonly string[]): ReadonlyMap<string, number> {
  let rows = openTo(paths, 1, Infinity);
  for (let levels = 2; levels <= MOST_LEVELS; levels++) {
    const deeper = openTo(paths, levels, MOST_ROWS);
    if (deeper.size > MOST_ROWS) return rows;
    rows = deeper;
  }
  return rows;
}

/** Stops as soon as there are more than `mostRows`. */
function openTo(
  paths: readonly string[],
  levels: number,
  mostRows: number,
): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  for (const path of paths) {
    const row = toRow(path, levels);
    rows.set(row, (rows.get(row) ?? 0) + 1);
    if (rows.size > mostRows) break;
  }
  return rows;
}

/** The path, or the folder it lies in on this level, with its "/". */
function toRow(path: string, levels: number): string {
  let slash = -1;
  for (let level = 0; level < levels; level++) {
    slash = path.indexOf("/", slash + 1);
    if (slash === -1) return path;
  }
  return path.slice(0, slash + 1);
}
