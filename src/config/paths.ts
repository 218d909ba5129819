import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The real path as far as it exists. */
export function toRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(toRealPath(parent), basename(path));
  }
}

/** A path with a leading `~` replaced by the person's home folder. */
export function expandHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}
