import { createFence } from "../../channels/markdown.ts";
import { renderMarkdown, type Surface } from "./markdown.ts";
import { ENDS } from "./wrap.ts";

/** Markdown that comes in pieces. */
export interface MarkdownStream {
  /** Takes the next piece; gives what can be shown by now and never has to be taken back. */
  push(piece: string): string;
  /** Gives what was held back; what comes then begins anew. */
  end(): string;
}

/** A block that goes on for longer is shown as it is by then. */
const MOST_HELD = 64 * 1024;

/**
 * Each look reads the whole block: it is looked at again when it has grown by a part of itself, or
 * every piece of a long list would cost the list. Up to so many characters each piece is a look.
 */
const [EACH_PIECE, GROWN_BY] = [2048, 1 / 32];

/**
 * The same text as `renderMarkdown` of the whole, without waiting for it: a paragraph is shown word
 * by word, but for what is behind a mark that has no end yet; a table when it is whole.
 */
export function createMarkdownStream(surface: () => Surface): MarkdownStream {
  let block = "";
  /** Of the block: what is shown, without blanks, and up to where that is. */
  let said = "";
  let saidAt = 0;
  let isFirst = true;
  /** How long the block is when it is next looked at. */
  let nextLook = 0;

  function show(end: number): string {
    const rendered = renderMarkdown(block.slice(0, end), surface());
    const visible = toVisible(rendered);
    if (!visible.startsWith(said)) {
      // What came last made another thing of what is shown: the rest is shown by itself.
      const rest = Math.max(0, end - saidAt);
      drop(saidAt);
      return show(rest);
    }
    const text = restBehind(rendered, said.length);
    const gap = said === "" && !isFirst && text !== "" ? "\n\n" : "";
    [said, saidAt] = [visible, end];
    isFirst &&= visible === "";
    return gap + text;
  }

  function drop(length: number): void {
    block = block.slice(length);
    [said, saidAt, nextLook] = ["", 0, 0];
  }

  function closeBlock(end: number): string {
    const text = show(Math.max(end, saidAt));
    drop(saidAt);
    return text;
  }

  return {
    push(piece) {
      block += piece;
      if (block.length < nextLook) return "";
      let text = "";
      for (let end = endOfBlock(block); end > 0; end = endOfBlock(block)) text += closeBlock(end);
      if (block.length > MOST_HELD) return text + closeBlock(block.length);
      nextLook = block.length + Math.max(0, block.length - EACH_PIECE) * GROWN_BY;
      const end = stableEnd(block);
      return end > saidAt ? text + show(end) : text;
    },
    end() {
      const text = closeBlock(block.length);
      isFirst = true;
      return text;
    },
  };
}

/** Where the first block ends that cannot go on: before a line that begins another; 0: nowhere. */
function endOfBlock(text: string): number {
  const isCode = createFence();
  let at = 0;
  let isBehindGap = false;
  let hasWords = false;
  for (const line of text.split("\n")) {
    const isInside = isCode(line);
    const isGap = !isInside && isBlank(line);
    if (isBehindGap && !isGap && !GOES_ON.test(line)) return at;
    isBehindGap = isGap && hasWords;
    hasWords ||= !isGap;
    at += line.length + 1;
  }
  return 0;
}

/** What may belong to a list or a quote that began before an empty line. */
const GOES_ON = /^(?:\s|[-+*>]|\d{1,9}(?:[.)]|$))/;

/** Up to where nothing that follows changes how a block is read. */
function stableEnd(block: string): number {
  const isCode = createFence();
  const lines = block.split("\n");
  const code = lines.map(isCode);
  const last = lines.at(-1) ?? "";
  if (code.at(-1) === true) return Math.max(0, block.length - last.length - 1);
  const whole = lines.slice(0, -1);
  const from = whole.findLastIndex((line, at) => code[at] === true || isBlank(line)) + 1;
  const start = whole.slice(0, from).reduce((sum, line) => sum + line.length + 1, 0);
  const rest = block.slice(start).replace(LAST_WORD, "");
  const limits = [openMark(rest), block.slice(start).search(UNSURE), rest.length];
  const stable = rest.slice(0, Math.min(...limits.filter((at) => at >= 0)));
  const words = withoutMarksAtEnd(stable).trimEnd();
  return words === "" ? Math.max(0, start - 1) : start + words.length;
}

/** A line that may be a row of a table, and a heading that may go on. */
const UNSURE = /^[^\n]*\||(?:^|\n) {0,3}#[^\n]*$/m;
/** What may go on without a blank. */
const LAST_WORD = /(?<!\S)\S*$/;
/** Last lines of nothing but signs may be anything yet. */
function withoutMarksAtEnd(text: string): string {
  let at = text.length;
  while (at > 0 && MARKS.has(text[at - 1] ?? "")) at -= 1;
  if (at === 0) return "";
  const line = text.indexOf("\n", at);
  return line < 0 ? text : text.slice(0, line);
}

const MARKS: ReadonlySet<string> = new Set("-=+*_#>~`.):|0123456789[]xX \t\n\v\f\r");

function isBlank(line: string): boolean {
  return line.trim() === "";
}

function toVisible(rendered: string): string {
  return Bun.stripANSI(rendered).replaceAll(/\s/gu, "");
}

/** A rendering without so much of what is seen of it, in the colours that hold there. */
function restBehind(rendered: string, shown: number): string {
  if (shown === 0) return rendered;
  const open = new Map<string, string>();
  let seen = 0;
  let at = 0;
  for (const { 0: token, index } of rendered.matchAll(TOKEN)) {
    if (seen >= shown && index > at) break;
    if (token.startsWith("\x1b")) note(token, open);
    else if (seen >= shown) break;
    else seen += token.length;
    at = index + token.length;
  }
  const rest = rendered.slice(at);
  return toVisible(rest) === "" ? "" : [...open.values()].join("") + rest;
}

const TOKEN = new RegExp(String.raw`\x1b\[\d+m|\S`, "gu");

/** Keeps what is open under what ends it. */
function note(code: string, open: Map<string, string>): void {
  const end = ENDS[code];
  if (end === undefined) open.delete(code);
  else open.set(end, code);
}

/** What begins a mark, or a link; code, addresses and whole links are passed over. */
const MARK =
  /\\[^]|(`+)(?:(?!`)[^]*?[^`])?\1(?!`)|!?\[[^[\]]*\](?:\([^()\n]*\)|(?=[^(]))|<[^<>\s]*>|([*_~])\2*|[`[<]/g;

/**
 * Where the first mark is whose end has not come: what is behind it may look otherwise then, and the
 * mark itself may be none; -1 where every mark has its end.
 */
function openMark(text: string): number {
  const open: { readonly sign: string; readonly at: number }[] = [];
  for (const { 0: mark, 2: sign, index } of text.matchAll(MARK)) {
    if (mark.length === 1 && "`[<".includes(mark)) return Math.min(index, open[0]?.at ?? index);
    if (sign === undefined || isPlain(text, index, mark)) continue;
    const at = open.findLastIndex((each) => each.sign === mark);
    if (at >= 0) open.splice(at);
    else open.push({ sign: mark, at: index });
  }
  return open[0]?.at ?? -1;
}

/** A sign between blanks opens nothing, and a low line within a word neither. */
function isPlain(text: string, index: number, mark: string): boolean {
  const [before, after] = [text[index - 1] ?? " ", text[index + mark.length] ?? ""];
  if (mark.startsWith("_") && /\w/.test(before) && /\w/.test(after)) return true;
  return /\s/.test(before) && /\s/.test(after);
}
