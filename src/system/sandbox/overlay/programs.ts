import { isInside, realPath } from "../../run/run.ts";

/** The programs of the system that make an overlay. */
export const OVERLAY_PROGRAMS = ["unshare", "mount"] as const;

/** Where the system keeps its own; those of administrators are often not on PATH. */
const SYSTEM_FOLDERS: readonly string[] = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/**
 * Where one of them is. They run outside of the sandbox: the system's own come first, and a folder
 * of the workspace that is on PATH, as `npm run` and the like put it there, names none of them.
 */
export function findOverlayProgram(
  name: (typeof OVERLAY_PROGRAMS)[number],
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const isSafe = (folder: string) => {
    const real = realPath(folder);
    return folder.startsWith("/") && real !== root && !isInside(real, root);
  };
  const folders = [...SYSTEM_FOLDERS, ...(env["PATH"] ?? "").split(":").filter(isSafe)];
  const found = Bun.which(name, { PATH: folders.join(":") }) ?? undefined;
  return found === undefined || isInside(realPath(found), root) ? undefined : found;
}
