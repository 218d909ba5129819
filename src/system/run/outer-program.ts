import { isInside, realPath } from "./real-path.ts";

/**
 * Where a program is that papa-yu starts outside of every sandbox. `npm run`, direnv and the like
 * put folders of a project on PATH, and whoever wrote the project would choose what runs: no folder
 * in one of `roots` counts, none of a project's packages, and none that depends on where we are.
 */
export function findOuterProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  roots: readonly string[],
  first: readonly string[] = [],
): string | undefined {
  const isForeign = (path: string) => {
    const real = `${realPath(path)}/`;
    return real.includes("/node_modules/") || roots.some((root) => isInside(real, root));
  };
  const isSafe = (folder: string) => folder.startsWith("/") && !isForeign(folder);
  const folders = [...first, ...(env["PATH"] ?? "").split(":").filter(isSafe)];
  // One that does not count must not hide the system's own behind it.
  const found = folders.flatMap((folder) => Bun.which(name, { PATH: folder }) ?? []);
  return found.find((path) => !isForeign(path));
}
