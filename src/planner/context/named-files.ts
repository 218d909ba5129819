/** Most files a goal may pull in by naming them. */
const MOST_FILES = 8;

/** Longer words are no paths, and trimming them would take time. */
const MOST_WORD_CHARS = 300;

const QUOTES = "\\s\"'`«»“”‘’";
const PUNCTUATION = ",;:!?#()[\\]{}<>…。，；：！？（）《》【】、";

/**
 * Ways to cut a goal into words. A path may hold brackets (`app/[id]/page.tsx`) and may stand in
 * punctuation or, in Chinese, in the middle of a sentence, so that each way finds some.
 */
const SEPARATORS = [
  new RegExp(`[${QUOTES}]+`, "u"),
  new RegExp(`[${QUOTES}${PUNCTUATION}]+`, "u"),
  new RegExp(`[${QUOTES}${PUNCTUATION}\\p{Script=Han}]+`, "u"),
];
const AT_THE_ENDS = new RegExp(`^(?:\\./|[${PUNCTUATION}])+|[.${PUNCTUATION}]+$`, "gu");

/** Files whose path, or base name when only one file has it, stands in the goal; paths first. */
export function findNamedFiles(goal: string, paths: readonly string[]): readonly string[] {
  const words = toWords(goal);
  const byName = new Map<string, { readonly path: string; unique: boolean }>();
  const named = new Set<string>();
  for (const path of paths) {
    if (words.has(path)) named.add(path);
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (!words.has(name)) continue;
    const other = byName.get(name);
    if (other) other.unique = false;
    else byName.set(name, { path, unique: true });
  }
  for (const { path, unique } of byName.values()) if (unique) named.add(path);
  return [...named].slice(0, MOST_FILES);
}

function toWords(goal: string): ReadonlySet<string> {
  const words = SEPARATORS.flatMap((separator) => goal.split(separator)).filter(
    ({ length }) => length <= MOST_WORD_CHARS,
  );
  return new Set(words.flatMap((word) => [word, word.replace(AT_THE_ENDS, "")]));
}
