import type { Seen } from "../support/watch-folder.ts";

/** What a check does beside checking, where it runs among the others, and how it ends. */
export interface Disturbance {
  readonly how: string;
  readonly script: string;
  /** Before the checks of the project, after them, or in their place. */
  readonly at: "first" | "last" | "alone";
  readonly end: "passes" | "fails with the change" | "fails without it as well";
}

const SOURCES = ["py", "rs", "go", "java", "ts", "md", "txt"].map((end) => `-name '*.${end}'`);
const LEAVES = "mkdir -p coverage; for d in . */; do touch $d/left; done";

/** What real checks do to a folder, and what ends them. */
export const DISTURBANCES: readonly Disturbance[] = [
  {
    how: "formats",
    script: `find . \\( ${SOURCES.join(" -o ")} \\) -not -path './.*' -exec sh -c 'for f; do echo formatted >>"$f"; done' _ {} +`,
    at: "last",
    end: "passes",
  },
  {
    how: "generates",
    script: "mkdir -p gen && echo 1 >gen/made.ts && echo 2 >>yarn.lock",
    at: "last",
    end: "passes",
  },
  { how: "leaves files", script: LEAVES, at: "last", end: "passes" },
  {
    how: "fails",
    script: `s=$(git status --porcelain -uall); echo "$s"; test -z "$s"`,
    at: "first",
    end: "fails with the change",
  },
  {
    how: "failed before",
    script: `${LEAVES}; exit 4`,
    at: "first",
    end: "fails without it as well",
  },
  { how: "hangs", script: "touch left; sleep 600", at: "first", end: "fails without it as well" },
  {
    how: "forks",
    script: `setsid sh -c 'trap "" TERM HUP; while :; do touch left; sleep 1; done; : MARK' & exit 0`,
    at: "first",
    end: "passes",
  },
  {
    how: "is killed",
    script: "touch left; kill -9 $$",
    at: "first",
    end: "fails without it as well",
  },
];

/** A change as a report names it. */
export interface PathReport {
  readonly kind: string;
  readonly path: string;
}

/**
 * Each path is old or new at any moment: a file is changed by one move over it, made and taken away
 * in one step, and nothing is ever written into. Nothing else is touched.
 */
export function faultsOf(all: readonly Seen[], changes: readonly PathReport[]): readonly string[] {
  const kinds = new Map(changes.map(({ path, kind }) => [path, kind]));
  const parents = new Set(changes.flatMap(({ path }) => foldersAbove(path)));
  const allowed: Readonly<Record<string, readonly string[]>> = {
    update: ["movedTo", "attrib"],
    create: ["create", "movedTo", "movedFrom", "delete", "attrib"],
    delete: ["create", "movedTo", "movedFrom", "delete", "attrib"],
    mkdir: ["create", "delete", "attrib"],
    rmdir: ["create", "delete", "attrib"],
  };
  return all.flatMap((seen) => {
    const may = allowed[kinds.get(seen.path) ?? ""] ?? (parents.has(seen.path) ? ["attrib"] : []);
    return seen.what.every((word) => may.includes(word)) ? [] : [`a reader saw ${tell(seen)}`];
  });
}

function foldersAbove(path: string): readonly string[] {
  return path.split("/").map((_, depth, parts) => parts.slice(0, depth).join("/"));
}

/** What was seen, in a word or two. */
export function tell({ path, what }: Seen): string {
  return `${path || "."} ${what.join("+")}`;
}
