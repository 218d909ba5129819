import { type Signal, signal } from "@preact/signals";
import { changeStarts, type Layout, rowsOf } from "../../../diff/diff.ts";
import { createHeights } from "../../../heights/heights.ts";
import { guessHeight } from "../guess.ts";
import { namesOf, type Person, showSpoken, standingOf, withCommentRows } from "../person/person.ts";
import { hasLines, hidesSame, type ReviewFile } from "./review-file.ts";

/** How the lines of all files are laid below each other. */
export interface ReviewLayout {
  /** Grows when rows or heights are others. */
  readonly version: Signal<number>;
  /** Grows when lines have got their colours. */
  readonly paints: Signal<number>;
  readonly isSplit: Signal<boolean>;
  readonly ignoresBlanks: Signal<boolean>;
  /** Only what is different since the version before. */
  readonly isSince: Signal<boolean>;
  /** Lays all rows anew: another layout, or another width, in letters of a line. */
  relay(columns?: number): void;
  /** Rows or heights are others now. */
  bump(): void;
}

/** The same for those who change what is laid. */
export interface Layer extends ReviewLayout {
  lay(file: ReviewFile): void;
  /** Lays all rows anew where others are to be shown. */
  relayOthers(): void;
}

/** Lays the files that there are at each time, with what the person says of them. */
export function createLayout(
  files: () => readonly ReviewFile[],
  person: Person,
  prefersSplit: boolean,
): Layer {
  const { mayRevise, comments, said } = person;
  let columns = 100;
  let laidFor = "";
  /** They stay when it is answered meanwhile: nothing moves away from whoever reads. */
  let hasHeads = false;
  const version = signal(0);
  const isSplit = signal(prefersSplit);
  const ignoresBlanks = signal(false);
  const isSince = signal(false);
  const bump = () => {
    version.value += 1;
  };

  function lay(file: ReviewFile): void {
    const { content, entry } = file;
    const isReady = content.kind === "ready";
    // What is said of a file without lines stands where they would.
    if (!isReady && hasLines(file)) return;
    hasHeads ||= mayRevise();
    const layout: Layout = {
      isSplit: isSplit.value,
      ignoresBlanks: ignoresBlanks.value,
      opened: file.opened.folds,
      hasHunkHeads:
        isReady && hasHeads && entry.kind === "update" && content.texts.hunks.length > 1,
      isSince: isSince.value && hidesSame(person, entry),
    };
    const standing = standingOf(said(), comments);
    const names = namesOf(entry);
    const lines = isReady ? rowsOf(showSpoken(content.texts, names, standing), layout) : [];
    const rows = withCommentRows(lines, names, standing);
    const guess = (row: number) => guessHeight(rows[row], columns, isSplit.value);
    file.laid = { rows, starts: changeStarts(rows), heights: createHeights(rows.length, guess) };
  }

  return {
    version,
    paints: signal(0),
    isSplit,
    ignoresBlanks,
    isSince,
    bump,
    lay,
    relay(next = columns) {
      columns = next;
      for (const file of files()) lay(file);
      bump();
    },
    relayOthers() {
      // Laying rows loses what was measured of them.
      const standing = standingOf(said(), comments).map(({ id, place, below }) => {
        return JSON.stringify([id, place.path, place.line, place.to, below]);
      });
      const shown = [hasHeads || mayRevise(), ...standing].join("\n");
      if (shown !== laidFor) for (const file of files()) lay(file);
      laidFor = shown;
    },
  };
}
