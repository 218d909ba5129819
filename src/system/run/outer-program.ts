import { homedir } from "node:os";
import { isInside, realPath } from "./real-path.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * PATH for what papa-yu starts outside of every sandbox. `npm run`, direnv and the like put folders
 * of a project on it, and whoever wrote the project would choose what runs: no folder in one of
 * `roots` or in the folder that papa-yu was called in counts, none of a project's packages, and
 * none that depends on where we are.
 */
export function outerPath(env: Environment, roots: readonly string[]): string {
  return safeFolders(env, roots).join(":");
}

/** Where such a program is. */
export function findOuterProgram(
  name: string,
  env: Environment,
  roots: readonly string[],
  first: readonly string[] = [],
): string | undefined {
  // One that does not count must not hide the system's own behind it.
  const found = [...first, ...safeFolders(env, roots)].flatMap((folder) => {
    return Bun.which(name, { PATH: folder }) ?? [];
  });
  return found.find((path) => !isForeign(path, toReal(roots)));
}

function safeFolders(env: Environment, roots: readonly string[]): readonly string[] {
  const all = toReal([...roots, ...calledIn()]);
  const folders = (env["PATH"] ?? "").split(":");
  return folders.filter((folder) => folder.startsWith("/") && !isForeign(folder, all));
}

/** A folder that holds a person's home, or is it, is no project. */
function calledIn(): readonly string[] {
  const cwd = process.cwd();
  return isInside(`${realPath(homedir())}/`, realPath(cwd)) ? [] : [cwd];
}

function toReal(roots: readonly string[]): readonly string[] {
  return roots.map(realPath);
}

function isForeign(path: string, roots: readonly string[]): boolean {
  const real = `${realPath(path)}/`;
  return real.includes("/node_modules/") || roots.some((root) => isInside(real, root));
}
