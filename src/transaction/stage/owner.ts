import { closeSync, constants, fchmodSync, lchownSync, lstatSync, openSync } from "node:fs";
import { hasCode, orElse } from "../../core/app-error.ts";
import type { FileNote } from "../../texts/notes/notes.ts";
import { octal } from "../mode-notes.ts";

/** Whom a file belongs to. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Only the superuser gives files away, and others to a group of theirs alone. */
const isRefused = hasCode("EPERM");

/**
 * Gives a file that waits the owner and the group of the one whose place it takes, or of the two what
 * may be given: who shares a folder by its group still does. Where the group cannot be kept, its rights
 * would be another group's: of these it has those of everybody.
 *
 * What waits has no bit that lends its owner's rights, so that its mode stays.
 */
export function keepOwner(path: string, { uid, gid }: Owner): void {
  const own = lstatSync(path);
  if (own.uid === uid && own.gid === gid) return;
  orElse(
    () => lchownSync(path, uid, gid),
    isRefused,
    () => own.gid === gid || keepGroup(path, own.uid, gid),
  );
}

function keepGroup(path: string, ownUid: number, gid: number): void {
  orElse(
    () => lchownSync(path, ownUid, gid),
    isRefused,
    () => closeToGroup(path),
  );
}

function closeToGroup(path: string): void {
  const mode = lstatSync(path).mode & 0o777;
  const closed = withoutGroup(mode);
  if (closed === mode) return;
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fchmodSync(fd, closed);
  } finally {
    closeSync(fd);
  }
}

/** A mode whose group may do no more than everybody. */
function withoutGroup(mode: number): number {
  return mode & (0o707 | ((mode & 0o007) << 3));
}

/** What an update of a file changes of whom it belongs to, told before it is made. */
export function noteOnOwner(
  path: string,
  stat: Partial<Owner>,
  mode: number,
): FileNote | undefined {
  const self = process.geteuid?.();
  if (self === undefined || self === 0) return undefined;
  const { uid = self, gid } = stat;
  const losesGroup = gid !== undefined && !ownGroups().includes(gid);
  if (!losesGroup && uid === self) return undefined;
  if (!losesGroup) return { kind: "other owner", facts: { path, from: uid, to: self } };
  const facts = { path, from: `${uid}:${gid}`, mode: octal(withoutGroup(mode)) };
  return { kind: "other group", facts };
}

function ownGroups(): readonly number[] {
  return [...(process.getgroups?.() ?? []), process.getegid?.() ?? -1];
}
