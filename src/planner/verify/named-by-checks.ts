import { decodeUtf8 } from "../../core/decode-utf8.ts";
import { openTree } from "../../transaction/tree.ts";
import type { CheckCommand, Workspace } from "../../workspace/workspace.ts";

/** Scripts of each package.json, with their names; two folders may have one of the same name. */
type Scripts = readonly (readonly [name: string, text: string])[];

/** Whether a file is one that checks run by its name. */
export type IsNamed = (path: string) => boolean;

/** What the checks of a folder name, in their own words and in those of the scripts they run. */
export function readNamed(workspace: Workspace, commands: readonly CheckCommand[]): IsNamed {
  using tree = openTree(workspace.root);
  const folders = new Set(["", ...commands.map(({ folder = "" }) => folder)]);
  const all = [...folders].flatMap((folder) => {
    const found = tree.look(folder === "" ? MANIFEST : `${folder}/${MANIFEST}`);
    return found?.kind === "file" ? readScripts(found.bytes) : [];
  });
  return namedBy(commands, all);
}

const MANIFEST = "package.json";

/**
 * The same of scripts that are known. A word counts wherever the command may have gone to before
 * it, so it is held against the end of a path; a folder says nothing, or `eslint src` would name
 * every source.
 */
export function namedBy(commands: readonly CheckCommand[], scripts: Scripts): IsNamed {
  const texts = withScripts(
    commands.map(({ argv }) => argv.join(" ")),
    scripts,
  );
  const modules = texts.flatMap(modulesIn);
  const words = [
    ...commands.flatMap(({ argv }) => argv.map(toRelative)),
    ...texts.flatMap(wordsIn),
    ...modules.flatMap((name) => [`${name}.py`, `${name}/__init__.py`, `${name}/__main__.py`]),
  ];
  const ends = new Set(words.filter((word) => word !== ""));
  const packages = modules.filter((name) => name.includes("/"));
  return (path) => {
    const isIn = packages.some((folder) => `/${path}`.includes(`/${folder}/`));
    return isIn || [path, path.replace(/\.[cm]?[jt]sx?$/u, "")].some((each) => hasEnd(ends, each));
  };
}

function hasEnd(ends: ReadonlySet<string>, path: string): boolean {
  const parts = path.split("/");
  return parts.some((_, at) => {
    const end = parts.slice(at).join("/");
    return ends.has(end) && (at === 0 || /[./]/u.test(end)); // a bare word is a file of the root
  });
}

/** The texts, and every script that one of their words names, with what runs before and after it. */
function withScripts(texts: readonly string[], scripts: Scripts): readonly string[] {
  const run = new Set<string>();
  const all = [...texts];
  for (const text of all) {
    const named = wordsIn(text).map((word) => (word === "t" || word === "tst" ? "test" : word));
    for (const name of named.flatMap((word) => [`pre${word}`, word, `post${word}`])) {
      if (run.has(name)) continue;
      run.add(name);
      all.push(...scripts.flatMap(([known, script]) => (known === name ? [script] : [])));
    }
  }
  return all;
}

/** What stands between blanks, quotes and the signs of a shell. */
function wordsIn(text: string): readonly string[] {
  return text.split(/[\s"'`;&|()<>=,$]+/u).map(toRelative);
}

function toRelative(word: string): string {
  return word.replace(/^(?:\.\.?\/)+/u, "");
}

/** What follows `-m` of a Python, as a path. */
function modulesIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<=^|\s)-m\s+([\p{L}\w.]+)/gu)].map(([, name = ""]) =>
    name.replaceAll(".", "/"),
  );
}

function readScripts(bytes: Uint8Array): Scripts {
  try {
    const manifest: unknown = JSON.parse(decodeUtf8(bytes) ?? "");
    if (typeof manifest !== "object" || manifest === null) return [];
    const scripts: unknown = Reflect.get(manifest, "scripts");
    if (typeof scripts !== "object" || scripts === null) return [];
    return Object.entries(scripts).filter(([, text]) => typeof text === "string");
  } catch {
    return [];
  }
}
