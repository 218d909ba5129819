/** Masks secrets in everything that leaves the daemon. */
export interface Redactor {
  /** Registers a secret; one shorter than 6 characters is left out, it would mask ordinary text. */
  readonly add: (secret: string) => void;
  /** The text with every registered secret and every well-known shape as `[secret]`. */
  readonly redact: (text: string) => string;
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

/** Of a secret with several lines, which may be shown one by one; a short one gives nothing away. */
function linesOf(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= MIN_LINE_CHARS);
  return secret.includes("\n") ? lines : [];
}

/** The secret as it is, in a URL, in JSON, and in base64, alone or inside something longer. */
function spellingsOf(secret: string): string[] {
  const url = encodeURIComponent(secret.toWellFormed());
  const lowerUrl = url.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
  const json = JSON.stringify(secret).slice(1, -1);
  const all = [secret, url, lowerUrl, json, ...base64Of(secret), ...base64Of(secret, "base64url")];
  return all.filter((spelling) => spelling.length >= MIN_SECRET_CHARS);
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
