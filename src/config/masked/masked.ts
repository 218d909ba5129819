import { renderKey } from "../schema/schema.ts";
import { findMoved } from "./find-moved.ts";
import { keepLineEnds } from "./line-ends.ts";
import { findTextPlaces, findUnits, type TextPlace } from "./units.ts";

export { redactorAfter, redactorOf } from "./own-secrets.ts";

/** A configuration file as a page may have it: what is secret in it has a mask in its place. */
export interface MaskedToml {
  /** With line ends as in the file. */
  readonly text: string;
  /** What was masked, in the order of the text. */
  readonly masks: readonly Mask[];
  /** How every mask begins; nothing in the file does. */
  readonly stem: string;
}

/** A value or a comment of which something is secret. */
interface Mask {
  readonly kind: TextPlace["kind"];
  /** As it stands in the masked text. */
  readonly shown: string;
  /** As it stands in the file. */
  readonly real: string;
  /** As it is shown, with masks that have no number. */
  readonly masked: string;
}

/** What is wrong with a text, at a line from 1. */
export interface TextProblem {
  readonly line: number;
  readonly key: string;
  readonly message: string;
}

/** A text that may be shown, or why none may be. */
export type Masking =
  | { readonly ok: true; readonly masked: MaskedToml }
  | { readonly ok: false; readonly problem: TextProblem };

/** The text of a file, or what keeps it from being made of a masked one. */
export type Unmasking =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly TextProblem[] };

/**
 * A TOML text without its secrets: values that the schema says are secret or does not know, words of
 * command lines and parts of addresses that are, what `redact` finds, and all of that in comments.
 * Each value and each comment is masked or left by itself, so that it can be put back exactly.
 *
 * @param text TOML that can be read
 */
export function maskToml(text: string, redact: (text: string) => string): Masking {
  const stem = freeStem(text);
  const masks: Mask[] = [];
  const [shown, bare]: [string[], string[]] = [[], []];
  let [done, number] = [0, 0];
  for (const { kind, start, end, masked } of findUnits(text, redact)) {
    const numbered = masked.replaceAll("[secret]", () => `${stem}${++number}]`);
    const between = text.slice(done, start);
    const real = text.slice(start, end);
    masks.push({ kind, shown: numbered, real, masked });
    shown.push(between, numbered);
    bare.push(between, real.replaceAll(/[^\n]/gu, " "));
    done = end;
  }
  const rest = text.slice(done);
  const left = bare.join("") + rest;
  const masked = redact(left);
  if (masked !== left) {
    // In the name of a key or a table, which nothing could stand for.
    return {
      ok: false,
      problem: { line: lineOfDifference(left, masked), key: "", message: NAMED },
    };
  }
  return { ok: true, masked: { text: shown.join("") + rest, masks, stem } };
}

/**
 * The text of a file out of one that was masked and edited: each masked value or comment that
 * stands as it was shown is again what it is in the file, byte for byte. A value stands for its own
 * key alone, with all words of its list as they were, and goes to no other place than before; so by
 * no edit a secret can be read, guessed at or sent elsewhere, and none is replaced by its mask. Nor
 * is one put back that would be shown from then on, as a comment is that repeats what no key has.
 *
 * @param edited TOML, with any line ends
 * @param redactWith what would be masked, were a text the file
 */
export function unmaskToml(
  masked: MaskedToml,
  edited: string,
  redactWith: (text: string) => (text: string) => string,
): Unmasking {
  const { stem, masks } = masked;
  const text = keepLineEnds(masked.text, edited);
  if (!text.includes(stem)) return { ok: true, text };
  const parts: string[] = [];
  const problems: TextProblem[] = [];
  const restored: { readonly start: number; readonly own: Mask; readonly line: number }[] = [];
  let [done, length] = [0, 0];
  const take = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  const moved = findMoved(masked.text, text, stem);
  for (const { kind, start, end, path } of findTextPlaces(text)) {
    const found = text.slice(start, end);
    if (!found.includes(stem)) continue;
    const own = masks.find((each) => each.kind === kind && each.shown === found);
    const line = lineAt(text, start);
    const complain = (message: string) => problems.push({ line, key: "", message });
    const between = text.slice(done, start);
    if (between.includes(stem)) complain(MOVED);
    take(between);
    if (!own) complain(kind === "value" ? CHANGED : CHANGED_COMMENT);
    else if (kind === "value" && moved.has(renderKey(path))) complain(MOVED);
    else restored.push({ start: length, own, line });
    take(own?.real ?? found);
    done = end;
  }
  const rest = text.slice(done);
  if (rest.includes(stem)) {
    problems.push({ line: lineAt(text, done + rest.indexOf(stem)), key: "", message: MOVED });
  }
  take(rest);
  if (problems.length > 0) return { ok: false, problems };
  const whole = parts.join("");
  const units = findUnits(whole, redactWith(whole));
  const after = new Map(units.map(({ start, masked: hidden }) => [start, hidden]));
  const shown = restored.filter(({ start, own }) => after.get(start) !== own.masked);
  if (shown.length > 0) {
    return { ok: false, problems: shown.map(({ line }) => ({ line, key: "", message: SHOWN })) };
  }
  return { ok: true, text: whole };
}

const ALLOWED = ", allowed: ";
const NAMED =
  "a secret stands in a name here, where no mask can stand for it; edit this file by hand";
const CHANGED =
  "what stands for a secret was changed here; leave the value as it was, or write all of it anew";
const CHANGED_COMMENT =
  "what stands for a secret was changed here; leave the comment as it was, or take it away";
const MOVED =
  "what stands for a secret may only stand at its own key, beside the same words, and go to the same address; write the value anew";

const SHOWN =
  "what stands for a secret would be shown here from now on, as no key has it any more; take it away, or write it anew";

/** Nothing that people wrote is taken for a mask. */
function freeStem(text: string): string {
  for (let n = 1; ; n++) {
    const stem = n === 1 ? "[secret " : `[secret-${n} `;
    if (!text.includes(stem)) return stem;
  }
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

function lineOfDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return lineAt(one, at);
}

/** Problems of a text with secrets in it, without the values that are secret, or have one below. */
export function hideFound(
  problems: readonly TextProblem[],
  text: string,
  redact: (text: string) => string,
): readonly TextProblem[] {
  const secrets = findUnits(text, redact).map(({ path }) => renderKey(path));
  return problems.map((problem) => {
    const { key, message } = problem;
    const isOfSecret = secrets.some(
      (each) => each === key || (/^[.[]/u.test(each.slice(key.length)) && each.startsWith(key)),
    );
    if (!isOfSecret) return problem;
    // What was found may have anything in it, these words too: what is allowed is behind the last.
    const at = message.lastIndexOf(ALLOWED);
    const hidden = "found a value that is not shown";
    return { ...problem, message: at < 0 ? hidden : hidden + message.slice(at) };
  });
}
