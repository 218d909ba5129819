import type { TextBuffer } from "./text-buffer.ts";
import type { TextCounts, TextTally } from "./text-tally.ts";

/** A page with less prose is a list of links by its nature, and is given whole. */
const MIN_PROSE_LENGTH = 400;
/** A side part with this much of it is more than navigation. */
const MIN_ASIDE_PROSE_LENGTH = 600;
/**
 * A list of links: so many of them, and at least this share of the text, next to so little else.
 */
const MIN_LINKS = 3;
const LINK_SHARE = 0.5;
const MAX_PLAIN_LENGTH = 400;
/** How much text may stay undecided; what is longer is kept. */
const MAX_PENDING_LENGTH = 256 * 1024;

/**
 * What an element says of its own content: it may be anything, or is probably not the page's
 * content.
 */
export type PartKind = "part" | "aside";

/** Finds what belongs to the site and not to the page: menus, link lists, footers. */
export interface ContentWeight {
  /** A part begins; the result ends it, and leaves it out if it is no content. */
  readonly open: (kind: PartKind) => () => void;
  /** There is prose, or the page's own heading: what is around it is content. */
  readonly foundContent: () => void;
  /** Passes on what is decided. */
  readonly flush: () => void;
  /** Passes on the rest. */
  readonly finish: () => void;
}

/** What a content weight works on. */
export interface WeighedText {
  readonly buffer: TextBuffer;
  readonly tally: TextTally;
  /** Remembers the state of the text; the result goes back to it. */
  readonly save: () => () => void;
}

interface Part {
  readonly kind: PartKind;
  readonly at: number;
  /** What was counted before the part, and how much was left out by then. */
  readonly before: TextCounts;
  readonly leftOut: number;
  readonly resume: () => void;
  isContent: boolean;
}

/**
 * The content weight of a page's text. A part is content as soon as it has some prose; one that
 * ends without, and consists of links, is left out. Nothing is passed on before the page has shown
 * that it has prose at all, so that a page without is given whole.
 */
export function createContentWeight({ buffer, tally, save }: WeighedText): ContentWeight {
  const parts: Part[] = [];
  let leftOut = 0;
  let isArticle = false;
  let isIndex = false;

  const foundContent = () => {
    for (let at = parts.length - 1; at >= 0; at -= 1) {
      const part = parts[at];
      if (part === undefined || part.isContent || part.kind === "aside") return;
      part.isContent = true;
    }
  };

  const close = () => {
    const part = parts.pop();
    tally.breakRun();
    if (part === undefined || part.isContent || isIndex) return;
    const own = since(part.before, tally.counts());
    const length = own.plain + own.linked;
    if (length === 0) return;
    if (isBoilerplate(part.kind, own, leftOut - part.leftOut)) {
      buffer.leaveOut(part.at);
      part.resume();
      tally.reset(part.before);
      leftOut += length;
    } else if (own.prose > 0) foundContent();
  };

  return {
    open(kind) {
      tally.breakRun();
      const before = tally.counts();
      const at = buffer.position();
      parts.push({ kind, at, before, leftOut, resume: save(), isContent: false });
      return close;
    },
    foundContent,
    flush() {
      const first = parts.find((part) => !part.isContent);
      isArticle ||= (first?.before.prose ?? tally.counts().prose) >= MIN_PROSE_LENGTH;
      if (isArticle || isIndex) buffer.flush(first?.at ?? buffer.position());
      if (buffer.pendingLength() <= MAX_PENDING_LENGTH) return;
      // So much that is still undecided is one enormous part, or no article at all.
      for (const part of parts) part.isContent = true;
      if (!isArticle) buffer.takeBackAll();
      isIndex = !isArticle;
      buffer.flush(buffer.position());
    },
    finish() {
      if (!isArticle && tally.counts().prose < MIN_PROSE_LENGTH) buffer.takeBackAll();
      buffer.flush(buffer.position());
    },
  };
}

function since(before: TextCounts, now: TextCounts): TextCounts {
  return {
    plain: now.plain - before.plain,
    linked: now.linked - before.linked,
    prose: now.prose - before.prose,
    links: now.links - before.links,
  };
}

function isBoilerplate(kind: PartKind, own: TextCounts, leftOut: number): boolean {
  if (kind === "aside") return own.prose < MIN_ASIDE_PROSE_LENGTH;
  if (own.plain >= MAX_PLAIN_LENGTH || (own.links < MIN_LINKS && leftOut === 0)) return false;
  const navigation = own.linked + leftOut;
  return navigation > LINK_SHARE * (navigation + own.plain);
}
