import type { LineRange } from "./file-block.ts";

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
    ranges: lines.map(rangeAround),
  }));
  const whole = named.filter((path) => !places.has(path)).map((path) => ({ path, priority: 0 }));
  const spoken = [...traced, ...whole];
  return IMPORT_ERROR.test(goal)
    ? unique([...importFiles([...places.keys(), ...named], listed), ...spoken])
    : unique([...spoken, ...manifestsIn("", MANIFESTS, listed, 2)]);
}

function rangeAround(line: number): LineRange {
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

/** Most files a goal may pull in by naming them: more paths than a goal has room for. */
const MOST_NAMED = 1000;
/** Most files that its stack traces pull in; the rest of a trace is rarely to blame. */
const MOST_TRACED = 8;

/** Longer words are no paths, and trimming them would take time. */
const MOST_WORD_CHARS = 300;

const QUOTES = "\\s\"'`«»“”‘’";
const PUNCTUATION = ",;:!?#()[\\]{}<>…。，；：！？（）《》【】、";

/**
 * Ways to cut a goal into words. A path may hold brackets (`app/[id]/page.tsx`) and may be in
 * punctuation or, in Chinese, in the middle of a sentence, so that each way finds some.
 */
const SEPARATORS = [
  new RegExp(`[${QUOTES}]+`, "u"),
  new RegExp(`[${QUOTES}${PUNCTUATION}]+`, "u"),
  new RegExp(`[${QUOTES}${PUNCTUATION}\\p{Script=Han}]+`, "u"),
];
const AT_THE_ENDS = new RegExp(`^(?:\\./|[${PUNCTUATION}])+|[.${PUNCTUATION}]+$`, "gu");

/** Files whose path, or base name when only one file has it, is in the goal; paths first. */
export function findNamedFiles(goal: string, paths: readonly string[]): readonly string[] {
  const words = toWords(goal);
  const byName = new Map<string, { readonly path: string; isAlone: boolean }>();
  const named = new Set<string>();
  for (const path of paths) {
    if (words.has(path)) named.add(path);
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (!words.has(name)) continue;
    const other = byName.get(name);
    if (other) other.isAlone = false;
    else byName.set(name, { path, isAlone: true });
  }
  for (const { path, isAlone } of byName.values()) if (isAlone) named.add(path);
  return [...named].slice(0, MOST_NAMED);
}

function toWords(goal: string): ReadonlySet<string> {
  const words = SEPARATORS.flatMap((separator) => goal.split(separator)).filter(
    ({ length }) => length <= MOST_WORD_CHARS,
  );
  return new Set(words.flatMap((word) => [word, word.replace(AT_THE_ENDS, "")]));
}

/** Most lines of one file that a goal may pull in by its stack traces. */
const MOST_LINES = 8;

/**
 * Where stack traces and compilers' messages in a goal point to: lines by path, in the order of
 * the goal. A path counts when the listing has it, or when it is the end of exactly one path of
 * the listing; an absolute one must lie in `root`.
 */
export function findTraceLines(
  goal: string,
  root: string,
  paths: readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const places = findPlaces(goal, root);
  const named = lookUp(new Set(places.map(({ file }) => file)), paths);
  const found = new Map<string, number[]>();
  for (const { file, line } of places) {
    const path = named.get(file);
    if (path === undefined) continue;
    const lines = found.get(path);
    if (!lines) {
      if (found.size < MOST_TRACED) found.set(path, [line]);
    } else if (lines.length < MOST_LINES && !lines.includes(line)) lines.push(line);
  }
  return found;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

const NAME = "[^\\s\"'`<>|,;:=]{1,300}";

/** Ways to name a place. The groups are bounded, so that a hostile goal costs no time. */
function patternsFor(root: string): readonly RegExp[] {
  return [
    /File "(?<file>[^"\n]{1,300})", line (?<line>\d{1,7})/g, // Python
    /\bat (?<type>[\w$.<>/@-]{1,300})\((?<file>[\w$-]{1,100}\.\w{1,10}):(?<line>\d{1,7})\)/g, // Java
    /(?<file>file:\/\/\/[^\s:]{1,300}):(?<line>\d{1,7})/g, // modules of Node
    new RegExp(`(?<![\\w.-])(?<file>${RegExp.escape(root)}/[^\\n:]{1,300}):(?<line>\\d{1,7})`, "g"), // with blanks
    new RegExp(`(?<file>${NAME}):(?<line>\\d{1,7})`, "g"), // Node, Rust, Go, most compilers
    new RegExp(`(?<file>${NAME})\\((?<line>\\d{1,7}),\\d{1,7}\\)`, "g"), // TypeScript
  ];
}

function findPlaces(goal: string, root: string): readonly Place[] {
  return patternsFor(root)
    .flatMap((pattern) => Array.from(goal.matchAll(pattern)))
    .toSorted((a, b) => a.index - b.index)
    .flatMap(({ groups: { file = "", line = "", type = "" } = {} }) =>
      spellings(file, type, root).map((name) => ({ file: name, line: Math.max(1, Number(line)) })),
    );
}

/** What a name may mean, most likely first: `at f(src/a.ts:3` names `src/a.ts`. */
function spellings(file: string, type: string, root: string): readonly string[] {
  const bracket = file.indexOf("(") + 1;
  const names = [toFolder(type) + file, ...(bracket > 0 ? [file.slice(bracket)] : [])];
  return names.map((name) => toRelative(name, root)).filter((name) => name !== undefined);
}

/** The folder of a Java method's class: `app//com.acme.Foo.bar` is in `com/acme/`. */
function toFolder(type: string): string {
  const parts = type.slice(type.lastIndexOf("/") + 1).split(".");
  return parts
    .slice(0, -2)
    .map((part) => `${part}/`)
    .join("");
}

function toRelative(file: string, root: string): string | undefined {
  const plain = decodeUrl(file).replaceAll("\\", "/");
  if (plain.startsWith(`${root}/`)) return plain.slice(root.length + 1);
  return plain.startsWith("/") ? undefined : plain.replace(/^(?:\.{1,2}\/)+/, "");
}

function decodeUrl(file: string): string {
  if (!file.startsWith("file:")) return file;
  try {
    return decodeURIComponent(file.slice("file://".length));
  } catch {
    return file; // no URL after all
  }
}

/** The path that each name means: the whole of it, or the end of no other path. */
function lookUp(
  names: ReadonlySet<string>,
  paths: readonly string[],
): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  if (names.size === 0) return found;
  for (const path of paths) {
    for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
      const end = path.slice(slash + 1);
      if (names.has(end)) found.set(end, found.has(end) ? undefined : path);
    }
  }
  for (const path of paths) if (names.has(path)) found.set(path, path);
  return found;
}
