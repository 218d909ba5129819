export { withCommentRows } from "./comment-rows.ts";
export { type Comments, createComments, type Place, placeKey, toPlace } from "./comments.ts";
export {
  ALL,
  countPicks,
  isLeftOut,
  type Picks,
  toggleHunk,
  toParts,
} from "./picks.ts";
export { joinRenames, nameOf, namesOf, type ShownFile, toggleShown } from "./renames.ts";
export { createSeen, isLookedAt, type Seen, seenOf } from "./seen.ts";
