import { closeSync, constants, fchmodSync, lchownSync, lstatSync, openSync } from "node:fs";
import { hasCode, orElse } from "../../core/app-error.ts";
import { withoutList } from "../../system/rights/rights.ts";
import type { FileRights } from "../change.ts";
import { withoutGroup } from "../mode-notes.ts";
import type { Tree } from "../tree.ts";

/** Whom a file belongs to. */
export type Owner = Required<Pick<FileRights, "uid" | "gid">>;

/** The modes that a file which waits is to have. */
export interface Modes {
  /** Without a list; default: what it has. */
  readonly unlisted?: number;
  /** With one, where that is another. */
  readonly listed?: number;
}

/**
 * Gives a file that waits the owner, the group and the access list of the one whose place it takes, or
 * of the first two what may be given: who shares a folder by its group still does. Where the group
 * cannot be kept, its rights would be another group's: of these it has those of everybody.
 * Returns whether it has that list, or none where there is none. What waits has no bit that lends its owner's
 * rights, so that its mode stays. That comes last: beside its path it can be opened before it has all.
 */
export function keepAccess(
  tree: Tree,
  path: string,
  from: string,
  owner: Owner,
  { unlisted, listed }: Modes = {},
): boolean {
  const { lists } = tree;
  const isOfGroup = giveTo(tree.at(from), owner);
  const list = lists.read(tree.at(path));
  const isKept = lists.write(tree.at(from), list); // a folder may have handed one down to what waits
  setMode(tree.at(from), (now) => {
    const bare = unlisted ?? now;
    const mode = list === undefined ? bare : isKept ? (listed ?? bare) : withoutList(bare, list);
    // With a list these bits are the most of all that it names: its users go with them.
    return isOfGroup ? mode : withoutGroup(mode);
  });
  return isKept;
}

/**
 * Gives a new file that waits what it would have if it had been made in its folder: the group of one
 * that hands it down, and its list, or else no more than the umask lets new files have.
 * Of `most` it gets what these leave.
 */
export function takeFromFolder(tree: Tree, folder: string, from: string, most: number): void {
  const { mode, gid } = lstatSync(tree.at(folder));
  if ((mode & SET_GROUP) !== 0) mayGive(tree.at(from), lstatSync(tree.at(from)).uid, gid);
  if (tree.lists.handDown(tree.at(folder), tree.at(from), most & 0o777)) return;
  tree.lists.write(tree.at(from), undefined); // of the folder that it waits in
  setMode(tree.at(from), () => most & ~process.umask());
}

const SET_GROUP = 0o2000;

/**
 * Gives a file that waits whom it is to belong to, as far as that is known and may be: of another group
 * it is then for no more than everybody. Its mode comes last.
 */
export function keepOwner(
  tree: Tree,
  from: string,
  { uid, gid }: Partial<Owner>,
  mode: number,
): void {
  const isOfGroup = uid === undefined || gid === undefined || giveTo(tree.at(from), { uid, gid });
  setMode(tree.at(from), () => (isOfGroup ? mode : withoutGroup(mode)));
}

/** Returns whether the file is of this group afterwards. */
function giveTo(path: string, { uid, gid }: Owner): boolean {
  const own = lstatSync(path);
  if (own.uid === uid && own.gid === gid) return true;
  return mayGive(path, uid, gid) || own.gid === gid || mayGive(path, own.uid, gid);
}

/** Only the superuser gives files away, and others to a group of theirs alone. */
function mayGive(path: string, uid: number, gid: number): boolean {
  const give = () => {
    lchownSync(path, uid, gid);
    return true;
  };
  return orElse(give, CANNOT_GIVE, () => false);
}

/** It is not allowed, nobody here has that id (a container maps few), or the disk keeps none. */
const CANNOT_GIVE = hasCode("EPERM", "EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EDQUOT");

function setMode(path: string, toMode: (mode: number) => number): void {
  const mode = lstatSync(path).mode & 0o777;
  const wanted = toMode(mode) & 0o777;
  if (wanted === mode) return;
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fchmodSync(fd, wanted);
  } finally {
    closeSync(fd);
  }
}
