/** A file of a change set, as far as the tree shows it; a folder that comes or goes is one, too. */
export interface TreeFile {
  readonly path: string;
  readonly kind: string;
  readonly added: number;
  readonly removed: number;
}

/** A row of the tree: a folder, of which one alone in another stands behind it, or a file. */
export type TreeRow =
  | {
      readonly kind: "folder";
      readonly path: string;
      readonly name: string;
      readonly depth: number;
      readonly isOpen: boolean;
      /** Its place in what was given, where it comes or goes itself. */
      readonly own?: number;
      readonly files: number;
      readonly added: number;
      readonly removed: number;
    }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly name: string;
      readonly depth: number;
      /** Its place in what was given. */
      readonly file: number;
      readonly added: number;
      readonly removed: number;
    };

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: (readonly [name: string, file: number])[];
  own?: number;
}

/** The tree of files as rows, folders first; what is in a folder of `closed` is not among them. */
export function treeRows(
  files: readonly TreeFile[],
  closed: ReadonlySet<string>,
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const walk = (folder: Folder, path: string, depth: number, isShown: boolean) => {
    const sums = { files: 0, added: 0, removed: 0 };
    for (const [first, inner] of folder.folders.entries().toArray().toSorted(byName)) {
      const [name, inside] = alone(first, inner);
      const at = path === "" ? name : `${path}/${name}`;
      const place = rows.length;
      const below = walk(inside, at, depth + 1, isShown && !closed.has(at));
      if (isShown) {
        const isOpen = !closed.has(at);
        const own = inside.own === undefined ? {} : { own: inside.own };
        rows.splice(place, 0, { kind: "folder", path: at, name, depth, isOpen, ...own, ...below });
      }
      sums.files += below.files;
      sums.added += below.added;
      sums.removed += below.removed;
    }
    for (const [name, file] of folder.files.toSorted(byName)) {
      const { added = 0, removed = 0, path: whole = "" } = files[file] ?? {};
      if (isShown) rows.push({ kind: "file", path: whole, name, depth, file, added, removed });
      sums.files += 1;
      sums.added += added;
      sums.removed += removed;
    }
    return sums;
  };
  walk(toFolder(files), "", 0, true);
  return rows;
}

/** The files in the order in which the tree shows them. */
export function inTreeOrder<File extends TreeFile>(files: readonly File[]): readonly File[] {
  return treeRows(files, new Set()).flatMap((row) => {
    const at = row.kind === "file" ? row.file : row.own;
    const file = at === undefined ? undefined : files[at];
    return file ? [file] : [];
  });
}

function toFolder(files: readonly TreeFile[]): Folder {
  const root: Folder = { folders: new Map(), files: [] };
  const enter = (parts: readonly string[]) => {
    let folder = root;
    for (const part of parts) {
      const next: Folder = folder.folders.get(part) ?? { folders: new Map(), files: [] };
      folder.folders.set(part, next);
      folder = next;
    }
    return folder;
  };
  for (const [file, { path, kind }] of files.entries()) {
    const parts = path.split("/");
    const folder = kind === "mkdir" || kind === "rmdir" ? enter(parts) : undefined;
    if (folder && folder.own === undefined) folder.own = file;
    else enter(parts.slice(0, -1)).files.push([parts.at(-1) ?? path, file]);
  }
  return root;
}

/** `src` with nothing in it but `core` is `src/core`, unless it comes or goes itself. */
function alone(name: string, folder: Folder): readonly [string, Folder] {
  const [only, more] = folder.folders;
  const isMore = more !== undefined || folder.files.length > 0 || folder.own !== undefined;
  if (only === undefined || isMore) return [name, folder];
  return alone(`${name}/${only[0]}`, only[1]);
}

function byName(
  [one]: readonly [name: string, ...unknown[]],
  [other]: readonly [name: string, ...unknown[]],
): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
