import { cutText } from "../core/cut-text.ts";
import type { Provenance } from "./provenance.ts";

/** An answer on its way to a person, whose links can be followed only where that gives nothing away. */
export interface LinkFilter {
  /** What can be passed on by now: all but the last word, which may go on. */
  add(piece: string): string;
  /** What was held back; nothing comes behind it. */
  end(): string;
}

/** A longer word is none: it is parted by blanks, so that a channel reads the very words checked here. */
const MAX_WORD = 8192;

/** Most words: in letters and digits, with what ends a sentence, is no link and no markup. */
const PLAIN = /^[\p{L}\p{N}]{1,60}[.,!?]?$/u;

/**
 * Behind these may end what began before the word and knows no code: HTML, the target of a link,
 * its title, its label. Code that opens before one of them would be none behind it.
 */
const ENDS = /(?<=[>)\]"'])/u;

/** A whole text, filtered. */
export function filterLinks(text: string, mayLink: Provenance["mayLink"]): string {
  const filter = createLinkFilter(mayLink);
  return filter.add(text) + filter.end();
}

/**
 * Shows links that `mayLink` refuses as code: a click or a preview would carry what is in them
 * to the server they lead to. It works word by word on Markdown as it streams; where it is in doubt
 * how a channel will read the text, the link is shown as code.
 */
export function createLinkFilter(mayLink: Provenance["mayLink"]): LinkFilter {
  let held = "";
  /** Whether the paragraph has a picture so far, or a target that one may have. */
  let hasPicture = false;
  /** Whether the word before opens a target, which a reader looks for behind blanks, too. */
  let opensTarget = false;
  /** Whether the next word is a line's first, and whether blanks are before it there. */
  let place: "start" | "indented" | "inside" = "start";
  let fence: string | undefined;
  /** After HTML, or what may be a fence, a fence may be none. */
  let trustsFences = true;
  let longestRun = 0;

  function take(text: string): string {
    const tokens = text.split(/(\s+)/u);
    return tokens.map((token, at) => show(token, tokens[at + 1] ?? "")).join("");
  }

  function show(token: string, next: string): string {
    if (fence === undefined && PLAIN.test(token)) {
      place = "inside";
      opensTarget = false;
      return token;
    }
    if (token.trim() === "") {
      if (token.includes("\n")) place = token.endsWith("\n") ? "start" : "indented";
      else if (token !== "" && place === "start") place = "indented";
      if (/\n\s*\n/u.test(token)) hasPicture = false;
      return token;
    }
    const part = cutText(token, MAX_WORD);
    if (part !== token) return showPart(part) + show(token.slice(part.length), next);
    const isFenced = readFence(token, next);
    place = "inside";
    if (isFenced) return token;
    // A table ends its cells there, in code as well.
    longestRun = Math.max(longestRun, ...runsIn(token));
    const parts = token.split("|").map((cell) => (cell === "" ? "" : showWord(cell)));
    opensTarget = /\]\(<?$/u.test(token);
    return parts.join("|");
  }

  /** Of a word that goes on; code stays whole. */
  function showPart(part: string): string {
    return show(part, "") + (fence === undefined ? " " : "");
  }

  /** Whether a word is a fence, or in one, that no reader of Markdown can take for anything else. */
  function readFence(word: string, next: string): boolean {
    if (fence !== undefined) {
      if (place === "inside" || !word.startsWith(fence.slice(0, 3))) return true;
      // Whether something like an end is one, not all agree: from there on links are looked at.
      if (
        place === "indented" ||
        !word.startsWith(fence) ||
        /[^`~]/u.test(word) ||
        !next.startsWith("\n")
      ) {
        trustsFences = false;
      }
      fence = undefined;
      return true;
    }
    if (place !== "inside" && word.startsWith("<")) trustsFences = false;
    if (!/```|~~~/u.test(word)) return false;
    const opening =
      place === "start" ? /^(?:`{3,}|~{3,})(?=[\w+#.-]*$)/u.exec(word)?.[0] : undefined;
    if (opening === undefined || !next.startsWith("\n")) trustsFences = false;
    if (!trustsFences) return false;
    fence = opening;
    return true;
  }

  function showWord(word: string): string {
    hasPicture ||= /!\[|<img\b|\]:/iu.test(word);
    const how = hasPicture ? "look" : "click";
    const links = linksOf(toRead(word));
    if (links.every((href) => mayLink(href, how))) return word;
    const [, words = "", href = "", rest = ""] =
      /^([^`()<]*)\]\(<?(https?:\/\/[^\s<>`()]+)>?\)([^`()]*)$/iu.exec(word) ?? [];
    const isPlain = href !== "" && linksOf(words + rest).length === 0;
    if (isPlain) {
      longestRun++;
      const ticks = "`".repeat(longestRun);
      return `${words}] (${ticks}${href}${ticks})${rest}`;
    }
    return word
      .split(ENDS)
      .map((part, at, parts) => showPartOf(part, parts[at - 1]?.at(-1) ?? "", how))
      .join("");
  }

  /** A word's part, which is code if a link is in it; what ends it stays outside. */
  function showPartOf(part: string, before: string, how: "look" | "click"): string {
    if (linksOf(toRead(before + part)).every((href) => mayLink(href, how))) return part;
    longestRun++;
    const ticks = "`".repeat(longestRun);
    const room = opensTarget ? " " : "";
    const [, words = "", end = ""] = /^(.*?)([>)\]"']?)$/su.exec(part) ?? [];
    // Ticks of its own could end code that began before it.
    return ticks + room + words.replaceAll("`", "'") + room + ticks + end;
  }

  return {
    add(piece) {
      held += piece;
      const end = startOfLastWord(held);
      let shown = take(held.slice(0, end));
      held = held.slice(end);
      while (held.length > MAX_WORD) {
        const part = cutText(held, MAX_WORD);
        shown += showPart(part);
        held = held.slice(part.length);
      }
      return shown;
    },
    end: () => take(held),
  };
}

function startOfLastWord(text: string): number {
  let start = text.length;
  while (start > 0 && !isBlank(text.charCodeAt(start - 1))) start--;
  return start;
}

/** As `\\s` has it; only few texts have blanks beyond ASCII. */
function isBlank(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 9 && code <= 13);
  return /\s/u.test(String.fromCharCode(code));
}

/** Whether a channel makes a link of something in a word that has no markup. */
export function holdsLink(word: string): boolean {
  return linksOf(word).length > 0;
}

function runsIn(word: string): readonly number[] {
  return (word.match(/`+/gu) ?? []).map((run) => run.length);
}

/** A word as a reader of Markdown or HTML takes it: without escapes. */
function toRead(word: string): string {
  return word
    .replace(/&#x([0-9a-f]{1,6});?/giu, (_all, hex: string) => toChar(Number.parseInt(hex, 16)))
    .replace(/&#(\d{1,7});?/gu, (_all, digits: string) => toChar(Number(digits)))
    .replace(
      /&(colon|sol|period|quest|amp);/giu,
      (_all, name: string) => ENTITIES[name.toLowerCase()] ?? "",
    )
    .replace(/\\(?=[!-/:-@[-`{-~])/gu, "")
    .replace(/\p{Cf}/gu, "");
}

const ENTITIES: Readonly<Record<string, string>> = {
  colon: ":",
  sol: "/",
  period: ".",
  quest: "?",
  amp: "&",
};

function toChar(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** What channels make links of: addresses, with or without a scheme, and targets of Markdown. */
function linksOf(word: string): readonly string[] {
  // Readers of addresses make up for slashes that are missing or lean the other way.
  const whole = word.match(/https?:[^\s<>"'`\])]+/giu) ?? [];
  const rooted = groups(word, /(?:^|[(="'<])(\/\/[^\s<>"'`\])]+)/gu).map((rest) => `https:${rest}`);
  const bare = [BARE, NUMBERS, LONG_NAME]
    .flatMap((pattern) => groups(word, pattern))
    .map((rest) => `https://${rest}`);
  const others = [
    ...groups(word, /(?:\]\(|<)([a-z][a-z\d+.-]{1,20}:[^\s>)]*\?)/giu),
    ...groups(word, /([a-z][a-z\d+.-]{0,20}:\/\/[^\s<>"'`\])]+)/giu),
  ];
  // As channels do, and as the links of a page are kept: what ends a sentence ends no address.
  const addresses = [...whole, ...rooted, ...bare].map((each) =>
    each.replace(/[.,;:!*]{1,8}$/u, ""),
  );
  return [...addresses, ...others.filter((target) => !/^https?:/iu.test(target))];
}

/** A name with something behind it; `a.example` alone is as often a file. */
const BARE =
  /(?<![\p{L}\p{N}_./-])((?:[\p{L}\p{N}_-]{1,63}\.){1,8}(?:\p{L}{2,63}|xn--[\w-]{1,59})(?::\d{1,5})?[/?#][^\s<>"'`\])]*)/giu;

/** The same with an address in numbers. */
const NUMBERS = /(?<![\p{L}\p{N}_./-])((?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?[/?#][^\s<>"'`\])]*)/gu;

/** One that has room for more than a name: asking DNS for it would tell it. */
const LONG_NAME =
  /(?<![\p{L}\p{N}_./@-])((?:(?:[\p{L}\p{N}_-]{1,63}\.){2,8}|[\p{L}\p{N}_-]{21,63}\.)(?:\p{L}{2,63}|xn--[\w-]{1,59}))(?![\p{L}\p{N}_/?-])/giu;

function groups(word: string, pattern: RegExp): readonly string[] {
  return [...word.matchAll(pattern)].map(([, found = ""]) => found);
}
