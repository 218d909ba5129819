import { needs } from "./needs.ts";

/** Whether these tests may give files to somebody else. */
export const IS_ROOT = needs("the rights of root", process.geteuid?.() === 0);
