import { ElementType, parseDocument } from "htmlparser2";

/** What a page says in one of its elements, in the pieces between its tags. */
export interface Fact {
  readonly kind: string;
  readonly pieces: readonly string[];
}

interface OpenFact extends Fact {
  readonly pieces: string[];
}

type Attributes = Readonly<Record<string, string>>;
type Node = ReturnType<typeof parseDocument>["children"][number];

const KINDS: ReadonlySet<string> = new Set(
  (
    "h1 h2 h3 h4 h5 h6 p code pre dt dd td th li a option summary caption figcaption address " +
    "aside footer blockquote label legend"
  ).split(" "),
);
/** Whose text is a fact of its own and not a part of the one around. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    "h1 h2 h3 h4 h5 h6 p pre dl dt dd table tr td th ul ol li option select optgroup summary " +
    "details caption figcaption figure address aside footer blockquote label legend div section " +
    "article main header nav form fieldset body html"
  ).split(" "),
);
const UNREAD: ReadonlySet<string> = new Set(
  (
    "script style template head title iframe svg annotation noscript audio video canvas object " +
    "textarea"
  ).split(" "),
);
const BARS: ReadonlySet<string> = new Set(["header", "footer"]);
const LISTS: ReadonlySet<string> = new Set(["ul", "ol", "div"]);
const MENU_ROLES: ReadonlySet<string> = new Set(["navigation", "menu", "menubar"]);
const HIDING_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/iu;
/** So far apart may pieces of one fact be: a target stands between them. */
const MAX_GAP = 240;
const MAX_PLACES = 20_000;

/**
 * The facts of a page, read by a tree of its own and not by what is measured: the text of headings,
 * items, terms, cells, code, links, options, asides and footers, without what is hidden, what says
 * by its element or role that it is navigation, and lists of nothing but links in a bar.
 */
export function listFacts(html: string): readonly Fact[] {
  const facts: OpenFact[] = [];
  const open = (kind: string) => {
    const fact = { kind, pieces: [] };
    facts.push(fact);
    return fact;
  };
  const walk = (node: Node, around: OpenFact | undefined, isInBar: boolean): void => {
    if (node.type === ElementType.Text) {
      const piece = toSigns(node.data);
      if (piece !== "") around?.pieces.push(piece);
    }
    if (!("children" in node)) return;
    const element = "name" in node ? node : { name: "", attribs: {} };
    const { name, attribs } = element;
    if (UNREAD.has(name) || isHidden(attribs) || isNavigation(name, attribs)) return;
    if (isInBar && LISTS.has(name) && isMenu(node)) return;
    const isBlock = BLOCKS.has(name);
    const own = KINDS.has(name) ? open(name) : undefined;
    // A plain block in a fact is one of the same kind; text beside it does not run on.
    const inner = own ?? (isBlock && around !== undefined ? open(around.kind) : around);
    const isBar = (isInBar || BARS.has(name)) && name !== "main" && name !== "article";
    for (const child of node.children) walk(child, inner, isBar);
    if (own !== undefined && !isBlock) around?.pieces.push(...own.pieces);
  };
  for (const node of parseDocument(html).children) walk(node, undefined, false);
  return facts.filter(({ pieces }) => pieces.length > 0);
}

/** Whether there are links in it and nothing else. */
function isMenu(node: Node): boolean {
  if (node.type === ElementType.Text) return toSigns(node.data) === "";
  return !("children" in node) || isLink(node) || node.children.every(isMenu);
}

function isLink(node: Node): boolean {
  if (!("attribs" in node) || node.name !== "a") return false;
  return !/^(?:tel|mailto):/u.test(node.attribs["href"] ?? "");
}

/** Which facts are not in a text, in their order. */
export function listLost(facts: readonly Fact[], text: string): readonly Fact[] {
  const signs = toSigns(text);
  return facts.filter(({ pieces }) => !holds(signs, pieces));
}

function holds(signs: string, [first = "", ...rest]: readonly string[]): boolean {
  for (let tried = 0, from = 0; tried < MAX_PLACES; tried += 1) {
    const at = signs.indexOf(first, from);
    if (at < 0) return false;
    let end = at + first.length;
    const isWhole = rest.every((piece) => {
      const next = signs.indexOf(piece, end);
      if (next < 0 || next - end > MAX_GAP) return false;
      end = next + piece.length;
      return true;
    });
    if (isWhole) return true;
    from = at + 1;
  }
  return false;
}

/** Letters, digits and what carries meaning in code; no white space and no marks of a layout. */
function toSigns(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}=<>$€£%+/@]/gu, "");
}

function isHidden({ hidden, style = "", ...others }: Attributes): boolean {
  return hidden !== undefined || others["aria-hidden"] === "true" || HIDING_STYLE.test(style);
}

function isNavigation(name: string, { role = "" }: Attributes): boolean {
  return name === "nav" || MENU_ROLES.has(role);
}
