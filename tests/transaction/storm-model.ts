import type { Change } from "../../src/transaction/change.ts";

/** A tree as `readTree` gives it. */
export type Tree = Readonly<Record<string, string>>;

/** What makes life hard for a process. */
export type Trouble = "none" | "few descriptors" | "small files" | "full disk" | "read-only folder";

/** What one process of the storm is to do. */
export interface Life {
  readonly root: string;
  /** A folder beside it, for second names and snapshots. */
  readonly out: string;
  readonly seed: number;
  readonly ops: number;
  /** The step at which it kills itself; 0: somebody else does. */
  readonly dieAt: number;
  readonly trouble: Trouble;
}

/** A line that a life prints. */
export type Said =
  | { readonly line: "ready" }
  | { readonly line: "begin"; readonly kind: Kind; readonly target: Tree | null }
  | ({ readonly line: "recovered" } & ReportedState)
  | ({ readonly line: "end"; readonly kind: Kind } & ReportedState)
  | { readonly line: "threw"; readonly text: string };

/** An operation of a life. */
export type Kind = "apply" | "fail" | "undo" | "redo";

/** What was said of the files, and what they are. */
export interface ReportedState {
  readonly status: string;
  /** The paths that are named as not being as they were. */
  readonly names: readonly string[];
  readonly text: string;
  readonly tree: Tree;
  readonly committed: number;
}

/** What a tree is when all changes are made, worked out without the code that makes them. */
export function expectedTree(before: Tree, changes: readonly Change[]): Tree {
  const tree = { ...before };
  for (const change of changes) {
    const { path } = change;
    if (change.kind === "mkdir") tree[`${path}/`] = `dir ${change.mode.toString(8)}`;
    else if (change.kind === "rmdir") delete tree[`${path}/`];
    else if (change.kind === "delete") delete tree[path];
    else tree[path] = `file ${change.after.mode.toString(8)} ${change.after.sha256}`;
  }
  return tree;
}

interface Step {
  readonly before: Tree;
  readonly after: Tree;
}

/** What one workspace must be, from what was said of it; every difference is a fault. */
export interface Model {
  /** Takes in one line of a life, in order; behind a tree that is not what it must be, none. */
  receive(said: Said): void;
  readonly inconsistent: readonly string[];
  readonly falseWords: readonly string[];
}

const PROMISE = /every file is as before|every file of the change is as it was/;

/** Begins with a tree in which nothing ever happened. */
export function createModel(first: Tree): Model {
  const inconsistent: string[] = [];
  const falseWords: string[] = [];
  const undo: Step[] = [];
  const redo: Step[] = [];
  let tree = first;
  let committed = 0;
  /** What began and did not end. */
  let open: { readonly kind: Kind; readonly target: Tree | null } | undefined;

  /** The tree after what began, if it was committed. */
  const targetOf = (begun: { readonly kind: Kind; readonly target: Tree | null }): Tree | null => {
    if (begun.kind === "undo") return undo.at(-1)?.before ?? null;
    if (begun.kind === "redo") return redo.at(-1)?.after ?? null;
    return begun.target;
  };

  const commit = (begun: { readonly kind: Kind; readonly target: Tree | null }): void => {
    const target = targetOf(begun);
    if (!target) return void falseWords.push(`${begun.kind} was committed and must not be`);
    committed += 1;
    if (begun.kind === "apply") {
      undo.push({ before: tree, after: target });
      redo.length = 0;
    } else {
      const [from, to] = begun.kind === "undo" ? [undo, redo] : [redo, undo];
      const step = from.pop();
      if (step) to.push(step);
    }
    tree = target;
  };

  /** Whoever says that all is as before, or names what is not, must be right. */
  const checkWords = (what: string, { status, names, text, tree: now }: ReportedState): void => {
    const wrong = differences(tree, now);
    const isPromised =
      PROMISE.test(text) || status === "rolled_back" || /nothing was changed/.test(text);
    if (isPromised && wrong.length > 0) {
      falseWords.push(`${what}: "${status}: ${text}" but ${wrong.join(", ")}`);
    }
    const isNamed = (path: string) =>
      names.some((name) => path === name || path === `${name}/` || path.startsWith(`${name}/`));
    if ((status === "incomplete" || status === "conflict") && !wrong.every(isNamed)) {
      falseWords.push(
        `${what}: "${status}: ${text}" names ${names.join(", ")}, not ${wrong.join(", ")}`,
      );
    }
    if (status === "incomplete" && !text.includes("papayu recover -w")) {
      falseWords.push(`${what}: "${text}" says no command that goes on`);
    }
  };

  return {
    inconsistent,
    falseWords,
    receive(said) {
      // What comes after a fault is held against a tree that is not there any more.
      if (inconsistent.length > 0) return;
      switch (said.line) {
        case "ready":
        case "threw":
          return;
        case "begin":
          open = said;
          return;
        case "recovered":
          if (open && said.committed === committed + 1) commit(open);
          checkWords("recover", said);
          if (said.status === "incomplete") return;
          if (said.committed !== committed)
            inconsistent.push(`recover: ${said.committed} are committed, not ${committed}`);
          if (!isSame(tree, said.tree))
            inconsistent.push(`recover after ${open?.kind}: ${tellDifferences(tree, said.tree)}`);
          open = undefined;
          return;
        case "end": {
          const begun = open ?? { kind: said.kind, target: null };
          if (["committed", "undone", "redone"].includes(said.status)) commit(begun);
          checkWords(said.kind, said);
          if (said.status === "incomplete") return;
          if (said.committed !== committed)
            inconsistent.push(`${said.kind}: ${said.committed} are committed, not ${committed}`);
          if (!isSame(tree, said.tree))
            inconsistent.push(`${said.kind} ${said.status}: ${tellDifferences(tree, said.tree)}`);
          open = undefined;
          return;
        }
        default:
          said satisfies never;
      }
    },
  };
}

function isSame(a: Tree, b: Tree): boolean {
  return differences(a, b).length === 0;
}

function differences(a: Tree, b: Tree): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((path) => a[path] !== b[path]);
}

function tellDifferences(a: Tree, b: Tree): string {
  const tell = (path: string) => `${path} (${a[path] ?? "nothing"} -> ${b[path] ?? "nothing"})`;
  return differences(a, b).map(tell).join(", ");
}
