import type { Opened } from "../../../diff/diff.ts";
import { namesOf, type Person, type Place, placeKey } from "../person/person.ts";
import type { Layer } from "./layout.ts";
import { linesAt } from "./lines-at.ts";
import { charsShown, isOpenNow, keysOf, type ReviewFile } from "./review-file.ts";

/** The ways to open and to shut what a review shows: files, folds, long lines, and boxes in them. */
export interface Opening {
  toggle(file: number, isOpen?: boolean): void;
  /** Shows a drawing as a picture, or its lines. */
  showPicture(file: number, isPicture: boolean): void;
  openFold(file: number, fold: number, more: Partial<Opened>): void;
  showLonger(file: number, row: number): void;
  /** Shows only what is different since the version before, or all again. */
  showSince(isSince: boolean): void;
  /** Opens a box at a place, with the focus. */
  comment(place: Place): void;
  /**
   * A box is of other lines; it stays where it stands, or stands below the last of them. Lines that
   * nobody has written anew yet are these then. False: it cannot be, and is of those that it was of.
   */
  extend(from: Place, to: Place, isMoved: boolean): boolean;
}

/** So much more of a line is shown at each press. */
const MORE_CHARS = 20_000;

/** Opens in the files that there are at each time, and has them laid anew. */
export function createOpening(
  files: () => readonly ReviewFile[],
  person: Person,
  layout: Layer,
): Opening {
  const fileOf = ({ path = "" }: Place) =>
    files().find(({ entry }) => namesOf(entry).includes(path));
  return {
    toggle(number, isOpen) {
      const file = files()[number];
      if (!file) return;
      file.isOpen = isOpen ?? !file.isOpen;
      layout.bump();
    },
    showPicture(number, isPicture) {
      const file = files()[number];
      if (!file?.isDrawing) return;
      file.isPicture = isPicture;
      if (isPicture) file.isOpen = true;
      layout.bump();
    },
    openFold(number, fold, { top = 0, bottom = 0 }) {
      const file = files()[number];
      if (!file) return;
      const { folds } = file.opened;
      const before = folds.get(fold) ?? { top: 0, bottom: 0 };
      folds.set(fold, { top: before.top + top, bottom: before.bottom + bottom });
      layout.lay(file);
      layout.bump();
    },
    showLonger(number, row) {
      const file = files()[number];
      const shown = file && charsShown(file, file.laid.rows[row]) + MORE_CHARS;
      for (const key of keysOf(file?.laid.rows[row])) file?.opened.chars.set(key, shown ?? 0);
      layout.bump();
    },
    showSince(next) {
      layout.isSince.value = next;
      for (const file of files()) {
        file.isOpen = isOpenNow(person, file.entry, next);
        layout.lay(file);
      }
      layout.bump();
    },
    comment(place) {
      person.comments.wanted = placeKey(place);
      person.comments.show(place, true);
      const file = fileOf(place);
      if (file) {
        file.isOpen = true;
        file.isPicture &&= !file.isDrawing;
        layout.lay(file);
      }
      layout.bump();
    },
    extend(from, to, isMoved) {
      const { comments } = person;
      const own = comments.all.value.find((each) => placeKey(each) === placeKey(from));
      const isUntouched = own?.instead === true && own.text === linesAt(files(), from);
      const lines = isUntouched ? linesAt(files(), to) : undefined;
      if (isUntouched && lines === undefined) return false;
      if (!comments.extend(from, to, isMoved ? (to.to ?? to.line) : undefined)) return false;
      if (lines !== undefined) comments.write({ ...to, text: lines, instead: true });
      const file = fileOf(to);
      // Laying rows loses what was measured of them.
      if (file && (isMoved || placeKey(from) !== placeKey(to))) layout.lay(file);
      layout.bump();
      return true;
    },
  };
}
