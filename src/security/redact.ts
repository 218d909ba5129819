/** Masks secrets in everything that leaves the daemon. */
export interface Redactor {
  /** Registers a secret; one shorter than 6 characters is left out, it would mask ordinary text. */
  readonly add: (secret: string) => void;
  /** The text with every registered secret and every well-known shape as `[secret]`. */
  readonly redact: (text: string) => string;
  /**
   * The last place up to `end` at which the text can be cut: no secret of it goes through there, nor
   * one that it may go on to be.
   */
  readonly findCut: (text: string, end: number) => number;
  /** Whether a registered secret stands in the text, in any spelling it travels in. */
  readonly holds: (text: string) => boolean;
}

const MASK = "[secret]";
const MIN_SECRET_CHARS = 6;
const MIN_LINE_CHARS = 16;

/** A masker for registered secrets, in every spelling they travel in, and for well-known shapes. */
export function createRedactor(): Redactor {
  const spellings = new Set<string>();
  let registered: RegExp | undefined;
  return {
    add(secret) {
      if (secret.length < MIN_SECRET_CHARS) return;
      for (const part of [secret, ...linesOf(secret)]) {
        for (const spelling of spellingsOf(part)) spellings.add(spelling);
      }
      const longestFirst = [...spellings].toSorted((a, b) => b.length - a.length);
      registered = new RegExp(longestFirst.map((text) => RegExp.escape(text)).join("|"), "g");
    },
    findCut(text, end) {
      const found: Stretch[] = [];
      const known = markOut(text, registered, found);
      const shown = SHAPES.reduce((rest, shape) => markOut(rest, shape, found), known);
      let at = Math.min(end, startOfOpen(text, spellings));
      for (let before = -1; before !== at; ) {
        before = at;
        for (const stretch of found) if (stretch.start < at && at < stretch.end) at = stretch.start;
        for (const each of [text, known, shown]) at = startOfOpenShape(each.slice(0, at));
      }
      return at;
    },
    holds: (text) => registered !== undefined && text.search(registered) >= 0,
    redact(text) {
      const known = registered === undefined ? text : text.replace(registered, MASK);
      return SHAPES.reduce((masked, shape) => masked.replace(shape, `$<keep>${MASK}`), known);
    },
  };
}

/**
 * Shapes of common credentials; `keep` is what stays readable. Each starts at a boundary and no
 * two neighbouring repetitions share a character, so that matching stays linear in the text.
 */
const SHAPES: readonly RegExp[] = [
  /(?<keep>)-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\w+/=\s\\,:]*(?:-{1,4}[\w+/=\s\\,:]+)*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  /(?<keep>\bauthorization["']{0,2}\s{0,4}[:=]\s{0,4}["']?(?:basic|bearer|token)\s{1,4})[^\s"',;]+/gi,
  /(?<keep>\bbearer\s{1,4})(?=[a-z]{0,15}[^a-z\s]|[a-z]{16})[\w.~+/=-]{6,}/gi,
  /(?<keep>)(?<!\d)\d{6,20}:[\w-]{30,}/g,
  /(?<keep>)\b(?:sk-|tvly-|xox[abeprs]-|gh[oprsu]_|github_pat_|glpat-)[\w-]{16,}/g,
  /(?<keep>)\bA[KS]IA[0-9A-Z]{16}\b/g,
];

/** Shapes with blanks in them that have begun; those without are one word. */
const OPEN_SHAPES: readonly RegExp[] = [
  /\bauthorization["']{0,2}\s{0,4}(?:[:=]\s{0,4}["']?(?:[a-z]{1,6}(?:\s{1,4}[^\s"',;]*)?)?)?$/i,
  /\bbearer\s{1,4}[\w.~+/=-]*$/i,
];
/** No shape but a private key is longer. */
const MAX_SHAPE_CHARS = 5000;

/** Where one begins that goes on to the end of the text; the end when none does. */
function startOfOpenShape(text: string): number {
  const from = Math.max(0, text.length - MAX_SHAPE_CHARS);
  const tail = text.slice(from);
  const starts = OPEN_SHAPES.map((shape) => tail.search(shape)).filter((at) => at >= 0);
  return from + starts.reduce((first, at) => Math.min(first, at), tail.length);
}

/** Where the longest end of the text begins that one of the secrets begins with. */
function startOfOpen(text: string, secrets: Iterable<string>): number {
  let start = text.length;
  for (const secret of secrets) {
    const first = secret.charAt(0);
    let at = text.indexOf(first, Math.max(0, text.length - secret.length + 1));
    while (at >= 0 && at < start && !secret.startsWith(text.slice(at))) {
      at = text.indexOf(first, at + 1);
    }
    if (at >= 0) start = Math.min(start, at);
  }
  return start;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** What a pattern finds is noted, and made as unlike a secret as the mask is, but of its own length. */
function markOut(text: string, pattern: RegExp | undefined, found: Stretch[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { 0: whole, index, groups } of pattern ? text.matchAll(pattern) : []) {
    const end = index + whole.length;
    const start = index + (groups?.["keep"] ?? "").length;
    found.push({ start: index, end });
    parts.push(text.slice(done, start), "[".repeat(end - start));
    done = end;
  }
  return parts.join("") + text.slice(done);
}

/** Of a secret with several lines, which may be shown one by one; a short one gives nothing away. */
function linesOf(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= MIN_LINE_CHARS);
  return secret.includes("\n") ? lines : [];
}

/**
 * The secret as it is, with the line ends of networks, without blanks around it, in either way of
 * composing letters, in a URL or a form, in JSON, also of ASCII alone, in HTML, and in base64, alone
 * or inside something longer.
 */
function spellingsOf(secret: string): string[] {
  const url = encodeURIComponent(secret.toWellFormed());
  const lowerUrl = url.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
  const json = JSON.stringify(secret).slice(1, -1);
  const plain = [secret, secret.trim(), secret.normalize("NFC"), secret.normalize("NFD")];
  const all = [
    ...plain,
    secret.replaceAll(/\r?\n/g, "\r\n"),
    url,
    lowerUrl,
    url.replaceAll("%20", "+"),
    lowerUrl.replaceAll("%20", "+"),
    json,
    toAscii(json),
    Bun.escapeHTML(secret),
    ...base64Of(secret),
    ...base64Of(secret, "base64url"),
  ];
  return all.filter((spelling) => spelling.length >= MIN_SECRET_CHARS);
}

function toAscii(json: string): string {
  return json.replace(/[^\0-\x7f]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** The whole, and the digits that depend on the secret alone when 0, 1 or 2 bytes precede it. */
function base64Of(secret: string, encoding: "base64" | "base64url" = "base64"): string[] {
  const inside = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const digits = bytes.toString(encoding);
    return digits.slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
  return [Buffer.from(secret).toString(encoding), ...inside];
}
