import { compile, type DomNode, type FormatCallback } from "html-to-text";
import { BoundedParser } from "../src/http/html-to-text/bounded-parser.ts";
import { isContactAddress } from "../src/http/html-to-text/contact-address.ts";
import { isHiddenElement } from "../src/http/html-to-text/hidden-element.ts";
import { toPartKind } from "../src/http/html-to-text/part-kind.ts";

/** More than that of its text nobody is given. */
const MAX_TEXT_LENGTH = 1_000_000;
const MAX_TARGET_LENGTH = 120;

/**
 * html-to-text as nothing but the formatter: the tree comes from the bounded parser, without what is
 * hidden and without menus, by the project's own rules; its selectors lay out what the project's
 * writer does.
 */
export function convertBounded(html: string): string {
  tree = parse(html);
  prune(tree, false, false);
  seen.clear();
  return format("<tree></tree>");
}

let tree: DomNode[] = [];
const seen = new Set<string>();

function parse(html: string): DomNode[] {
  const root: DomNode = { type: "root", children: [] };
  const open = [root];
  let depth = 0;
  let hiddenAt = 0;
  let length = 0;
  const append = (node: DomNode) => void open.at(-1)?.children?.push(node);
  const parser = new BoundedParser({
    onopentag(name, attribs) {
      depth += 1;
      if (hiddenAt > 0) return;
      if (length > MAX_TEXT_LENGTH || name === "title" || isHiddenElement(name, attribs)) {
        hiddenAt = depth;
        return;
      }
      const node: DomNode = { type: "tag", name, attribs, children: [] };
      append(node);
      open.push(node);
    },
    ontext(data) {
      if (hiddenAt > 0) return;
      length += data.length;
      append({ type: "text", data, children: [] });
    },
    onclosetag() {
      if (hiddenAt === 0) open.pop();
      else if (hiddenAt === depth) hiddenAt = 0;
      depth -= 1;
    },
  });
  parser.write(html);
  parser.end();
  return root.children ?? [];
}

interface Counts {
  readonly plain: number;
  readonly linked: number;
  readonly links: number;
  readonly contacts: number;
}

const NOTHING: Counts = { plain: 0, linked: 0, links: 0, contacts: 0 };

/** Takes out menus, by the rules of `content-weight` over a tree; counts what remains. */
function prune(nodes: DomNode[], isInMain: boolean, isBeside: boolean): Counts {
  let sum = NOTHING;
  for (const node of nodes) {
    const kind = toPartKind(node.name ?? "", node.attribs ?? {});
    const isMain = isInMain || kind === "main";
    const isNear = isBeside || kind === "menu" || kind === "bar";
    const inner = countOf(node, prune(node.children, isMain, isNear));
    const isLeftOut = !isMain && isNear && kind !== undefined && isMenu(inner, kind === "menu");
    if (isLeftOut) node.children = [];
    else sum = add(sum, inner);
  }
  return sum;
}

function add(one: Counts, other: Counts): Counts {
  return {
    plain: one.plain + other.plain,
    linked: one.linked + other.linked,
    links: one.links + other.links,
    contacts: one.contacts + other.contacts,
  };
}

function countOf(node: DomNode, inner: Counts): Counts {
  if (node.type === "text") return { ...NOTHING, plain: (node.data ?? "").trim().length };
  if (node.name !== "a" && node.name !== "button") return inner;
  const isContact = isContactAddress(String(node.attribs?.["href"] ?? ""));
  return {
    plain: 0,
    linked: inner.plain + inner.linked,
    links: inner.links + 1,
    contacts: inner.contacts + (isContact ? 1 : 0),
  };
}

function isMenu({ plain, linked, links, contacts }: Counts, isNavigation: boolean): boolean {
  const share = isNavigation ? 0.3 : 0.2;
  const isDense = links >= 3 && linked <= 40 * links && plain <= share * (plain + linked);
  return isDense && contacts === 0;
}

const toLink: FormatCallback = (element, walk, builder) => {
  const href = String(element.attribs?.["href"] ?? "").trim();
  walk(element.children, builder);
  const isShort = href.length <= MAX_TARGET_LENGTH || isContactAddress(href);
  if (href === "" || href.startsWith("#") || !isShort || seen.has(href)) return;
  seen.add(href);
  builder.addInline(` (${href})`, { noWordTransform: true });
};

const toHeading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addInline(`${"#".repeat(Number(element.name?.[1] ?? 1))} `);
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 2 });
};

const toRow: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

const toCell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(" | ");
};

const toCode: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2, isPre: true });
  builder.addLiteral("```\n");
  walk(element.children, builder);
  builder.addLiteral("\n```");
  builder.closeBlock({ trailingLineBreaks: 2 });
};

const toImage: FormatCallback = (element, _walk, builder) => {
  const alt = String(element.attribs?.["alt"] ?? "").trim();
  if (alt === "" || seen.has(`[${alt}]`)) return;
  seen.add(`[${alt}]`);
  builder.addInline(`[${alt}]`);
};

const format = compile({
  wordwrap: false,
  formatters: {
    toLink,
    toHeading,
    toRow,
    toCell,
    toCode,
    toImage,
    fromTree: (_element, walk, builder) => walk(tree, builder),
  },
  selectors: [
    { selector: "tree", format: "fromTree" },
    { selector: "a", format: "toLink" },
    { selector: "img", format: "toImage" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, format: "toHeading" })),
    { selector: "ul", options: { itemPrefix: "- " } },
    ...["dl", "figure", "table", "fieldset"].map((selector) => ({ selector, format: "block" })),
    ...["dt", "dd", "summary", "caption", "address", "select"].map((selector) => {
      return { selector, format: "block" };
    }),
    { selector: "tr", format: "toRow" },
    ...["td", "th", "option"].map((selector) => ({ selector, format: "toCell" })),
    { selector: "pre", format: "toCode" },
  ],
});
