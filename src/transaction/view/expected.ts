import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { systemErrorCode } from "../../core/app-error.ts";
import { MAX_IGNORE_BYTES } from "../../workspace/files.ts";
import { addIgnoreText, type IgnoreRules } from "../../workspace/ignore-rules.ts";
import type { Change, ChangeSet, FileState } from "../change.ts";
import { contentOf } from "../change-set.ts";
import { parentOf, type Tree } from "../tree.ts";

/** What a view holds at a path before anything ran in it. */
export type Expected =
  | { readonly kind: "nothing" }
  | { readonly kind: "folder"; readonly mode: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "other" }
  | {
      readonly kind: "file";
      readonly sizeBytes: number;
      /** Whether a file that is too large to be read looks like a copy of it. */
      readonly isLike: (stat: Stats) => boolean;
      /** Undefined: it is too large to be looked into, or cannot be read. */
      readonly read: () => { readonly state: FileState; readonly bytes: Uint8Array } | undefined;
    };

/** The folder with a change set on top, without running anything. */
export interface ExpectedTree {
  at(path: string): Expected;
  /** Names in a folder. */
  list(path: string): readonly string[];
  /** The ignore rules of a folder, "" or ending in "/", given those of the folder around it. */
  rules(prefix: string, outer: IgnoreRules): IgnoreRules;
}

/** Looks at a folder as it would be with a change set. */
export function expectTree(tree: Tree, changeSet: ChangeSet | undefined): ExpectedTree {
  const changes = new Map(changeSet?.changes.map((change) => [change.path, change]));
  const inside = new Map<string, string[]>();
  for (const path of changes.keys()) {
    const folder = parentOf(path);
    inside.set(folder, [
      ...(inside.get(folder) ?? []),
      path.slice(folder === "" ? 0 : folder.length + 1),
    ]);
  }

  const at = (path: string): Expected => {
    const change = changes.get(path);
    if (change) return fromChange(change, changeSet);
    for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
      const above = changes.get(folder);
      if (above) return { kind: "nothing" }; // it was removed or is new
    }
    return fromTree(tree, path);
  };

  const list = (path: string): readonly string[] => {
    const change = changes.get(path);
    const below = change === undefined ? listFolder(tree, path) : [];
    const all = new Set([...below, ...(inside.get(path) ?? [])]);
    const join = (name: string) => (path === "" ? name : `${path}/${name}`);
    return [...all].filter((name) => at(join(name)).kind !== "nothing");
  };

  const rules = (prefix: string, outer: IgnoreRules): IgnoreRules => {
    const file = at(`${prefix}.gitignore`);
    const isList = file.kind === "file" && file.sizeBytes <= MAX_IGNORE_BYTES;
    const bytes = isList ? file.read()?.bytes : undefined;
    return bytes ? addIgnoreText(prefix, outer, new TextDecoder().decode(bytes)) : outer;
  };

  return { at, list, rules };
}

function fromChange(change: Change, changeSet: ChangeSet | undefined): Expected {
  if (change.kind === "mkdir") return { kind: "folder", mode: change.mode };
  if (!("after" in change) || !changeSet) return { kind: "nothing" };
  const { after } = change;
  const read = () => ({ state: after, bytes: contentOf(changeSet, after) });
  const isLike = () => false; // no change set has such large files
  return { kind: "file", sizeBytes: after.sizeBytes, isLike, read };
}

function fromTree(tree: Tree, path: string): Expected {
  try {
    const stat = lstatSync(tree.at(path));
    if (stat.isDirectory()) return { kind: "folder", mode: stat.mode & 0o777 };
    if (stat.isSymbolicLink()) return { kind: "link", target: readlinkSync(tree.at(path)) };
    if (!stat.isFile()) return { kind: "other" };
    const read = () => {
      try {
        const found = tree.look(path);
        return found.kind === "file" ? found : undefined;
      } catch (error) {
        if (isRefused(error)) return undefined;
        throw error;
      }
    };
    const isLike = ({ size, mtimeMs, mode }: Stats) =>
      size === stat.size && Math.abs(mtimeMs - stat.mtimeMs) < 1 && mode === stat.mode;
    return { kind: "file", sizeBytes: stat.size, isLike, read };
  } catch (error) {
    if (/^(ENOENT|ENOTDIR|ELOOP)$/.test(systemErrorCode(error) ?? "")) return { kind: "nothing" };
    if (isRefused(error)) return { kind: "other" }; // it is there, and nobody knows what it is
    throw error;
  }
}

/** Somebody took the rights on it from this user. */
function isRefused(error: unknown): boolean {
  return systemErrorCode(error) === "EACCES";
}

function listFolder(tree: Tree, path: string): readonly string[] {
  try {
    return tree.list(path);
  } catch {
    return []; // gone meanwhile, or not to be read
  }
}
