import { errorMessage, type Failure } from "../core/app-error.ts";

/** The value of an answer, or why there is none. */
export type Extracted = { readonly ok: true; readonly value: unknown } | Failure;

/** What a document in prose begins with: an object, or an array of objects. */
const BEGINNING = /\{|\[\s*\{/g;
/** A beginning that is intended as JSON, and no bracket of a sentence. */
const INTENDED = /^(?:\{\s*"|\[\s*\{)/;
/** Brackets of sentences that never close; what follows so many is no answer. */
const MOST_UNCLOSED = 16;

/**
 * Finds the JSON document in a model's answer: the whole text if it parses, else the largest
 * outermost value that is balanced and parses, fenced or bare. Braces and fences inside strings are
 * text, and what a model wrote while thinking is ignored. A document that is broken or cut off
 * gives nothing: a piece of it would say something else.
 */
export function extractJson(text: string): Extracted {
  const whole = parse(text);
  return whole.ok ? whole : search(withoutThoughts(text));
}

function search(text: string): Extracted {
  const spans = findSpans(text);
  if (spans === "cut off") return unparsable("it is cut off");
  const found = spans.map((span) => ({ span, parsed: parse(span) }));
  const brokenAt = found.findIndex(({ span, parsed }) => !parsed.ok && /[":]/.test(span));
  // Behind a broken object an array is rather one of its parts.
  const isPart = (value: unknown, i: number) =>
    Array.isArray(value) && brokenAt !== -1 && i > brokenAt;
  const answers = found.filter(({ parsed }, i) => parsed.ok && !isPart(parsed.value, i));
  const [largest] = answers.toSorted((a, b) => b.span.length - a.span.length);
  return largest?.parsed ?? found[brokenAt]?.parsed ?? noJson();
}

/** The outermost balanced values as they are written, whether or not they parse. */
function findSpans(text: string): readonly string[] | "cut off" {
  const spans: string[] = [];
  let unclosed = 0;
  const beginning = new RegExp(BEGINNING);
  for (let at = beginning.exec(text); at !== null; at = beginning.exec(text)) {
    const end = findEnd(text, at.index);
    if (end !== undefined) {
      spans.push(text.slice(at.index, end));
      beginning.lastIndex = end;
    } else if (INTENDED.test(text.slice(at.index, at.index + 100))) return "cut off";
    else if (++unclosed > MOST_UNCLOSED) break;
  }
  return spans;
}

/** Some models put their reasoning, drafts included, in front of the answer. */
function withoutThoughts(text: string): string {
  return text.replace(/^\s*<think(?:ing)?>[^]*?<\/think(?:ing)?>/i, "");
}

function parse(text: string): Extracted {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return unparsable(errorMessage(error));
  }
}

function unparsable(reason: string): Failure {
  const message = `Cannot parse the JSON of the answer: ${reason}; answer with one complete JSON document`;
  return { ok: false, code: "ERR_JSON_PARSE", message };
}

function noJson(): Failure {
  return {
    ok: false,
    code: "ERR_JSON_EXTRACT",
    message: "Cannot find JSON in the answer: answer with one JSON document and nothing else",
  };
}

/** Index behind the bracket that closes the one at `from`; undefined if none does. */
function findEnd(text: string, from: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let i = from; i < text.length; i++) {
    const char = text.charAt(i);
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return i + 1;
  }
  return undefined;
}

/** Deeper than any schema of the protocol goes; bounds the recursion on hostile input. */
const MOST_DEPTH = 6;

/** A copy without the properties that are null, down to the depth that schemas look at. */
export function dropNulls(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > MOST_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => dropNulls(item, depth + 1));
  const kept = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(kept.map(([key, item]) => [key, dropNulls(item, depth + 1)]));
}
