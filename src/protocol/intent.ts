/** What the user wants, and the goal it is about. */
export interface Intent {
  readonly kind: "plan" | "apply" | "apply_stored" | "reject" | "chat";
  readonly goal: string;
}

/** Whole answers that say yes at a [y/N]: words for nothing but that, and their first letters. */
const CLEAR_YES: ReadonlySet<string> = new Set("y yes д да 好 好的 是".split(" "));

/** Whole messages that say yes to the plan or the question that is there: some to go on as well. */
const YES: ReadonlySet<string> = CLEAR_YES.union(
  new Set("ok apply go ок применяй применить делай вперёд 应用".split(" ")),
);

/** Whole messages that say no to a question. */
const NO: ReadonlySet<string> = new Set(
  "no n nope reject нет н не отклонить отклони 不 不要 不行 否 拒绝".split(" "),
);

/** "fix" only before a blank or the end: "fix-up" and "fix:" speak of something else. */
const PLAN_WORDS = toWords(["исправь", "исправить", "почини", "fix(?=\\s|$)"], ["修复"]);
const APPLY_WORDS = toWords(["создай", "сгенерируй", "create", "с\\s+нуля"], ["创建"]);

/** Decides by fixed words, so that the same message always does the same. */
export function decideIntent(
  text: string,
  options: {
    readonly hasPlan: boolean;
    /** A question waits for a yes or a no. */
    readonly isAsked?: boolean;
  },
): Intent {
  const message = text.normalize("NFC").trim();
  const prefixed = /^(plan|apply):(.+)$/isu.exec(message);
  if (prefixed?.[2]?.trim()) {
    const kind = prefixed[1]?.toLowerCase() === "plan" ? "plan" : "apply";
    return { kind, goal: prefixed[2].trim() };
  }
  if (options.hasPlan && YES.has(toWord(message))) return { kind: "apply_stored", goal: message };
  if (options.isAsked && NO.has(toWord(message))) return { kind: "reject", goal: message };
  if (PLAN_WORDS.test(message)) return { kind: "plan", goal: message };
  if (APPLY_WORDS.test(message)) return { kind: "apply", goal: message };
  return { kind: "chat", goal: message };
}

/**
 * Whether an answer at a [y/N] is a clear yes, in any language of the interface. An "ok" is none: it
 * asks to be shown a plan's change set, and one that was sent once too often must not apply it.
 */
export function isYes(answer: string): boolean {
  return CLEAR_YES.has(toWord(answer));
}

/** Whether an answer asks for another way to what is asked about: one key on each keyboard. */
export function isAnother(answer: string): boolean {
  return ["t", "т"].includes(toWord(answer));
}

/** Whether an answer asks to look at what is asked about: by the letter, its sound or its key. */
export function isView(answer: string): boolean {
  return ["v", "в", "м"].includes(toWord(answer));
}

/** "Да!" and "да" are one word, and so are both ways to write й. */
function toWord(text: string): string {
  return text
    .normalize("NFC")
    .trim()
    .replace(/[.!。！]+$/u, "")
    .toLowerCase();
}

/** Words are delimited by characters that belong to no word; Chinese has none of those. */
function toWords(words: readonly string[], anywhere: readonly string[]): RegExp {
  const bounded = `(?<![\\p{L}\\p{N}_])(?:${words.join("|")})(?![\\p{L}\\p{N}_])`;
  return new RegExp(`${bounded}|${anywhere.join("|")}`, "iu");
}
