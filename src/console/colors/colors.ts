import { languageOfFile } from "./language-of.ts";
import type { Language } from "./languages.ts";
import type { LineColors } from "./paint-lines.ts";

export { KINDS } from "./kinds.ts";
export type { LineColors } from "./paint-lines.ts";
export { COLOR_CSS } from "./sheet.ts";

/** The two sides of a file to be coloured. */
export interface ColorRequest {
  readonly id: number;
  readonly language: Language;
  readonly texts: readonly (string | null)[];
}

/** The colours of both sides; null: there is no such side. */
export interface FileColors {
  readonly before: LineColors | null;
  readonly after: LineColors | null;
}

/** As much of a worker as colours are asked of. */
export interface Painter {
  post(request: ColorRequest): void;
  terminate(): void;
}

/** Colours files, one after another, or leaves them as they are. */
export interface Colors {
  /** Undefined: it stays plain. */
  ask(path: string, before: string | null, after: string | null): Promise<FileColors | undefined>;
  close(): void;
}

/** Larger texts stay plain, and those with a longer line. */
const MOST_CHARS = 1024 * 1024;
const LONG_LINE = /[^\n]{10001}/u;
/** A worker that says nothing for so long is stuck in a text that somebody made for it. */
const MOST_MS = 15_000;
/** After so many of them nothing is coloured any more. */
const MOST_FAILURES = 3;

/** Colours with workers that are made when there is something for them. */
export function createColors(
  makePainter: (onAnswer: (data: unknown) => void, onFailed: () => void) => Painter,
  wait: (ms: number, run: () => void) => () => void,
): Colors {
  let painter: Painter | undefined;
  let hear: (data: unknown) => void = () => {};
  let fail: () => void = () => {};
  let last: Promise<unknown> = Promise.resolve();
  let [asked, failures] = [0, 0];

  function stop(): void {
    painter?.terminate();
    painter = undefined;
  }

  function paint(request: ColorRequest): Promise<FileColors | undefined> {
    if (failures >= MOST_FAILURES) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<FileColors | undefined>();
    fail = () => {
      failures += 1;
      stop();
      resolve(undefined);
    };
    hear = (data) => {
      const sides = readSides(data, request.id);
      if (sides) resolve(sides.colors);
    };
    const drop = wait(MOST_MS, () => fail());
    try {
      painter ??= makePainter(
        (data) => hear(data),
        () => fail(),
      );
      painter.post(request);
    } catch {
      fail();
    }
    return promise.finally(drop);
  }

  return {
    ask(path, before, next) {
      const language = languageOfFile(path);
      if (language === undefined || ![before, next].every(isPaintable)) {
        return Promise.resolve(undefined);
      }
      asked += 1;
      const request = { id: asked, language, texts: [before, next] };
      const painted = last.then(() => paint(request));
      last = painted;
      return painted;
    },
    close: stop,
  };
}

function isPaintable(text: string | null): boolean {
  return text === null || (text.length <= MOST_CHARS && !LONG_LINE.test(text));
}

/** Undefined: it is the answer to something else. */
function readSides(data: unknown, id: number): { colors: FileColors | undefined } | undefined {
  const answer: Readonly<Record<string, unknown>> =
    typeof data === "object" && data !== null ? { ...data } : {};
  if (answer["id"] !== id) return undefined;
  const { sides } = answer;
  if (!Array.isArray(sides)) return { colors: undefined };
  const [before, after]: readonly unknown[] = sides;
  return { colors: { before: readSide(before), after: readSide(after) } };
}

function readSide(value: unknown): LineColors | null {
  if (typeof value !== "object" || value === null) return null;
  const { starts, ends, kinds }: Readonly<Record<string, unknown>> = { ...value };
  const isWhole =
    starts instanceof Uint32Array && ends instanceof Uint32Array && kinds instanceof Uint8Array;
  return isWhole ? { starts, ends, kinds } : null;
}
