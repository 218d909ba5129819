import type { FileColors } from "../../../colors/colors.ts";
import type { FileTexts, Opened, Row } from "../../../diff/diff.ts";
import { createHeights, type Heights } from "../../../heights/heights.ts";
import { isOpenAtFirst } from "../guess.ts";
import { hasSpokenOf, type Person, type ShownFile, seenOf } from "../person/person.ts";
import { linesIn } from "./line-of.ts";

/** What is known of a file's lines. */
export type Content =
  | { readonly kind: "none" }
  /** Again, where it failed before. */
  | { readonly kind: "loading"; readonly failed?: string }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "ready"; readonly texts: FileTexts };

/** One file of a review, with what a person opened of it. */
export interface ReviewFile {
  readonly entry: ShownFile;
  /** A text that can be shown as a picture, too. */
  readonly isDrawing: boolean;
  /** Shown as one, where it is opened. */
  isPicture: boolean;
  isOpen: boolean;
  content: Content;
  readonly opened: OpenedLines;
  laid: Laid;
  /** They come later than the lines, or never. */
  colors: FileColors | undefined;
}

/** What a person opened among the lines of a file. */
export interface OpenedLines {
  readonly folds: Map<number, Opened>;
  /** How many characters of a long line are shown, by its side and number: rows come and go. */
  readonly chars: Map<string, number>;
}

/** The lines of a file as rows below each other. */
export interface Laid {
  readonly rows: readonly Row[];
  readonly heights: Heights;
  /** The rows with which changes begin. */
  readonly starts: readonly number[];
}

/** As browsers know them; what is drawn with text has lines. */
const PICTURE = /\.(?:png|jpe?g|gif|webp)$/iu;
const NOTHING_LAID: Laid = { rows: [], heights: createHeights(0, () => 0), starts: [] };

/** So much of a line is shown at first. */
export const FIRST_CHARS = 2000;

/** How many characters of the lines in a row are shown. */
export function charsShown({ opened }: Pick<ReviewFile, "opened">, row: Row | undefined): number {
  if (opened.chars.size === 0) return FIRST_CHARS;
  return Math.max(FIRST_CHARS, ...keysOf(row).map((key) => opened.chars.get(key) ?? 0));
}

/** The lines in a row as keys. */
export function keysOf(row: Row | undefined): readonly string[] {
  return linesIn(row).map(({ side, line }) => `${side}${line}`);
}

/** Whether a file has lines to show at all. */
export function hasLines({ entry }: Pick<ReviewFile, "entry">): boolean {
  const isText = !entry.binary && !entry.isGone;
  return isText && entry.kind !== "mkdir" && entry.kind !== "rmdir";
}

/** A file of which nothing was read yet. */
export function toFile(entry: ShownFile, isOpen: boolean): ReviewFile {
  return {
    entry,
    isDrawing: !entry.binary && !entry.isGone && /\.svg$/iu.test(entry.path),
    isPicture: entry.binary && !entry.isGone && PICTURE.test(entry.path),
    isOpen,
    content: { kind: "none" },
    opened: { folds: new Map(), chars: new Map() },
    laid: NOTHING_LAID,
    colors: undefined,
  };
}

/**
 * Whether a file is open while nobody has said so: not where the person has looked at it as it is, and,
 * as long as only what is different is shown, not where it is as before. One tick in a version is none
 * in its other files: who was never in one finds it open.
 */
export function isOpenNow(person: Person, entry: ShownFile, isSince: boolean): boolean {
  const isSeen = seenOf(person.seen, entry) === "same";
  if (!isOpenAtFirst(entry) || (isSeen && person.mayLook())) return false;
  const isAsBefore = isSince && entry.since === "same" && !hasSpokenOf(person, entry);
  return !isAsBefore || (person.isLooked() && !isSeen);
}

/** Whether what a file has as before is hidden, where it is: not from who was never in it. */
export function hidesSame(person: Person, entry: ShownFile): boolean {
  if (!person.isLooked()) return true;
  return seenOf(person.seen, entry) !== undefined || hasSpokenOf(person, entry);
}
