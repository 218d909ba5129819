import { toCode } from "../core/cut-text.ts";

/**
 * Some of many, with what is missing: whoever shows the one, or decides by it, has the other at hand
 * and says it, or acts on it. `tests/repository/parts.test.ts` looks that each does.
 */
export interface Part<T> {
  readonly items: readonly T[];
  readonly leftOut: readonly LeftOut[];
}

/** Things of one kind that are not among those given. */
export interface LeftOut {
  readonly what: keyof typeof NOUNS;
  /** Undefined: at least one, and nobody counted. */
  readonly count?: number;
  /** The path of one of them. */
  readonly example?: string;
}

/** What can be left out, in words for a model: one, and several. */
const NOUNS = {
  files: ["file that was not looked at", "files that were not looked at"],
  folders: ["folder too deep to be looked into", "folders too deep to be looked into"],
  large: ["file too large to be searched", "files too large to be searched"],
  unreadable: ["file that cannot be read", "files that cannot be read"],
  names: ["file with a name that no path can hold", "files with names that no path can hold"],
  hits: ["hit", "hits"],
} as const;

/** Paths of one kind that are left out, with the first as an example; nothing where there are none. */
export function toLeftOut(what: LeftOut["what"], paths: readonly string[]): readonly LeftOut[] {
  const [first] = paths;
  if (first === undefined) return [];
  const example = what === "names" ? toCode(first, MOST_NAME_CHARS) : first;
  return [{ what, count: paths.length, example }];
}

const MOST_NAME_CHARS = 100;

/** "Left out: 3 files that cannot be read (a.txt)"; undefined where nothing is missing. */
export function renderLeftOut(leftOut: readonly LeftOut[]): string | undefined {
  if (leftOut.length === 0) return undefined;
  const kinds = leftOut.map(({ what, count, example }) => {
    const [one, many] = NOUNS[what];
    const named = count === 1 ? one : many;
    const first = example === undefined ? "" : ` (${count === 1 ? "" : "such as "}${example})`;
    return `${count === undefined ? "further" : count} ${named}${first}`;
  });
  return `Left out: ${kinds.join("; ")}`;
}
