/**
 * Whether `text` (arguments of a call) names a web address that does not stand in `seen`: what a
 * hostile page can have made up to carry something away. An address counts as seen whole, with
 * its query; a relative link counts when its host was seen too.
 */
export function namesNewUrl(text: string, seen: readonly string[]): boolean {
  const wanted = words(text).flatMap((word) => toAddress(word) ?? []);
  return wanted.length > 0 && !areSeen(wanted, seen);
}

/**
 * The same of an address that will be called as it is: no sign in it ends it, and one that
 * cannot be read was never seen.
 */
export function isNewUrl(url: string, seen: readonly string[]): boolean {
  const parsed = URL.parse(url);
  return !parsed || !areSeen([describe(parsed)], seen);
}

function areSeen(wanted: readonly Address[], seen: readonly string[]): boolean {
  const all = seen.flatMap(words);
  const known = new Set(all.flatMap((word) => toAddress(word)?.whole ?? []));
  const hosts = new Set(all.flatMap((word) => toAddress(word)?.host ?? []));
  const links = new Set(all.filter((word) => word.startsWith("/")));
  return wanted.every(
    ({ whole, host, path }) => known.has(whole) || (hosts.has(host) && links.has(path)),
  );
}

interface Address {
  readonly host: string;
  readonly path: string;
  /** Without scheme and fragment, which carry nothing to the host. */
  readonly whole: string;
}

/** Cut where an address ends in prose, Markdown, HTML and JSON. */
function words(text: string): readonly string[] {
  const bare = text.split(/[\s<>"'`()[\]{}|\\，。、；：！？）（]+/u);
  return bare.map((word) => word.replace(/[.,;:!?*]{1,8}$/u, ""));
}

/** `https://a.example/b`, or `a.example/b` as people write it. */
function toAddress(word: string): Address | undefined {
  const isWhole = /^https?:\/\//iu.test(word);
  if (!isWhole && !/^(?:[\w-]{1,63}\.){1,8}[a-z]{2,63}(?::\d{1,5})?(?:[/?]|$)/iu.test(word)) {
    return undefined;
  }
  const url = URL.parse(isWhole ? word : `https://${word}`);
  return url ? describe(url) : undefined;
}

function describe({ host, pathname, search }: URL): Address {
  const path = pathname + search;
  return { host, path, whole: host + path };
}
