import { isErrorCode } from "../core/error-code-prefix.ts";
import type { Texts } from "../texts/texts.ts";

/** Codes that say it all: what the exact message adds is known, or shown next to it. */
const COMPLETE: ReadonlySet<string> = new Set([
  "APPROVAL_REJECTED",
  "AUTO_CHECK_FAILED_ROLLED_BACK",
  "ERR_CANCELLED",
  "REDO_NOTHING",
  "UNDO_NOTHING",
]);

/** The same in one line, behind its code. */
export function toFailureLine(failure: Failure, texts: FailureTexts): string {
  return `${failure.code ?? "error"}: ${toFailureText(failure, texts, "as shown")}`;
}

/**
 * Who reads what failed: the owner of the machine; another, for whom a file has a name and no place
 * on it; or whoever an event was shown to, which was made for them.
 */
export type Reader = "owner" | "another" | "as shown";

/** Who reads what is said to somebody in a session: in a group of Telegram, whose number is below zero, all of it. */
export function readerIn(sessionId: string, isOwner: boolean): Reader {
  return isOwner && !sessionId.startsWith("telegram:-") ? "owner" : "another";
}

/** The same in one line, for whoever gets the code next to it. */
export function toFailureText(failure: Failure, texts: FailureTexts, reader: Reader): string {
  const text = texts.joins.sentences(toFailureLines(failure, texts));
  return reader === "another" ? withoutPlaces(text) : text;
}

/** What may stand before a path: `file:`, `file://`, `ro:`; an address of the web has its host there. */
const SCHEME = String.raw`(?:[a-z][a-z\d+.-]*:(?://)?(?=/(?!/)))?`;

/** A path from the root of the machine between quotes, where it may have blanks, and letters behind an apostrophe. */
const QUOTED = [`""`, "''", "``", "«»", "“”", "‘’", "「」"].map((quotes) => {
  const [open = "", close = ""] = quotes;
  const step = String.raw`(?:[^${close}/\n]|${close}(?=[\p{L}\p{N}]))*`;
  return new RegExp(`(${open}${SCHEME})/(?:${step}/)*(${step})`, "giu");
});
/** The file that a line begins with, and where in it something is wrong. */
const IN_FILE = /^()\/(?:[^\n:]*\/)?([^\n/:]*:\d+:)/gmu;
/** What a step of the same is made of where nothing quotes it. */
const WORD = String.raw`[^\s"'\x60()（），、；/]`;
/** The same as a word. */
const BARE = new RegExp(
  String.raw`((?:^|[\s(=（，、；：])${SCHEME})/(?:${WORD}+/)+(${WORD}*)`,
  "giu",
);

/** A text with the names alone of what lies at a path from the root. */
export function withoutPlaces(text: string): string {
  const patterns = [...QUOTED, IN_FILE, BARE];
  return patterns.reduce((shown, each) => shown.replaceAll(each, "$1…/$2"), text);
}

type Failure = Parameters<typeof toFailureLines>[0];

/** The words that a failure is told with. */
export type FailureTexts = Pick<Texts, "failure" | "exactly" | "joins">;

/** What a failure says to a person: in their language, then exactly, where that says more. */
export function toFailureLines(
  {
    code,
    message,
    said,
  }: {
    readonly code?: string | undefined;
    readonly message: string;
    readonly said?: string | undefined;
  },
  { failure, exactly }: Pick<Texts, "failure" | "exactly">,
): readonly string[] {
  if (said !== undefined) return [said];
  if (!isErrorCode(code)) return [message];
  const sentence = failure(code);
  if (sentence === "") return [message];
  return COMPLETE.has(code) ? [sentence] : [sentence, exactly(message)];
}
