import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Manifest, type ProjectKind, readManifest } from "./manifest.ts";
import type { Workspace } from "./workspace.ts";

/** A project in brief: what it is made with, how it is run, where its parts are. */
export interface ProjectProfile extends Manifest {
  /** The manifest's, or the folder's. */
  readonly name: string;
  /** Most actions of one transaction in a project of this kind. */
  readonly maxActions: number;
  /** Folders in the root that hold sources and tests. */
  readonly sourceRoots: readonly string[];
  readonly testRoots: readonly string[];
}

/** Reads manifest and top folder only, so it costs the same for every size. Never throws. */
export async function readProfile(root: string): Promise<ProjectProfile> {
  const [manifest, folders] = await Promise.all([readManifest(root), topFolders(root)]);
  const packages = manifest.kind === "python" ? await pythonPackages(root, folders) : [];
  return {
    ...manifest,
    name: manifest.name ?? basename(root),
    maxActions: MAX_ACTIONS[manifest.kind],
    sourceRoots: folders.filter((name) => SOURCE_ROOTS.has(name) || packages.includes(name)),
    testRoots: folders.filter((name) => TEST_ROOTS.has(name)),
  };
}

/** Most actions of one transaction: as configured, else for a project of this kind. */
export async function mostActionsIn({
  root,
  maxActions,
}: Pick<Workspace, "root" | "maxActions">): Promise<number> {
  return maxActions || (await readProfile(root)).maxActions;
}

const MAX_ACTIONS: Readonly<Record<ProjectKind, number>> = {
  node: 25,
  rust: 20,
  python: 20,
  go: 15,
  plain: 15,
};
const SOURCE_ROOTS: ReadonlySet<string> = new Set([
  "src",
  "lib",
  "app",
  "apps",
  "packages",
  "crates",
  "cmd",
  "internal",
  "pkg",
  "server",
  "client",
]);
const TEST_ROOTS: ReadonlySet<string> = new Set([
  "test",
  "tests",
  "spec",
  "specs",
  "__tests__",
  "e2e",
]);
const MAX_PACKAGES = 32;

async function topFolders(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
}

/** Folders that Python can import: an identifier with an `__init__.py`. */
async function pythonPackages(
  root: string,
  folders: readonly string[],
): Promise<readonly string[]> {
  const named = folders.filter((name) => /^[A-Za-z_]\w*$/u.test(name) && !TEST_ROOTS.has(name));
  const found = await Promise.all(
    named.slice(0, MAX_PACKAGES).map(async (name) => {
      const isPackage = await Bun.file(join(root, name, "__init__.py")).exists();
      return isPackage ? [name] : [];
    }),
  );
  return found.flat();
}
