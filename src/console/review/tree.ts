/** A file of a change set, as far as the tree shows it. */
export interface TreeFile {
  readonly path: string;
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
        rows.splice(place, 0, { kind: "folder", path: at, name, depth, isOpen, ...below });
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
    const file = row.kind === "file" ? files[row.file] : undefined;
    return file ? [file] : [];
  });
}

function toFolder(files: readonly TreeFile[]): Folder {
  const root: Folder = { folders: new Map(), files: [] };
  for (const [file, { path }] of files.entries()) {
    const parts = path.split("/");
    const name = parts.pop() ?? path;
    let folder = root;
    for (const part of parts) {
      const next: Folder = folder.folders.get(part) ?? { folders: new Map(), files: [] };
      folder.folders.set(part, next);
      folder = next;
    }
    folder.files.push([name, file]);
  }
  return root;
}

/** `src` with nothing in it but `core` is `src/core`. */
function alone(name: string, folder: Folder): readonly [string, Folder] {
  const [only, more] = folder.folders;
  if (only === undefined || more !== undefined || folder.files.length > 0) return [name, folder];
  return alone(`${name}/${only[0]}`, only[1]);
}

function byName(
  [one]: readonly [name: string, ...unknown[]],
  [other]: readonly [name: string, ...unknown[]],
): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
