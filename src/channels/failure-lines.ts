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

/** The same in one line, for whoever gets the code next to it. */
export function toFailureText(failure: Failure, texts: FailureTexts, reader: Reader): string {
  const text = texts.joins.sentences(toFailureLines(failure, texts));
  return reader === "another" ? withoutPlaces(text) : text;
}

/** A path from the root of the machine between quotes, where it may have blanks. */
const QUOTED = /(["'`«“])\/(?:[^"'`»”\n]*\/)?([^"'`»”\n/]*)/gu;
/** The same as a word. */
const BARE = /(^|[\s(=])\/(?:[^\s"'`()]+\/)+([^\s"'`()/]*)/gu;

/** A text with the names alone of what lies at a path from the root. */
export function withoutPlaces(text: string): string {
  return text.replaceAll(QUOTED, "$1…/$2").replaceAll(BARE, "$1…/$2");
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
