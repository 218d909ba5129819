import type { Omission } from "./left-out.ts";

/** Written pieces that may still be left out; what is flushed goes on to its reader. */
export interface TextBuffer {
  readonly push: (piece: string) => void;
  /** How many pieces were pushed so far. */
  readonly position: () => number;
  /** Whether the last piece ends a line. */
  readonly endsLine: () => boolean;
  /** How much text is not flushed yet. */
  readonly pendingLength: () => number;
  /**
   * Marks what was written since a position, to another or to the end, as nothing to read. What is
   * inside another such stretch is a part of that; otherwise they are apart.
   */
  readonly leaveOut: (from: number, gap: Gap) => void;
  /** Forgets every such mark of these kinds that is not flushed yet. */
  readonly takeBack: (kinds: readonly Omission["kind"][]) => void;
  /** Passes on what is before a position, without what was left out. */
  readonly flush: (until: number) => void;
}

/** A stretch that is left out. */
export interface Gap {
  readonly omission: Omission;
  /** Where it ends; at the end of what was written when absent. */
  readonly to?: number;
  /** What there is to say of it, where that is more than its text. */
  readonly text?: string;
}

/** Where flushed text goes. */
export interface TextReader {
  readonly write: (text: string) => void;
  readonly leaveOut: (omission: Omission, text: string) => void;
}

/** A {@link TextBuffer} that nothing was written to. */
export function createTextBuffer({ write, leaveOut }: TextReader): TextBuffer {
  let pieces: string[] = [];
  let flushed = 0;
  let pendingLength = 0;
  let last = "";
  let isFirst = true;
  /** By where they begin. */
  const gaps = new Map<number, Gap & { readonly to: number }>();

  const handOn = (text: string) => {
    // The first piece knows nothing of what was left out before it and brings its empty line.
    const trimmed = isFirst ? text.trimStart() : text;
    if (trimmed === "") return;
    isFirst = false;
    write(trimmed);
  };

  const join = (from: number, to: number) => pieces.slice(from - flushed, to - flushed).join("");

  return {
    push(piece) {
      pieces.push(piece);
      pendingLength += piece.length;
      last = piece;
    },
    position: () => flushed + pieces.length,
    endsLine: () => last.endsWith("\n"),
    pendingLength: () => pendingLength,
    leaveOut(from, gap) {
      if (from >= flushed) gaps.set(from, { to: flushed + pieces.length, ...gap });
    },
    takeBack(kinds) {
      for (const [from, { omission }] of gaps) if (kinds.includes(omission.kind)) gaps.delete(from);
    },
    flush(until) {
      if (until <= flushed) return;
      const kept: string[] = [];
      let at = flushed;
      for (let next = flushed; gaps.size > 0 && next < until; next += 1) {
        const gap = gaps.get(next);
        if (gap === undefined) continue;
        kept.push(join(at, next));
        leaveOut(gap.omission, gap.text ?? join(next, gap.to));
        for (; next < gap.to; next += 1) gaps.delete(next);
        at = next;
        next -= 1;
      }
      kept.push(join(at, until));
      pieces = pieces.slice(until - flushed);
      flushed = until;
      pendingLength = pieces.reduce((sum, piece) => sum + piece.length, 0);
      handOn(kept.join(""));
    },
  };
}
