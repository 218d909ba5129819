export { alignHunk } from "./align-hunk.ts";
