import { plural } from "../../texts/plural.ts";
import type { Widened } from "../../texts/widened.ts";
import type { PAST_EN } from "./past-en.ts";

/** Workspaces and their past, in Russian. */
export const PAST_RU: Widened<typeof PAST_EN> = {
  title: "Папки",
  none: "Ни одной папки пока не настроено",
  noneText: "Её добавляет papayu init.",
  states: {
    ready: "Готова",
    unfinished: "Изменение идёт или было прервано и вернётся со следующим",
    uncertain: "Здесь было прервано изменение, и неясно, та ли это ещё папка",
    gone: "Папки нет на месте",
    other: "Неизвестно",
  },
  waits: (count) => plural("ru", count, { one: "ждёт вас", few: "ждут вас", many: "ждут вас" }),
  changes: (count, isMore) =>
    `${isMore ? "больше " : ""}${plural("ru", count, { one: "изменение", few: "изменения", many: "изменений" })}`,
  newest: (time) => `последнее ${time}`,
  goneText: (file) =>
    `Этой папки нет на месте. Создайте её, либо измените её path или уберите её запись в ${file}.`,
  untouched: "Здесь ещё ничего не менялось",
  past: "Что менялось",
  shown: (shown, all, isMore) =>
    shown >= all && !isMore
      ? plural("ru", shown, { one: "изменение", few: "изменения", many: "изменений" })
      : `последние ${shown} из ${isMore ? "более чем " : ""}${all}`,
  older: (count) => `Показать ещё ${count} старше`,
  show: "Показать изменения",
  kinds: { apply: "Изменение", undo: "Отмена", redo: "Возврат", other: "Изменение" },
  of: (kind, summary) => `${kind}: ${summary}`,
  channels: {
    telegram: "по просьбе из Telegram",
    terminal: "по просьбе из терминала",
    http: "по просьбе программы",
    console: "по просьбе с этой страницы",
    routine: "по расписанию",
    other: "по просьбе из другого места",
  },
  byRoutine: (name) => `по задаче ${name}`,
  figures: {
    created: (count) => `новых: ${count}`,
    updated: (count) => `изменено: ${count}`,
    deleted: (count) => `удалено: ${count}`,
  },
  part: (number, all) => `часть ${number} из ${all}`,
  trace: (id) => `трасса ${id}`,
  kept: (paths) => `Не возвращено: ${paths}`,
  gone: "Что было изменено, больше не хранится.",
  someGone: "Для некоторых файлов прежнее содержание больше не хранится.",
  checks: "Проверки",
  noChecks: "Для этой папки проверок не найдено.",
  took: (time) => `в последний раз заняло ${time}`,
  neverRun: "здесь ещё не запускалась",
  found: (place) => `из ${place}`,
  preferences: "Предпочтения",
  noPreferences: "Ничего не сохранено.",
  ask: "Попросить об изменении",
  undo: "Отменить…",
  redo: "Вернуть…",
  undoTitle: (summary) => `Отмена: ${summary}`,
  redoTitle: (summary) => `Возврат: ${summary}`,
  nothing: { undo: "Отменять нечего", redo: "Возвращать нечего" },
  refused: { undo: "Это нельзя отменить", redo: "Это нельзя вернуть" },
  goesBack: (files) => `От этого изменится: ${files}`,
  merged: "Изменены позже и сливаются: поздние правки остаются",
  conflicts: "Остаются как есть: позже изменены в тех же местах",
  onePart: "Это одна часть цели; остальные части остаются как есть.",
  more: { undo: "Показать, что ещё можно отменить", redo: "Показать, что ещё можно вернуть" },
  back: "Назад к папке",
};
