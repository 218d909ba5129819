import type { Edit } from "./edit.ts";
import {
  anchorAmbiguous,
  anchorMissing,
  beforeAmbiguous,
  beforeMissing,
  type EditFault,
  occurrenceOutside,
} from "./edit-fault.ts";
import { findAnchor } from "./find-anchor.ts";
import { type Found, findBefore, type Search } from "./find-before.ts";
import { createFinder } from "./find-places.ts";
import { findRetab } from "./find-retab.ts";
import {
  type FlatText,
  findSpans,
  flattenSource,
  lineAt,
  replaceSpan,
  type Span,
  toFlat,
} from "./flat-text.ts";
import type { AppliedHunk, PatchRefusal, PatchResult } from "./patch-result.ts";
import { spliceHunks } from "./splice-hunks.ts";

/** Settings of {@link applyEdits}. */
export interface EditOptions {
  /** The file that is edited; stands in messages. */
  readonly path?: string;
}

/** A text and what looks lines up in it, for as long as no edit changes it. */
type View = Pick<Search, "text" | "finder">;

type Step =
  | { readonly kind: "made"; readonly text: string; readonly hunk: AppliedHunk }
  | EditFault;

const THERE = "already there, nothing to do";
const TWICE = "written twice, applied once";

/**
 * Makes anchored replacements one after the other, each in the text that the earlier ones left:
 * all of them where they were meant, or none. The rules stand in `docs/patch-rules.md`.
 *
 * Pure; each edit takes time in proportion to the source. The line of an applied edit is one of
 * the text that this edit met. A refusal has no text.
 */
export function applyEdits(
  source: string,
  edits: readonly Edit[],
  options: EditOptions = {},
): PatchResult {
  const hunks: AppliedHunk[] = [];
  const made = new Map<string, AppliedHunk>();
  let view = viewOf(source);
  const retabbed = retab(view, edits);
  for (const [i, edit] of (retabbed ?? edits).entries()) {
    const key = JSON.stringify([edit.anchor, edit.before, edit.after, edit.occurrence]);
    const twin = made.get(key);
    // An insertion leaves its old text standing: the same edit would be made a second time.
    if (twin !== undefined && edit.after.includes(edit.before)) {
      hunks.push({ ...twin, note: TWICE });
      continue;
    }
    const step = applyEdit(view, edit, i + 1);
    if (step.kind === "fault") return refuse(step, i + 1, options.path);
    if (step.text !== view.text.origin.source) {
      view = viewOf(step.text);
      // What was made before stands no longer for certain.
      made.clear();
    }
    const hunk = retabbed === undefined ? step.hunk : noteTabs(step.hunk);
    made.set(key, hunk);
    hunks.push(hunk);
  }
  return { ok: true, text: view.text.origin.source, hunks };
}

function viewOf(source: string): View {
  const text = flattenSource(source);
  return { text, finder: createFinder(text.origin.lines) };
}

/** The edits with the file's kind of indentation, if together they have the other one. */
function retab({ text, finder }: View, edits: readonly Edit[]): readonly Edit[] | undefined {
  if (edits.length < 2) return undefined;
  const { origin, flat } = text;
  const isQuoted = ({ before }: Edit) => findSpans(text, toFlat(before), 0, flat.length).length > 0;
  if (edits.every(isQuoted)) return undefined;
  const quoted = edits.flatMap(({ before }) => toFlat(before).split("\n"));
  const convert = findRetab(quoted, origin.lines, finder);
  if (convert === undefined) return undefined;
  const change = (part: string) => part.replace(/^.*$/gm, (line) => convert(line) ?? line);
  return edits.map((edit) => ({
    ...edit,
    anchor: change(edit.anchor),
    before: change(edit.before),
    after: change(edit.after),
  }));
}

function noteTabs(hunk: AppliedHunk): AppliedHunk {
  const note = [hunk.note, "tabs and blanks differ"].filter(Boolean).join(", ");
  return { ...hunk, matched: "tolerant", note };
}

function applyEdit({ text, finder }: View, edit: Edit, number: number): Step {
  const anchor = chooseAnchor(text, edit);
  if (anchor.kind === "fault") return anchor;
  const [before, after] = [toFlat(edit.before), toFlat(edit.after)];
  const search = { text, finder, number, before, after, anchor: anchor.span };
  if (anchor.span !== undefined) return carryOut(search, findBefore(search));
  // An anchor that is nowhere may still be a misquoted part of what is looked for.
  const isPart = (edit.occurrence ?? 1) === 1 && before.includes(toFlat(edit.anchor));
  const found = isPart ? findBefore(search) : undefined;
  return found === undefined || found.kind === "nowhere"
    ? anchorMissing(search, edit)
    : carryOut(search, found);
}

/** The anchor that is meant, if it stands anywhere. */
function chooseAnchor(
  text: FlatText,
  { anchor, occurrence }: Edit,
): EditFault | { readonly kind: "anchor"; readonly span: Span | undefined } {
  const spans = findAnchor(text, toFlat(anchor));
  const lines = spans.map(({ start }) => lineAt(text, start));
  if (occurrence === undefined && spans.length > 1) return anchorAmbiguous(text, lines);
  const span = spans[(occurrence ?? 1) - 1];
  const isOutside = span === undefined && spans.length > 0;
  return isOutside ? occurrenceOutside(text, occurrence ?? 1, lines) : { kind: "anchor", span };
}

function carryOut(search: Search, found: Found): Step {
  const { text, after } = search;
  switch (found.kind) {
    case "span": {
      const { span, note } = found;
      const line = lineAt(text, span.start) + 1;
      const hunk: AppliedHunk = note
        ? { line, matched: "tolerant", note }
        : { line, matched: "exact" };
      return { kind: "made", text: replaceSpan(text, span, after), hunk };
    }
    case "lines":
      return replaceLines(search, found);
    case "there": {
      const hunk = { line: found.line + 1, matched: "exact", note: THERE } as const;
      return { kind: "made", text: text.origin.source, hunk };
    }
    case "several":
      return beforeAmbiguous(text, found.lines);
    case "nowhere":
      return beforeMissing(search);
    default:
      return found satisfies never;
  }
}

function replaceLines(search: Search, found: Extract<Found, { kind: "lines" }>): Step {
  const { placements } = found;
  const splicing = spliceHunks(search.text.origin, placements);
  if (splicing.kind === "misfits") {
    const reason = splicing.misfits.map((misfit) => misfit.reason).join("; ");
    return { ...beforeMissing(search), reason };
  }
  const isDone = placements.every(({ hunk }) => splicing.skipped.has(hunk));
  const line = (placements[0]?.place.start ?? 0) + 1;
  const hunk = { line, matched: "tolerant", note: isDone ? THERE : found.note } as const;
  return { kind: "made", text: splicing.text, hunk };
}

function refuse({ code, reason, hint }: EditFault, number: number, path?: string): PatchRefusal {
  const target = path === undefined ? "" : ` to "${path}"`;
  const message = `Cannot apply edit ${number}${target}: ${reason}`;
  return { ok: false, code, message, ...(hint !== undefined && { hint }) };
}
