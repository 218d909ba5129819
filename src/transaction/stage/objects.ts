import { closeSync, openSync, readSync, unlinkSync, writeFileSync } from "node:fs";
import { systemErrorCode } from "../../core/app-error.ts";
import { sha256 } from "../../core/sha256.ts";
import { openPlainFile } from "../../system/plain-file.ts";
import { STATE_DIR, type Workspace } from "../../workspace/workspace.ts";
import type { Change, ChangeSet } from "../change.ts";
import { contentOf } from "../change-set.ts";
import { openTree, type Tree } from "../tree.ts";
import { joinEdit, toEdit } from "./edit.ts";
import { indexTar, TAR_END, type TarEntry, tarEntry } from "./tar.ts";

/** No content that a transaction touches is longer, nor what describes it as a difference. */
const MAX_ENTRY_BYTES = 65 * 1024 * 1024;

/** The stored contents of one transaction. */
export interface Images {
  /** A content by its hash, or undefined when it is missing or damaged. */
  read(hash: string): Buffer | undefined;
  [Symbol.dispose](): void;
}

/** The folder of all before-images, as a path in the workspace. */
export const OBJECTS = `${STATE_DIR}/objects`;

/** The before-images of a transaction, as a path in the workspace. */
export function imagesPath(txId: string): string {
  return `${OBJECTS}/${txId}.tar`;
}

/** Whether changes overwrite or delete anything: what only makes new things needs no images. */
export function needsImages(changes: readonly Change[]): boolean {
  return changes.some((change) => "before" in change);
}

/** Whether the before-images of a transaction that needs any are still there. */
export function hasImages(workspace: Workspace, txId: string): boolean {
  const fd = openArchiveFile(workspace, txId);
  if (fd !== undefined) closeSync(fd);
  return fd !== undefined;
}

/** Removes the before-images of a transaction that nobody can take back any more. Never throws. */
export function removeImages(tree: Tree, txId: string): void {
  try {
    unlinkSync(tree.at(imagesPath(txId)));
  } catch {
    // there were none, or they are litter until the quota is reached
  }
}

/**
 * Writes what a change set overwrites or deletes into one archive, each content once under its
 * hash, and returns it open: one file reaches the disk in a fraction of the time of many. What an
 * update makes goes along as its difference, for an undo that merges with later edits.
 */
export function writeImages(path: string, changeSet: ChangeSet, now: number): number {
  const fd = openSync(path, "wx", 0o600);
  try {
    for (const [name, content] of toEntries(changeSet)) {
      writeFileSync(fd, tarEntry(name, content, now));
    }
    writeFileSync(fd, TAR_END);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Opens the stored contents of a transaction at the first read. */
export function openImages(workspace: Workspace, txId: string): Images {
  let archive: Archive | undefined;
  const readEntry = (name: string): Buffer | undefined => {
    archive ??= openArchive(workspace, txId);
    const entry = archive?.entries.get(name);
    return archive && entry && readRange(archive.fd, entry);
  };
  const readEdited = (hash: string): Buffer | undefined => {
    const edit = readEntry(editName(hash));
    return edit && joinEdit(edit, readEntry);
  };
  return {
    read(hash) {
      const bytes = readEntry(hash) ?? readEdited(hash);
      return bytes && sha256(bytes) === hash ? bytes : undefined;
    },
    [Symbol.dispose]() {
      if (archive) closeSync(archive.fd);
    },
  };
}

interface Archive {
  readonly fd: number;
  readonly entries: ReadonlyMap<string, TarEntry>;
}

function toEntries(changeSet: ChangeSet): ReadonlyMap<string, Uint8Array> {
  const entries = new Map<string, Uint8Array>();
  for (const change of changeSet.changes) {
    if (!("before" in change)) continue;
    const before = contentOf(changeSet, change.before);
    entries.set(change.before.sha256, before);
    if (change.kind !== "update") continue;
    const after = contentOf(changeSet, change.after);
    entries.set(editName(change.after.sha256), toEdit(change.before.sha256, before, after));
  }
  return entries;
}

function editName(hash: string): string {
  return `${hash}.edit`;
}

function openArchive(workspace: Workspace, txId: string): Archive | undefined {
  const fd = openArchiveFile(workspace, txId);
  if (fd === undefined) return undefined;
  try {
    return { fd, entries: indexTar(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Anything but a file in its place, a link or a pipe, counts as nothing. */
function openArchiveFile({ root }: Workspace, txId: string): number | undefined {
  using tree = openTree(root);
  try {
    return openPlainFile(tree.at(imagesPath(txId)));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined || /^(ENOENT|ELOOP|ENOTDIR|EISDIR|ENXIO)$/.test(code)) return undefined;
    throw error;
  }
}

function readRange(fd: number, { offset, sizeBytes }: TarEntry): Buffer | undefined {
  if (sizeBytes > MAX_ENTRY_BYTES) return undefined; // none of ours
  const bytes = Buffer.alloc(sizeBytes);
  let done = 0;
  // Until nothing comes any more: where it was cut off, the hash will tell.
  for (let count = sizeBytes; count > 0; done += count) {
    count = readSync(fd, bytes, done, sizeBytes - done, offset + done);
  }
  return bytes;
}
