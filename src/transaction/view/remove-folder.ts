import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, orElse, systemErrorCode } from "../../core/app-error.ts";
import { createSlices } from "./slices.ts";

/**
 * Removes a folder that nothing writes to any more, whatever a command made of it: folders without
 * rights, deeper than a path may be long, names that are no text. Follows no link. Never throws;
 * false when something is left.
 */
export async function removeFolder(folder: string): Promise<boolean> {
  try {
    await rm(folder, { recursive: true, force: true });
    return true;
  } catch {
    return removeFlat(folder);
  }
}

/** Takes every folder inside out to the top before it is emptied: no path gets long. */
async function removeFlat(top: string): Promise<boolean> {
  try {
    chmodSync(top, 0o700);
    const heap = join(top, ".removed");
    makeFolder(heap);
    let count = 0;
    const slice = createSlices();
    const takeOut = (entry: Buffer) => {
      if (lstatSync(entry).isDirectory()) {
        chmodSync(entry, 0o700); // without the right to write into it, it cannot be moved
        renameSync(entry, join(heap, `${Date.now()}-${count++}`));
      } else unlinkSync(entry);
    };
    const empty = async (folder: string, kept?: string) => {
      for (const name of readdirSync(folder, { encoding: "buffer" })) {
        if (name.toString() !== kept) takeOut(Buffer.concat([Buffer.from(`${folder}/`), name]));
        await slice();
      }
    };
    await empty(top, ".removed");
    for (let names = readdirSync(heap); names.length > 0; names = readdirSync(heap)) {
      for (const name of names) {
        await empty(join(heap, name));
        rmdirSync(join(heap, name));
      }
    }
    rmdirSync(heap);
    rmdirSync(top);
    return true;
  } catch (error) {
    return systemErrorCode(error) === "ENOENT" && !lstatSync(top, { throwIfNoEntry: false });
  }
}

function makeFolder(path: string): void {
  orElse(
    () => mkdirSync(path, { mode: 0o700 }),
    hasCode("EEXIST"),
    () => {},
  );
}
