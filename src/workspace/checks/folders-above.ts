import { lstatSync, type Stats } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { decodeUtf8 } from "../../core/decode-utf8.ts";
import { readWholeFile } from "../read-file.ts";

/** A folder around the workspace, of the same git repository and the same owner. */
export interface FolderAbove {
  /** From the workspace to it: `../../`. */
  readonly prefix: string;
  /** From it to the workspace: `packages/a`. */
  readonly path: string;
  readonly names: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
  /** Names of regular files in it, and of an environment's Python, that may be run. */
  readonly executables: ReadonlySet<string>;
}

const MOST_LEVELS = 12;
const MOST_BYTES = 1024 * 1024;
const MANIFESTS: readonly string[] =
  "package.json pnpm-workspace.yaml Cargo.toml pyproject.toml settings.gradle settings.gradle.kts pom.xml".split(
    " ",
  );
const PROGRAMS = ["mvnw", "gradlew", ".venv/bin/python"];

/**
 * The folders from the workspace up to the top of its git repository. None when the workspace is
 * that top, or lies in no repository; and none from the first on that somebody else may write,
 * for what lies there decides what a check runs. No link is followed.
 */
export async function readFoldersAbove(root: string): Promise<readonly FolderAbove[]> {
  const folders = foldersUpToTop(root);
  return Promise.all(folders.map((folder) => readFolder(folder, root)));
}

function foldersUpToTop(root: string): readonly string[] {
  const owner = look(root)?.uid;
  if (owner === undefined || look(join(root, ".git"))) return [];
  const folders: string[] = [];
  for (let folder = dirname(root); folders.length < MOST_LEVELS; folder = dirname(folder)) {
    const stat = look(folder);
    if (!stat?.isDirectory() || !isOwn(stat, owner)) return [];
    folders.push(folder);
    const git = look(join(folder, ".git"));
    if (git) return isOwn(git, owner) && !git.isSymbolicLink() ? folders : [];
    if (folder === dirname(folder)) return [];
  }
  return [];
}

/** Nobody but the owner of the workspace wrote it. */
function isOwn({ uid, mode }: Stats, owner: number): boolean {
  return uid === owner && (mode & 0o002) === 0;
}

async function readFolder(folder: string, root: string): Promise<FolderAbove> {
  const owner = look(folder)?.uid ?? -1;
  const isOwnFile = (name: string) => {
    const stat = look(join(folder, name));
    return stat?.isFile() === true && isOwn(stat, owner);
  };
  const names = new Set(await readdir(folder).catch(() => []));
  const texts = new Map<string, string>();
  for (const name of MANIFESTS) {
    if (!names.has(name) || !isOwnFile(name)) continue;
    const file = await readWholeFile({ absolute: join(folder, name), path: name }, MOST_BYTES);
    const text = file.ok ? decodeUtf8(file.bytes) : undefined;
    if (text !== undefined) texts.set(name, text.replace(/^\uFEFF/u, "").replaceAll("\r\n", "\n"));
  }
  const executables = new Set(PROGRAMS.filter((name) => isProgram(folder, name, owner)));
  const prefix = `${relative(root, folder)}/`;
  return { prefix, path: relative(folder, root), names, texts, executables };
}

/** An environment's Python is a link to the one it was made with. */
function isProgram(folder: string, name: string, owner: number): boolean {
  const isPython = name.startsWith(".venv/");
  const around = isPython ? [".venv", ".venv/bin"] : [];
  const isWay = around.every((each) => {
    const stat = look(join(folder, each));
    return stat?.isDirectory() === true && isOwn(stat, owner);
  });
  const stat = look(join(folder, name));
  if (!isWay || stat?.uid !== owner) return false;
  if (isPython && stat.isSymbolicLink()) return true;
  return stat.isFile() && isOwn(stat, owner) && (stat.mode & 0o111) !== 0;
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined; // not there, or not for us
  }
}
