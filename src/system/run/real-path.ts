import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The path without links; as given when it does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** A path whose folder is no link; it may be one itself, and is shown under that name. */
export function pathInRealFolder(path: string): string {
  return join(realPath(dirname(path)), basename(path));
}

/** By whole segments; a folder is not inside itself. */
export function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder === "/" ? folder : `${folder}/`);
}
