import { toPrintableText } from "../../core/visible-text.ts";
import { repairMarkdown } from "../markdown.ts";

/** A piece of a text: words, or a node of {@link NODES}, with what is in it. */
export type MarkdownNode =
  | string
  | {
      readonly kind: NodeKind;
      readonly of: readonly MarkdownNode[];
      /** Of a heading. */
      readonly level?: number;
      /** Of a list with numbers: the first. */
      readonly start?: number;
      /** Of an item: whether it is ticked off. */
      readonly checked?: boolean;
      /** Of code: its language, as it was named. */
      readonly language?: string;
      /** Of a link or a picture: where it leads, as it was written. */
      readonly href?: string;
      /** Of a cell. */
      readonly align?: string;
    };

/** What a text is made of. */
export type NodeKind =
  | "paragraph"
  | "heading"
  | "code"
  | "quote"
  | "list"
  | "ordered"
  | "item"
  | "table"
  | "row"
  | "head"
  | "cell"
  | "rule"
  | "strong"
  | "emphasis"
  | "strike"
  | "codespan"
  | "link"
  | "image";

/** Around the number of a node, characters that no text has. */
const [OPEN, SHUT] = ["\ufdd0", "\ufdd1"];
const MARK = /\ufdd0(\d+)\ufdd1/gu;

/**
 * Markdown as models write it, as a tree of blocks for who draws them without reading Markdown. HTML
 * is words, and what is not seen is spelled out, also what an entity stands for.
 */
export function toBlocks(markdown: string): readonly MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  const source = repairMarkdown(clean(markdown.toWellFormed()));
  const options = { autolinks: { url: true }, hardSoftBreaks: true, noHtmlBlocks: true } as const;
  const toChildren = (text: string): readonly MarkdownNode[] => {
    // Between every two words there is the number of a node.
    const parts = text.split(MARK);
    return parts.flatMap((part, at) => (at % 2 === 0 ? part || [] : (nodes[Number(part)] ?? [])));
  };
  const add = (node: MarkdownNode): string => `${OPEN}${nodes.push(node) - 1}${SHUT}`;
  const put = (kind: NodeKind) => (text: string) => add({ kind, of: toChildren(text) });
  const cell = (kind: "head" | "cell") => (text: string, meta?: Bun.markdown.CellMeta) =>
    add({ kind, of: toChildren(text), ...(meta?.align && { align: meta.align }) });
  const text = Bun.markdown.render(
    source,
    {
      text: (words) => (/^<br ?\/?>$/iu.test(words) ? "\n" : clean(words)),
      paragraph: put("paragraph"),
      heading: (words, { level }) => add({ kind: "heading", level, of: toChildren(words) }),
      strong: put("strong"),
      emphasis: put("emphasis"),
      strikethrough: put("strike"),
      codespan: (words) => add({ kind: "codespan", of: [words] }),
      code: (words, meta) =>
        add({
          kind: "code",
          of: [words.replace(/\n$/u, "")],
          ...(meta?.language && { language: clean(meta.language) }),
        }),
      blockquote: put("quote"),
      list: (items, { ordered, start }) =>
        add({
          kind: ordered ? "ordered" : "list",
          of: toChildren(items),
          ...(ordered && { start: start ?? 1 }),
        }),
      listItem: (words, { checked }) =>
        add({ kind: "item", of: toChildren(words), ...(checked !== undefined && { checked }) }),
      hr: () => add({ kind: "rule", of: [] }),
      link: (words, { href }) => add({ kind: "link", href: clean(href), of: toChildren(words) }),
      image: (words, { src }) => add({ kind: "image", href: clean(src), of: toChildren(words) }),
      th: cell("head"),
      td: cell("cell"),
      tr: put("row"),
      table: put("table"),
    },
    options,
  );
  return toChildren(text);
}

/** Text of others, in which nothing is hidden and nothing is one of our marks. */
function clean(text: string): string {
  return toPrintableText(text).replaceAll(/[\ufdd0-\ufdef]/gu, "");
}
