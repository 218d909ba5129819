import { existsSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fold, isProtectedPath } from "../../workspace/path-guard/path-guard.ts";
import { expandHome, toRealPath } from "../paths.ts";
import { CONFIG_SCHEMA, type Config, type KeyPath } from "../schema/schema.ts";
import { isTable, valueAt } from "../value-at.ts";
import { adHocEntry } from "./ad-hoc-entry.ts";
import { type TightenNotes, tightenKeys } from "./tighten-keys.ts";

/** Where relative paths of the two files start. */
export interface FolderPlace {
  /** The folder of the found file. */
  readonly foundDir: string;
  readonly ownDir: string;
  readonly userHome: string;
}

type Entry = Config["workspaces"][number];

/** The workspaces that hold, and which of them the found file brought. */
interface Folders extends TightenNotes {
  readonly entries: readonly Entry[];
  readonly added: readonly string[];
}

/**
 * The owner's workspaces, and those of a found file that grant no more than being in its folder
 * does: folders in it, with what holds of any folder that nobody configured. A folder that the
 * owner configured stays theirs and is at most made stricter.
 */
export function tightenFolders(
  owner: Config,
  found: { readonly said: unknown; readonly entries: readonly Entry[] },
  place: FolderPlace,
): Folders {
  const { foundDir, ownDir, userHome } = place;
  const rootOf = (dir: string, { path }: Entry) =>
    toRealPath(resolve(dir, expandHome(path, userHome)));
  const roots = owner.workspaces.map((entry) => rootOf(ownDir, entry));
  const folder = toRealPath(foundDir);
  const entries = [...owner.workspaces];
  const added: string[] = [];
  const stricter: KeyPath[] = [];
  const notTaken: KeyPath[] = [];
  for (const [index, entry] of found.entries.entries()) {
    const root = rootOf(foundDir, entry);
    const at = roots.indexOf(root);
    const base = entries[at] ?? { ...adHocEntry(root), name: entry.name };
    if (at < 0 && !mayBring({ name: entry.name, root, folder }, owner, roots)) {
      notTaken.push(["workspaces", entry.name]);
      continue;
    }
    const keys = tightenEntry(base, entry, valueAt(found.said, [index]));
    notTaken.push(...keys.notTaken);
    if (at >= 0) {
      entries[at] = keys.value;
      stricter.push(...keys.stricter);
    } else {
      entries.push(keys.value);
      added.push(keys.value.name);
    }
  }
  return { entries, added, stricter, notTaken };
}

/** A folder of the file's own, which nothing that the owner said is about. */
function mayBring(
  { name, root, folder }: { readonly name: string; readonly root: string; readonly folder: string },
  { workspaces, security }: Config,
  roots: readonly string[],
): boolean {
  if (!isBelow(root, folder)) return false;
  // From inside a protected folder its name is not seen any more.
  if (isProtectedPath(relative(folder, root), security.protected_paths, "read")) return false;
  // Who types a name that is a path there means that path.
  const named = join(folder, name);
  if (existsSync(named) && toRealPath(named) !== root) return false;
  if (roots.some((own) => isBelow(root, own) || isBelow(own, root))) return false;
  return !workspaces.some((own) => fold(own.name) === fold(name));
}

const ENTRY = CONFIG_SCHEMA.properties?.["workspaces"]?.items ?? {};

function tightenEntry(base: Entry, found: Entry, said: unknown) {
  const { path: _, ...keys } = isTable(said) ? said : {};
  const value = { ...base };
  const part = { node: ENTRY, own: value, said: keys, found };
  return { value, ...tightenKeys(part, ["workspaces", base.name]) };
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
