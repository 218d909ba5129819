import { sha256 } from "../../core/sha256.ts";
import type { Note } from "../../texts/notes/notes.ts";
import type { Change, ChangeSet, FileRights, FileState } from "../change.ts";
import { buildChangeSet } from "../change-set.ts";
import { specialOf } from "../mode-notes.ts";
import { parentOf } from "../tree.ts";
import type { BaseTree, FileThere, FolderThere } from "./base-tree.ts";
import { NEW_FOLDER_MODE } from "./rights.ts";

const SET_GROUP = 0o2000;

/** A change set being put together, one change a path. */
export interface Draft {
  /** Makes a folder and those it lies in; false when a file of this draft is in the way. */
  makeFolder(path: string, mode?: number): boolean;
  /** Makes a file and the folders it lies in; false when a file of this draft is in the way. */
  create(path: string, bytes: Uint8Array, rights: FileRights): boolean;
  update(path: string, found: FileThere, bytes: Uint8Array, mode: number): void;
  remove(path: string, found: FileThere): void;
  /** Removes a folder if nothing will be left in it; otherwise false. */
  removeFolder(path: string, found: FolderThere): boolean;
  finish(notes?: readonly Note[]): ChangeSet;
}

/** Starts an empty draft on what is there. */
export function createDraft(tree: BaseTree): Draft {
  const changes = new Map<string, Change>();
  const contents = new Map<string, Uint8Array>();
  const fileNotes: Note[] = [];

  const toState = (bytes: Uint8Array, rights: FileRights): FileState => {
    const state = { sha256: sha256(bytes), sizeBytes: bytes.byteLength, ...rights };
    contents.set(state.sha256, bytes);
    return state;
  };

  // A file with more names is never written through one of them.
  const noteNames = (kind: "replaced" | "unlinked", path: string, stat: FileThere["stat"]) => {
    if (stat.nlink > 1) fileNotes.push({ kind, facts: { path, names: stat.nlink } });
  };

  const makeFolder = (path: string, mode = NEW_FOLDER_MODE): boolean => {
    if (path === "") return true;
    const planned = changes.get(path);
    if (planned) return planned.kind === "mkdir";
    if (!makeFolder(parentOf(path))) return false;
    const found = tree.look(path);
    if (found.kind === "nothing") changes.set(path, { kind: "mkdir", path, mode });
    return found.kind === "nothing" || found.kind === "folder";
  };

  const willRemain = (path: string): boolean => {
    const kind = changes.get(path)?.kind;
    return kind !== "delete" && kind !== "rmdir";
  };

  return {
    makeFolder,
    create(path, bytes, rights) {
      if (changes.has(path) || !makeFolder(parentOf(path))) return false;
      changes.set(path, { kind: "create", path, after: toState(bytes, rights) });
      return true;
    },
    update(path, { state: before, bytes: old, stat }, bytes, mode) {
      noteNames("replaced", path, stat);
      contents.set(before.sha256, old);
      changes.set(path, { kind: "update", path, before, after: toState(bytes, { mode }) });
    },
    remove(path, { state: before, bytes, stat }) {
      noteNames("unlinked", path, stat);
      contents.set(before.sha256, bytes);
      changes.set(path, { kind: "delete", path, before });
    },
    removeFolder(path, { mode, special }) {
      const names = tree.list(path).map((name) => `${path}/${name}`);
      const coming = [...changes.keys()].filter((key) => parentOf(key) === path);
      if ([...names, ...coming].some(willRemain)) return false;
      const parent = tree.look(parentOf(path));
      // What its folder hands down it would have again.
      const again = parent.kind === "folder" ? (parent.special ?? 0) & SET_GROUP : 0;
      changes.set(path, { kind: "rmdir", path, mode, ...specialOf((special ?? 0) & ~again) });
      return true;
    },
    finish: (notes = []) =>
      buildChangeSet([...changes.values()], contents, [...notes, ...fileNotes]),
  };
}
