import { diffArrays } from "diff";

/** Past this many changed lines a merge is not worth the search. */
const MAX_EDITS = 1500;

/**
 * What `base` becomes when it is changed both as in `ours` and as in `theirs`, line by line with
 * their ends; undefined where the changes conflict, or could conflict because equal lines leave
 * open which of them was changed. A place changed alike on both sides is changed once.
 */
export function mergeTexts(base: string, ours: string, theirs: string): string | undefined {
  const lines = splitLines(base);
  const [mine, yours] = [findEdits(lines, ours), findEdits(lines, theirs)];
  if (!mine || !yours) return undefined;
  const merged: string[] = [];
  let at = 0;
  for (const group of groupMeeting([...mine, ...yours])) {
    const mineHere = render(lines, group, mine);
    const yoursHere = render(lines, group, yours);
    const changed = mineHere ?? yoursHere;
    if (changed === undefined || (yoursHere ?? changed) !== changed) return undefined;
    merged.push(lines.slice(at, group.from).join(""), changed);
    at = group.to;
  }
  return [...merged, ...lines.slice(at)].join("");
}

/** Lines `start` to `end` of the base, `end` left out, become `text`. */
interface Edit extends Reach {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The lines that an edit might as well have been made at. */
interface Reach {
  readonly from: number;
  readonly to: number;
}

function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function findEdits(base: readonly string[], side: string): readonly Edit[] | undefined {
  const parts = diffArrays([...base], [...splitLines(side)], { maxEditLength: MAX_EDITS });
  if (!parts) return undefined;
  const edits: Edit[] = [];
  let at = 0;
  let removed: readonly string[] = [];
  let added: readonly string[] = [];
  const close = () => {
    if (removed.length + added.length > 0) edits.push(toEdit(base, at, removed, added));
    at += removed.length;
    removed = added = [];
  };
  for (const { value, added: isAdded, removed: isRemoved } of parts) {
    if (isAdded) added = value;
    else if (isRemoved) removed = value;
    else {
      close();
      at += value.length;
    }
  }
  close();
  return edits;
}

function toEdit(
  base: readonly string[],
  start: number,
  removed: readonly string[],
  added: readonly string[],
): Edit {
  const end = start + removed.length;
  const edit = { start, end, text: added.join(""), from: start, to: end };
  if (removed.length > 0 && added.length > 0) return edit;
  // Lines that only came or only went may have done so anywhere in a run that repeats them, of which
  // the search names the last place; before the first line none is equal.
  const block = removed.length > 0 ? removed : added;
  for (let i = 0; base[edit.from - 1] === block.at(-1 - (i % block.length)); i++) edit.from--;
  return edit;
}

/** Ranges of the base, each with all edits that overlap or touch. */
function groupMeeting(edits: readonly Edit[]): readonly Reach[] {
  const groups: Reach[] = [];
  for (const { from, to } of edits.toSorted((a, b) => a.from - b.from)) {
    const last = groups.at(-1);
    if (!last || from > last.to) groups.push({ from, to });
    else groups[groups.length - 1] = { from: last.from, to: Math.max(last.to, to) };
  }
  return groups;
}

/** A range as one side has it, or undefined where that side changed nothing. */
function render(base: readonly string[], { from, to }: Reach, edits: readonly Edit[]) {
  const inside = edits.filter((edit) => edit.from >= from && edit.to <= to);
  if (inside.length === 0) return undefined;
  const parts: string[] = [];
  let at = from;
  for (const { start, end, text } of inside) {
    parts.push(base.slice(at, start).join(""), text);
    at = end;
  }
  return [...parts, ...base.slice(at, to)].join("");
}
