import type { TextBuffer } from "./text-buffer.ts";
import type { TextWriter } from "./text-writer.ts";

/** Text that runs on for this long without links or breaks is written to be read. */
const RUN_LENGTH = 100;
/** A page with less of such text is a list of links by its nature, and is given whole. */
const MIN_PROSE_LENGTH = 400;
/** A side part with this much of it is more than navigation. */
const MIN_ASIDE_PROSE_LENGTH = 600;
/** A list of links: so many of them, and at least this share of the text, beside so little else. */
const MIN_LINKS = 3;
const LINK_SHARE = 0.5;
const MAX_PLAIN_LENGTH = 400;
/** Longer than any name of a link: text that somebody forgot to end the link before. */
const MAX_LINK_LENGTH = 600;
/** How much text waits for its verdict; what is longer is kept. */
const MAX_PENDING_LENGTH = 256 * 1024;

/** What an element says of its own content: it may be anything, or is beside the matter. */
export type PartKind = "part" | "aside";

/** Finds what belongs to the site and not to the page: menus, link lists, footers. */
export interface ContentJudge {
  /** A part begins; the result ends it, and leaves it out if it is no content. */
  readonly open: (kind: PartKind) => () => void;
  /** A link, or a control that is none the less no text, begins; the result ends it. */
  readonly openLink: () => () => void;
  readonly text: (length: number) => void;
  /** The page's own heading: what is around it is content. */
  readonly heading: () => void;
  /** Text does not run on from here. */
  readonly breakRun: () => void;
  /** Settles what the verdict is in for. */
  readonly settle: () => void;
  /** Settles the rest. */
  readonly finish: () => void;
}

interface Tally {
  readonly plain: number;
  readonly linked: number;
  readonly links: number;
  readonly prose: number;
  readonly leftOut: number;
}

interface Part {
  readonly kind: PartKind;
  readonly at: number;
  /** As it stood when the part began. */
  readonly before: Tally;
  readonly resume: () => void;
  isContent: boolean;
}

/**
 * A judge over what `writer` writes to `buffer`. A part is content as soon as it has some prose;
 * one that ends without, and consists of links, is left out. Nothing is settled before the page
 * has shown that it has prose at all, so that a page without is given whole.
 */
export function createContentJudge(writer: TextWriter, buffer: TextBuffer): ContentJudge {
  const parts: Part[] = [];
  let [plain, linked, links, prose, leftOut] = [0, 0, 0, 0, 0];
  let run = { plain: 0, linked: 0 };
  let linkDepth = 0;
  let linkLength = 0;
  let isArticle = false;
  let isOff = false;

  const breakRun = () => {
    run = { plain: 0, linked: 0 };
  };

  const clearInnermost = () => {
    for (let at = parts.length - 1; at >= 0; at -= 1) {
      const part = parts[at];
      if (part === undefined || part.isContent || part.kind === "aside") return;
      part.isContent = true;
    }
  };

  const close = () => {
    const part = parts.pop();
    breakRun();
    if (part === undefined || part.isContent || isOff) return;
    const { before } = part;
    const own: Tally = {
      plain: plain - before.plain,
      linked: linked - before.linked,
      links: links - before.links,
      prose: prose - before.prose,
      leftOut: leftOut - before.leftOut,
    };
    if (own.plain + own.linked === 0) return;
    if (!isBoilerplate(part.kind, own)) return void (own.prose > 0 && clearInnermost());
    buffer.leaveOut(part.at);
    part.resume();
    ({ plain, linked, links, prose } = before);
    leftOut += own.plain + own.linked;
  };

  const closeLink = () => {
    linkDepth -= 1;
  };

  return {
    open(kind) {
      breakRun();
      const before = { plain, linked, links, prose, leftOut };
      const at = buffer.position();
      parts.push({ kind, at, before, resume: writer.save(), isContent: false });
      return close;
    },
    openLink() {
      linkDepth += 1;
      links += 1;
      linkLength = 0;
      return closeLink;
    },
    text(length) {
      linkLength += length;
      if (linkDepth > 0 && linkLength < MAX_LINK_LENGTH) {
        linked += length;
        run.linked += length;
        return;
      }
      plain += length;
      const wasProse = isProse(run);
      run.plain += length;
      if (!isProse(run)) return;
      prose += wasProse ? length : run.plain;
      clearInnermost();
    },
    heading: clearInnermost,
    breakRun,
    settle() {
      const first = parts.find((part) => !part.isContent);
      isArticle ||= (first?.before.prose ?? prose) >= MIN_PROSE_LENGTH;
      if (isArticle || isOff) buffer.settle(first?.at ?? buffer.position());
      if (buffer.pendingLength() <= MAX_PENDING_LENGTH) return;
      // So much that is still undecided is either one enormous part or no article at all.
      for (const part of parts) part.isContent = true;
      if (!isArticle) buffer.takeBackAll();
      isOff = !isArticle;
      buffer.settle(buffer.position());
    },
    finish() {
      if (prose < MIN_PROSE_LENGTH && !isArticle) buffer.takeBackAll();
      buffer.settle(buffer.position());
    },
  };
}

function isProse(run: { readonly plain: number; readonly linked: number }): boolean {
  return run.plain >= RUN_LENGTH && run.plain > run.linked;
}

function isBoilerplate(kind: PartKind, own: Tally): boolean {
  if (kind === "aside") return own.prose < MIN_ASIDE_PROSE_LENGTH;
  if (own.plain >= MAX_PLAIN_LENGTH || (own.links < MIN_LINKS && own.leftOut === 0)) return false;
  const beside = own.linked + own.leftOut;
  return beside > LINK_SHARE * (beside + own.plain);
}
