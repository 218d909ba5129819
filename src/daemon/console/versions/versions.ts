export { createBases } from "./bases.ts";
export { type Drafted, findNoPlace, type Placed, placeComments, withComment } from "./comments.ts";
export { createSeenFiles, type SeenFiles } from "./seen.ts";
export { type Since, sinceOf } from "./since.ts";
