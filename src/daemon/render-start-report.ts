import { cutText } from "../core/cut-text.ts";
import type { Language } from "../core/language.ts";
import { toVisibleText } from "../core/visible-text.ts";

/** What a start found, each entry in words for its owner. */
export interface StartFacts {
  /** When there was no daemon; undefined at the very first start. */
  readonly down?: { readonly from: number; readonly to: number; readonly wasClean: boolean };
  /** Changes that were put back. */
  readonly recovered: readonly string[];
  /** Approved calls of which nobody knows whether they took effect. */
  readonly interrupted: readonly string[];
  /** Messages that are being answered now. */
  readonly answering: readonly string[];
  /** Routines that ran when it ended. */
  readonly cutOff: readonly string[];
  /** Routines whose time came while nobody was there. */
  readonly missed: readonly string[];
  /** Of these, the ones that are made up for now. */
  readonly madeUp: readonly string[];
  /** Questions that still wait for an answer. */
  readonly waiting: readonly string[];
}

/** A shorter and orderly absence of which nothing is left is nobody's business. */
const SHORT_MS = 60_000;
const MOST_SHOWN = 5;
const MOST_CHARS = 160;

/** What the owner is told once after a start; undefined when there is nothing worth a message. */
export function renderStartReport(facts: StartFacts, language: Language): string | undefined {
  const lists = LISTS.filter((list) => facts[list].length > 0);
  const { down } = facts;
  const isShort = !down || (down.wasClean && down.to - down.from < SHORT_MS);
  if (lists.length === 0 && isShort) return undefined;
  const sections = lists.map((list) => `${TEXTS[list][language]}\n${renderEntries(facts[list])}`);
  const head = down ? renderDown(down, language) : TEXTS.back[language];
  return [head, ...sections].join("\n");
}

const LISTS = [
  "recovered",
  "interrupted",
  "cutOff",
  "answering",
  "missed",
  "madeUp",
  "waiting",
] as const;

const TEXTS: Readonly<Record<(typeof LISTS)[number] | "back", Readonly<Record<Language, string>>>> =
  {
    back: { en: "papa-yu is back.", ru: "papa-yu снова работает.", zh: "papa-yu 已恢复运行。" },
    recovered: {
      en: "It had ended in the middle of a change, which was put back:",
      ru: "Работа прервалась посреди изменения, оно отменено:",
      zh: "运行曾在修改途中中断，修改已撤回：",
    },
    interrupted: {
      en: "It had ended while it ran what you approved. Whether these took effect is not known; look, they are not run again:",
      ru: "Работа прервалась, пока выполнялось одобренное вами. Подействовало ли оно, неизвестно; проверьте, повторно оно не запускается:",
      zh: "运行在执行您批准的操作时中断。是否生效未知，请检查；不会再次执行：",
    },
    cutOff: {
      en: "Routines that were cut off:",
      ru: "Прерванные задания по расписанию:",
      zh: "被中断的定时任务：",
    },
    answering: {
      en: "Messages being answered now:",
      ru: "Сообщения, на которые сейчас готовится ответ:",
      zh: "正在答复的消息：",
    },
    missed: {
      en: "Routines that were missed:",
      ru: "Пропущенные задания по расписанию:",
      zh: "错过的定时任务：",
    },
    madeUp: {
      en: "Routines that are made up for now:",
      ru: "Задания, которые выполняются сейчас с опозданием:",
      zh: "正在补做的定时任务：",
    },
    waiting: {
      en: "Still waiting for your answer:",
      ru: "Всё ещё ждут вашего ответа:",
      zh: "仍在等待您的答复：",
    },
  };

function renderDown(
  { from, to, wasClean }: NonNullable<StartFacts["down"]>,
  language: Language,
): string {
  const [start, end] = [toMinute(from), toMinute(to).replace(toMinute(from).slice(0, 11), "")];
  const back = TEXTS.back[language];
  switch (language) {
    case "en":
      return wasClean
        ? `${back} It was stopped from ${start} to ${end}.`
        : `${back} It had ended unexpectedly: away from about ${start} to ${end}.`;
    case "ru":
      return wasClean
        ? `${back} Был остановлен с ${start} до ${end}.`
        : `${back} Завершился аварийно и не работал примерно с ${start} до ${end}.`;
    case "zh":
      return wasClean
        ? `${back}停止时间：${start} 至 ${end}。`
        : `${back}此前意外退出，大约从 ${start} 到 ${end} 未运行。`;
    default:
      return language satisfies never;
  }
}

/** 2026-11-21 08:00, in the machine's time zone. */
function toMinute(instant: number): string {
  return new Date(instant).toLocaleString("sv").slice(0, -3);
}

function renderEntries(entries: readonly string[]): string {
  const shown = entries.slice(0, MOST_SHOWN).map((entry) => {
    const line = toVisibleText(entry).replaceAll(/\s+/g, " ").trim();
    const cut = cutText(line, MOST_CHARS);
    return `• ${cut}${cut.length < line.length ? "…" : ""}`;
  });
  const rest = entries.length - shown.length;
  if (rest > 0) shown.push(`• + ${rest}`);
  return shown.join("\n");
}
