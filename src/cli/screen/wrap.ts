/** Narrower than this nothing is read any more, and what stands before a line counts as its words. */
const LEAST_WIDTH = 10;

/**
 * Text in lines of at most `width` columns of a terminal: cut between words, between ideographs, and
 * within a word that is wider than a line, never within a character as people see it. Each line is
 * wrapped below its own indent. Nothing but blanks at a cut is lost; our own looks go on over it.
 */
export function wrapText(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => {
      if (Bun.stringWidth(line) <= width) return line;
      const [indent = ""] = /^ */.exec(line) ?? [];
      return wrapLine(line.slice(indent.length), width, [indent, indent]);
    })
    .join("\n");
}

/** One line, with what is before its first row and before each that follows, equally wide. */
export function wrapLine(
  line: string,
  width: number,
  [first, rest]: readonly [first: string, rest: string],
): string {
  const room = width - Bun.stringWidth(first);
  if (room < LEAST_WIDTH && first !== "") return wrapLine(first + line, width, ["", ""]);
  if (Bun.stringWidth(line) <= room) return first + line;
  const rows = carryLooks(cutRows(line, Math.max(1, room)));
  return rows.map((row, index) => (index === 0 ? first : rest) + row).join("\n");
}

function cutRows(line: string, room: number): readonly string[] {
  const rows: string[] = [];
  let row = "";
  let width = 0;
  /** Where the row may be cut last: where it would end, and where the next would begin. */
  let cut: { end: number; next: number } | undefined;
  let before = "";
  for (const token of toTokens(line)) {
    const own = token.startsWith("\x1b") ? 0 : Bun.stringWidth(token);
    if (token === " ") {
      cut = { end: before === " " && cut ? cut.end : row.length, next: row.length + 1 };
    } else if (own > 0 && mayPart(before, token)) cut = { end: row.length, next: row.length };
    for (;;) {
      if (token === " " || own === 0 || width + own <= room || row === "") break;
      rows.push(row.slice(0, cut?.end));
      row = cut ? row.slice(cut.next) : "";
      width = Bun.stringWidth(row);
      cut = undefined;
    }
    row += token;
    width += own;
    if (!token.startsWith("\x1b")) before = token;
  }
  return [...rows, row.trimEnd()];
}

/** Looks, and characters as people see them. */
function toTokens(line: string): Iterable<string> {
  if (/^[ -~]*$/.test(line)) return line;
  const parts = line.split(LOOK);
  const segmenter = new Intl.Segmenter();
  return parts.flatMap((part, index) =>
    index % 2 === 1 ? [part] : Array.from(segmenter.segment(part), ({ segment }) => segment),
  );
}

const LOOK = new RegExp(String.raw`(\x1b\[\d+m)`, "u");

/** Whether a row may end between two characters without a blank: where one is an ideograph. */
function mayPart(before: string, after: string): boolean {
  if (before === "" || before === " ") return false; // a blank says so itself
  const isWide = IDEOGRAPH.test(before) || IDEOGRAPH.test(after);
  return isWide && !CLOSING.test(after) && !OPENING.test(before);
}

const IDEOGRAPH =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]/u;
const CLOSING = /^[\p{Pe}\p{Pf}、。，．！？：；,.!?:;…ー々]/u;
const OPENING = /^[\p{Ps}\p{Pi}]/u;

/** Each row ends what is open in it, and the next one opens it again. */
function carryLooks(rows: readonly string[]): readonly string[] {
  const open = new Map<string, string>();
  return rows.map((row) => {
    const before = [...open.values()].join("");
    for (const [look] of row.matchAll(new RegExp(LOOK, "gu"))) {
      const end = ENDS[look];
      if (end === undefined) open.delete(look);
      else open.set(end, look);
    }
    return before + row + [...open.keys()].join("");
  });
}

/** What ends a look. */
export const ENDS: Readonly<Record<string, string>> = {
  "\x1b[1m": "\x1b[22m",
  "\x1b[3m": "\x1b[23m",
  "\x1b[36m": "\x1b[39m",
};
