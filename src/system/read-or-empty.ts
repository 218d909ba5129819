import { readdirSync, readFileSync } from "node:fs";

/** Byte for byte as text; empty for what is gone meanwhile, another user's, or not of this system. */
export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** The names in a folder; none in what is gone meanwhile or another user's. */
export function listOrEmpty(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
