import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
/** The pages that people read; decisions are of their day. */
const PAGES = ["*.md", "docs/*.md"].map((pattern) => new Bun.Glob(pattern));
/** A history tells what was. */
const NOT_READ = new Set(["CHANGELOG.md"]);
const FENCED = /^(?<indent> *)```(?<language>\w*)\n(?<body>[\s\S]*?)^ *```$/gmu;

/** A fenced block of a page. */
export interface Snippet {
  /** The page, from the root of the project. */
  readonly page: string;
  /** `page: first line` that says something, without what is said of it, by which tables name it. */
  readonly name: string;
  /** As written behind the fence; empty where there is none. */
  readonly language: string;
  /** Without the indentation of its fence, and with its last line break. */
  readonly text: string;
}

/** Every fenced block of every page, in order. */
export function readSnippets(): readonly Snippet[] {
  return PAGES.flatMap((glob) => Array.from(glob.scanSync(ROOT)))
    .filter((page) => !NOT_READ.has(page))
    .toSorted()
    .flatMap(readPage);
}

/** Those of one language. */
export function snippetsOf(language: string): readonly Snippet[] {
  return readSnippets().filter((snippet) => snippet.language === language);
}

function readPage(page: string): readonly Snippet[] {
  const source = readFileSync(join(ROOT, page), "utf8");
  return [...source.matchAll(FENCED)].map(({ groups = {} }) => {
    const { indent = "", language = "", body = "" } = groups;
    const text = body.replaceAll(new RegExp(`^${indent}`, "gmu"), "");
    const first = text.split("\n").find((line) => !/^(?:---|\{|)$/u.test(line.trim())) ?? "";
    const [line = ""] = first.trim().split(/ +# /u);
    return { page, name: `${page}: ${line}`, language, text };
  });
}

/** The text of one, by its name. */
export function readSnippet(name: string): string {
  const found = readSnippets().filter((snippet) => snippet.name === name);
  if (found.length !== 1) throw new Error(`${found.length} snippets begin "${name}"`);
  return found[0]?.text ?? "";
}
