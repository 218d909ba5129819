import type { HunkLine } from "../hunks/hunks.ts";
import { bagOf, endsInCommon, foldLine, likeness, signsOf, wordsOf } from "../lines/lines.ts";

/** What a change does to the words, or the signs, of its lines. */
export interface TokenChange {
  readonly brought: ReadonlySet<string>;
  readonly lost: ReadonlySet<string>;
}

/** A removed line and its new form. */
export interface Renewal {
  readonly old: string;
  readonly renewed: string;
}

/** What a change, or all changes of a patch together, are about. Each is made at the first question. */
export interface Goal {
  /** Words that there are more of afterwards, and words that there are fewer of. */
  words(): TokenChange;
  /** Lines that are changed into others like them. */
  renewals(): readonly Renewal[];
  /** Whether a line is among the added ones, up to layout. */
  adds(line: string): boolean;
}

/** So much of the words, or of both ends, and a line is the new form of another. */
const ALIKE = 0.6;
/** A line and its new form are no further apart. */
const MOST_APART = 40;

/** The goal of changes; each of `changes` is the lines of a hunk. */
export function goalOf(changes: () => readonly (readonly HunkLine[])[]): Goal {
  const all = lazy(changes);
  const words = lazy(() => joinChanges(all().map(changeOfWords)));
  const renewals = lazy(() => all().flatMap(renewalsOf));
  const added = lazy(() => new Set(all().flatMap((lines) => textsOf(lines, "add").map(foldLine))));
  return { words, renewals, adds: (line) => added().has(foldLine(line)) };
}

/** Which tokens there are more of in `after` than in `before`, and which fewer. */
export function compareTokens(before: readonly string[], after: readonly string[]): TokenChange {
  const [old, renewed] = [bagOf(before), bagOf(after)];
  const more = (mine: ReadonlyMap<string, number>, than: ReadonlyMap<string, number>) =>
    new Set([...mine].flatMap(([token, count]) => (count > (than.get(token) ?? 0) ? [token] : [])));
  return { brought: more(renewed, old), lost: more(old, renewed) };
}

/** What becomes of the signs of a line. */
export function compareSigns(old: string, renewed: string): TokenChange {
  return compareTokens(signsOf(old), signsOf(renewed));
}

function changeOfWords(lines: readonly HunkLine[]): TokenChange {
  return compareTokens(wordsOf(...textsOf(lines, "remove")), wordsOf(...textsOf(lines, "add")));
}

function joinChanges(changes: readonly TokenChange[]): TokenChange {
  return {
    brought: new Set(changes.flatMap(({ brought }) => [...brought])),
    lost: new Set(changes.flatMap(({ lost }) => [...lost])),
  };
}

/** Each removed line with the added line next to it that is most like it. */
function renewalsOf(lines: readonly HunkLine[]): readonly Renewal[] {
  return lines.flatMap(({ kind, text }, at) => {
    if (kind !== "remove") return [];
    const added = textsOf(lines.slice(at, at + MOST_APART), "add");
    const alike = added.filter(
      (line) => likeness(line, text) >= ALIKE || endsInCommon(line, text) >= ALIKE,
    );
    const renewed = alike.toSorted((a, b) => likeness(b, text) - likeness(a, text))[0];
    return renewed === undefined ? [] : [{ old: text, renewed }];
  });
}

function textsOf(lines: readonly HunkLine[], kind: HunkLine["kind"]): readonly string[] {
  return lines.filter((line) => line.kind === kind).map(({ text }) => text);
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
