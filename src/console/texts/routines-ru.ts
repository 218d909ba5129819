import { plural } from "../../texts/plural.ts";
import type { Widened } from "../../texts/widened.ts";
import type { ROUTINES_EN } from "./routines-en.ts";

/** Routines, in Russian. */
export const ROUTINES_RU: Widened<typeof ROUTINES_EN> = {
  title: "Задания",
  none: "Заданий пока нет",
  noneText: "Скажите ниже, когда и что нужно делать.",
  states: {
    waiting: "Включено",
    running: "Выполняется",
    disabled: "Выключено",
    invalid: "Не может выполняться",
    other: "Неизвестно",
  },
  runs: {
    due: "ждёт очереди",
    running: "выполняется",
    ok: "удалось",
    failed: "не удалось",
    skipped: "пропущено",
    missed: "не состоялось",
    unknown: "прервано",
    other: "закончено",
  },
  deliveries: {
    none: "без сообщения",
    pending: "сообщение в пути",
    queued: "сообщение ждёт",
    delivered: "сообщение доставлено",
    nobody: "сообщать некому",
    failed: "сообщение не дошло",
    unknown: "с сообщением неясно",
    other: "сообщение",
  },
  causes: {
    schedule: "по расписанию",
    manual: "вручную",
    webhook: "по вебхуку",
    files: "из-за файлов",
    other: "по другой причине",
  },
  next: (times) => `Запустится: ${times}`,
  there: (time, zone) => `${time} в ${zone}`,
  last: (state, time) => `В последний раз: ${state} ${time}`,
  neverRan: "Ещё не запускалось",
  history: "Последние запуски",
  strip: (shown, all) =>
    shown >= all
      ? plural("ru", all, { one: "запуск", few: "запуска", many: "запусков" })
      : `последние ${shown} из ${all} запусков`,
  showRuns: "Показать, что вышло",
  hideRuns: "Скрыть, что вышло",
  older: "Показать более ранние",
  nothingSaid: "Ничего не сказано.",
  why: (reason) => `Почему: ${reason}`,
  toInbox: "Во входящих",
  failedHere: "Последний запуск не удался:",
  week: "Ближайшая неделя",
  weekOf: (zone) => `Время ваше (${zone}); время задачи в другом поясе стоит рядом.`,
  nothingAhead: "На ближайшей неделе ничего не намечено.",
  more: (name, count) => `${name}: ближайшие ${count}, есть ещё`,
  andMore: "и ещё",
  task: "Что делает",
  add: "Новая задача",
  words: "Когда, двоеточие и что",
  example: "по будням в 8:00 в notes: что изменилось со вчера?",
  propose: "Показать, что получится",
  change: "Изменить",
  changed: "Когда и что она должна делать",
  notShown: "В ней есть то, что здесь не показано: скажите всё заново",
  proposed: "Получится вот что. Пока вы не одобрите, ничего не сохраняется.",
};
