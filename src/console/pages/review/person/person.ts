import type { Signal } from "@preact/signals";
import type { ChangeSet, Comment, Unkept } from "../../../client/client.ts";
import { type Comments, createComments } from "./comments.ts";
import { createPicking, type Picking } from "./picks.ts";
import { namesOf, type ShownFile } from "./renames.ts";
import { createSeen, type Seen } from "./seen.ts";

export { showSpoken, standingOf, withCommentRows } from "./comment-rows.ts";
export { type Comments, MOST_CHARS, type NotKept, notKeptOf } from "./comments.ts";
export { ALL, isLeftOut, toggleHunk, toParts } from "./picks.ts";
export { clampEnd, isWithin, movingEnd, type Place, placeKey, rangeOf } from "./ranges.ts";
export { joinRenames, nameOf, namesOf, type ShownFile, toggleShown } from "./renames.ts";
export { isLookedAt, seenOf } from "./seen.ts";

/** What the person who reads a change set makes of it, and what they may. */
export interface Person {
  /** What they left out. */
  readonly picks: Picking;
  /** What they are about to say. */
  readonly comments: Comments;
  /** What they said of the version before. */
  readonly said: () => readonly Comment[];
  /** What they have looked at. */
  readonly seen: Seen;
  /** Whether they are asked here, and so look at it. */
  readonly mayLook: () => boolean;
  /** Whether this is compared with a version that they have looked at, at least in part. */
  readonly isLooked: () => boolean;
  /** Whether it is, and something is different since. */
  readonly hasLooked: () => boolean;
  /** Whether they can ask for it to be different now. */
  readonly mayRevise: () => boolean;
}

/** A person who has not begun; `isPage`: there is room to ask for something different. */
export function createPerson(
  { drafts, ticks, unticked }: Pick<Unkept, "drafts" | "ticks" | "unticked">,
  id: string,
  set: Signal<ChangeSet | undefined>,
  isPage: boolean,
): Person {
  const mayLook = () => set.value?.state === "waiting" && set.value.actions.length > 0;
  return {
    picks: createPicking(unticked, id),
    comments: createComments(drafts, id),
    said: () => set.value?.previous?.comments ?? [],
    isLooked: () => set.value?.previous?.isLooked === true,
    seen: createSeen(ticks, id),
    mayLook,
    hasLooked: () => isPage && mayLook() && isOtherSince(set.value),
    mayRevise: () =>
      isPage && mayLook() && set.value?.actions.some(({ act }) => act === "approve") === true,
  };
}

/** Whether a person said something of a file, in the version before. */
export function hasSpokenOf({ said }: Pick<Person, "said">, file: ShownFile): boolean {
  return said().some(({ path = "" }) => namesOf(file).includes(path));
}

function isOtherSince(set: ChangeSet | undefined): boolean {
  const { isLooked = false, gone } = set?.previous ?? {};
  if (!set || !isLooked || gone === undefined) return false;
  return gone.length > 0 || set.files.some(({ since }) => since !== "same");
}
