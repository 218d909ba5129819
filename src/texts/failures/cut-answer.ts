/** An answer that its model did not finish, and what bounded it. */
export interface Cut {
  /** How long it became; undefined: nobody counted. */
  readonly tokens: number | undefined;
  /**
   * What an answer may have under any cap where nothing is set, what is left of a cap for today, what
   * was set or asked for, or the model's own bound.
   */
  readonly by: "cap" | "rest" | "setting" | "provider";
  /** Whose settings would make it longer. */
  readonly provider: string;
}

/** Says it of a length, where that is known, and of a provider by its name. */
type CutBy = (tokens: number | undefined, provider: string) => string;

interface CutWords {
  /** Why an answer is not whole, and what would make it longer. */
  readonly answerCut: Readonly<Record<Cut["by"], CutBy>>;
  /** Behind it, where the answer called tools. */
  readonly cutCalls: string;
  /** Behind what came of an answer before it failed, in the conversation. */
  readonly brokeOff: string;
}

/** Why an answer is not whole, in the words of a language. */
export function tellCut(
  { answerCut }: Pick<CutWords, "answerCut">,
  { tokens, by, provider }: Cut,
): string {
  return answerCut[by](tokens, provider);
}

const atEn = (tokens?: number) =>
  tokens === undefined ? "" : ` at ${tokens.toLocaleString("en")} tokens`;

/** What is said of an answer that was cut, in English. */
export const CUT_EN: CutWords = {
  answerCut: {
    cap: (tokens, name) =>
      `The answer was cut${atEn(tokens)}: that is all that an answer may have while a daily cap on tokens or cost is set and max_tokens in [providers.${name}] is not; set max_tokens, or ask for less at once`,
    rest: (tokens) =>
      `The answer was cut${atEn(tokens)}: a daily cap on tokens or cost leaves no more for today; raise the cap, wait until midnight UTC, or ask for less at once`,
    setting: (tokens, name) =>
      `The answer was cut${atEn(tokens)}: that is max_tokens in [providers.${name}]; raise it, or ask for less at once`,
    provider: (tokens, name) =>
      `The answer was cut${atEn(tokens)}: that is as long as the provider lets it be; set max_tokens in [providers.${name}] if the model can write more, or ask for less at once`,
  },
  cutCalls: "the tools that it called were not run, as the calls may be cut, too",
  brokeOff: "The answer broke off here.",
};

const atRu = (tokens?: number) =>
  tokens === undefined ? "" : ` (токенов: ${tokens.toLocaleString("en")})`;

/** The same in Russian. */
export const CUT_RU: CutWords = {
  answerCut: {
    cap: (tokens, name) =>
      `Ответ обрезан${atRu(tokens)}: больше ответу не даётся, пока задан дневной лимит токенов или расходов, а max_tokens в [providers.${name}] не задан; задайте max_tokens или просите меньше за раз`,
    rest: (tokens) =>
      `Ответ обрезан${atRu(tokens)}: дневной лимит токенов или расходов не оставляет на сегодня больше; поднимите лимит, подождите до полуночи UTC или просите меньше за раз`,
    setting: (tokens, name) =>
      `Ответ обрезан${atRu(tokens)}: таков max_tokens в [providers.${name}]; увеличьте его или просите меньше за раз`,
    provider: (tokens, name) =>
      `Ответ обрезан${atRu(tokens)}: больше не даёт провайдер; задайте max_tokens в [providers.${name}], если модель умеет писать длиннее, или просите меньше за раз`,
  },
  cutCalls: "вызванные в нём инструменты не запускались: вызовы могли обрезаться тоже",
  brokeOff: "Здесь ответ оборвался.",
};

const atZh = (tokens?: number) =>
  tokens === undefined ? "" : `（${tokens.toLocaleString("en")} 个词元）`;

/** The same in Chinese. */
export const CUT_ZH: CutWords = {
  answerCut: {
    cap: (tokens, name) =>
      `回答被截断${atZh(tokens)}：设有每日的词元或费用上限、而没有设置 [providers.${name}] 的 max_tokens 时，回答最多这么长；请设置 max_tokens，或者一次少问一些`,
    rest: (tokens) =>
      `回答被截断${atZh(tokens)}：每日的词元或费用上限今天不再留更多；请提高上限，等到 UTC 午夜，或者一次少问一些`,
    setting: (tokens, name) =>
      `回答被截断${atZh(tokens)}：这是 [providers.${name}] 的 max_tokens 的限制；请调大它，或者一次少问一些`,
    provider: (tokens, name) =>
      `回答被截断${atZh(tokens)}：提供方不允许更长；如果模型能写得更长，请设置 [providers.${name}] 的 max_tokens，或者一次少问一些`,
  },
  cutCalls: "其中调用的工具没有运行，因为这些调用也可能被截断",
  brokeOff: "回答在此中断。",
};
