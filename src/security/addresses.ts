/**
 * The whole links in `text`, as they would be called. With `page`, the address that
 * the text was read from, its relative links, too; without one a text is a person's, who writes
 * `docs.example/x` for either scheme.
 */
export function linksIn(text: string, page?: string): readonly string[] {
  // Most of what people say names no place; without a page nothing is meant from there.
  if (page === undefined && !text.includes(".") && !text.includes("://")) return [];
  const words = wordsIn(text);
  const whole = words.flatMap((word) => toLink(word) ?? []);
  if (page !== undefined) return [...whole, ...relativeLinks(text, words, page)];
  return [...whole, ...words.filter(isBareAddress).flatMap(withSchemes)];
}

/** The addresses that name the same place: a link may be called by the safer scheme as well. */
export function sameOrSafer(href: string): readonly string[] {
  return href.startsWith("http://") ? [href, href.replace("http://", "https://")] : [href];
}

/** The words of a text, cut where an address ends in prose, Markdown, HTML and JSON. */
function wordsIn(text: string): readonly string[] {
  const bare = text.split(/[\s<>"'`()[\]{}|\\，。、；：！？）（]+/u);
  // An address of an encyclopaedia has brackets in it, and a sentence has it in brackets.
  const bracketed = text.match(
    /https?:\/\/[^\s<>"'`[\]{}|\\()]{1,500}\([^\s<>"'`[\]()]{1,200}\)/giu,
  );
  return [...bare.map((word) => word.replace(/[.,;:!?*]{1,8}$/u, "")), ...(bracketed ?? [])];
}

function toLink(word: string): string | undefined {
  return /^https?:\/\//iu.test(word) ? URL.parse(word)?.href : undefined;
}

/** Behind the words of a link, `words (install.html)`, as attributes of HTML, or from the root. */
function relativeLinks(text: string, words: readonly string[], page: string): readonly string[] {
  const behind = text.matchAll(/\(([^\s()]{1,2000})\)|\b(?:href|src)=["']?([^\s"'<>]{1,2000})/giu);
  const targets = [...behind].flatMap(([, inText = "", inHtml = ""]) => {
    return inHtml !== "" ? [inHtml] : /[./?#]/u.test(inText) ? [inText] : [];
  });
  return [...words.filter((word) => word.startsWith("/")), ...targets].flatMap((target) => {
    const url = URL.parse(target, page);
    return url && /^https?:$/u.test(url.protocol) ? [url.href] : [];
  });
}

/**
 * `a.example/b`, or `a.example` as people write it. A name that ends like a file is one:
 * whoever speaks of README.md does not mean a host in Moldova.
 */
function isBareAddress(word: string): boolean {
  const [, ending = "", rest = ""] =
    /^(?:[\p{L}\p{N}_-]{1,63}\.){1,8}(\p{L}{2,63}|xn--[\w-]{1,59})(?::\d{1,5})?([/?]|$)/iu.exec(
      word,
    ) ?? [];
  return ending !== "" && (rest !== "" || !FILE_ENDINGS.has(ending.toLowerCase()));
}

/** Top-level domains that files end in. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(
  "ac am bar bz cab cat cc cl do fm foo gz in la map md mk ml mm mo mov ms name nc pl pm ps pub py rs sc sh so st tf tl vi zip".split(
    " ",
  ),
);

function withSchemes(word: string): readonly string[] {
  return [`http://${word}`, `https://${word}`].flatMap((address) => toLink(address) ?? []);
}
