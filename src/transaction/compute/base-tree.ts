import type { ChangeSet } from "../change.ts";
import { contentOf } from "../change-set.ts";
import { type Found, type FoundFile, parentOf } from "../tree.ts";

/** What actions are worked out on: a folder as it is, or as a change set would leave it. */
export interface BaseTree {
  look(path: string): There;
  list(path: string): readonly string[];
}

/** A regular file; of its names on the disk the number is all that counts. */
export type FileThere = Pick<FoundFile, "kind" | "state" | "bytes"> & {
  readonly stat: Pick<FoundFile["stat"], "nlink">;
};

/** A folder, with what is more than rights of its mode. */
export type FolderThere = Extract<Found, { kind: "folder" }>;

/** What is at a path of it. */
export type There = Exclude<Found, FoundFile> | FileThere;

/** A folder as it would be with a change set that was made for it; nothing is written. */
export function layOver(tree: BaseTree, changeSet: ChangeSet): BaseTree {
  const changes = new Map(changeSet.changes.map((change) => [change.path, change]));

  const isRemoved = (folder: string): boolean =>
    folder !== "" && (changes.get(folder)?.kind === "rmdir" || isRemoved(parentOf(folder)));

  const look = (path: string): There => {
    const change = changes.get(path);
    switch (change?.kind) {
      case undefined:
        return isRemoved(parentOf(path)) ? { kind: "nothing" } : tree.look(path);
      case "mkdir":
        return { kind: "folder", mode: change.mode };
      case "create":
      case "update": {
        const { after } = change;
        const bytes = Buffer.from(contentOf(changeSet, after));
        return { kind: "file", state: after, bytes, stat: { nlink: 1 } };
      }
      case "delete":
      case "rmdir":
        return { kind: "nothing" };
      default:
        return change satisfies never;
    }
  };

  return {
    look,
    list(path) {
      const names = new Set(changes.get(path)?.kind === "mkdir" ? [] : tree.list(path));
      for (const change of changeSet.changes) {
        if (parentOf(change.path) !== path) continue;
        const name = change.path.slice(change.path.lastIndexOf("/") + 1);
        if (change.kind === "delete" || change.kind === "rmdir") names.delete(name);
        else names.add(name);
      }
      return [...names];
    },
  };
}
