export { createBases } from "./bases.ts";
export { type Drafted, findNoPlace, type Placed, placeComments } from "./comments.ts";
export { createDrafts, type Draft } from "./drafts.ts";
export { createMarks, type Marks } from "./marks.ts";
export { createSeenFiles } from "./seen.ts";
export { type Since, sinceOf } from "./since.ts";
