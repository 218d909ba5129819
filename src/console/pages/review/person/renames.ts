import type { FileEntry } from "../../../client/client.ts";
import { isLeftOut, type PickedFile, type Picks, toggleFile } from "./picks.ts";

/** A file as it is shown: with its other name, where it comes from one. */
export interface ShownFile extends FileEntry {
  /** What it was called, and its number under that name. */
  readonly old?: { readonly path: string; readonly n: number };
}

/** Files of which one has the lines of another that goes are one file with two names. */
export function joinRenames(files: readonly FileEntry[]): readonly ShownFile[] {
  const byNumber = new Map(files.map((file) => [file.n, file]));
  const isJoined = (from: FileEntry | undefined, to: FileEntry | undefined) =>
    from !== undefined && to?.renamed_from?.n === from.n && from.renamed_to === to.n;
  return files.flatMap((file): readonly ShownFile[] => {
    const { renamed_from: from, renamed_to: to } = file;
    if (to !== undefined && isJoined(file, byNumber.get(to))) return [];
    const gone = from && byNumber.get(from.n);
    if (!from || !gone || !isJoined(gone, file)) return [file];
    const { size_before, mode_before } = gone;
    const { added, removed } = from;
    const since = gone.since === file.since ? file.since : file.since && "changed";
    const old = { path: gone.path, n: gone.n };
    return [{ ...file, kind: "rename", added, removed, size_before, mode_before, since, old }];
  });
}

/** All names of a file. */
export function namesOf({ path, old }: ShownFile): readonly string[] {
  return old ? [path, old.path] : [path];
}

/** The name that a side of a file has. */
export function nameOf({ path, old }: ShownFile, side: "before" | "after"): string {
  return side === "before" && old ? old.path : path;
}

/** Leaves a file out with all of its names, or takes it in again; so do those that go with it. */
export function toggleShown(
  picks: Picks,
  files: readonly PickedFile[],
  shown: readonly ShownFile[],
  { path }: ShownFile,
): Picks {
  const isOut = !isLeftOut(picks, path);
  const isThere = (at: Picks, name: string) => isLeftOut(at, name) === isOut;
  const renames = shown.filter(({ old }) => old !== undefined).map(namesOf);
  let next = toggleFile(picks, files, path);
  // Of each rename one name can be late, once: folders take along what is in them.
  for (let left = renames.length; left > 0; left--) {
    const halves = renames.filter((names) => {
      return (
        names.some((name) => isThere(next, name)) && !names.every((name) => isThere(next, name))
      );
    });
    const late = halves.flat().find((name) => !isThere(next, name));
    if (late === undefined) break;
    next = toggleFile(next, files, late);
  }
  return next;
}
