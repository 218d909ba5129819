import type { Hunk } from "./hunks/hunks.ts";
import type { SourceText } from "./lines/lines.ts";
import { type FinalEol, type LineEdit, spliceEdits } from "./lines/lines.ts";
import type { Misfit, Placement } from "./places/places.ts";
import { addedLines, insertedAt, removedLines } from "./places/places.ts";

/** The new text and what was done for each hunk, or the hunk that cannot be carried out. */
export type Splicing =
  | {
      readonly kind: "spliced";
      readonly text: string;
      readonly skipped: ReadonlyMap<Hunk, "there" | "twice">;
    }
  | { readonly kind: "misfits"; readonly misfits: readonly Misfit[] };

interface HunkEdit extends LineEdit {
  readonly hunk: Hunk;
}

/**
 * Carries out placed hunks. Kept lines stay as the source has them; of a hunk that is written
 * twice one counts; hunks whose changes overlap are refused, overlapping context is not.
 */
export function spliceHunks(text: SourceText, placements: readonly Placement[]): Splicing {
  const skipped = new Map<Hunk, "there" | "twice">();
  const isTwin = createTwins();
  const isRemoved = createRemovals(placements);
  const edits: HunkEdit[] = [];
  for (const placement of placements) {
    const { hunk, place, done } = placement;
    const there = done ? place.start : insertedAt(text.lines, hunk, place);
    // What another hunk takes away is not what this one added.
    if (there !== undefined && !addedLines(hunk, there).some(isRemoved)) skipped.set(hunk, "there");
    else if (done) return misfit(hunk, CLASH);
    else if (isTwin(placement)) skipped.set(hunk, "twice");
    else {
      const own = toEdits(placement);
      if (own === undefined) return misfit(hunk, INDENT);
      for (const edit of own) edits.push(edit);
    }
  }
  edits.sort((a, b) => a.at - b.at || a.remove - b.remove);
  const clash = edits.find((edit, i) => i > 0 && clashes(edits[i - 1], edit));
  if (clash !== undefined) return misfit(clash.hunk, CLASH);
  const last = edits.at(-1);
  return { kind: "spliced", text: spliceEdits(text, edits, last && finalEol(last.hunk)), skipped };
}

const INDENT =
  "its added lines are indented less than the lines it quotes; quote the file's own indentation";
const CLASH = "it changes the same lines as another hunk; make one hunk of the two";

/** Asks whether a line is removed by one of the hunks. */
function createRemovals(placements: readonly Placement[]): (line: number) => boolean {
  let removed: ReadonlySet<number> | undefined;
  return (line) => {
    removed ??= new Set(
      placements.flatMap(({ hunk, place, done }) => (done ? [] : removedLines(hunk, place.start))),
    );
    return removed.has(line);
  };
}

/** Says whether the same hunk was asked about before, at the same place. */
function createTwins(): (placement: Placement) => boolean {
  const groups = new Map<number, { readonly first: Hunk; texts?: Set<string> }>();
  return ({ hunk, place }) => {
    const group = groups.get(place.start);
    if (group === undefined) {
      groups.set(place.start, { first: hunk });
      return false;
    }
    group.texts ??= new Set([toText(group.first)]);
    const text = toText(hunk);
    return group.texts.has(text) || !group.texts.add(text);
  };
}

function toText({ lines }: Hunk): string {
  return lines.map(({ kind, text }) => `${kind} ${text}`).join("\n");
}

/** The runs of changed lines of a hunk; undefined where an added line cannot be re-indented. */
function toEdits({ hunk, place }: Placement): readonly HunkEdit[] | undefined {
  const edits: HunkEdit[] = [];
  let at = place.start;
  let run: { at: number; remove: number; add: string[]; hunk: Hunk } | undefined;
  for (const { kind, text } of hunk.lines) {
    if (kind === "keep") {
      at++;
      run = undefined;
      continue;
    }
    if (run === undefined) edits.push((run = { at, remove: 0, add: [], hunk }));
    if (kind === "remove") {
      run.remove++;
      at++;
    } else {
      const line = place.reindent(text);
      if (line === undefined) return undefined;
      run.add.push(line);
    }
  }
  return edits;
}

function clashes(a: HunkEdit | undefined, b: HunkEdit): boolean {
  if (a === undefined || a.hunk === b.hunk) return false;
  return b.at < a.at + a.remove || (a.at === b.at && b.remove === 0);
}

function finalEol(hunk: Hunk): FinalEol {
  if (hunk.newUnterminated) return "drop";
  return hunk.oldUnterminated ? "add" : "keep";
}

function misfit(hunk: Hunk, reason: string): Splicing {
  return { kind: "misfits", misfits: [{ hunk, code: "ERR_PATCH_APPLY_FAILED", reason }] };
}
