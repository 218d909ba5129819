/** What the links of a page are relative to, and how they are written. */
export interface LinkBase {
  /** The page says what its links are relative to; the first word counts. */
  readonly set: (href: string) => void;
  /** The page says where it belongs: its links there are short. */
  readonly setOrigin: (href: string) => void;
  /** The origin that short links are on, for the reader to know; without one all are in full. */
  readonly announce: () => string | undefined;
  /** Where a link leads, without the origin; undefined for what leads nowhere. */
  readonly toTarget: (href: string) => string | undefined;
}

/** The base of a page that was read from `pageUrl`. */
export function createLinkBase(pageUrl: string | undefined): LinkBase {
  let url = pageUrl;
  let origin = toOrigin(pageUrl);
  let isSet = false;
  let hasShort = false;
  return {
    set(href) {
      if (isSet || href === "") return;
      url = URL.parse(href, url)?.href ?? url;
      isSet = true;
    },
    setOrigin(href) {
      origin = toOrigin(href) ?? origin;
      // A page from nowhere is where it says that it belongs.
      if (url === undefined && origin !== undefined) url = href;
    },
    announce() {
      if (!hasShort) origin = undefined;
      return origin;
    },
    toTarget(href) {
      if (isNowhere(href)) return undefined;
      const full = isFull(href) || url === undefined ? href : (URL.parse(href, url)?.href ?? href);
      if (!full.startsWith(`${origin}/`)) return full;
      hasShort = true;
      return full.slice(origin?.length);
    },
  };
}

function toOrigin(url = ""): string | undefined {
  return /^https?:\/\//iu.test(url) ? URL.parse(url)?.origin : undefined;
}

/** Places in the page, scripts, inlined files. */
function isNowhere(href: string): boolean {
  return href === "" || href.startsWith("#") || /^(?:javascript|data|blob):/iu.test(href);
}

function isFull(href: string): boolean {
  return href.startsWith("https://") || href.startsWith("http://");
}
