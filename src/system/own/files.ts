import { cpSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../../core/app-error.ts";
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

/** The folder in which `folder` is: of the single file in the home, under a hash of what is in it. */
export function rootOfShipped(folder: ShippedFolder, home: string): string {
  return ROOT ?? join(home, OWN, hashOf(folder));
}

/** Where the single file lays what it has. */
const OWN = "own";

function hashOf(folder: ShippedFolder): string {
  return sha256(JSON.stringify(embeddedIn(folder))).slice(0, 16);
}

/**
 * Has `folder` lie at {@link rootOfShipped}: where it comes from the single file it is laid there, and
 * what else is there goes, of other versions or of anybody. No link there is followed.
 *
 * @throws AppError ERR_IO when something else than a folder is in its place; what the disk says
 */
export function layShipped(folder: ShippedFolder, home: string): void {
  if (ROOT !== undefined) return;
  const files = embeddedIn(folder);
  const all = join(home, OWN);
  const name = hashOf(folder);
  const found = lstatSync(all, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) {
    throw new AppError("ERR_IO", `Cannot use "${all}": it is not a folder; move it away`);
  }
  if (found) {
    const expected = files.map(([path]) => `${name}/${path}`);
    removeOthers(all, expected);
  }
  for (const [path, text] of files) writeMissing(join(all, name, path), text);
}

/** Removes from a folder what is not at one of these paths as a plain file, below plain folders. */
function removeOthers(folder: string, paths: readonly string[]): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const start = `${entry.name}/`;
    const below = paths.flatMap((it) => (it.startsWith(start) ? [it.slice(start.length)] : []));
    if (below.length > 0 && entry.isDirectory()) removeOthers(path, below);
    else if (!paths.includes(entry.name) || !entry.isFile()) {
      rmSync(path, { recursive: true, force: true });
    }
  }
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
