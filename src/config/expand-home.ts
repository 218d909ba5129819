import { join } from "node:path";

/** A path with a leading `~` replaced by the person's home folder. */
export function expandHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}
