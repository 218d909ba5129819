import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Enclosure } from "../../run/run.ts";
import { findOverlayProgram } from "./programs.ts";

export { type OverlayCalls, openOverlayCalls } from "./libc.ts";
export { findOverlayObstacle } from "./obstacle.ts";

/** A folder as commands see it: what is there, and what they write kept apart. */
export interface Overlay {
  /** Where everything that is written goes, and all that hides something below. */
  readonly upper: string;
  /** Puts a command into it; whatever sandbox it has is inside. Only one may run at a time. */
  readonly wrap: (enclosure: Enclosure) => Enclosure;
  /** Why the newest command never began; undefined when it did. */
  readonly findFailure: () => string | undefined;
}

/** The folders inside the folder of an overlay. */
const UPPER = "upper";
const MOUNTED = "mounted";
const SAID = "said";

/**
 * Mounts and becomes what follows. The folder below is handed over open and the others by names
 * of our own, so that nothing of a person's path is in the options, where "," and ":" have a
 * meaning. The mount is seen by the command alone and goes with it.
 */
const SCRIPT = `cd "$1" && exec 3<"$2" && "$4" -i -n -t overlay overlay -o "$3" "$2" 2>${SAID} \
&& exec 3<&- && : >${MOUNTED} && cd "$2" && shift 4 && exec "$@"; exit 125`;

/** Options of {@link createOverlay}. */
export interface OverlayOptions {
  /** The real folder: an absolute path without links. The overlay has the same path. */
  readonly root: string;
  /** An empty folder that belongs to the overlay, not inside `root`. */
  readonly folder: string;
  /**
   * Folders between the two, relative to `folder`, which are never written to; none of our own
   * names holds what the kernel reads as more than a name.
   */
  readonly layers: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Lays out an overlay; nothing is mounted before a command runs, nor after it. */
export function createOverlay({ root, folder, layers, env }: OverlayOptions): Overlay {
  const unshare = findOverlayProgram("unshare", root, env) ?? "/usr/bin/unshare";
  const mount = findOverlayProgram("mount", root, env) ?? "/usr/bin/mount";
  const upper = join(folder, UPPER);
  mkdirSync(upper, { mode: 0o700 });
  let mounts = 0;

  /** What was not written to the disk at the end makes the kernel refuse the same place again. */
  const nextPlace = (): string => {
    const work = `work-${++mounts}`;
    mkdirSync(join(folder, work), { mode: 0o700 });
    rmSync(join(folder, MOUNTED), { force: true });
    return work;
  };
  const lower = [...layers, "/proc/self/fd/3"].join(":");
  const toOptions = (work: string) =>
    `userxattr,volatile,lowerdir=${lower},upperdir=${UPPER},workdir=${work}`;

  return {
    upper,
    wrap: (enclosure) => ({
      ...enclosure,
      ownFolder: root,
      toArgv() {
        const own = [folder, root, toOptions(nextPlace()), mount];
        return [unshare, "-Urm", "/bin/sh", "-c", SCRIPT, "sh", ...own, ...enclosure.toArgv()];
      },
    }),
    findFailure() {
      if (mounts === 0 || existsSync(join(folder, MOUNTED))) return undefined;
      return readSaid(join(folder, SAID)) || "new namespaces are not allowed here";
    },
  };
}

function readSaid(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}
