import { holdsLink } from "../../../security/plain-links.ts";
import {
  countOpened,
  MAX_ENTITIES,
  type Run,
  readRuns,
  toCodeRun,
  writeRuns,
} from "./rich-text.ts";

/** Telegram reads no longer HTML, whatever is left of it; the limit is 32,768, in UTF-8. */
const MAX_HTML_BYTES = 30_000;
/** No channel makes a link of a longer word. */
const MAX_ADDRESS = 4096;
/** What shows nothing: Telegram takes a message of these for empty. */
const BLANK = /^[\s\p{Cc}\p{Cf}\p{Z}\u{115f}\u{1160}\u{2800}\u{3164}\u{fffc}]*$/u;

/**
 * Cuts HTML into messages of at most `limit` UTF-16 units, best between paragraphs, else lines,
 * else words, else characters as people see them. Telegram counts after it read the tags, and so
 * does this. What is open at a cut is closed, and opened again in the next message, a code block
 * with its language. Messages that would show nothing are left out.
 *
 * Expects text escaped by `escapeHtml`, so that every `<` begins a tag.
 */
export function splitText(html: string, limit: number): string[] {
  const messages: string[] = [];
  let runs = readRuns(html);
  while (runs.length > 0) {
    let end = findCut(runs, limit);
    let [taken, rest] = cutAt(runs, end);
    while (Buffer.byteLength(writeRuns(taken)) > MAX_HTML_BYTES && end > 1) {
      end = findCut(runs, end >> 1);
      [taken, rest] = cutAt(runs, end);
    }
    if (!BLANK.test(textOf(taken))) messages.push(writeRuns(taken));
    runs = rest;
  }
  return messages;
}

/**
 * The runs up to `end`, and those behind. A cut through a word may make an address of a part of
 * what was none: that is code.
 */
function cutAt(runs: readonly Run[], end: number): [readonly Run[], readonly Run[]] {
  const taken = takeText(runs, end);
  const rest = dropText(runs, end);
  const last = /\S*$/u.exec(textOf(taken).slice(-MAX_ADDRESS))?.[0] ?? "";
  const first = /^\S*/u.exec(textOf(rest).slice(0, MAX_ADDRESS))?.[0] ?? "";
  if (last === "" || first === "") return [taken, rest];
  const lastAt = end - last.length;
  return [
    holdsLink(last)
      ? [...takeText(taken, lastAt), ...dropText(taken, lastAt).map(toCodeRun)]
      : taken,
    holdsLink(first)
      ? [...takeText(rest, first.length).map(toCodeRun), ...dropText(rest, first.length)]
      : rest,
  ];
}

/** Where to cut; places in the first quarter of a message are too early. */
function findCut(runs: readonly Run[], limit: number): number {
  const end = Math.min(limit, lengthOfEntities(runs));
  // With the character behind it, which may belong to the one before.
  const text = textOf(takeText(runs, end + 2));
  if (text.length <= end) return text.length;
  for (const gap of ["\n\n", "\n", " "]) {
    const start = text.lastIndexOf(gap, end - gap.length);
    if (start > end / 4) return start + gap.length;
  }
  return startOfGrapheme(text, end);
}

/** How much of the text has as many looks as a message may have. */
function lengthOfEntities(runs: readonly Run[]): number {
  let length = 0;
  let entities = 0;
  for (const [index, run] of runs.entries()) {
    entities += countOpened(runs[index - 1], run);
    // A cut through a word may need one more.
    if (entities > MAX_ENTITIES - 1) return length;
    length += run.text.length;
  }
  return length;
}

/** The last place up to `end` that splits nothing; `end` when a character is as long as all of it. */
function startOfGrapheme(text: string, end: number): number {
  // Made here: the first one takes milliseconds, and few texts have no blank to be cut at.
  const start = new Intl.Segmenter().segment(text).containing(end)?.index ?? end;
  if (start > 0) return start;
  const splitsPair = /^[\udc00-\udfff]/.test(text.slice(end));
  return splitsPair && end > 1 ? end - 1 : end;
}

function takeText(runs: readonly Run[], length: number): readonly Run[] {
  let left = length;
  const taken: Run[] = [];
  for (const { text, tags } of runs) {
    if (left <= 0) break;
    taken.push({ text: text.slice(0, left), tags });
    left -= text.length;
  }
  return taken;
}

function dropText(runs: readonly Run[], length: number): readonly Run[] {
  let left = length;
  const rest: Run[] = [];
  for (const { text, tags } of runs) {
    if (left < text.length) rest.push({ text: text.slice(Math.max(0, left)), tags });
    left -= text.length;
  }
  return rest;
}

function textOf(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join("");
}
