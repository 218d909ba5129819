import { maskCode } from "./mask-code.ts";

/** A loop that reads one element past the end. */
export interface Overrun {
  /** Of the "<=" that should be "<". */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  readonly array: string;
  readonly index: string;
}

/**
 * Finds loops `for (let i = 0; i <= xs.length; i++)` whose every step, the last one too, takes a
 * member of `xs[i]` or adds it up: there it is undefined, so the step throws or spoils the sum.
 *
 * Better silent than wrong: a loop that could be intended (sentinel after the end, 1-based, with
 * a way out, writing to `xs`, using `xs[i]` under a condition) is left alone.
 */
export function findOverruns(source: string): readonly Overrun[] {
  if (!/<=\s*[\w$.]+\.length\b/.test(source)) return [];
  const mask = maskCode(source);
  return [...mask.matchAll(LOOP)].flatMap((match) => {
    const [head, index, array] = match;
    if (index === undefined || array === undefined) return [];
    if (!readsPastEnd(loopBody(mask, match.index + head.length), array, index)) return [];
    const offset = match.index + head.indexOf("<=");
    return [{ offset, line: source.slice(0, offset).split("\n").length, array, index }];
  });
}

const LOOP =
  /(?<![\w$.])for\s*\(\s*(?:let|var)\s+([A-Za-z_$][\w$]{0,60})\s*(?::\s*number\s*)?=\s*0\s*;\s*\1\s*<=\s*((?:[A-Za-z_$][\w$]{0,60}\.){0,4}?[A-Za-z_$][\w$]{0,60})\.length\s*;\s*(?:\1\s*\+\+|\+\+\s*\1|\1\s*\+=\s*1)\s*\)/g;

/** A body longer than this is too much to be told by its first step. */
const MAX_BODY_CHARS = 4_000;

/** The block after the head without its braces, or the one statement; "" when it has no near end. */
function loopBody(mask: string, start: number): string {
  const rest = mask.slice(start, start + MAX_BODY_CHARS).trimStart();
  if (!rest.startsWith("{")) return rest.slice(0, rest.indexOf(";") + 1);
  let depth = 0;
  for (const { 0: brace, index } of rest.matchAll(/[{}]/g)) {
    depth += brace === "{" ? 1 : -1;
    if (depth === 0) return rest.slice(1, index);
  }
  return "";
}

function readsPastEnd(body: string, array: string, index: string): boolean {
  const xs = name(array);
  const i = name(index);
  const element = `${xs}\\s*\\[\\s*${i}\\s*\\]`;
  const intended = [
    String.raw`\b(?:break|continue|return|throw|try|yield|undefined|null|typeof|in)\b`,
    String.raw`${i}\s*(?:[-=<>]|!=|\+\+|[+*/%&|^]=)|(?:[=<>]|\+\+|--)\s*${i}`,
    String.raw`${xs}(?:\s*=(?!=)|\s*\.\s*(?:length|push|unshift|splice|pop|shift|fill)\b)`,
    String.raw`${element}\s*(?:=(?!=)|\+\+|--|[-+*/%&|^?]+=)|(?:\+\+|--)\s*${element}`,
  ];
  if (new RegExp(intended.join("|")).test(body)) return false;
  const uses = [
    String.raw`${element}\s*!?\s*${MEMBER}`,
    String.raw`[-+*/]=\s*${element}\s*(?:[-+*/;\r\n]|$)`,
    String.raw`\b(?:const|let)\s+(?<alias>[\w$]+)[^=;{}()]*=\s*${element}\s*!?\s*[;\r\n][\s\S]*?(?<![\w$.])\k<alias>\s*${MEMBER}`,
  ];
  return uses.some((use) => {
    const found = new RegExp(use).exec(body);
    return found !== null && isUnconditional(body.slice(0, found.index) + found[0]);
  });
}

/** Taking a member of what precedes, or calling it: both throw for undefined. */
const MEMBER = String.raw`(?:\.\s*[A-Za-z_$]|[[(])`;

/** Whether the end of `flow`, which begins a loop's body, is reached in every step. */
function isUnconditional(flow: string): boolean {
  if (/[?{]|&&|\|\||=>|\b(?:else|do|function)\b/.test(flow)) return false;
  const branch = flow.search(/\b(?:if|while|for|switch)\s*\(/);
  let depth = 0;
  for (const [bracket] of branch === -1 ? "" : flow.slice(branch).matchAll(/[()]/g)) {
    depth += bracket === "(" ? 1 : -1;
    if (depth === 0) return false; // the condition is closed: the rest hangs on it
  }
  return true;
}

/** A pattern for a variable or member chain on its own. */
function name(text: string): string {
  return String.raw`(?<![\w$.])${text.replace(/[$.]/g, String.raw`\$&`)}(?![\w$])`;
}
