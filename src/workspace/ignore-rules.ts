import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";

/** A .gitignore larger than this is not a list of patterns. */
const MAX_BYTES = 256 * 1024;

/** Letter case counts where it counts for git. */
const OPTIONS = { allowRelativePaths: true, ignorecase: process.platform !== "linux" };

/** The .gitignore files that hold in a folder, outermost first. */
export type IgnoreRules = readonly {
  /** Folder of the .gitignore, relative with a trailing "/", "" for the root. */
  readonly prefix: string;
  readonly matcher: Ignore;
}[];

/** The rules of `outer` plus those of the .gitignore in `prefix`; an unreadable one adds none. */
export async function addIgnoreFile(
  root: string,
  prefix: string,
  outer: IgnoreRules,
): Promise<IgnoreRules> {
  const text = await readFile(join(root, prefix, ".gitignore"), "utf8").catch(() => "");
  if (text.trim() === "" || text.length > MAX_BYTES) return outer;
  return [...outer, { prefix, matcher: ignore(OPTIONS).add(text) }];
}

/**
 * Whether git would leave this path out. `path` ends in "/" for a folder.
 *
 * The innermost .gitignore that says anything decides. Callers never descend into an ignored
 * folder, so a path below one is not asked about.
 */
export function isIgnored(rules: IgnoreRules, path: string): boolean {
  for (let i = rules.length - 1; i >= 0; i--) {
    const rule = rules[i];
    if (rule === undefined) continue;
    const { ignored, unignored } = rule.matcher.test(path.slice(rule.prefix.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
