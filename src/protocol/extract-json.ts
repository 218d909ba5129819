import { errorMessage, type Failure } from "../core/app-error.ts";

/** The value of an answer, or why there is none. */
export type Extracted = { readonly ok: true; readonly value: unknown } | Failure;

/** What a JSON object or array begins with; a bracket in prose hardly ever does. */
const BEGINNING = /\{\s*["}]|\[\s*(?:[[{"\]\d-]|true\b|false\b|null\b)/;

/**
 * Finds the JSON document in a model's answer: the whole text if it parses, else the largest
 * outermost value that is balanced and parses, fenced or bare. Braces and fences inside strings
 * are text. One pass: time grows with the length of the answer only.
 */
export function extractJson(text: string): Extracted {
  const whole = parse(text);
  if (whole.ok) return whole;
  let best: { readonly value: unknown; readonly length: number } | undefined;
  let broken: Failure | undefined;
  const beginning = new RegExp(BEGINNING, "g");
  for (let at = beginning.exec(text); at !== null; at = beginning.exec(text)) {
    const from = at.index;
    const end = findEnd(text, from);
    const found = parse(text.slice(from, end));
    if (!found.ok) broken ??= found;
    else if (end - from > (best?.length ?? 0)) best = { value: found.value, length: end - from };
    beginning.lastIndex = end;
  }
  if (best !== undefined) return { ok: true, value: best.value };
  return broken ?? noJson();
}

function parse(text: string): Extracted {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return {
      ok: false,
      code: "ERR_JSON_PARSE",
      message: `Cannot parse the JSON of the answer: ${errorMessage(error)}; answer with one complete JSON document`,
    };
  }
}

function noJson(): Failure {
  return {
    ok: false,
    code: "ERR_JSON_EXTRACT",
    message: "Cannot find JSON in the answer: answer with one JSON document and nothing else",
  };
}

/** Index behind the bracket that closes the one at `from`; the end of the text if none does. */
function findEnd(text: string, from: number): number {
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
  return text.length;
}
