/** Written pieces that may still be left out; what is flushed goes on to the reader. */
export interface TextBuffer {
  readonly push: (piece: string) => void;
  /** How many pieces were pushed so far. */
  readonly position: () => number;
  /** Whether the last piece ends a line. */
  readonly endsLine: () => boolean;
  /** How much text is not flushed yet. */
  readonly pendingLength: () => number;
  /** Marks what was written since a position as nothing to read. */
  readonly leaveOut: (from: number) => void;
  /** Forgets every such mark that is not flushed yet. */
  readonly takeBackAll: () => void;
  /** Passes on what is before a position, without what was left out. */
  readonly flush: (until: number) => void;
}

/** A {@link TextBuffer} whose flushed text goes to `write`. */
export function createTextBuffer(write: (text: string) => void): TextBuffer {
  let pieces: string[] = [];
  let flushed = 0;
  let pendingLength = 0;
  let last = "";
  let isFirst = true;
  /** Where parts that are left out begin and end, in order and apart from each other. */
  let gaps: { readonly from: number; readonly to: number }[] = [];

  const handOn = (text: string) => {
    // The first piece knows nothing of what was left out before it and brings its empty line.
    const trimmed = isFirst ? text.trimStart() : text;
    if (trimmed === "") return;
    isFirst = false;
    write(trimmed);
  };

  return {
    push(piece) {
      pieces.push(piece);
      pendingLength += piece.length;
      last = piece;
    },
    position: () => flushed + pieces.length,
    endsLine: () => last.endsWith("\n"),
    pendingLength: () => pendingLength,
    leaveOut(from) {
      while ((gaps.at(-1)?.from ?? -1) >= from) gaps.pop();
      gaps.push({ from, to: flushed + pieces.length });
    },
    takeBackAll() {
      gaps = [];
    },
    flush(until) {
      if (until <= flushed) return;
      const join = (from: number, to: number) =>
        pieces.slice(from - flushed, to - flushed).join("");
      let text = "";
      let at = flushed;
      for (const { from, to } of gaps) {
        if (from >= until) break;
        text += join(at, from);
        at = to;
      }
      text += join(at, until);
      gaps = gaps.filter(({ from }) => from >= until);
      pieces = pieces.slice(until - flushed);
      flushed = until;
      pendingLength = pieces.reduce((sum, piece) => sum + piece.length, 0);
      handOn(text);
    },
  };
}
