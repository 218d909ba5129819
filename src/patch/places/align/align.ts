export { alignHunk } from "./align-hunk.ts";
export { Notes } from "./notes.ts";
