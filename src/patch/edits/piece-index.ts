import { type FlatText, findSpans, flattenSource } from "./flat-text.ts";
import { isShort, type Needles } from "./needles.ts";
import { MOST_REACH, type Piece } from "./pieces.ts";

/** A place in a text of pieces. */
export interface PiecePlace {
  /** Position of the piece in its text. */
  readonly piece: number;
  /** Where in it, in the form that is looked through. */
  readonly start: number;
}

/** What was found in a piece; it holds as long as the same piece is below. */
interface Known {
  readonly below: Piece | undefined;
  /** The piece, and behind it the one below. */
  readonly text: string;
  readonly length: number;
  /** Where needles are, also inside of words. */
  readonly raw: ReadonlyMap<string, readonly number[]>;
  readonly places: Map<string, readonly number[]>;
  view?: FlatText;
}

const NONE: readonly number[] = [];

/**
 * Where needles are in a text of pieces, as they would be found in the whole of it. Each piece is read
 * once, and again when it or the one below it is another.
 */
export class PieceIndex {
  readonly #forms = new WeakMap<Piece, string>();
  readonly #known = new WeakMap<Piece, Known>();
  readonly #needles: Needles;
  readonly #toForm: (source: string) => string;

  /** `toForm` makes of lines what is looked through, line for line. */
  constructor(needles: Needles, toForm: (source: string) => string) {
    this.#needles = needles;
    this.#toForm = toForm;
  }

  /** The first places of a needle that splits no word, at most so many. */
  find(pieces: readonly Piece[], needle: string, most: number): readonly PiecePlace[] {
    return this.#collect(pieces, most, (known) => this.#placesIn(known, needle));
  }

  /** The first places of a needle, also inside of words. */
  findRaw(pieces: readonly Piece[], needle: string, most: number): readonly PiecePlace[] {
    return this.#collect(pieces, most, ({ raw }) => raw.get(needle) ?? NONE);
  }

  /** The lines above a place in its piece. */
  lineOf(pieces: readonly Piece[], { piece, start }: PiecePlace): number {
    return this.#read(pieces, piece).text.slice(0, start).split("\n").length - 1;
  }

  #collect(
    pieces: readonly Piece[],
    most: number,
    placesIn: (known: Known) => readonly number[],
  ): readonly PiecePlace[] {
    const found: PiecePlace[] = [];
    for (let piece = 0; piece < pieces.length && found.length < most; piece++) {
      const starts = placesIn(this.#read(pieces, piece));
      for (const start of starts.slice(0, most - found.length)) found.push({ piece, start });
    }
    return found;
  }

  #placesIn(known: Known, needle: string): readonly number[] {
    const { text, length, raw, places } = known;
    if (isShort(needle) ? !text.includes(needle) : !raw.has(needle)) return NONE;
    let found = places.get(needle);
    if (found === undefined) {
      known.view ??= flattenSource(text);
      found = findSpans(known.view, needle, 0, length).map(({ start }) => start);
      places.set(needle, found);
    }
    return found;
  }

  #read(pieces: readonly Piece[], at: number): Known {
    const [piece, below] = [pieces[at], pieces[at + 1]];
    if (piece === undefined) throw new Error(`there is no piece ${at}`);
    const known = this.#known.get(piece);
    if (known !== undefined && known.below === below) return known;
    const own = this.#formOf(piece);
    const text = below === undefined ? own : own + this.#formOf(below);
    const raw = new Map<string, readonly number[]>();
    for (const [needle, starts] of this.#needles.scan(text.slice(0, own.length + MOST_REACH))) {
      const inside = starts.filter((start) => start < own.length);
      if (inside.length > 0) raw.set(needle, inside);
    }
    const read: Known = { below, text, length: own.length, raw, places: new Map() };
    this.#known.set(piece, read);
    return read;
  }

  #formOf(piece: Piece): string {
    let form = this.#forms.get(piece);
    if (form === undefined) this.#forms.set(piece, (form = this.#toForm(piece.source)));
    return form;
  }
}
