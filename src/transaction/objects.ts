import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../core/sha256.ts";
import { ensureStateSubdir } from "../workspace/state-dir.ts";
import { STATE_DIR, type Workspace } from "../workspace/workspace.ts";

/** Functions that each store one content under its hash, to be synced together. */
export function objectWriters(
  workspace: Workspace,
  objects: ReadonlyMap<string, Uint8Array>,
): readonly (() => number)[] {
  const dir = ensureStateSubdir(workspace, "objects");
  return [...objects].map(
    ([hash, bytes]) =>
      () =>
        placeObject(join(dir, hash), hash, bytes),
  );
}

/** A stored content, or undefined when it is missing or damaged. */
export function readObject(workspace: Workspace, hash: string): Buffer | undefined {
  return readIntact(join(workspace.root, STATE_DIR, "objects", hash), hash);
}

/** Returns the file open: even one that stood there may not have reached the disk yet. */
function placeObject(path: string, hash: string, bytes: Uint8Array): number {
  if (readIntact(path, hash)) return openSync(path, "r");
  const temporary = `${path}.tmp`; // one writer per workspace: nobody else uses this name
  rmSync(temporary, { force: true });
  const fd = openSync(temporary, "wx", 0o600);
  try {
    writeFileSync(fd, bytes);
    renameSync(temporary, path);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function readIntact(path: string, hash: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    return sha256(bytes) === hash ? bytes : undefined;
  } catch {
    return undefined;
  }
}
