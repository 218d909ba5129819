import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { OverlayCalls } from "../../system/sandbox/overlay/overlay.ts";
import type { FolderMark } from "./mark.ts";
import { createSlices } from "./slices.ts";

/** More than this is not looked at before each view. */
const MOST_ENTRIES = 200_000;

/**
 * A look at all that a layer hides of a real folder, at any depth: a file that somebody writes
 * again there must not be covered by what a command made of the one before. Undefined when it
 * hides too much to be looked at.
 */
export async function markHidden(
  root: string,
  layer: string,
  calls: OverlayCalls,
  most = MOST_ENTRIES,
): Promise<FolderMark | undefined> {
  const hash = new Bun.CryptoHasher("sha256");
  let [changedAtMs, left] = [0, most];
  const slice = createSlices();

  const look = async (path: string) => {
    left--;
    await slice();
    return lstatSync(join(root, path), { throwIfNoEntry: false, bigint: true });
  };
  const note = (path: string, stat: Awaited<ReturnType<typeof look>>): void => {
    if (stat) changedAtMs = Math.max(changedAtMs, Number(stat.ctimeNs / 1_000_000n));
    const seen = stat ? [stat.ino, stat.mode, stat.size, stat.mtimeNs, stat.ctimeNs] : ["nothing"];
    hash.update(`${path}\0${seen.join(" ")}\0`);
  };
  const noteAll = async (folder: string): Promise<void> => {
    for (const name of namesIn(join(root, folder))) {
      if (left <= 0) return;
      const stat = await look(`${folder}/${name}`);
      note(`${folder}/${name}`, stat);
      if (stat?.isDirectory()) await noteAll(`${folder}/${name}`);
    }
  };
  const walk = async (folder: string): Promise<void> => {
    for (const name of namesIn(join(layer, folder))) {
      if (left <= 0) return;
      const path = folder === "" ? name : `${folder}/${name}`;
      const stat = await look(path);
      const isFolder = lstatSync(join(layer, path)).isDirectory();
      if (isFolder && stat?.isDirectory() && !calls.isOpaque(join(layer, path))) {
        hash.update(`${path}\0${stat.mode}\0`); // what is in it shows through
        await walk(path);
        continue;
      }
      note(path, stat);
      if (stat?.isDirectory()) await noteAll(path);
    }
  };
  await walk("");
  return left > 0 ? { hash: hash.digest("hex"), changedAtMs } : undefined;
}

function namesIn(folder: string): readonly string[] {
  return readdirSync(folder).toSorted();
}
