import { errorMessage, type Failure } from "../core/app-error.ts";

/** The value of an answer, or why there is none. */
export type Extracted = { readonly ok: true; readonly value: unknown } | Failure;

/** What a document in prose begins with: an object, or an array of objects. */
const BEGINNING = /\{|\[\s*\{/g;
/** A beginning that is meant as JSON, and no bracket of a sentence. */
const MEANT = /^(?:\{\s*"|\[\s*\{)/;
/** Brackets of sentences that never close; what follows so many is no answer. */
const MOST_UNCLOSED = 16;

/**
 * Finds the JSON document in a model's answer: the whole text if it parses, else the largest
 * outermost value that is balanced and parses, fenced or bare. Braces and fences inside strings
 * are text, and what a model thought aloud before is none of it. A document that is broken or cut
 * off gives nothing: a piece of it would say something else.
 */
export function extractJson(text: string): Extracted {
  const whole = parse(text);
  return whole.ok ? whole : search(withoutThoughts(text));
}

function search(text: string): Extracted {
  let best: { readonly value: unknown; readonly length: number } | undefined;
  let broken: Failure | undefined;
  let unclosed = 0;
  const beginning = new RegExp(BEGINNING);
  for (let at = beginning.exec(text); at !== null; at = beginning.exec(text)) {
    const from = at.index;
    const end = findEnd(text, from);
    if (end === undefined) {
      if (MEANT.test(text.slice(from, from + 100))) return cutOff();
      unclosed += 1;
      if (unclosed > MOST_UNCLOSED) break;
      continue;
    }
    beginning.lastIndex = end;
    const found = parse(text.slice(from, end));
    // Behind a broken object an array is rather one of its parts.
    if (found.ok && Array.isArray(found.value) && broken) continue;
    if (!found.ok) {
      if (/[":]/.test(text.slice(from, end))) broken ??= found;
    } else if (end - from > (best?.length ?? 0)) best = { value: found.value, length: end - from };
  }
  if (best !== undefined) return { ok: true, value: best.value };
  return broken ?? noJson();
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

function cutOff(): Failure {
  return unparsable("it is cut off");
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
