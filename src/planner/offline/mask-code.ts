/**
 * JavaScript or TypeScript with comments, strings, template text and regular expressions
 * blanked out, so that what is left is code. Same length, same line breaks: an offset in the
 * mask is an offset in the source.
 *
 * A scanner, not a parser: where it cannot be sure (a quote in JSX text) it blanks too much.
 */
export function maskCode(source: string): string {
  const chunks: string[] = [];
  /** Open braces, innermost last; true for the `${` of a template. */
  const braces: boolean[] = [];
  let codeEnd = 0;
  for (let at = 0; at < source.length; ) {
    const token = nextToken(source, at, source.slice(Math.max(0, codeEnd - 12), codeEnd), braces);
    const text = source.slice(at, token.end);
    chunks.push(token.kind === "code" ? text : text.replace(/[^\r\n]/g, " "));
    if (token.kind !== "comment" && text.trim() !== "") codeEnd = at + text.trimEnd().length;
    at = token.end;
  }
  return chunks.join("");
}

interface Token {
  readonly kind: "code" | "comment" | "text";
  readonly end: number;
}

/** Cuts one token and keeps `braces`; `before` is the code just before it. */
function nextToken(source: string, at: number, before: string, braces: boolean[]): Token {
  switch (source.charAt(at)) {
    case '"':
    case "'":
      return { kind: "text", end: endOf(/(["'])(?:\\[\s\S]?|(?!\1)[^\\\r\n])*\1?/y, source, at) };
    case "`":
      return templateText(source, at, braces);
    case "/":
      return slash(source, at, before);
    case "{":
      braces.push(false);
      return { kind: "code", end: at + 1 };
    case "}":
      return braces.pop() ? templateText(source, at, braces) : { kind: "code", end: at + 1 };
    default:
      return { kind: "code", end: endOf(/[^"'`/{}]+/y, source, at) };
  }
}

/** From "`" or the "}" of a substitution through the next "${" or the closing "`". */
function templateText(source: string, at: number, braces: boolean[]): Token {
  const end = endOf(/[`}](?:\\[\s\S]?|\$(?!\{)|[^\\`$])*(?:`|\$\{)?/y, source, at);
  if (source.startsWith("${", end - 2) && end - at > 2) braces.push(true);
  return { kind: "text", end };
}

/** What a "/" begins: a comment, a regular expression, or nothing, when it divides. */
function slash(source: string, at: number, before: string): Token {
  const comment = endOf(/\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)/y, source, at);
  if (comment > at) return { kind: "comment", end: comment };
  if (!BEFORE_REGEX.test(before)) return { kind: "code", end: at + 1 };
  // bounded, so that a line of a million brackets is no work
  const literal = /\/(?:\\.|\[(?:\\.|[^\]\\\r\n]){0,200}\]|[^[\\/\r\n]){1,400}\/\w*/y;
  const regex = endOf(literal, source, at);
  return regex > at ? { kind: "text", end: regex } : { kind: "code", end: at + 1 };
}

const BEFORE_REGEX =
  /(?:^|[=(,:[!&|?{};<>+*%~^-]|\b(?:return|typeof|case|in|of|do|else|throw|yield|await))$/;

/** Where a sticky pattern's match ends, or `at` when it does not match. */
function endOf(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : at;
}
