import { batch, type Signal, signal } from "@preact/signals";
import type { ChangeSet, Client, FileEntry } from "../client/client.ts";
import {
  changeStarts,
  type FileTexts,
  type Layout,
  type Opened,
  type Row,
  rowsOf,
} from "../diff/diff.ts";
import { createHeights, type Heights } from "../heights/heights.ts";
import { messageOf } from "../page.ts";
import { guessHeight, ROW_PX } from "./guess.ts";
import { inTreeOrder } from "./tree.ts";

/** What is known of a file's lines. */
export type Content =
  | { readonly kind: "none" }
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "ready"; readonly texts: FileTexts };

/** One file of a review, with what a person opened of it. */
export interface ReviewFile {
  readonly entry: FileEntry;
  isOpen: boolean;
  content: Content;
  readonly opened: Map<number, Opened>;
  /** How many characters of a long line are shown, by its row. */
  readonly long: Map<number, number>;
  rows: readonly Row[];
  heights: Heights;
  starts: readonly number[];
}

/** Where somebody is in a review; row -1 is the head of the file. */
export interface Cursor {
  readonly file: number;
  readonly row: number;
}

/** How the pane is, for guessing heights. */
export interface Pane {
  /** Letters in a line. */
  readonly columns: number;
}

/** A change set that is read, whatever shows it. */
export interface Review {
  readonly id: string;
  readonly set: Signal<ChangeSet | undefined>;
  readonly failure: Signal<string | undefined>;
  readonly files: () => readonly ReviewFile[];
  /** Grows when rows or heights are others. */
  readonly version: Signal<number>;
  readonly isSplit: Signal<boolean>;
  readonly ignoresBlanks: Signal<boolean>;
  readonly cursor: Signal<Cursor | undefined>;
  readonly query: Signal<string>;
  /** Asks for the change set; what is open stays open as long as it is the same one. */
  load(): Promise<void>;
  loadFile(file: number): Promise<void>;
  toggle(file: number, isOpen?: boolean): void;
  openFold(file: number, fold: number, more: Partial<Opened>): void;
  showLonger(file: number, row: number): void;
  /** Lays all rows anew: another layout, or another width. */
  relay(pane?: Pane): void;
  readonly pane: () => Pane;
  bump(): void;
}

/** So much of a line is shown at first, and so much more at each press. */
export const FIRST_CHARS = 2000;
const MORE_CHARS = 20_000;
const NO_HEIGHTS = createHeights(0, () => 0);
/** Above so many changed lines a file is closed at first. */
const MOST_OPEN_LINES = 2000;

/** A review that has not asked for anything yet. */
export function createReview(client: Client, id: string, prefersSplit: boolean): Review {
  let files: readonly ReviewFile[] = [];
  let pane: Pane = { columns: 100 };
  const set = signal<ChangeSet | undefined>(undefined);
  const failure = signal<string | undefined>(undefined);
  const version = signal(0);
  const isSplit = signal(prefersSplit);
  const ignoresBlanks = signal(false);
  const bump = () => {
    version.value += 1;
  };

  function lay(file: ReviewFile): void {
    if (file.content.kind !== "ready") return;
    const layout: Layout = {
      isSplit: isSplit.value,
      ignoresBlanks: ignoresBlanks.value,
      opened: file.opened,
    };
    file.rows = rowsOf(file.content.texts, layout);
    file.starts = changeStarts(file.rows);
    const guess = (row: number) => guessHeight(file.rows[row], pane.columns, isSplit.value);
    file.heights = createHeights(file.rows.length, guess);
  }

  return {
    id,
    set,
    failure,
    version,
    isSplit,
    ignoresBlanks,
    cursor: signal(undefined),
    query: signal(""),
    files: () => files,
    pane: () => pane,
    bump,
    async load() {
      try {
        const fresh = await client.changeSet(id);
        batch(() => {
          if (set.value?.digest !== fresh.digest) files = inTreeOrder(fresh.files).map(toFile);
          set.value = fresh;
          failure.value = undefined;
          bump();
        });
      } catch (error) {
        failure.value = messageOf(error);
      }
    },
    async loadFile(number) {
      const file = files[number];
      if (!file || file.content.kind === "loading" || file.content.kind === "ready") return;
      file.content = { kind: "loading" };
      try {
        file.content = { kind: "ready", texts: await client.file(id, file.entry.n) };
      } catch (error) {
        file.content = { kind: "failed", message: messageOf(error) };
      }
      lay(file);
      bump();
    },
    toggle(number, isOpen) {
      const file = files[number];
      if (!file) return;
      file.isOpen = isOpen ?? !file.isOpen;
      bump();
    },
    openFold(number, fold, { top = 0, bottom = 0 }) {
      const file = files[number];
      if (!file) return;
      const before = file.opened.get(fold) ?? { top: 0, bottom: 0 };
      file.opened.set(fold, { top: before.top + top, bottom: before.bottom + bottom });
      lay(file);
      bump();
    },
    showLonger(number, row) {
      const file = files[number];
      file?.long.set(row, (file.long.get(row) ?? FIRST_CHARS) + MORE_CHARS);
      bump();
    },
    relay(next) {
      pane = next ?? pane;
      for (const file of files) lay(file);
      bump();
    },
  };
}

function toFile(entry: FileEntry): ReviewFile {
  return {
    entry,
    isOpen: !entry.generated && entry.added + entry.removed <= MOST_OPEN_LINES,
    content: { kind: "none" },
    opened: new Map(),
    long: new Map(),
    rows: [],
    heights: NO_HEIGHTS,
    starts: [],
  };
}

/** Whether a file has lines to show at all. */
export function hasLines({ entry }: ReviewFile): boolean {
  const isText = !entry.binary && !entry.isGone;
  return isText && entry.kind !== "mkdir" && entry.kind !== "rmdir";
}

/** How high the body of a file is; guessed by its figures until it is there. */
export function bodyHeight(file: ReviewFile): number {
  if (!file.isOpen || !hasLines(file)) return 0;
  if (file.content.kind === "ready" && file.rows.length > 0) return file.heights.total();
  if (file.content.kind === "ready" || file.content.kind === "failed") return NOTE_PX;
  return Math.max(NOTE_PX, (file.entry.added + file.entry.removed + 6) * ROW_PX);
}

/** A line that says why there are no rows. */
export const NOTE_PX = 40;
