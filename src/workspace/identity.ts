import { statSync } from "node:fs";
import { AppError, describeDiskError, systemErrorCode } from "../core/app-error.ts";
import { newId } from "../core/ids.ts";
import type { PinnedDir } from "../system/pinned-dir.ts";
import { readPlainFile } from "../system/plain-file.ts";
import { writeDurably } from "../system/write-durably.ts";
import type { Ledger } from "./ledger.ts";
import { inStateFolder, openStateFolder } from "./state-folder.ts";
import { STATE_DIR, type Workspace } from "./workspace.ts";

/** The workspace's own name for itself, in its state folder. */
const FILE = "workspace.id";
const ID = /^ws_[0-9a-z]{16}$/;
const MAX_BYTES = 64;

/** Which of the workspaces that this home knows a folder is. */
export type Identity =
  /** None: nothing in its state folder was written by this home. */
  | { readonly kind: "unknown" }
  | { readonly kind: "known"; readonly id: string }
  /** It was at `from`, where it is no more. */
  | { readonly kind: "moved"; readonly id: string; readonly from: string }
  /** A copy of the one at `from`, which is still there: the history is that one's. */
  | { readonly kind: "copied"; readonly from: string };

/**
 * Tells by the id in the folder, and where the home saw that id last, which workspace this is. An
 * id that the home does not know, or that cannot be read, says nothing: then the path does.
 */
export function identify(workspace: Workspace, ledger: Ledger): Identity {
  const { root } = workspace;
  const found = readId(root);
  const from = found === undefined ? undefined : ledger.rootOf(found);
  if (found !== undefined && from !== undefined) {
    if (from === root || isSameFolder(from, root)) return { kind: "known", id: found };
    if (!mayHold(from, found)) return { kind: "moved", id: found, from };
  }
  const id = ledger.idAt(root);
  if (id !== undefined) return { kind: "known", id };
  return from === undefined ? { kind: "unknown" } : { kind: "copied", from };
}

/**
 * The same, written down where it was not: in the folder and in the home. For one who holds the
 * workspace's lock.
 *
 * @throws AppError ERR_IO when the disk refuses
 */
export function claimIdentity(workspace: Workspace, ledger: Ledger): string {
  const identity = identify(workspace, ledger);
  const found = readId(workspace.root);
  switch (identity.kind) {
    case "known":
      if (found !== identity.id) writeId(workspace, identity.id);
      return identity.id;
    case "moved":
      ledger.claim(identity.id, workspace.root);
      return identity.id;
    case "unknown":
    case "copied": {
      const isFree = identity.kind === "unknown" && found !== undefined;
      const id = isFree ? found : newId("ws");
      if (!isFree) writeId(workspace, id);
      ledger.claim(id, workspace.root);
      return id;
    }
    default:
      return identity satisfies never;
  }
}

/** Whether the folder itself has this id, regardless of what the home knows of its path. */
export function carriesId({ root }: Workspace, id: string): boolean {
  return readId(root) === id;
}

/** What is in the folder, if it is an id. */
function readId(root: string): string | undefined {
  let folder: PinnedDir | undefined;
  try {
    folder = openStateFolder(root);
    if (!folder) return undefined;
    const text = readPlainFile(folder.entry(FILE), MAX_BYTES).toString("latin1").trim();
    return ID.test(text) ? text : undefined;
  } catch {
    return undefined; // none, or anything else in its place
  } finally {
    folder?.close();
  }
}

/** Two paths may lead to one folder, as a mount does. */
function isSameFolder(a: string, b: string): boolean {
  try {
    const [one, other] = [statSync(a), statSync(b)];
    return one.dev === other.dev && one.ino === other.ino;
  } catch {
    return false;
  }
}

/** Whether a workspace may still be where it was; where that cannot be seen, it may. */
function mayHold(root: string, id: string): boolean {
  try {
    statSync(root);
  } catch (error) {
    return !/^(ENOENT|ENOTDIR)$/.test(systemErrorCode(error) ?? "");
  }
  return readId(root) === id;
}

function writeId(workspace: Workspace, id: string): void {
  try {
    inStateFolder(workspace.root, (folder) => writeDurably(folder.entry(FILE), `${id}\n`));
  } catch (error) {
    if (error instanceof AppError) throw error;
    const message = `Cannot write "${STATE_DIR}/${FILE}": ${describeDiskError(error)}`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}
