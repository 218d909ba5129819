/** Most files, and lines of one file, that a goal may pull in by its stack traces. */
const MOST_FILES = 8;
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
  const meant = lookUp(new Set(places.map(({ file }) => file)), paths);
  const found = new Map<string, number[]>();
  for (const { file, line } of places) {
    const path = meant.get(file);
    if (path === undefined) continue;
    const lines = found.get(path);
    if (!lines) {
      if (found.size < MOST_FILES) found.set(path, [line]);
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
