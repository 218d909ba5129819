import { linksIn, sameOrSafer } from "./addresses.ts";
import { sharesWords, tokensIn, wholeWordsIn } from "./composed-text.ts";

/**
 * Who may have written what a tool answers: papa-yu itself, whoever wrote into the folder or the
 * notes, or strangers. Of several the strictest: own, then workspace, then outside.
 */
export type Origin = "own" | "workspace" | "outside";

/** Whose words a piece of a turn's context is; the model's own are no piece, they prove nothing. */
export type Label = "user" | "workspace" | "outside";

/** The strictest text that the model sees, or may still be led by. */
export type Reading = "clean" | "workspace" | "outside";

/** What a call lets out of this machine. */
export type Leaving =
  /** Nothing, or only words for a service that the owner chose to get such words. */
  | { readonly kind: "nothing" }
  | AddressedRequest
  /** Words for a program or a server that the owner set up, which may pass them on to anybody. */
  | {
      readonly kind: "words";
      readonly texts: readonly string[];
      /** The server that gets them and changes nothing by them: what it said may go back to it. */
      readonly backTo?: string;
    };

/** A request to an address that the model gives. */
export interface AddressedRequest {
  readonly kind: "request";
  readonly url: string;
  /** GET or HEAD. */
  readonly isReading: boolean;
  /** Header names and values, and the body. */
  readonly carried: readonly string[];
}

/** Why a call needs a person's yes before anything of it leaves. */
export interface Leak {
  /**
   * Nobody whom papa-yu obeys named the host; or the model composed what would leave; or it chose
   * often enough among what was said, and which it chose could tell what it read.
   */
  readonly kind: "unnamed" | "composed" | "many";
  readonly characters: number;
  /** Whose words are found in what would leave. */
  readonly holds: readonly Label[];
}

/** What papa-yu knows of the context before anything is said in it. */
export interface OwnersWords {
  /** Whether the configuration names this host. */
  readonly isHost: (url: URL) => boolean;
  /** Commands and the like, as the configuration spells them. */
  readonly texts: readonly string[];
}

/** The labelled pieces of one turn's context, and what follows from where they come from. */
export interface Provenance {
  /** A person said this. */
  addPersonsText(text: string): void;
  /** A person said yes to a request to this address. */
  allow(url: string): void;
  /** Such text was read before, though it is not here any more. */
  recall(reading: Reading): void;
  /**
   * A tool answered this. `page` is the address whose own words it holds, by the request that
   * brought it: without them the model may have chosen every word, so that it proves nothing. `server`
   * is the one whose answer it is.
   */
  read(origin: Origin, text: string, page?: Page, server?: string): void;
  readonly reading: () => Reading;
  /** Why this must not leave unasked; undefined: it may, as the autonomy level says. */
  findLeak(leaving: Leaving): Leak | undefined;
  /** This leaves unasked. */
  pass(leaving: Leaving): void;
  /** Whether the person named this, as a whole. */
  wasSaid(text: string): boolean;
  /** Whether a link in an answer may be one that a click, or a picture that a look, follows. */
  readonly mayLink: (href: string, how: "click" | "look") => boolean;
}

/** Where a text was read from. */
export interface Page {
  readonly address: string;
  readonly request: AddressedRequest;
}

/** So many choices of a few bits each; a person's next word or yes begins a new turn. */
const MOST_UNASKED = 8;
const NOTHING_KNOWN: OwnersWords = { isHost: () => false, texts: [] };

/**
 * Opens the record of a turn. The model carries no labels, so every text of it counts as composed
 * unless it equals, as a whole, what a piece holds.
 */
export function openProvenance(owner: OwnersWords = NOTHING_KNOWN): Provenance {
  const pieces: { readonly label: Label; readonly text: string }[] = [];
  const named = new Set<string>();
  const allowed = new Set<string>();
  /** Whole links that may be called; those that no echo can have made are in both. */
  const links = new Set<string>();
  const sources = new Set<string>();
  // Worked out when something is to leave: most turns let nothing out.
  const owned = later(() => owner.texts.map(toRuns));
  const personsTexts: string[] = [];
  const runsOf = new Map<string, string>();
  const said = () =>
    personsTexts.map((text) => runsOf.getOrInsertComputed(text, () => toRuns(text)));
  /** What each server answered in this turn, as its words. */
  const answers = new Map<string, (() => ReadonlySet<string>)[]>();
  let reading: Reading = "clean";
  let unasked = 0;

  function raise(to: Reading): void {
    if (reading === "clean" || to === "outside") reading = to;
  }

  /** The part of a page that a link leads to may be left out. */
  function addLink(href: string, isEcho: boolean): void {
    for (const each of [href, href.replace(/#.*$/su, "")]) {
      links.add(each);
      if (!isEcho) sources.add(each);
    }
  }

  /** Whether an answer may repeat what the model composed: also when it asks for an echo again. */
  function mayEcho(request: AddressedRequest): boolean {
    return !isKnown(request) || !sources.has(URL.parse(request.url)?.href ?? "");
  }

  function isNamed(url: URL): boolean {
    return named.has(url.origin) || owner.isHost(url);
  }

  function isWhole(url: URL): boolean {
    return links.has(url.href);
  }

  function isKnown({ url: address, isReading, carried }: AddressedRequest): boolean {
    const url = toWeb(address);
    return url !== undefined && isReading && carried.length === 0 && isWhole(url);
  }

  /**
   * Whether the words occur so in what the person said, or after a passage of the owner's: which
   * of them in which order would be the model's to choose, and could tell what it read.
   */
  function isSaid(words: readonly string[]): boolean {
    const holds = (texts: readonly string[], part: readonly string[]) =>
      part.length === 0 || texts.some((text) => text.includes(toRun(part)));
    return [...words, ""].some(
      (_, cut) => holds(owned(), words.slice(0, cut)) && holds(said(), words.slice(cut)),
    );
  }

  /**
   * How many of the texts are no words of a person's or the owner's, but each one whole word that the
   * server itself said in this turn; undefined: one is neither.
   */
  function countReturned({ texts, backTo = "" }: Extract<Leaving, { kind: "words" }>) {
    const others = texts.filter((text) => !(isBare(text) && isSaid(tokensIn(text))));
    const own = answers.get(backTo) ?? [];
    return others.every((text) => own.some((words) => words().has(text)))
      ? others.length
      : undefined;
  }

  /**
   * Whether the text carries nothing but its words. The blanks between them, and the signs at their
   * ends, are as the person or the owner wrote them: any others could spell out what was read.
   */
  function isBare(text: string): boolean {
    const words = text.split(/\s+/u);
    if (words.join(" ") !== text && !personsTexts.some((each) => each.includes(text))) return false;
    const known = [...personsTexts, ...owner.texts];
    return words.every(
      (word) => tokensIn(word).join("") === word || known.some((each) => each.includes(word)),
    );
  }

  function evaluateRequest(request: AddressedRequest): Leak["kind"] | undefined {
    const url = toWeb(request.url);
    if (!url || !(isNamed(url) || allowed.has(url.origin))) return "unnamed";
    if (isKnown(request)) return undefined;
    return isNamed(url) && reading === "clean" ? undefined : "composed";
  }

  function toLeak(kind: Leak["kind"], texts: readonly string[]): Leak {
    const leaving = texts.join(" ");
    const found = pieces.filter(({ text }) => sharesWords(leaving, text));
    const holds = [...new Set(found.map(({ label }) => label))].toSorted();
    return { kind, characters: texts.join("").length, holds };
  }

  return {
    addPersonsText(text) {
      pieces.push({ label: "user", text });
      for (const href of linksIn(text).flatMap(sameOrSafer)) {
        addLink(href, false);
        named.add(new URL(href).origin);
      }
      personsTexts.push(text);
    },
    allow(address) {
      const url = toWeb(address);
      if (url) allowed.add(url.origin);
    },
    recall: raise,
    read(origin, text, page, server) {
      if (origin === "own") return;
      raise(origin);
      pieces.push({ label: origin, text });
      if (server !== undefined) {
        answers.getOrInsertComputed(server, () => []).push(later(() => wholeWordsIn(text)));
      }
      if (!page) return;
      // What the model composed may come back as an echo: to where it went it carries nothing new.
      const isEcho = mayEcho(page.request);
      const home = toWeb(page.address)?.origin;
      for (const href of linksIn(text, page.address)) {
        if (!isEcho || new URL(href).origin === home) addLink(href, isEcho);
      }
    },
    reading: () => reading,
    findLeak(leaving) {
      switch (leaving.kind) {
        case "nothing":
          return undefined;
        case "request": {
          const kind = evaluateRequest(leaving);
          return kind && toLeak(kind, [leaving.url, ...leaving.carried]);
        }
        case "words": {
          if (reading === "clean") return undefined;
          const returned = countReturned(leaving);
          if (returned === undefined) return toLeak("composed", leaving.texts);
          const choices = unasked + Math.max(1, returned);
          return choices <= MOST_UNASKED ? undefined : toLeak("many", leaving.texts);
        }
        default:
          return leaving satisfies never;
      }
    },
    pass(leaving) {
      if (leaving.kind !== "words" || reading === "clean") return;
      unasked += Math.max(1, countReturned(leaving) ?? 0);
    },
    wasSaid: (text) => {
      const words = tokensIn(text);
      return words.length > 0 && isSaid(words);
    },
    mayLink(href, how) {
      const url = toWeb(href);
      if (!url) return false;
      if (isNamed(url)) return how === "click" || reading === "clean" || isWhole(url);
      if (how === "look" || url.search !== "" || url.hash !== "") return false;
      return reading === "clean" || isWhole(url);
    },
  };
}

function later<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The words of a text so that whole ones are found in their order. */
function toRuns(text: string): string {
  return toRun(tokensIn(text));
}

function toRun(words: readonly string[]): string {
  return `\n${words.join("\n")}\n`;
}

/** An address of the web that says no more than where to; with a name in it it is none. */
function toWeb(address: string): URL | undefined {
  const url = URL.parse(address);
  if (!url || !/^https?:$/u.test(url.protocol)) return undefined;
  return url.username === "" && url.password === "" ? url : undefined;
}
