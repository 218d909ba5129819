import type { Grammar } from "@shikijs/primitive";

/** The colours of a text, line by line: `kinds` of pieces, and where in the line each ends. */
export interface LineColors {
  /** With which piece each line begins; one more for the end. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly kinds: Uint8Array;
}

type Tokenized = ReturnType<Grammar["tokenizeLine2"]>;

/** A hostile line may take a grammar longer than anybody waits; then it has no colours. */
const MOST_LINE_MS = 500;
/** A shorter line that took so long met expressions that were used for the first time. */
const SHORT_LINE = 1000;
/** The lines of a text behind this are plain. */
const MOST_TEXT_MS = 5000;

/** Colours a text from its first line, for so long; `kindOf` reads a grammar's answer. */
export function paintLines(
  text: string,
  grammar: Grammar,
  kindOf: (metadata: number) => number,
  now: () => number,
): LineColors {
  const lines = text.split("\n");
  const starts = new Uint32Array(lines.length + 1);
  const [ends, kinds]: [number[], number[]] = [[], []];
  const end = now() + MOST_TEXT_MS;
  let state: Tokenized["ruleStack"] | null = null;
  for (const [at, line] of lines.entries()) {
    starts[at] = ends.length;
    if (now() > end) continue;
    // A carriage return is the end of a line, as grammars see it.
    const shown = line.endsWith("\r") ? line.slice(0, -1) : line;
    const first: Tokenized = grammar.tokenizeLine2(shown, state, MOST_LINE_MS);
    const isAgain = first.stoppedEarly && shown.length < SHORT_LINE;
    const done: Tokenized = isAgain ? grammar.tokenizeLine2(shown, state, 0) : first;
    state = done.ruleStack;
    const { tokens } = done;
    for (let token = 0; token < tokens.length; token += 2) {
      const kind = kindOf(tokens[token + 1] ?? 0);
      const to = tokens[token + 2] ?? shown.length;
      const isSame = ends.length > (starts[at] ?? 0) && kinds.at(-1) === kind;
      if (isSame) ends[ends.length - 1] = to;
      else {
        ends.push(to);
        kinds.push(kind);
      }
    }
  }
  starts[lines.length] = ends.length;
  return { starts, ends: Uint32Array.from(ends), kinds: Uint8Array.from(kinds) };
}
