import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** What is at one path; `text` is a link's target or a file's bytes as latin1. */
export interface Node {
  readonly kind: "file" | "dir" | "link";
  readonly mode: number;
  readonly text: string;
}

/** A whole workspace by path. */
export type Snapshot = ReadonlyMap<string, Node>;

/** A transaction as the model knows it: all before it and all after it. */
export interface Step {
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** What an undo must lead to. */
export interface Forecast {
  readonly tree: Snapshot;
  readonly conflicts: readonly string[];
}

/** Everything below `root` but papa-yu's own folder. */
export function takeSnapshot(root: string): Snapshot {
  const nodes = new Map<string, Node>();
  const walk = (prefix: string) => {
    for (const name of readdirSync(join(root, prefix)).toSorted()) {
      const path = prefix + name;
      if (path === ".papa-yu") continue;
      const stat = lstatSync(join(root, path));
      const mode = stat.mode & 0o7777;
      if (stat.isSymbolicLink())
        nodes.set(path, { kind: "link", mode, text: readlinkSync(join(root, path)) });
      else if (stat.isFile())
        nodes.set(path, { kind: "file", mode, text: readFileSync(join(root, path), "latin1") });
      else {
        nodes.set(path, { kind: "dir", mode, text: "" });
        walk(`${path}/`);
      }
    }
  };
  walk("");
  return nodes;
}

/** What taking back `step` makes of `now`, told from trees alone: no journal, no hashes, no diff. */
export function forecast({ before, after }: Step, now: Snapshot): Forecast {
  const tree = new Map(now);
  const conflicts: string[] = [];
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const touched = paths.filter((path) => differ(before.get(path), after.get(path)));
  const isDir = (path: string) => (before.get(path) ?? after.get(path))?.kind === "dir";

  for (const path of touched) {
    if (isBlocked(now, path)) conflicts.push(path);
    else if (isDir(path)) {
      const old = before.get(path);
      if (old && now.get(path)?.kind === "file") conflicts.push(path);
      else if (old && !now.has(path)) place(tree, path, old);
    } else {
      const want = wanted(before.get(path), after.get(path), now.get(path));
      if (want === "conflict") conflicts.push(path);
      else if (want === "nothing") tree.delete(path);
      else place(tree, path, want);
    }
  }
  for (const path of touched.toReversed()) {
    const isEmpty = ![...tree.keys()].some((key) => key.startsWith(`${path}/`));
    const isOurs = isDir(path) && !before.has(path) && tree.get(path)?.kind === "dir";
    if (isOurs && isEmpty && !conflicts.includes(path)) tree.delete(path);
  }
  return { tree, conflicts };
}

function wanted(
  old: Node | undefined,
  made: Node | undefined,
  now: Node | undefined,
): Node | "nothing" | "conflict" {
  if (!old) {
    if (!now) return "nothing";
    return now.text === made?.text && now.kind === "file" ? "nothing" : "conflict";
  }
  if (now?.kind === "file" && now.text === old.text) return now;
  if (!made) return now ? "conflict" : old;
  if (now?.kind !== "file") return "conflict";
  const text = now.text === made.text ? old.text : mergeInPlace(made.text, now.text, old.text);
  const mode = now.mode === made.mode ? old.mode : now.mode;
  return text === undefined ? "conflict" : { kind: "file", mode, text };
}

/** Three texts with as many lines each, no line twice: what changed is at the same index. */
function mergeInPlace(base: string, ours: string, theirs: string): string | undefined {
  const [b, o, t] = [base, ours, theirs].map((text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
  if (!b || !o || !t || b.length !== o.length || b.length !== t.length) return undefined;
  const merged = [...b];
  for (let from = 0; from < b.length; from++) {
    let to = from;
    while (to < b.length && (o[to] !== b[to] || t[to] !== b[to])) to++;
    const [was, mine, yours] = [b, o, t].map((lines) => lines.slice(from, to).join(""));
    if (mine !== was && yours !== was && mine !== yours) return undefined;
    const side = mine === was ? t : o;
    for (; from < to; from++) merged[from] = side[from] ?? "";
  }
  return merged.join("");
}

function place(tree: Map<string, Node>, path: string, node: Node): void {
  const parts = path.split("/");
  for (const i of parts.keys()) {
    const parent = parts.slice(0, i).join("/");
    if (i > 0 && !tree.has(parent)) tree.set(parent, { kind: "dir", mode: 0o755, text: "" });
  }
  tree.set(path, node);
}

function isBlocked(now: Snapshot, path: string): boolean {
  const parts = path.split("/");
  return parts.some((_, i) => {
    const kind = now.get(parts.slice(0, i + 1).join("/"))?.kind;
    return kind === "link" || (kind === "file" && i < parts.length - 1);
  });
}

function differ(a: Node | undefined, b: Node | undefined): boolean {
  return a?.kind !== b?.kind || a?.text !== b?.text;
}
