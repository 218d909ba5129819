import { type Indents, indentOf, type Reindent } from "./indents.ts";

/** Steps of indentation in the patch and in the file. */
const SCALES: readonly (readonly [mine: number, theirs: number])[] = [
  [2, 4],
  [4, 2],
  [4, 8],
  [8, 4],
  [2, 8],
  [8, 2],
];
const TAB_WIDTHS = [4, 8, 2];

/**
 * Indentation in blanks by steps of another width, as lines of more than one depth show. A line that
 * fits two widths in two ways has no indentation.
 */
export function findScale(pairs: readonly Indents[]): Reindent | undefined {
  const isBlank = ({ mine, theirs }: Indents) => /^ *$/.test(mine + theirs);
  const shifts = new Set(pairs.map(({ mine, theirs }) => theirs.length - mine.length));
  // All lines moved by the same are moved.
  if (shifts.size < 2 || !pairs.every(isBlank)) return undefined;
  const fitting = SCALES.filter((scale) =>
    pairs.every(({ mine, theirs }) => rescale(mine.length, scale) === theirs.length),
  );
  if (fitting.length === 0) return undefined;
  return (line) => {
    const indent = indentOf(line);
    const [width, ...others] = new Set(fitting.map((scale) => rescale(indent.length, scale)));
    if (width === undefined || others.length > 0 || !/^ *$/.test(indent)) return undefined;
    return " ".repeat(width) + line.slice(indent.length);
  };
}

/** What is beyond a whole step, as the blank before the stars of a comment, stays. */
function rescale(width: number, [mine, theirs]: readonly [number, number]): number {
  return Math.floor(width / mine) * theirs + (width % mine);
}

/** Tabs and blanks mixed otherwise, where all lines begin in the same columns as in the file. */
export function findColumns(pairs: readonly Indents[]): Reindent | undefined {
  const width = TAB_WIDTHS.find((tab) =>
    pairs.every(({ mine, theirs }) => columnOf(mine, tab) === columnOf(theirs, tab)),
  );
  if (width === undefined) return undefined;
  const all = pairs.map(({ theirs }) => theirs).join("");
  return (line) => {
    const indent = indentOf(line);
    const column = columnOf(indent, width);
    const [known, ...others] = new Set(
      pairs.flatMap(({ theirs }) => (columnOf(theirs, width) === column ? [theirs] : [])),
    );
    if (others.length > 0) return undefined;
    const own = known ?? spell(column, width, all);
    return own === undefined ? undefined : own + line.slice(indent.length);
  };
}

/** An indentation in the one kind of blank that the file's lines have. */
function spell(column: number, width: number, all: string): string | undefined {
  if (!all.includes("\t")) return " ".repeat(column);
  return all.includes(" ") || column % width > 0 ? undefined : "\t".repeat(column / width);
}

function columnOf(indent: string, tab: number): number {
  let column = 0;
  for (const blank of indent) column += blank === "\t" ? tab - (column % tab) : 1;
  return column;
}
