/** A shorter secret, or spelling of one, would mask ordinary text. */
export const MIN_SECRET_CHARS = 6;

/** How a secret may be written down. */
export interface Spellings {
  /** What people and programs read, and base64. */
  readonly words: readonly string[];
  /** Digits alone. */
  readonly digits: readonly string[];
}

/**
 * The secret as it is, with the line ends of networks, without blanks around it, in either way of
 * composing letters, in a URL or a form, in JSON, also of ASCII alone and in JSON again, in HTML, in
 * hexadecimal digits, and in base64, alone or inside something longer.
 */
export function spellingsOf(secret: string): Spellings {
  const json = inJson(secret);
  const html = Bun.escapeHTML(secret);
  const plain = [secret, secret.trim(), secret.normalize("NFC"), secret.normalize("NFD")];
  const words = [
    ...plain,
    secret.replaceAll(/\r?\n/g, "\r\n"),
    ...inUrl(secret),
    json,
    inJson(json),
    inJson(inJson(json)),
    ...inAscii(json),
    html,
    html.replaceAll("&#x27;", "&#39;").replaceAll("&quot;", "&#34;"),
    ...inBase64(secret, "base64"),
    ...inBase64(secret, "base64url"),
  ];
  return { words: longEnough(words), digits: inDigits(secret) };
}

/** Those that mask no ordinary text, each once. */
export function longEnough(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter(({ length }) => length >= MIN_SECRET_CHARS);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inAscii(json: string): readonly string[] {
  const hexOf = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, "0");
  const beyond = /[^\0-\x7f]/g;
  return [
    json.replace(beyond, (unit) => `\\u${hexOf(unit)}`),
    json.replace(beyond, (unit) => `\\u${hexOf(unit).toUpperCase()}`),
  ];
}

/** As browsers, forms, strict and lax libraries write it. */
function inUrl(secret: string): readonly string[] {
  const wellFormed = secret.toWellFormed();
  const url = encodeURIComponent(wellFormed);
  const strict = url.replace(/[!'()*~]/g, toPercent);
  const all = [url, encodeURI(wellFormed), url.replaceAll("%2F", "/"), strict];
  const forms = [...all, ...all.map((one) => one.replaceAll("%20", "+"))];
  const toLower = (one: string) => one.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
  return [...forms, ...forms.map(toLower)];
}

function toPercent(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** In one piece, and byte by byte as addresses, dumps, fingerprints, strings and lists have them. */
function inDigits(secret: string): readonly string[] {
  const hex = Buffer.from(secret).toString("hex");
  return [hex, hex.toUpperCase()].flatMap((digits) => {
    const bytes = digits.match(/../g) ?? [];
    const escaped = ["%", "\\x", "\\\\x"].map((escape) =>
      bytes.map((byte) => escape + byte).join(""),
    );
    const apart = [" ", ":", " 0x", ", 0x"].map((between) => bytes.join(between));
    return [digits].concat(escaped, apart);
  });
}

/** The whole, and the digits that depend on the secret alone when 0, 1 or 2 bytes precede it. */
function inBase64(secret: string, encoding: "base64" | "base64url"): readonly string[] {
  const inside = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const digits = bytes.toString(encoding);
    return digits.slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
  return [Buffer.from(secret).toString(encoding), ...inside];
}
