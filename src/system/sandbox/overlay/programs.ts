import { findOuterProgram } from "../../run/run.ts";

/** The programs of the system that make an overlay. */
export const OVERLAY_PROGRAMS = ["unshare", "mount"] as const;

/** Where the system keeps its own; those of administrators are often not on PATH. */
const SYSTEM_FOLDERS: readonly string[] = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/** Where one of them is: the system's own come first, and none of the workspace counts. */
export function findOverlayProgram(
  name: (typeof OVERLAY_PROGRAMS)[number],
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return findOuterProgram(name, env, [root], SYSTEM_FOLDERS);
}
