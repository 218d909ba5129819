/** A part of a text and its replacement. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Where a value is replaced or added, or why it cannot be. */
export type Splices =
  | { readonly ok: true; readonly splices: readonly Splice[] }
  | { readonly ok: false; readonly reason: string };

/** Makes all changes; none of them may overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  return splices
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (whole, { start, end, text: part }) => whole.slice(0, start) + part + whole.slice(end),
      text,
    );
}
