export { alignHunk } from "./align-hunk.ts";
export { createLeaks } from "./find-leaks.ts";
export { Notes } from "./notes.ts";
