import type { LineRange } from "./file-block.ts";
import { findNamedFiles } from "./named-files.ts";
import { findTraceLines } from "./trace-lines.ts";

/** A file that a plan starts from. */
export interface ChosenFile {
  readonly path: string;
  readonly priority: number;
  /** Absent: the whole file. */
  readonly ranges?: readonly LineRange[];
}

const MANIFESTS: readonly string[] = [
  "package.json",
  "Cargo.toml",
  "pyproject.toml",
  "requirements.txt",
  "setup.py",
  "go.mod",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
];
/** Where imports are mapped as well. */
const IMPORT_FILES = [...MANIFESTS, "tsconfig.json"];
const MOST_MANIFESTS = 4;
/** Lines shown before and after the one that a stack trace names. */
const AROUND_LINES = 80;

const IMPORT_ERROR =
  /ModuleNotFoundError|ImportError|No module named|Module not found|MODULE_NOT_FOUND|cannot (?:find|resolve) (?:module|package|import)|(?:failed|could not|unable) to resolve|unresolved import|can't find crate|no required module provides|package \S{1,200} (?:does not exist|is not in)/iu;

/**
 * The files that a goal speaks of, each once: places of stack traces with what is around them,
 * named files whole, and manifests: first of all where an import fails, last of all elsewhere.
 */
export function chooseFiles(
  goal: string,
  root: string,
  paths: readonly string[],
): readonly ChosenFile[] {
  const listed = new Set(paths);
  const places = findTraceLines(goal, root, paths);
  const named = findNamedFiles(goal, paths);
  const traced = [...places].map(([path, lines]) => ({
    path,
    priority: 0,
    ranges: lines.map(around),
  }));
  const whole = named.filter((path) => !places.has(path)).map((path) => ({ path, priority: 0 }));
  const spoken = [...traced, ...whole];
  return IMPORT_ERROR.test(goal)
    ? unique([...importFiles([...places.keys(), ...named], listed), ...spoken])
    : unique([...spoken, ...manifestsIn("", MANIFESTS, listed, 2)]);
}

function around(line: number): LineRange {
  return { startLine: Math.max(1, line - AROUND_LINES), endLine: line + AROUND_LINES };
}

/** Those nearest to the files that are spoken of come first. */
function importFiles(near: readonly string[], listed: ReadonlySet<string>): readonly ChosenFile[] {
  const folders = near.flatMap(foldersAbove).toSorted((a, b) => b.length - a.length);
  return unique(
    [...folders, ""].flatMap((folder) => manifestsIn(folder, IMPORT_FILES, listed, 0)),
  ).slice(0, MOST_MANIFESTS);
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
}

function manifestsIn(
  folder: string,
  names: readonly string[],
  listed: ReadonlySet<string>,
  priority: number,
): readonly ChosenFile[] {
  const found = names.map((name) => folder + name).filter((path) => listed.has(path));
  return found.map((path) => ({ path, priority }));
}

function unique(files: readonly ChosenFile[]): readonly ChosenFile[] {
  const byPath = new Map<string, ChosenFile>();
  for (const file of files) if (!byPath.has(file.path)) byPath.set(file.path, file);
  return [...byPath.values()];
}
