import * as fs from "node:fs";
import { dirname, join } from "node:path";

/** Sees whether contents are on the disk before they get the name that counts. */
export interface SyncWatch {
  /** A call that was made and did not fail, and what it gave. */
  note(name: string, args: readonly unknown[], result: unknown): void;
  /**
   * Files that got their name before a sync, and folders of which a commit says more than the disk has;
   * journals whose last record is not there yet.
   */
  readonly unsynced: () => readonly string[];
}

/** Watches from now on; `describe` gives the words for a call. */
export function watchSyncs(
  describe: (name: string, args: readonly unknown[]) => string,
): SyncWatch {
  const dirty = new Set<string>();
  /** Folders in which names changed; what papa-yu keeps for itself may be lost. */
  const folders = new Set<string>();
  const change = (place: unknown) => {
    const path = pathOf(place);
    if (path !== undefined && !path.includes("/.papa-yu")) folders.add(dirname(path));
  };
  const unsynced: string[] = [];
  return {
    unsynced: () => [...unsynced, ...[...dirty].filter((path) => path.endsWith("/journal.jsonl"))],
    note(name, args, result) {
      const path = pathOf(name === "openSync" ? result : args[0]);
      if (path === undefined) return;
      switch (name) {
        case "writeSync":
          if (isCommit(args))
            unsynced.push(...[...folders].filter((folder) => fs.existsSync(folder)));
          dirty.add(path);
          return;
        case "openSync":
        case "writeFileSync":
          dirty.add(path);
          return;
        case "fsync":
        case "fsyncSync":
          folders.delete(path);
          dirty.delete(path);
          return;
        case "mkdirSync":
        case "rmdirSync":
        case "unlinkSync":
          change(args[0]);
          dirty.delete(path);
          return;
        case "swap":
        case "renameSync":
        case "linkSync":
          change(args[0]);
          change(args[1]);
          if (dirty.has(path) && !path.includes(HOLDER)) unsynced.push(describe(name, args));
          return;
      }
    },
  };
}

/** Says who holds the lock, to people: nothing is lost with it. */
const HOLDER = "/lock.holder.";

/** Whether it writes the record that a change is done. */
export function isCommit(args: readonly unknown[]): boolean {
  return args.some((each) => Buffer.isBuffer(each) && each.includes('"committed"'));
}

/** The real path of an open file, or of a name that is there or was just now. */
function pathOf(place: unknown): string | undefined {
  if (typeof place === "number") return fs.readlinkSync(`/proc/self/fd/${place}`);
  if (typeof place !== "string") return undefined;
  const folder = dirname(place);
  const base = place.slice(folder.length).replace(/^\//, "");
  return fs.existsSync(folder) ? join(fs.realpathSync(folder), base) : undefined;
}
