/** Elements whose content is not there to be read. */
const UNREAD: ReadonlySet<string> = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "iframe",
  "object",
  "canvas",
  "audio",
  "video",
  "svg",
  "annotation",
  "select",
  "datalist",
]);

/** A stylesheet may only hide parts; these are the page, shown as soon as its scripts have run. */
const ROOTS: ReadonlySet<string> = new Set(["html", "body", "main"]);

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
  if (attributes["aria-hidden"] === "true") return true;
  return style !== undefined && HIDING_STYLE.test(style.slice(0, 1000));
}

/** Elements that end a drawing nobody closed, as the HTML standard has it. */
const BREAKS_OUT =
  /^(?:blockquote|body|br|center|code|dd|div|dl|dt|em|h[1-6]|hr|img|li|menu|ol|p|pre|ruby|small|span|strong|su[bp]|table|ul)$/u;

/** Whether `name` cannot be inside the hidden element `outer`, so that it is over. */
export function endsHidden(outer: string, name: string): boolean {
  return outer === "svg" && BREAKS_OUT.test(name);
}
