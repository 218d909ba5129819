/** What a person left out of a change set: whole files, or some hunks of a file, by their numbers. */
export type Picks = ReadonlyMap<string, "file" | ReadonlySet<number>>;

/** A file, as far as it decides what goes with it. */
export interface PickedFile {
  readonly path: string;
  readonly kind: string;
}

/** A part of what a press leaves out. */
export interface LeftPart {
  readonly path: string;
  readonly hunks?: readonly number[];
}

/** Nothing is left out. */
export const ALL: Picks = new Map();

/**
 * Leaves a file out, or takes it in again, with what cannot be without it: what is made in a folder
 * goes with the folder, and a folder stays while something in it stays.
 */
export function toggleFile(picks: Picks, files: readonly PickedFile[], path: string): Picks {
  const next = new Map(picks);
  const file = files.find((each) => each.path === path);
  const isOut = picks.get(path) === "file";
  const isIn = (inner: string, folder: string) => inner.startsWith(`${folder}/`);
  const others = files.filter(({ path: other, kind }) => {
    const [isBelow, isAbove] = [isIn(other, path), isIn(path, other)];
    if (isOut) return kind === "mkdir" ? isAbove : file?.kind === "rmdir" && isBelow;
    return kind === "rmdir" ? isAbove : file?.kind === "mkdir" && isBelow;
  });
  for (const each of [path, ...others.map((other) => other.path)]) {
    if (isOut) next.delete(each);
    else next.set(each, "file");
  }
  return next;
}

/** Leaves one hunk of a file out, or takes it in again; of a file that is left out there is none. */
export function toggleHunk(picks: Picks, path: string, hunk: number): Picks {
  const before = picks.get(path);
  if (before === "file") return picks;
  const next = new Map(picks);
  const hunks = new Set(before);
  if (!hunks.delete(hunk)) hunks.add(hunk);
  if (hunks.size === 0) next.delete(path);
  else next.set(path, hunks);
  return next;
}

/** Whether a hunk is left out, by itself or with its file. */
export function isLeftOut(picks: Picks, path: string, hunk?: number): boolean {
  const found = picks.get(path);
  return found === "file" || (hunk !== undefined && found?.has(hunk) === true);
}

/** What a press says of it. */
export function toParts(picks: Picks): readonly LeftPart[] {
  return [...picks].map(([path, found]) =>
    found === "file" ? { path } : { path, hunks: [...found].toSorted((a, b) => a - b) },
  );
}

/** How many files and how many hunks of other files are left out. */
export function countPicks(picks: Picks): { readonly files: number; readonly hunks: number } {
  let [files, hunks] = [0, 0];
  for (const found of picks.values()) {
    if (found === "file") files += 1;
    else hunks += found.size;
  }
  return { files, hunks };
}
