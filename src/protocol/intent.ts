/** What the user wants, and the goal it is about. */
export interface Intent {
  readonly kind: "plan" | "apply" | "apply_stored" | "chat";
  readonly goal: string;
}

/** Whole messages that say yes to the plan that is there. */
const YES: ReadonlySet<string> = new Set(
  "ok apply yes go ок применяй применить делай да вперёд 好 好的 应用".split(" "),
);

/** "fix" only before a blank or the end: "fix-up" and "fix:" speak of something else. */
const PLAN_WORDS = toWords(["исправь", "исправить", "почини", "fix(?=\\s|$)"], ["修复"]);
const APPLY_WORDS = toWords(["создай", "сгенерируй", "create", "с\\s+нуля"], ["创建"]);

/** Decides by fixed words, so that the same message always does the same. */
export function decideIntent(text: string, options: { readonly hasPlan: boolean }): Intent {
  const message = text.normalize("NFC").trim();
  const prefixed = /^(plan|apply):(.+)$/isu.exec(message);
  if (prefixed?.[2]?.trim()) {
    const kind = prefixed[1]?.toLowerCase() === "plan" ? "plan" : "apply";
    return { kind, goal: prefixed[2].trim() };
  }
  if (options.hasPlan && YES.has(message.toLowerCase())) {
    return { kind: "apply_stored", goal: message };
  }
  if (PLAN_WORDS.test(message)) return { kind: "plan", goal: message };
  if (APPLY_WORDS.test(message)) return { kind: "apply", goal: message };
  return { kind: "chat", goal: message };
}

/** Words stand between characters that belong to no word; Chinese has none of those. */
function toWords(words: readonly string[], anywhere: readonly string[]): RegExp {
  const bounded = `(?<![\\p{L}\\p{N}_])(?:${words.join("|")})(?![\\p{L}\\p{N}_])`;
  return new RegExp(`${bounded}|${anywhere.join("|")}`, "iu");
}
