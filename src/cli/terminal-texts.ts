import type { Language } from "../core/language.ts";

/** What a terminal says of itself, beside what the daemon says. */
export const TERMINAL = {
  lost: {
    en: "(the daemon has gone; waiting until it is back)",
    ru: "(демон остановился; жду его возвращения)",
    zh: "（守护进程已停止；等待其恢复）",
  },
  cut: {
    en: "(the daemon has gone before it had answered; waiting until it is back)",
    ru: "(демон остановился, не успев ответить; жду его возвращения)",
    zh: "（守护进程在答复前已停止；等待其恢复）",
  },
  back: {
    en: "(the daemon is back)",
    ru: "(демон снова работает)",
    zh: "（守护进程已恢复）",
  },
  notSent: {
    en: "(not sent: there is no daemon right now)",
    ru: "(не отправлено: демон сейчас не работает)",
    zh: "（未发送：守护进程当前未运行）",
  },
  leaves: {
    en: "(Ctrl-C again leaves)",
    ru: "(Ctrl-C ещё раз — выход)",
    zh: "（再按一次 Ctrl-C 退出）",
  },
  resume: {
    en: "Go on later with:",
    ru: "Продолжить позже:",
    zh: "稍后继续：",
  },
  works: {
    en: "s, Ctrl-C cancels",
    ru: "с, Ctrl-C отменяет",
    zh: "秒，Ctrl-C 取消",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, string>>>>;
