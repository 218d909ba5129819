import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../core/sha256.ts";
import { readOrEmpty } from "../read-or-empty.ts";
import { BUILD } from "./own.ts";

/** Folders that come with papa-yu. */
export type ShippedFolder = "skills" | "workspaces/sample";

/** The files of those folders by their paths; put into the single file by `scripts/build.ts`. */
declare const PAPAYU_FILES: Readonly<Record<string, string>> | undefined;

/** The folder that they are in: of the sources or of the package; the single file has none. */
const ROOT =
  BUILD?.form === "single" ? undefined : join(import.meta.dir, BUILD ? "../.." : "../../..");

/** Where such a folder is; nothing where it is in the single file alone. */
export function shippedFolder(folder: ShippedFolder): string | undefined {
  return ROOT && join(ROOT, folder);
}

/**
 * The folder in which `folder` is. From the single file it is laid into the home first, under a
 * hash of what is in it; what other versions left there goes.
 */
export function rootOfShipped(folder: ShippedFolder, home: string): string {
  if (ROOT !== undefined) return ROOT;
  const files = embeddedIn(folder);
  const all = join(home, "own");
  const name = sha256(JSON.stringify(files)).slice(0, 16);
  for (const [path, text] of files) writeMissing(join(all, name, path), text);
  for (const other of readdirSync(all)) {
    if (other !== name) rmSync(join(all, other), { recursive: true, force: true });
  }
  return join(all, name);
}

/** Lays a copy of such a folder at `target`, which is not there. */
export function copyShipped(folder: ShippedFolder, target: string): void {
  if (ROOT !== undefined) return cpSync(join(ROOT, folder), target, { recursive: true });
  for (const [path, text] of embeddedIn(folder)) {
    writeMissing(join(target, path.slice(folder.length + 1)), text);
  }
}

function embeddedIn(folder: ShippedFolder): readonly (readonly [string, string])[] {
  const all = typeof PAPAYU_FILES === "undefined" ? {} : PAPAYU_FILES;
  return Object.entries(all).filter(([path]) => path.startsWith(`${folder}/`));
}

/** A crash may have left half of it, and anybody may have changed it. */
function writeMissing(path: string, text: string): void {
  if (readOrEmpty(path) === Buffer.from(text).toString("latin1")) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
}
