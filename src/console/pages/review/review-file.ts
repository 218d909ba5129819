import type { FileColors } from "../../colors/colors.ts";
import type { FileTexts, Opened, Row } from "../../diff/diff.ts";
import { createHeights, type Heights } from "../../heights/heights.ts";
import type { ShownFile } from "./person/person.ts";

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
  /** Shown as one, where it is opened. */
  isPicture: boolean;
  /** A text that can be shown as a picture, too. */
  readonly isDrawing: boolean;
  isOpen: boolean;
  content: Content;
  readonly opened: Map<number, Opened>;
  /** How many characters of a long line are shown, by its row. */
  readonly long: Map<number, number>;
  rows: readonly Row[];
  heights: Heights;
  starts: readonly number[];
  /** They come later than the lines, or never. */
  colors: FileColors | undefined;
}

/** As browsers know them; what is drawn with text has lines. */
const PICTURE = /\.(?:png|jpe?g|gif|webp)$/iu;
const NO_HEIGHTS = createHeights(0, () => 0);

/** A file of which nothing was read yet. */
export function toFile(entry: ShownFile, isOpen: boolean): ReviewFile {
  return {
    entry,
    isPicture: entry.binary && !entry.isGone && PICTURE.test(entry.path),
    isDrawing: !entry.binary && !entry.isGone && /\.svg$/iu.test(entry.path),
    isOpen,
    content: { kind: "none" },
    opened: new Map(),
    long: new Map(),
    rows: [],
    heights: NO_HEIGHTS,
    starts: [],
    colors: undefined,
  };
}
