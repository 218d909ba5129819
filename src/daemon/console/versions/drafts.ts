import type { Comment } from "../../../channels/press.ts";
import type { Settings } from "../../../store/settings/settings.ts";
import type { ChangeSet } from "../../../transaction/change.ts";
import type { LeftPart } from "../../../transaction/compute/leave-out.ts";
import { diffOf } from "../../../transaction/preview.ts";
import { withComment } from "./comments.ts";

/** What a person is about to say of a change set, and what they are about to leave out of it. */
export interface Draft {
  readonly comments: readonly Comment[];
  readonly unticked: readonly LeftPart[];
}

/** Drafts by the ids of approvals, each of whom was asked. */
export interface Drafts {
  of(approvalId: string): Draft;
  /** Keeps what is said of one place; false: it would be more than can be sent. */
  say(approvalId: string, said: Comment): boolean;
  /** Keeps which parts of some files are unticked, the others as they were; false: it has, where it is given, no such file or hunk. */
  untick(approvalId: string, parts: readonly LeftPart[], changeSet: ChangeSet | undefined): boolean;
}

/** What is kept in the settings of one daemon; `onKept` hears of each that is another by then. */
export function createDrafts(
  settings: () => Settings,
  onKept: (approvalId: string) => void,
): Drafts {
  const kept = () => settings().of("draft.");

  function of(approvalId: string): Draft {
    const { comments = [], unticked = [] } = kept().get(approvalId) ?? {};
    return { comments, unticked };
  }

  function keep(approvalId: string, { comments, unticked }: Draft): void {
    const isEmpty = comments.length === 0 && unticked.length === 0;
    if (isEmpty) kept().remove(approvalId);
    else kept().set(approvalId, { comments, ...(unticked.length > 0 && { unticked }) });
    onKept(approvalId);
  }

  return {
    of,
    say(approvalId, said) {
      const before = of(approvalId);
      const comments = withComment(before.comments, said);
      if (!comments) return false;
      keep(approvalId, { ...before, comments });
      return true;
    },
    untick(approvalId, parts, changeSet) {
      if (changeSet && !parts.every((part) => isThere(part, changeSet))) return false;
      const before = of(approvalId);
      const once = parts.map(({ path, hunks }) =>
        hunks ? { path, hunks: [...new Set(hunks)].toSorted((a, b) => a - b) } : { path },
      );
      keep(approvalId, { ...before, unticked: withParts(before.unticked, once) });
      return true;
    },
  };
}

/** To take a file in again names no hunk of it; a folder has none. */
function isThere({ path, hunks = [] }: LeftPart, changeSet: ChangeSet): boolean {
  const change = changeSet.changes.find((each) => each.path === path);
  if (!change || hunks.length === 0) return change !== undefined;
  const count = diffOf(changeSet, change)?.length ?? 0;
  return hunks.every((hunk) => hunk < count);
}

/** One part for each file, the last one that was said; of no hunk there is none. */
function withParts(before: readonly LeftPart[], parts: readonly LeftPart[]): readonly LeftPart[] {
  const all = new Map([...before, ...parts].map((part) => [part.path, part]));
  return [...all.values()].filter(({ hunks }) => hunks?.length !== 0);
}
