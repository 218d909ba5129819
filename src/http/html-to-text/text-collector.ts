import { cutText, shorten } from "../../core/cut-text.ts";
import { BoundedParser, type PageHandler } from "./bounded-parser.ts";
import { isContactAddress } from "./contact-address.ts";
import { createContentWeight } from "./content-weight.ts";
import { ELEMENT_RULES, type PageState } from "./element-rules.ts";
import { endsHidden, isCaption, isHiddenElement } from "./hidden-element.ts";
import { createLeftOutRecord, type LeftOutRecord } from "./left-out.ts";
import { createLinkBase } from "./link-base.ts";
import { breaksText, howApart, isControl, toPartKind } from "./part-kind.ts";
import { createSeen } from "./seen.ts";
import { createTextBuffer } from "./text-buffer.ts";
import { createTextTally } from "./text-tally.ts";
import { createTextWriter } from "./text-writer.ts";

const MAX_TITLE_LENGTH = 300;
const MAX_LINK_TEXT_LENGTH = 1000;
/** Hours, prices and numbers to call; the names of menus have none. */
const FIGURES = /\d{3}|\d[.:,]\d\d|\d\s?[€$£¥]|[€$£¥]\s?\d/u;
/** Such as no version or year looks like. */
const PLAIN_FIGURES = /\d:\d\d|\d\s?(?:am|pm|Uhr|[€$£¥])(?!\p{L})|[€$£¥]\s?\d/iu;

/** Turns what a parser says of a page into its title and text. */
export interface TextCollector {
  readonly handler: PageHandler;
  /** Passes on the text that is sure to be content. */
  readonly flush: () => void;
  /** The origin that short links are on; to be asked before the first text is given away. */
  readonly announceBase: () => string | undefined;
  /** Passes on the rest; returns the page's title. */
  readonly finish: () => string;
  readonly leftOut: LeftOutRecord;
}

/** An element that something has to be done for when it ends. */
interface Frame {
  readonly depth: number;
  readonly close: () => void;
}

/** A collector for one page, read from `pageUrl`; its text goes to `write` piece by piece. */
export function createTextCollector(
  pageUrl: string | undefined,
  write: (text: string) => void,
): TextCollector {
  const leftOut = createLeftOutRecord();
  const buffer = createTextBuffer({ write, leaveOut: leftOut.add });
  const writer = createTextWriter(buffer);
  const seen = createSeen();
  const tally = createTextTally();
  const save = () => {
    const resume = writer.save();
    const count = seen.count();
    return { resume, forget: () => seen.forgetAfter(count) };
  };
  const weight = createContentWeight({ buffer, tally, save });
  const page: PageState = {
    writer,
    position: buffer.position,
    addresses: weight,
    base: createLinkBase(pageUrl),
    seen,
    link: undefined,
    codeLinks: undefined,
    row: undefined,
    lists: [],
  };
  const frames: Frame[] = [];
  let depth = 0;
  let hidden: { readonly name: string; readonly depth: number } | undefined;
  /** Words in a drawing, which is hidden but for them. */
  let caption: { readonly depth: number } | undefined;
  let fallback: FallbackReader | undefined;
  let isInFallback = false;
  /** The element that ended last, if nothing came behind it. */
  let closed = "";
  let title: string | undefined;
  let isInTitle = false;

  const openTitle = () => {
    title = "";
    isInTitle = true;
    whenClosed(() => {
      isInTitle = false;
    });
  };

  const openFallback = () => {
    fallback = createFallbackReader(handler);
    whenClosed(() => {
      fallback = undefined;
    });
  };

  /** What is in it may hold another one: that is only text. */
  const readFallback = () => {
    if (isInFallback) return;
    isInFallback = true;
    fallback?.flush();
    isInFallback = false;
  };

  const openCaption = () => {
    writer.text(" ");
    caption ??= { depth };
  };

  const whenClosed = (close: (() => void) | undefined) => {
    if (close !== undefined) frames.push({ depth, close });
  };

  const openElement = (name: string, attributes: Readonly<Record<string, string>>) => {
    const apart = page.codeLinks === undefined ? howApart(closed, name) : undefined;
    if (apart !== undefined) writer.apart(apart);
    closed = "";
    const rule = ELEMENT_RULES.get(name);
    if (rule !== undefined && breaksText(name)) tally.breakRun();
    const kind = toPartKind(name, attributes);
    if (kind !== undefined) whenClosed(weight.open(kind));
    if (isControl(name)) whenClosed(tally.openLink(isContactAddress(attributes["href"] ?? "")));
    if (name === "h1") weight.foundContent();
    whenClosed(rule?.(page, attributes));
  };

  const handler: PageHandler = {
    onopentag(name, attributes) {
      readFallback();
      depth += 1;
      if (hidden !== undefined && endsHidden(hidden.name, name)) hidden = caption = undefined;
      if (hidden !== undefined) {
        if (isCaption(hidden.name, name)) openCaption();
        return;
      }
      const isSecondTitle = name === "title" && title !== undefined;
      if (isSecondTitle || isHiddenElement(name, attributes)) hidden = { name, depth };
      else if (name === "title") openTitle();
      else if (name === "noscript" && fallback === undefined) openFallback();
      else openElement(name, attributes);
    },
    ontext(text) {
      closed = "";
      if (hidden !== undefined && caption === undefined) return;
      if (fallback !== undefined && !isInFallback) {
        fallback.add(text);
        return;
      }
      if (isInTitle) {
        title = cutText((title ?? "") + text, MAX_TITLE_LENGTH + 1);
        return;
      }
      const { link } = page;
      if (link && link.text.length < MAX_LINK_TEXT_LENGTH) link.text += text;
      const figures = link ? FIGURES : PLAIN_FIGURES;
      if (figures.test(text)) tally.hadFigures();
      if (tally.add(writer.text(text))) weight.foundContent();
    },
    onclosetag(name) {
      readFallback();
      if (hidden === undefined) closed = name;
      if (caption?.depth === depth) caption = undefined;
      if (hidden?.depth === depth) hidden = undefined;
      while (frames.at(-1)?.depth === depth) frames.pop()?.close();
      depth -= 1;
    },
  };

  return {
    handler,
    flush: weight.flush,
    announceBase: page.base.announce,
    leftOut,
    finish() {
      weight.finish();
      return shorten(title ?? "", MAX_TITLE_LENGTH)
        .replace(/\s+/gu, " ")
        .trim();
    },
  };
}

/** What a page says to those who run no scripts is a paragraph or a picture, hardly ever more. */
const MAX_FALLBACK_LENGTH = 64 * 1024;

/**
 * Reads the text of a `noscript` element. A page that a browser saved has the source of markup
 * there, as text.
 */
interface FallbackReader {
  readonly add: (text: string) => void;
  /** Text does not go on from here: it is read as if what it is the source of stood there. */
  readonly flush: () => void;
}

/** A {@link FallbackReader} for one element; `handler` gets what it reads. */
function createFallbackReader(handler: PageHandler): FallbackReader {
  let held = "";
  return {
    add(text) {
      held = cutText(held + text, MAX_FALLBACK_LENGTH);
    },
    flush() {
      const source = held;
      held = "";
      if (!source.trimStart().startsWith("<")) return handler.ontext(source);
      const parser = new BoundedParser(handler);
      parser.write(source);
      parser.end();
    },
  };
}
