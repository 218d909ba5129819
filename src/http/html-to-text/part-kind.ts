/**
 * What an element says of its content: the page's own (`main`), navigation (`menu`), the bar above
 * or below the page (`bar`), a question put before it (`notice`), or nothing (`part`).
 */
export type PartKind = "main" | "menu" | "bar" | "notice" | "part";

const BY_ROLE: ReadonlyMap<string, PartKind> = new Map<string, PartKind>([
  ["main", "main"],
  ["article", "main"],
  ["navigation", "menu"],
  ["menu", "menu"],
  ["menubar", "menu"],
  ["banner", "bar"],
  ["contentinfo", "bar"],
  ["dialog", "notice"],
  ["alertdialog", "notice"],
]);
const BY_NAME: ReadonlyMap<string, PartKind> = new Map<string, PartKind>([
  ["main", "main"],
  ["article", "main"],
  ["nav", "menu"],
  ["menu", "part"],
  ["header", "bar"],
  ["footer", "bar"],
  ...["div", "section", "aside", "form", "figure", "ul", "ol", "dl"].map(
    (name) => [name, "part"] as const,
  ),
]);

/** How people who make pages name what asks about cookies. */
const NOTICE_NAME =
  /(?:cookies?|consent|gdpr)[_-]?(?:banner|bar|notice|notification|consent|popup|modal|law|overlay|wall|dialog|disclaimer)|onetrust-|cookiebot/iu;
const MAX_NAME_LENGTH = 200;

/** Elements that only continue the text they are in. */
const INLINE: ReadonlySet<string> = new Set(
  "a img br base link code samp kbd tt var input".split(" "),
);

/** What an element says that it is; undefined for one too small to tell. */
export function toPartKind(
  name: string,
  attributes: Readonly<Record<string, string>>,
): PartKind | undefined {
  const kind = BY_ROLE.get(attributes["role"] ?? "") ?? BY_NAME.get(name);
  if (kind !== "part") return kind;
  const { id = "", class: names = "" } = attributes;
  return isNoticeName(id) || isNoticeName(names) ? "notice" : kind;
}

function isNoticeName(name: string): boolean {
  return name !== "" && NOTICE_NAME.test(name.slice(0, MAX_NAME_LENGTH));
}

/** Whether text does not run on across the start of an element that has a rule. */
export function breaksText(name: string): boolean {
  return !INLINE.has(name);
}

/** Whether what an element holds is pressed and not read. */
export function isControl(name: string): boolean {
  return CONTROLS.has(name);
}

const CONTROLS: ReadonlySet<string> = new Set("a button label".split(" "));

/**
 * How an element and the one right behind it are apart on the screen though no blank is between them:
 * two things to press are; two pieces that stylesheets may set side by side are if both are words.
 */
export function howApart(name: string, next: string): "always" | "words" | undefined {
  if (isControl(name) && isControl(next)) return "always";
  return name === next && SIDE_BY_SIDE.has(name) ? "words" : undefined;
}

const SIDE_BY_SIDE: ReadonlySet<string> = new Set("span b strong i em small time".split(" "));
