import type { Omission } from "./left-out.ts";
import type { PartKind } from "./part-kind.ts";
import type { TextBuffer } from "./text-buffer.ts";
import type { TextCounts, TextTally } from "./text-tally.ts";

/** A page that would have less text without its menus has nothing else to say, and is given whole. */
const MIN_LENGTH = 400;
/** A page with less prose is about its links, and keeps the address of each. */
const MIN_PROSE_LENGTH = 400;
/** A menu: so many links, so short, and so little next to them, in navigation and elsewhere. */
const MIN_LINKS = 3;
const MAX_MENU_LINK_LENGTH = 40;
const MENU_PLAIN_SHARE = 0.3;
const BAR_PLAIN_SHARE = 0.2;
/** A list of links, whose addresses an article can do without. */
const MAX_PLAIN_LENGTH = 400;
const LINK_SHARE = 0.5;
const MIN_LIST_LENGTH = 100;
/** What an article may spend on an address; and on all, beside a share of its text. */
const MAX_ADDRESS_LENGTH = 60;
const FREE_ADDRESS_LENGTH = 2000;
const ADDRESS_SHARE = 0.05;
const MAX_NOTICE_LENGTH = 1500;
/** How much text may stay undecided; what is longer is kept. */
const MAX_PENDING_LENGTH = 256 * 1024;

/** Finds what belongs to the site and not to the page: menus, and where links beside it lead. */
export interface ContentWeight {
  /** A part begins; the result ends it, and leaves it out if it is navigation beyond doubt. */
  readonly open: (kind: PartKind) => () => void;
  /** There is prose, or the page's own heading: what is around it is content. */
  readonly foundContent: () => void;
  /** The last piece of text is where a link leads. */
  readonly wroteAddress: (text: string, target: string) => void;
  /** Such a piece was too long to be written. */
  readonly withheldAddress: (text: string) => void;
  /** Passes on what is decided. */
  readonly flush: () => void;
  /** Passes on the rest. */
  readonly finish: () => void;
}

/** What a content weight works on. */
export interface WeighedText {
  readonly buffer: TextBuffer;
  readonly tally: TextTally;
  /** Remembers the state of the text. */
  readonly save: () => SavedText;
}

/** A state of the text to go back to. */
export interface SavedText {
  readonly resume: () => void;
  /** What the text has said since then counts as not said. */
  readonly forget: () => void;
}

interface Part {
  readonly kind: PartKind;
  readonly isInMain: boolean;
  /** Within navigation or a bar. */
  readonly isBeside: boolean;
  readonly at: number;
  /** What was counted before the part, and what of it was left out by then. */
  readonly before: TextCounts;
  readonly leftOut: Menus;
  readonly saved: SavedText;
  isContent: boolean;
}

/** What was left out in menus. */
interface Menus {
  readonly menus: number;
  readonly links: number;
  /** Of the text of these links. */
  readonly length: number;
}

interface Address {
  readonly at: number;
  readonly isLong: boolean;
  readonly text: string;
}

/**
 * The content weight of a page's text. A part that ends without prose, outside of what a page calls
 * its main part, and is navigation by its role, its place and its links is left out; of other lists
 * of links in an article, the addresses. Nothing is passed on before the page has shown that enough
 * remains.
 */
export function createContentWeight({ buffer, tally, save }: WeighedText): ContentWeight {
  const parts: Part[] = [];
  let leftOut: Menus = { menus: 0, links: 0, length: 0 };
  /** Not passed on yet, in order. */
  let addresses: Address[] = [];
  let addressLength = 0;
  let isArticle = false;
  let isWhole = false;

  const foundContent = () => {
    for (let at = parts.length - 1; at >= 0; at -= 1) {
      const part = parts[at];
      if (part === undefined || part.isContent) return;
      part.isContent = true;
    }
  };

  const leaveOut = (part: Part, omission: Omission, length: number) => {
    buffer.leaveOut(part.at, { omission });
    dropAddresses(part.at);
    part.saved.resume();
    part.saved.forget();
    tally.reset(part.before);
    const { menus, links } = omission;
    leftOut = {
      menus: part.leftOut.menus + menus,
      links: part.leftOut.links + links,
      length: part.leftOut.length + length,
    };
  };

  /** Forgets the addresses behind a position; the result are they. */
  const dropAddresses = (from: number): readonly Address[] => {
    let first = addresses.length;
    while (first > 0 && (addresses[first - 1]?.at ?? 0) >= from) first -= 1;
    return addresses.splice(first);
  };

  /** What is an article once stays one, and can do without what it did not know by then. */
  const seeWhetherArticle = () => {
    if (isArticle || isWhole) return;
    const first = parts.find((part) => !part.isContent);
    if ((first?.before ?? tally.counts()).prose < MIN_PROSE_LENGTH) return;
    isArticle = true;
    for (const each of addresses) if (each.isLong) leaveOutAddress(each);
    addresses = addresses.filter(({ isLong }) => !isLong);
  };

  const leaveOutAddress = ({ at, text }: Address) => {
    buffer.leaveOut(at, { omission: ADDRESS, to: at + 1, text });
  };

  const close = () => {
    const part = parts.pop();
    tally.breakRun();
    if (part === undefined || part.isContent || isWhole) return;
    const own = since(part.before, tally.counts());
    const inner = {
      menus: leftOut.menus - part.leftOut.menus,
      links: leftOut.links - part.leftOut.links,
      length: leftOut.length - part.leftOut.length,
    };
    const length = own.plain + own.linked;
    if (length === 0) return;
    const omission = findOmission(part, own, inner);
    if (omission !== undefined) leaveOut(part, omission, length + inner.length);
    else if (isLinkList(own)) leaveOutAddresses(part);
  };

  /** Of a list of links, unless they are shorter than to say so. */
  const leaveOutAddresses = ({ at, saved }: Part) => {
    const dropped = dropAddresses(at);
    if (dropped.reduce((sum, { text }) => sum + text.length, 0) < MIN_LIST_LENGTH) {
      addresses.push(...dropped);
      return;
    }
    for (const each of dropped) leaveOutAddress(each);
    saved.forget();
  };

  const takeBack = () => {
    const { plain, linked } = tally.counts();
    buffer.takeBack(plain + linked < MIN_LENGTH ? ALL : ["address"]);
  };

  return {
    open(kind) {
      tally.breakRun();
      const around = parts.at(-1);
      parts.push({
        kind,
        isInMain: kind === "main" || around?.isInMain === true,
        isBeside: kind === "menu" || kind === "bar" || around?.isBeside === true,
        at: buffer.position(),
        before: tally.counts(),
        leftOut,
        saved: save(),
        isContent: false,
      });
      return close;
    },
    foundContent,
    wroteAddress(text, target) {
      const isLong = target.length > MAX_ADDRESS_LENGTH;
      const address = { at: buffer.position() - 1, isLong, text: `${text} (${target})` };
      addressLength += target.length;
      seeWhetherArticle();
      const { plain, linked } = tally.counts();
      const most = FREE_ADDRESS_LENGTH + ADDRESS_SHARE * (plain + linked);
      if (isArticle && (isLong || addressLength > most)) leaveOutAddress(address);
      else addresses.push(address);
    },
    withheldAddress(text) {
      const at = buffer.position();
      buffer.push("");
      buffer.leaveOut(at, { omission: LONG, text });
    },
    flush() {
      seeWhetherArticle();
      const first = parts.find((part) => !part.isContent);
      if (isArticle || isWhole) {
        buffer.flush(first?.at ?? buffer.position());
        if (first === undefined) addresses = [];
      }
      if (buffer.pendingLength() <= MAX_PENDING_LENGTH) return;
      // So much that is still undecided is one enormous part, or no article at all.
      for (const part of parts) part.isContent = true;
      if (!isArticle) takeBack();
      isWhole = !isArticle;
      addresses = [];
      buffer.flush(buffer.position());
    },
    finish() {
      seeWhetherArticle();
      if (!isArticle) takeBack();
      buffer.flush(buffer.position());
    },
  };
}

const ADDRESS: Omission = { kind: "address", menus: 0, links: 0 };
const LONG: Omission = { kind: "long", menus: 0, links: 0 };
const ALL = ["menu", "notice", "address"] as const;

function since(before: TextCounts, now: TextCounts): TextCounts {
  return {
    plain: now.plain - before.plain,
    linked: now.linked - before.linked,
    prose: now.prose - before.prose,
    said: now.said - before.said,
    links: now.links - before.links,
    contacts: now.contacts - before.contacts,
    figures: now.figures - before.figures,
  };
}

/** What a part is, if a reader of the page is not to miss it beyond doubt. */
function findOmission(part: Part, own: TextCounts, inner: Menus): Omission | undefined {
  if (part.isInMain) return undefined;
  if (part.kind === "notice" && own.links > 0 && own.plain + own.linked <= MAX_NOTICE_LENGTH)
    return { kind: "notice", menus: inner.menus, links: inner.links };
  // What is said in words is content, whatever the element is called.
  if (!part.isBeside || own.contacts > 0 || own.said > 0) return undefined;
  // What stands around menus is navigation in navigation; in a bar it may be the site's name.
  const isMenu = part.kind === "menu";
  if (!isMenu && own.figures > 0) return undefined;
  const links = own.links + (isMenu ? inner.links : 0);
  const linked = own.linked + (isMenu ? inner.length : 0);
  if (links < MIN_LINKS || linked > MAX_MENU_LINK_LENGTH * links) return undefined;
  const share = isMenu ? MENU_PLAIN_SHARE : BAR_PLAIN_SHARE;
  if (own.plain > share * (own.plain + linked)) return undefined;
  return { kind: "menu", menus: Math.max(1, inner.menus), links: own.links + inner.links };
}

function isLinkList({ plain, linked, links }: TextCounts): boolean {
  return links >= MIN_LINKS && plain < MAX_PLAIN_LENGTH && linked > LINK_SHARE * (linked + plain);
}
