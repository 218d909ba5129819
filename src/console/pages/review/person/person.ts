export { type Place, withCommentRows } from "./comment-rows.ts";
export { type Comments, createComments, placeKey, toPlace } from "./comments.ts";
export {
  ALL,
  countPicks,
  isLeftOut,
  type Picks,
  toggleFile,
  toggleHunk,
  toParts,
} from "./picks.ts";
export { createSeen, isLookedAt, type Seen } from "./seen.ts";
