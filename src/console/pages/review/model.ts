import { batch, type Signal, signal } from "@preact/signals";
import type { ChangeSet, Client, Comment } from "../../client/client.ts";
import type { Colors } from "../../colors/colors.ts";
import { changeStarts, type Layout, type Opened, rowsOf } from "../../diff/diff.ts";
import { createHeights } from "../../heights/heights.ts";
import { messageOf } from "../../page/page.ts";
import { guessHeight, isOpenAtFirst } from "./guess.ts";
import {
  ALL,
  type Comments,
  createComments,
  createSeen,
  joinRenames,
  namesOf,
  type Picks,
  type Place,
  placeKey,
  type Seen,
  type ShownFile,
  seenOf,
  toPlace,
  withCommentRows,
} from "./person/person.ts";
import { type ReviewFile, toFile } from "./review-file.ts";
import { inTreeOrder } from "./tree.ts";

export type { Content, ReviewFile } from "./review-file.ts";

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
  /** Grows when lines have got their colours. */
  readonly paints: Signal<number>;
  readonly isSplit: Signal<boolean>;
  readonly ignoresBlanks: Signal<boolean>;
  readonly cursor: Signal<Cursor | undefined>;
  readonly query: Signal<string>;
  /** What a person left out. */
  readonly picks: Signal<Picks>;
  /** What is about to be said. */
  readonly comments: Comments;
  /** What was said of the version before. */
  readonly said: () => readonly Comment[];
  /** What a person has looked at. */
  readonly seen: Seen;
  /** Whether somebody is asked here, who looks at it. */
  readonly mayLook: () => boolean;
  /** Whether it can be asked to be different now. */
  readonly mayRevise: () => boolean;
  /** Only what is different since the version before. */
  readonly isSince: Signal<boolean>;
  /** Opens a box at a place, with the focus. */
  comment(place: Place): void;
  /** Shows only what is different since the version before, or all again. */
  showSince(isSince: boolean): void;
  /** Asks for the change set; what is open stays open as long as it is the same one. */
  load(): Promise<void>;
  loadFile(file: number): Promise<void>;
  /** Reads again what could not be read; who asks while it is read waits for the same. */
  retry(): Promise<void>;
  readonly isRetrying: () => boolean;
  toggle(file: number, isOpen?: boolean): void;
  /** Shows a drawing as a picture, or its lines. */
  showPicture(file: number, isPicture: boolean): void;
  image(n: number, side: "before" | "after"): Promise<Blob>;
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

/** A review that has not asked for anything yet. */
export function createReview(
  client: Client,
  id: string,
  prefersSplit: boolean,
  /** It may be asked to be different here: there is room for that. */
  isPage = false,
  colors?: Colors,
): Review {
  let files: readonly ReviewFile[] = [];
  let pane: Pane = { columns: 100 };
  const set = signal<ChangeSet | undefined>(undefined);
  const failure = signal<string | undefined>(undefined);
  const version = signal(0);
  const paints = signal(0);
  const isSplit = signal(prefersSplit);
  const ignoresBlanks = signal(false);
  const isSince = signal(false);
  const comments = createComments(client, id);
  const said = () => set.value?.previous?.comments ?? [];
  const seen = createSeen(client, id);
  const mayLook = () => set.value?.state === "waiting" && set.value.actions.length > 0;
  const mayRevise = () =>
    isPage && mayLook() && set.value?.actions.some(({ act }) => act === "approve") === true;
  const isOpenNow = (entry: ShownFile) =>
    isOpenAtFirst(entry) && !(mayLook() && seenOf(seen, entry) === "same");
  const bump = () => {
    version.value += 1;
  };

  let laidFor = "";
  /** Laying rows loses what was measured of them: only where others are to be shown. */
  function relayOnce(): void {
    const shown = [mayRevise(), ...comments.open.value, ...said().map(placeKey)].join("\n");
    if (shown !== laidFor) for (const file of files) lay(file);
    laidFor = shown;
  }

  function lay(file: ReviewFile): void {
    if (file.content.kind !== "ready") return;
    const layout: Layout = {
      isSplit: isSplit.value,
      ignoresBlanks: ignoresBlanks.value,
      opened: file.opened,
      hasHunkHeads:
        mayRevise() && file.entry.kind === "update" && file.content.texts.hunks.length > 1,
      isSince: isSince.value,
    };
    const open = [...comments.open.value].map(toPlace);
    const places = [...said(), ...open];
    file.rows = withCommentRows(rowsOf(file.content.texts, layout), namesOf(file.entry), places);
    file.starts = changeStarts(file.rows);
    const guess = (row: number) => guessHeight(file.rows[row], pane.columns, isSplit.value);
    file.heights = createHeights(file.rows.length, guess);
  }

  /** Who asks for a file while it is read waits for that. */
  const reads = new WeakMap<ReviewFile, Promise<void>>();

  async function loadFile(number: number): Promise<void> {
    const file = files[number];
    if (!file || file.content.kind === "ready") return undefined;
    if (file.content.kind !== "loading") reads.set(file, readFile(file));
    return reads.get(file);
  }

  async function readFile(file: ReviewFile): Promise<void> {
    const before = file.content;
    file.content = { kind: "loading", ...(before.kind === "failed" && { failed: before.message }) };
    try {
      file.content = {
        kind: "ready",
        texts: await client.file(id, file.entry.n, file.entry.old !== undefined),
      };
    } catch (error) {
      file.content = { kind: "failed", message: messageOf(error) };
    }
    lay(file);
    bump();
    void paint(file);
  }

  /** Whole files, since a hunk alone does not say whether it begins within a comment. */
  async function paint(file: ReviewFile): Promise<void> {
    const { content, entry } = file;
    if (content.kind !== "ready") return;
    const { before, after } = content.texts;
    file.colors = await colors?.ask(entry.path, before, after);
    if (file.colors) paints.value += 1;
  }

  let retrying: Promise<void> | undefined;
  async function retry(): Promise<void> {
    const failed = files.flatMap(({ content }, at) => (content.kind === "failed" ? [at] : []));
    if (retrying || failed.length === 0) return retrying;
    const read = async () => {
      for (const at of failed) await loadFile(at);
    };
    retrying = read().finally(() => {
      retrying = undefined;
      bump();
    });
    bump();
    return retrying;
  }

  return {
    id,
    set,
    failure,
    version,
    paints,
    isSplit,
    ignoresBlanks,
    cursor: signal(undefined),
    query: signal(""),
    picks: signal(ALL),
    comments,
    said,
    seen,
    mayLook,
    mayRevise,
    isSince,
    showSince(next) {
      isSince.value = next;
      for (const file of files) {
        file.isOpen = next ? file.entry.since !== "same" : isOpenNow(file.entry);
        lay(file);
      }
      bump();
    },
    comment(place) {
      comments.wanted = placeKey(place);
      comments.show(place, true);
      const at = files.findIndex(({ entry }) => namesOf(entry).includes(place.path ?? ""));
      const file = files[at];
      if (file) {
        file.isOpen = true;
        file.isPicture &&= !file.isDrawing;
        lay(file);
      }
      bump();
    },
    files: () => files,
    pane: () => pane,
    bump,
    async load() {
      try {
        const [writes, marks] = [comments.writes(), seen.marks()];
        const fresh = await client.changeSet(id);
        batch(() => {
          const isOther = set.value?.digest !== fresh.digest;
          set.value = fresh;
          seen.take(fresh.files, marks);
          if (isOther)
            files = inTreeOrder(joinRenames(fresh.files)).map((file) =>
              toFile(file, isOpenNow(file)),
            );
          failure.value = undefined;
          comments.take(fresh.drafts, writes);
          relayOnce();
          bump();
        });
        void retry();
      } catch (error) {
        failure.value = messageOf(error);
      }
    },
    loadFile,
    retry,
    isRetrying: () => retrying !== undefined,
    toggle(number, isOpen) {
      const file = files[number];
      if (!file) return;
      file.isOpen = isOpen ?? !file.isOpen;
      bump();
    },
    showPicture(number, isPicture) {
      const file = files[number];
      if (!file?.isDrawing) return;
      file.isPicture = isPicture;
      if (isPicture) file.isOpen = true;
      bump();
    },
    image: (n, side) => client.image(id, n, side),
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
