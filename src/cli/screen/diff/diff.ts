import { type DiffPainter, isFileHead, paintDiff } from "../../../channels/paint-diff.ts";
import { toPrintableText } from "../../../core/visible-text.ts";
import { type Inside, type Piece, readLine } from "./code-pieces.ts";
import { languageOf } from "./language-of.ts";
import type { Language } from "./languages.ts";
import { type Looks, looksFor, type Sign } from "./looks.ts";

const [BOLD, CYAN, END] = ["\x1b[1m", "\x1b[36m", "\x1b[0m"];

/** Longer lines are what programs wrote; they have the colour of their sign alone. */
const MOST_CHARS = 2000;

/**
 * A unified diff for a terminal with colours: what was removed and added as `paintDiff` has it, and
 * in it comments, strings, words of the language and numbers of whatever the file is. Each line is
 * left as it is, but for what could command a terminal, and ends every look that it began.
 *
 * That is read by a table of languages and a loop of our own (`code-pieces.ts`), not by the grammars
 * of the web console: those take 110 ms to load and a second or more for their first few hundred
 * lines, a grammar weighs up to 190 kB, and a line can be made on which one of them stands still.
 */
export function renderDiff(diff: string, env: Readonly<Record<string, string | undefined>>) {
  return paintDiff(toPrintableText(diff), createPainter(looksFor(env)));
}

/** What was read of one side of a hunk. */
type Sides = Record<"before" | "after", Inside>;

function createPainter(looks: Looks): DiffPainter {
  const languages: Record<"before" | "after", Language | undefined> = {
    before: undefined,
    after: undefined,
  };
  let inside: Sides = { before: undefined, after: undefined };

  function read(line: string, side: "before" | "after"): readonly Piece[] {
    const language = languages[side];
    if (!language || line.length > MOST_CHARS) return [];
    const found = readLine(line, language, inside[side]);
    inside[side] = found.inside;
    return found.pieces;
  }

  return {
    head(line) {
      inside = { before: undefined, after: undefined };
      const [, sign, name] = /^(---|\+\+\+) (.*)$/u.exec(line) ?? [];
      if (name !== undefined) languages[sign === "---" ? "before" : "after"] = languageIn(name);
      if (isFileHead(line)) return BOLD + line + END;
      return line.startsWith("@@") ? CYAN + line + END : line;
    },
    line(line, turned) {
      const sign = signOf(line);
      if (sign === undefined) return line;
      const text = line.slice(1);
      // What both files have is read on both sides, and is shown as the new one has it.
      const pieces = sign === "+" ? [] : read(text, "before");
      const shown = sign === "-" ? pieces : read(text, "after");
      return paintLine(line, shown, turned, { looks, sign });
    },
  };
}

/** A file that is made or goes is `/dev/null` on its other side, which is asked for nothing. */
function languageIn(head: string): Language | undefined {
  const [name = ""] = head.split("\t", 1);
  return languageOf(name.replace(/"$/, ""));
}

function signOf(line: string): Sign | undefined {
  const sign = line.charAt(0);
  if (sign === "-" || sign === "+" || sign === " ") return sign;
  return undefined; // of the line before it, or of none
}

function paintLine(
  line: string,
  pieces: readonly Piece[],
  turned: readonly [from: number, to: number] | undefined,
  { looks, sign }: { readonly looks: Looks; readonly sign: Sign },
): string {
  const [from, to] = turned ?? [line.length, line.length];
  // The end of a line of another kind is one, unless it is what differs: then it is spelled out.
  const end =
    line.endsWith("\r") && to === line.length && from === to ? line.length - 1 : line.length;
  let painted = "";
  let now = "";
  /** In one look, up to where it goes. */
  const put = (start: number, stop: number, look: string) => {
    if (Math.min(stop, end) <= start) return;
    if (look !== now) painted += (now === "" ? "" : END) + look;
    now = look;
    painted += line.slice(start, Math.min(stop, end));
  };
  const base = looks.line[sign];
  put(0, 1, base);
  let at = 1;
  for (const piece of [...pieces, { end: line.length - 1, kind: undefined }]) {
    const look = (piece.kind && looks.kinds[sign][piece.kind]) ?? base;
    const next = piece.end + 1;
    put(at, Math.min(next, from), look);
    put(Math.max(at, from), Math.min(next, to), looks.turned[sign]);
    put(Math.max(at, to), next, look);
    at = Math.max(at, next);
  }
  return painted + (now === "" ? "" : END) + line.slice(end);
}
