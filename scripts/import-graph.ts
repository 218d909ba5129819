import { dirname, join, relative } from "node:path";
import { Glob } from "bun";

/** How a file takes another one in: for its values, for its types alone, or once it is needed. */
export type ArrowKind = "value" | "type" | "lazy";

/** One import of a file of `src/` by another one. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly kind: ArrowKind;
}

/** The files below a folder of sources and the imports between them; paths are relative to it. */
export interface ImportGraph {
  readonly files: ReadonlyMap<string, { readonly lines: number }>;
  readonly arrows: readonly Arrow[];
}

const STATIC = /^(?:import|export)( type)?\s[^;"]*?from\s*"(\.[^"]+\.tsx?)"/gmu;
const LAZY = /import\(\s*"(\.[^"]+\.tsx?)"/gu;

/** Reads the imports of every file below `src`, those of types and those on demand as well. */
export async function readImportGraph(src: string): Promise<ImportGraph> {
  const files = new Map<string, { readonly lines: number }>();
  const arrows: Arrow[] = [];
  const found = await Array.fromAsync(new Glob("**/*.{ts,tsx}").scan(src));
  for (const from of found.toSorted()) {
    const text = await Bun.file(join(src, from)).text();
    files.set(from, { lines: text.split("\n").length - 1 });
    const at = (path: string) => relative(src, join(src, dirname(from), path));
    for (const [, isType, path = ""] of text.matchAll(STATIC))
      arrows.push({ from, to: at(path), kind: isType === undefined ? "value" : "type" });
    for (const [, path = ""] of text.matchAll(LAZY))
      arrows.push({ from, to: at(path), kind: "lazy" });
  }
  return { files, arrows };
}

/** The room of a file: the folder of `src/` that it is in, or for a file directly in `src/` its own name. */
export function roomOf(file: string): string {
  return file.split("/")[0] ?? file;
}

/** The folders a file is in, from the outermost: `a/b/c.ts` is in `a` and `a/b`. */
export function foldersOf(file: string): readonly string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** What somebody who looks into a folder sees: its files, and its folders as one box each. */
export function boxOf(folder: string, file: string): string {
  const [first = "", ...rest] = file.slice(folder.length + 1).split("/");
  return rest.length === 0 ? first : `${first}/`;
}

/** Groups of nodes that reach each other. */
export function circlesOf(
  arrows: Iterable<readonly [from: string, to: string]>,
): readonly (readonly string[])[] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of arrows) {
    if (from === to) continue;
    if (!next.has(from)) next.set(from, new Set());
    next.get(from)?.add(to);
  }
  const reached = new Map([...next.keys()].map((node) => [node, reachedFrom(node, next)]));
  const circles = new Map<string, readonly string[]>();
  for (const [node, others] of reached) {
    if (!others.has(node)) continue;
    const circle = [...others].filter((other) => reached.get(other)?.has(node)).toSorted();
    circles.set(circle.join(" "), circle);
  }
  return [...circles.values()];
}

function reachedFrom(node: string, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const waiting = [...(next.get(node) ?? [])];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (reached.has(each)) continue;
    reached.add(each);
    waiting.push(...(next.get(each) ?? []));
  }
  return reached;
}
