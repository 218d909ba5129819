import { isEdge, type Survey } from "./marked-lines.ts";

/** What opens and closes the same; without `closes` one sign does both in turn. */
interface Bracket {
  /** The same for all lines of its kind. */
  readonly name: string;
  readonly opens: RegExp;
  readonly closes?: RegExp;
}

/**
 * Looks through a patch for what its changed lines open and for what they bring, each once and only
 * when it is asked for.
 */
export function surveyPatch(lines: readonly string[]): Survey {
  const open = new Map<string, boolean>();
  let made: ReadonlySet<string> | undefined;
  const isWrapper = (line: string) => {
    const bracket = bracketOf(line.trimEnd());
    if (bracket === undefined) return false;
    const isOpen = open.get(bracket.name) ?? leavesOpen(lines, bracket);
    open.set(bracket.name, isOpen);
    return !isOpen;
  };
  const isMade = (upper: string, lower: string) => {
    made ??= madePairs(lines);
    return made.has(toPair(upper, lower));
  };
  return { isWrapper, isMade };
}

/** The line that a wrapper is, with what would open it as text of a file; undefined: it is none. */
function bracketOf(line: string): Bracket | undefined {
  const [, tag] = /^<\/(diff|patch|code|pre|answer|file|changes)>$/.exec(line) ?? [];
  if (tag !== undefined) {
    const closes = new RegExp(`</${tag}>`, "gi");
    return { name: tag, opens: new RegExp(`<${tag}\\b`, "gi"), closes };
  }
  if (line === "EOF" || line === "PATCH") {
    const opens = new RegExp(`<<[-~]?\\s*\\\\?["']?${line}\\b`, "g");
    return { name: line, opens, closes: new RegExp(`^[-+]\\s*${line}\\s*$`, "g") };
  }
  if (line === '"""' || line === "'''") return { name: line, opens: new RegExp(line, "g") };
  if (line === '"}') return { name: line, opens: /"/g };
  if (/^\*{3} (?:Begin|End|Update|Add|Delete|Move)\b/.test(line)) {
    return { name: "***", opens: /\*{3} Begin\b/g, closes: /\*{3} End Patch\b/g };
  }
  return line === "No newline at end of file" ? { name: line, opens: /(?!)/g } : undefined;
}

/** Whether the changed lines of some hunk open what they do not close, or the other way round. */
function leavesOpen(lines: readonly string[], { opens, closes }: Bracket): boolean {
  let balance = 0;
  const isUneven = () => (closes === undefined ? balance % 2 !== 0 : balance !== 0);
  for (const [at, line] of lines.entries()) {
    if (isEdge(lines, at)) {
      if (isUneven()) return true;
      balance = 0;
    } else if (/^[-+]/.test(line)) {
      const own = countOf(line, opens) - (closes === undefined ? 0 : countOf(line, closes));
      balance += line.startsWith("+") ? own : -own;
    }
  }
  return isUneven();
}

function countOf(line: string, sign: RegExp): number {
  return line.match(sign)?.length ?? 0;
}

function madePairs(lines: readonly string[]): ReadonlySet<string> {
  const pairs = new Set<string>();
  let upper: string | undefined;
  for (const [at, line] of lines.entries()) {
    if (isEdge(lines, at)) upper = undefined;
    else if (!/^[-\\]/.test(line)) {
      const isOne = upper !== undefined && (upper.startsWith("+") || line.startsWith("+"));
      if (isOne) pairs.add(toPair(upper?.slice(1) ?? "", line.slice(1)));
      upper = line;
    }
  }
  return pairs;
}

function toPair(upper: string, lower: string): string {
  return `${upper.trim()}\n${lower.trim()}`;
}
