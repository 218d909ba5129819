import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
} from "node:fs";

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Where an open folder can be named by its descriptor, a link swapped in meanwhile is harmless. */
const BY_DESCRIPTOR = existsSync("/proc/self/fd");

/** A folder held open: its entries stay its own even if the names that led to it change. */
export interface PinnedDir {
  /** A path to an entry for one system call, e.g. `/proc/self/fd/7/a.txt`. */
  entry(name: string): string;
  /** Opens a folder inside; a link is refused with ENOTDIR or ELOOP. */
  open(name: string): PinnedDir;
  setMode(mode: number): void;
  /** Returns once the disk has the names in it. */
  sync(): void;
  close(): void;
}

/** Opens a folder without following a link in its last component. */
export function pinDirectory(path: string): PinnedDir {
  const fd = openSync(path, FLAGS);
  const base = BY_DESCRIPTOR ? `/proc/self/fd/${fd}` : path;
  return {
    entry(name) {
      // Without descriptors the check comes just before the use: the best that paths allow.
      if (!BY_DESCRIPTOR && lstatSync(path).isSymbolicLink()) {
        throw Object.assign(new Error(`ELOOP: "${path}" became a link`), { code: "ELOOP" });
      }
      return `${base}/${name}`;
    },
    open: (name) => pinDirectory(`${base}/${name}`),
    setMode: (mode) => fchmodSync(fd, mode),
    sync: () => fsyncSync(fd),
    close: () => closeSync(fd),
  };
}
