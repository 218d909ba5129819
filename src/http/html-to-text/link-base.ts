/** What the links of a page are relative to, and how they are written. */
export interface LinkBase {
  /** The page says what its links are relative to; the first word counts. */
  readonly set: (href: string) => void;
  /** The page says where it belongs: its links there are short. */
  readonly setOrigin: (href: string) => void;
  /** The origin that short links are on, for the reader to know; without one all are in full. */
  readonly announce: () => string | undefined;
  /** Where a link leads, without that origin; undefined for what leads nowhere. */
  readonly toTarget: (href: string) => string | undefined;
}

/** The base of a page that was read from `pageUrl`. */
export function createLinkBase(pageUrl: string | undefined): LinkBase {
  let url = pageUrl;
  let isSet = false;
  let root = toRoot(pageUrl);
  let hasShort = false;
  return {
    set(href) {
      if (isSet || href === "") return;
      url = URL.parse(href, url)?.href ?? url;
      isSet = true;
    },
    setOrigin(href) {
      root = toRoot(href) ?? root;
      // A page from nowhere is where it says that it belongs.
      url ??= root && href;
    },
    announce() {
      if (!hasShort) root = undefined;
      return root?.slice(0, -1);
    },
    toTarget(href) {
      if (isNowhere(href)) return undefined;
      const full = isFull(href) || url === undefined ? href : (URL.parse(href, url)?.href ?? href);
      if (isSamePlace(full, pageUrl ?? url)) return undefined;
      if (root === undefined || !full.startsWith(root)) return full;
      hasShort = true;
      return full.slice(root.length - 1);
    },
  };
}

/** The origin of a web address with the slash behind it, which all addresses there start with. */
function toRoot(url = ""): string | undefined {
  if (!/^https?:\/\//iu.test(url)) return undefined;
  const origin = URL.parse(url)?.origin;
  return origin && `${origin}/`;
}

/** Places in the page, scripts, inlined files. */
function isNowhere(href: string): boolean {
  return href === "" || href.startsWith("#") || /^(?:javascript|data|blob):/iu.test(href);
}

/** Whether an address is that of the page, or of a place in it. */
function isSamePlace(address: string, page: string | undefined): boolean {
  if (page === undefined || !address.startsWith(page)) return false;
  return address.length === page.length || address[page.length] === "#";
}

function isFull(href: string): boolean {
  return href.startsWith("https://") || href.startsWith("http://");
}
