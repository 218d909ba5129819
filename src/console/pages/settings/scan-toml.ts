/** A header or the beginning of a pair in a text of settings, and how far it goes. */
export interface Statement {
  readonly kind: "table" | "list" | "pair";
  /** Without quotes. */
  readonly path: readonly string[];
  readonly from: number;
  /** Behind its last sign, which may be lines below. */
  readonly to: number;
}

const HEADER = /\[\[?([^[\]\n#]+)\]/uy;
const KEY =
  /((?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*)[ \t]*=/uy;
/** What a value may hold that has signs of its own in it: comments, and texts, those of several lines first. */
const WHOLE =
  /#[^\n]*|"""(?:\\[^]|(?!""")[^])*(?:"""|$)|'''(?:(?!''')[^])*(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?/uy;

/**
 * Reads a text as far as somebody has typed it: what is no TOML yet is passed over, line by line. Its
 * time grows with the text alone.
 */
export function scanToml(text: string): readonly Statement[] {
  const found: Statement[] = [];
  for (let at = 0; at < text.length; ) {
    const from = at + (/^[ \t]*/u.exec(lineAt(text, at))?.[0].length ?? 0);
    const header = matchAt(HEADER, text, from);
    const key = header ? undefined : matchAt(KEY, text, from);
    const to = key ? endOfValue(text, from + key[0].length) : endOfLine(text, from);
    if (header?.[1] !== undefined) {
      const kind = header[0].startsWith("[[") ? "list" : "table";
      found.push({ kind, path: toPath(header[1]), from, to });
    } else if (key?.[1] !== undefined) {
      found.push({ kind: "pair", path: toPath(key[1]), from, to });
    }
    at = to + 1;
  }
  return found;
}

/** Where a value ends: with its line, or with that of its last bracket or the end of its text. */
function endOfValue(text: string, begin: number): number {
  let depth = 0;
  let at = begin;
  while (at < text.length) {
    const whole = matchAt(WHOLE, text, at);
    const sign = text[at];
    if (whole) at += whole[0].length;
    else {
      if (sign === "\n" && depth <= 0) return at;
      if (sign === "[" || sign === "{") depth += 1;
      if (sign === "]" || sign === "}") depth -= 1;
      at += 1;
    }
  }
  return text.length;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function lineAt(text: string, from: number): string {
  return text.slice(from, endOfLine(text, from));
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function toPath(text: string): readonly string[] {
  return text.split(".").map((step) => step.trim().replaceAll(/^["']|["']$/gu, ""));
}
