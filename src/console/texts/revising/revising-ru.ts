import { plural } from "../../../texts/plural.ts";

const files = (count: number) => plural("ru", count, { one: "файл", few: "файла", many: "файлов" });

/** What a person says of a change set and leaves out of it, in Russian. */
export const REVISING_RU = {
  comment: {
    onLine: (line: number) => `Замечание к строке ${line}`,
    onOldLine: (line: number) => `Замечание к удалённой строке ${line}`,
    onFile: (path: string) => `Замечание к ${path}`,
    onLines: (from: number, to: number) => `Замечание к строкам ${from}–${to}`,
    onOldLines: (from: number, to: number) => `Замечание к прежним строкам ${from}–${to}`,
    lines: (from: number, to: number) => (from === to ? `Строка ${from}` : `Строки ${from}–${to}`),
    oldLines: (from: number, to: number) =>
      from === to ? `Прежняя строка ${from}` : `Прежние строки ${from}–${to}`,
    toLine: "до строки",
    writeLine: "Написать строку самому",
    writeLines: "Написать строки самому",
    instead: (line: number) => `Какой должна быть строка ${line}`,
    insteadOf: (from: number, to: number) => `Какими должны быть строки ${from}–${to}`,
    onAll: "Замечание ко всему",
    drop: "Убрать",
    dropOf: (label: string) => `Убрать: ${label}`,
    said: "Вы сказали о прошлой версии",
    saidAt: (line: number) => `Вы сказали о строке ${line} прошлой версии, которой больше нет`,
    waiting: (count: number) =>
      `${plural("ru", count, { one: "замечание", few: "замечания", many: "замечаний" })} уйдёт с «Изменить…»`,
    failed: (reason: string) => `Написанное не удалось сохранить: ${reason}`,
    passOver: (label: string, count: number) =>
      `${label}, не отправив ${plural("ru", count, { one: "замечание", few: "замечания", many: "замечаний" })}`,
    passWords: (label: string) => `${label}, не отправив написанное`,
    notSent: (count: number) =>
      `Не отправлено: ${plural("ru", count, { one: "замечание", few: "замечания", many: "замечаний" })}`,
    elsewhere: "В другом окне здесь другие слова.",
    takeThose: "Показать те",
    full: (most: number) => `В замечании не больше ${most} знаков: что сверх того, не вставлено.`,
  },
  leave: {
    word: "Взять",
    take: (path: string) => `Взять ${path}`,
    takeHunk: (number: number, path: string) => `Взять фрагмент ${number} в ${path}`,
    hunk: (number: number) => `Фрагмент ${number}`,
    asBefore: (number: number) => `Фрагмент ${number}: как в прошлой версии`,
    asLooked: (number: number) => `Фрагмент ${number}: как при вашем просмотре`,
    out: (files_: number, hunks: number) =>
      `Исключить: ${[
        ...(files_ > 0 ? [files(files_)] : []),
        ...(hunks > 0
          ? [plural("ru", hunks, { one: "фрагмент", few: "фрагмента", many: "фрагментов" })]
          : []),
      ].join(", ")}`,
    noYes: (label: string) =>
      `Пока что-то исключено, согласие на всё не считается: нажмите «${label}» или включите всё снова.`,
    all: "Взять всё снова",
    failed: (reason: string) => `Исключённое не удалось сохранить: ${reason}`,
    before: (parts: string) => `Вы исключили из прошлой версии: ${parts}`,
    some: (hunks: number, path: string) =>
      `${plural("ru", hunks, { one: "фрагмент", few: "фрагмента", many: "фрагментов" })} в ${path}`,
  },
};
