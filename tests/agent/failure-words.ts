import type { Language } from "../../src/core/language.ts";
import type { ToolFailure } from "../../src/tools/tool.ts";

/** When a tool that goes on failing so is not offered any more. */
export type Withdrawn = "at once" | "after two rounds" | "never";

/** What a failure says of its tool, and what a person reads. */
export interface Kind {
  readonly withdrawn: Withdrawn;
  readonly said: Readonly<Record<Language, string>>;
  readonly more?: Partial<ToolFailure>;
}

/** Every code that a tool can fail with; one that is missing here does not compile. */
export const KINDS: Readonly<Record<ToolFailure["errorCode"], Kind>> = {
  invalid_args: {
    withdrawn: "never",
    said: {
      en: "it was called with arguments that do not fit",
      ru: "вызов с неподходящими параметрами",
      zh: "调用参数不合适",
    },
  },
  not_found: {
    withdrawn: "never",
    said: {
      en: "it did not find what it was asked for",
      ru: "то, что искали, не найдено",
      zh: "没有找到所要的内容",
    },
  },
  denied: {
    withdrawn: "never",
    said: { en: "it is not allowed", ru: "это не разрешено", zh: "这不被允许" },
  },
  too_large: {
    withdrawn: "never",
    said: {
      en: "it is too much or too large",
      ru: "слишком много или слишком велико",
      zh: "过多或过大",
    },
  },
  unavailable: {
    withdrawn: "after two rounds",
    more: { retryable: true },
    said: {
      en: "what it needs is out of reach or missing",
      ru: "нужный сервис, ключ или программа недоступны",
      zh: "所需的服务、密钥或程序不可用",
    },
  },
  rate_limited: {
    withdrawn: "after two rounds",
    said: {
      en: "the service asked to slow down",
      ru: "сервис просит подождать",
      zh: "服务要求放慢速度",
    },
  },
  timeout: {
    withdrawn: "after two rounds",
    said: { en: "no answer came in time", ru: "ответ не пришёл вовремя", zh: "没有及时得到回答" },
  },
  internal: {
    withdrawn: "after two rounds",
    said: { en: "it failed by itself", ru: "сбой самого инструмента", zh: "工具自身出错" },
  },
};

/** How often a tool runs that is called once a round, before it is withdrawn or the turn ends. */
export const RUNS: Readonly<Record<Withdrawn, number>> = {
  "at once": 1,
  "after two rounds": 2,
  never: 3,
};
