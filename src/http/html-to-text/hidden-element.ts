/** Elements whose content is not there to be read. */
const UNREAD: ReadonlySet<string> = new Set([
  "script",
  "style",
  "template",
  "iframe",
  "annotation",
  "svg",
]);

/** A stylesheet may only hide parts; these are the page, shown as soon as its scripts have run. */
const ROOTS: ReadonlySet<string> = new Set(["html", "body", "main"]);

/**
 * What `aria-hidden` hides from those who listen to a page is said otherwise as well, or an icon; a
 * block of it is on the screen like any other.
 */
const SMALL: ReadonlySet<string> = new Set("a abbr b button em i img small span strong".split(" "));

const HIDING_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/iu;

/** Whether a reader of the page sees nothing of an element. */
export function isHiddenElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
): boolean {
  if (UNREAD.has(name)) return true;
  if (ROOTS.has(name)) return false;
  const { hidden, style, open } = attributes;
  if (name === "dialog" && open === undefined) return true;
  if (hidden !== undefined && hidden !== "until-found") return true;
  if (attributes["aria-hidden"] === "true" && SMALL.has(name)) return true;
  return style !== undefined && HIDING_STYLE.test(style.slice(0, 1000));
}

/** Whether an element that begins in the hidden element `outer` holds words to be read all the same. */
export function isCaption(outer: string, name: string): boolean {
  return outer === "svg" && name === "text";
}

/** Elements that end a drawing nobody closed, as the HTML standard has it. */
const BREAKS_OUT =
  /^(?:blockquote|body|br|center|code|dd|div|dl|dt|em|h[1-6]|hr|img|li|menu|ol|p|pre|ruby|small|span|strong|su[bp]|table|ul)$/u;

/** Whether `name` cannot be inside the hidden element `outer`, so that it is over. */
export function endsHidden(outer: string, name: string): boolean {
  return outer === "svg" && BREAKS_OUT.test(name);
}
