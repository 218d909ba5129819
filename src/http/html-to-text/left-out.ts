import { cutText } from "../../core/cut-text.ts";

/** What of a page is not in its text, because nobody reads a page for it. */
export interface LeftOut {
  /** Repeated menus: lists of short links in a part that says it is navigation, or in a bar. */
  readonly menus: number;
  /** Links in those menus. */
  readonly links: number;
  /** Questions about cookies. */
  readonly notices: number;
  /** Links whose words are in the text, but not where they lead. */
  readonly addresses: number;
}

/** Something that is left out, and what it counts for. */
export interface Omission {
  /** An address that is too long for any text is "long". */
  readonly kind: "menu" | "notice" | "address" | "long";
  readonly menus: number;
  readonly links: number;
}

/** What is left out of one page, with its text. */
export interface LeftOutRecord {
  readonly add: (omission: Omission, text: string) => void;
  readonly counts: () => LeftOut;
  /** Menus and notices as they stood, then the links without their addresses; bounded. */
  readonly text: () => string;
}

/** More than the menus of nearly any page have; of what is beyond, the length is told. */
const MAX_LENGTH = 200_000;

/** A record of nothing yet. */
export function createLeftOutRecord(): LeftOutRecord {
  const parts: string[] = [];
  const lines: string[] = [];
  let [room, beyond] = [MAX_LENGTH, 0];
  let [menus, links, notices, addresses] = [0, 0, 0, 0];
  return {
    add(omission, text) {
      menus += omission.menus;
      links += omission.links;
      if (omission.kind === "notice") notices += 1;
      const isAddress = omission.kind === "address" || omission.kind === "long";
      if (isAddress) addresses += 1;
      const whole = text.trim();
      const kept = whole.length <= room ? whole : cutAtBlank(whole, room);
      room -= kept.length;
      beyond += whole.length - kept.length;
      if (kept !== "") (isAddress ? lines : parts).push(kept);
    },
    counts: () => ({ menus, links, notices, addresses }),
    text() {
      const cut = beyond === 0 ? "" : `[cut here: ${beyond} more characters; raw = true has them]`;
      return [...parts, lines.join("\n"), cut].filter((part) => part !== "").join("\n\n");
    },
  };
}

/** Its beginning: an address that is cut would be another one. */
function cutAtBlank(text: string, most: number): string {
  const cut = cutText(text, most);
  return cut.slice(0, Math.max(0, cut.lastIndexOf("\n"), cut.lastIndexOf(" "))).trimEnd();
}

/** Says what was left out, on one line without an end; empty when nothing was. */
export function renderLeftOut({ menus, links, notices, addresses }: LeftOut): string {
  const said = [
    ...(menus === 0 ? [] : [`${count(menus, "menu")} (${count(links, "link")})`]),
    ...(notices === 0 ? [] : [notices === 1 ? "cookie notice" : `${notices} cookie notices`]),
    ...(addresses === 0 ? [] : [count(addresses, "link address", "es")]),
  ];
  return said.length === 0 ? "" : `Left out: ${said.join(", ")}`;
}

function count(number: number, noun: string, ending = "s"): string {
  return `${number} ${noun}${number === 1 ? "" : ending}`;
}
