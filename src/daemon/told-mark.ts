import { closeSync, lstatSync, openSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../core/sha256.ts";
import { syncDirectory } from "../system/write-durably.ts";

/** For so long the same is not reported again, however often it happens. */
const QUIET_MS = 6 * 3_600_000;

/**
 * Takes the right to tell somebody of one `kind` of trouble, once in six hours, whatever ends and
 * starts the process meanwhile; gives how to give it back when nothing was reported. Undefined: it was reported,
 * or no place takes a mark. Then nothing is reported, for every restart would report it again.
 *
 * A mark is an empty file whose time counts: it fits on a disk that is full to the last block. Where
 * `home` takes none, as on a disk that was made read-only, it is in a folder in memory.
 */
export function claimTelling(
  home: string,
  kind: string,
  options: { readonly runtimeDir: string | undefined; readonly now: number },
): (() => void) | undefined {
  const { runtimeDir, now } = options;
  const own = `papayu-${process.getuid?.() ?? ""}-${sha256(home).slice(0, 16)}.${kind}`;
  const shared = [runtimeDir, "/dev/shm", tmpdir()].flatMap((dir) => (dir ? [dir] : []));
  const marks = [
    { dir: home, path: join(home, `told.${kind}`) },
    ...shared.map((dir) => ({ dir, path: join(dir, own) })),
  ];
  if (marks.some(({ path }) => isFresh(path, now))) return undefined;
  const made = marks.find(({ dir, path }) => make(dir, path, now));
  return made && (() => rmSync(made.path, { force: true }));
}

/** What somebody else put there says nothing. */
function isFresh(path: string, now: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.uid !== (process.getuid?.() ?? found.uid)) return false;
  return Math.abs(now - found.mtimeMs) < QUIET_MS;
}

function make(dir: string, path: string, now: number): boolean {
  try {
    rmSync(path, { force: true });
    closeSync(openSync(path, "wx", 0o600)); // never through a link
    utimesSync(path, now / 1000, now / 1000);
    syncDirectory(dir);
    return true;
  } catch {
    return false;
  }
}
