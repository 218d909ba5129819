/** What a tag may be in and hold, after the Bot API's rules for entities. */
const STYLES = ["b", "strong", "i", "em", "u", "ins", "s", "strike", "del", "tg-spoiler"];
const LINK = ["a"];
const CODE = ["pre", "code"];
const QUOTE = ["blockquote"];
const FORBIDDEN_INSIDE: Readonly<Record<string, readonly string[]>> = {
  a: [...LINK, ...CODE, ...QUOTE],
  code: [...STYLES, ...LINK, ...CODE, ...QUOTE],
  pre: [...STYLES, ...LINK, "pre", ...QUOTE],
  blockquote: QUOTE,
  ...Object.fromEntries(STYLES.map((name) => [name, [...CODE, ...QUOTE]])),
};

/** Attributes a tag may have, whole. */
const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  a: /^ href="[^"<>]+"$/,
  code: /^(?: class="language-[^"<>\s]+")?$/,
  blockquote: /^(?: expandable)?$/,
};

/** Telegram counts UTF-16 units after it read the tags. */
const MAX_TEXT = 4096;
/** The same for captions. */
export const MAX_CAPTION = 1024;
const MAX_ENTITIES = 100;
const BLANK = /^[\s\p{Cc}\p{Cf}\p{Z}\u{2800}\u{3164}\u{fffc}]*$/u;

/** Why Telegram would refuse a text; empty: it takes it. */
export function checkText(text: string, isHtml: boolean): string {
  if (!text.isWellFormed()) return "strings must be encoded in UTF-8";
  if (Buffer.byteLength(text) > 32_768) return "text is too long";
  const fault = isHtml ? checkTelegramHtml(text) : "";
  if (fault !== "") return `can't parse entities: ${fault}`;
  const shown = isHtml ? readHtml(text) : text;
  if (BLANK.test(shown)) return "message text is empty";
  return shown.length > MAX_TEXT ? "message is too long" : "";
}

/** What is wrong with the markup, stricter than Telegram, which drops what may not be nested. */
function checkTelegramHtml(html: string): string {
  const open: string[] = [];
  let entities = 0;
  for (const [token] of html.matchAll(/<[^>]*>?|&[^;\s<&]*;?|[^<&]+/g)) {
    if (token.startsWith("&") && !/^&(?:lt|gt|amp|quot);$/.test(token)) return `Bare "${token}"`;
    if (!token.startsWith("<")) continue;
    const [, slash, name = "", attributes = ""] = /^<(\/?)([a-z-]+)([^>]*)>$/.exec(token) ?? [];
    if (!(name in FORBIDDEN_INSIDE)) return `Unsupported start tag "${token}"`;
    if (slash === "/") {
      if (open.pop() !== name || attributes !== "") return `Unmatched end tag "${name}"`;
      continue;
    }
    const fault = checkStart(name, attributes, open);
    if (fault !== "") return fault;
    open.push(name);
    entities += 1;
  }
  if (open.length > 0) return `Can't find end tag corresponding to start tag "${open.at(-1)}"`;
  return entities > MAX_ENTITIES ? `${entities} entities` : "";
}

function checkStart(name: string, attributes: string, open: readonly string[]): string {
  if (!(ATTRIBUTES[name] ?? /^$/).test(attributes))
    return `Attributes "${attributes}" of "${name}"`;
  const outer = open.find((each) => FORBIDDEN_INSIDE[each]?.includes(name) || each === name);
  if (outer !== undefined) return `"${name}" inside "${outer}"`;
  const isLanguage = attributes.includes("language-");
  return isLanguage && open.at(-1) !== "pre" ? "A language outside of a block" : "";
}

/** What a reader sees of Telegram's HTML. */
export function readHtml(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
