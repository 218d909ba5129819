import ignore, { type Ignore } from "ignore";

const MAX_GLOBSTARS = 3;

/** Letter case counts where it counts for git. */
const OPTIONS = { allowRelativePaths: true, ignorecase: process.platform !== "linux" };

/** The .gitignore files that hold in a folder, outermost first. */
export type IgnoreRules = readonly {
  /** Folder of the .gitignore, relative with a trailing "/", "" for the root. */
  readonly prefix: string;
  readonly matcher: Ignore;
  /** Where it finds nothing the matcher has no rule either; it costs a fraction of that. */
  readonly hint: RegExp;
}[];

/** The rules of `outer` plus those of the .gitignore in `prefix`, given as its text. */
export function addIgnoreText(prefix: string, outer: IgnoreRules, text: string): IgnoreRules {
  if (text.trim() === "") return outer;
  const lines = harmless(text);
  return [...outer, { prefix, matcher: ignore(OPTIONS).add(lines), hint: toHint(lines) }];
}

/** Without patterns of many "**": matching one takes time to the power of their number. */
function harmless(text: string): string[] {
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .filter((line) => line.split("**").length - 1 <= MAX_GLOBSTARS);
}

/** Every path that a pattern matches holds the longest stretch of it that is plain text. */
function toHint(lines: readonly string[]): RegExp {
  const patterns = lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const texts = new Set(patterns.map(longestText));
  const source = [...texts].map((text) => RegExp.escape(text)).join("|");
  return new RegExp(patterns.length === 0 ? "(?!)" : source, OPTIONS.ignorecase ? "i" : "");
}

/** Empty, which is found in every path, where a pattern has no such stretch or escapes some of it. */
function longestText(pattern: string): string {
  if (pattern.includes("\\")) return "";
  const [plain = ""] = pattern.trimEnd().replace(/^!/, "").split("[");
  return plain.split(/[*?/]+/).reduce((a, b) => (b.length > a.length ? b : a), "");
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
    const inside = path.slice(rule.prefix.length);
    if (!rule.hint.test(inside)) continue;
    const { ignored, unignored } = rule.matcher.test(inside);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/**
 * The rules for what is in `folder` (ending in "/"), which is not ignored. Where an inner
 * .gitignore has re-included it, the outer ones no longer ignore it for its content.
 */
export function rulesInside(rules: IgnoreRules, folder: string): IgnoreRules {
  return rules.map((rule) => {
    const path = folder.slice(rule.prefix.length);
    if (!rule.hint.test(path) || !rule.matcher.test(path).ignored) return rule;
    const reIncluded = `!/${path.replace(/[\\*?[\]!# ]/g, "\\$&")}`;
    return { ...rule, matcher: ignore(OPTIONS).add(rule.matcher).add(reIncluded) };
  });
}
