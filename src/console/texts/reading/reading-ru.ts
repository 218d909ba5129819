import { plural } from "../../../texts/plural.ts";
import type { Widened } from "../../../texts/widened.ts";
import type { HELP_EN, LINE_EN } from "./reading-en.ts";

/** What is said of a line of a change, in Russian. */
export const LINE_RU: Widened<typeof LINE_EN> = {
  added: "добавлено",
  removed: "удалено",
  at: (number) => `строка ${number}`,
  openEnd: "нет конца строки",
  more: (count) =>
    `Показать дальше (осталось: ${plural("ru", count, { one: "знак", few: "знака", many: "знаков" })})`,
  copied: "Ссылка на строку скопирована",
  copiedLines: (count, hidden) =>
    `Скопировано: ${plural("ru", count, { one: "строка", few: "строки", many: "строк" })}${hidden > 0 ? `; без свёрнутых: ${plural("ru", hidden, { one: "строка", few: "строки", many: "строк" })}` : ""}`,
  printed:
    "Напечатано то, что было на экране: там, где стоит ⋯, и в закрытых файлах строки пропущены.",
  findHint: "Браузер ищет в строках на экране; / ищет во всех",
  oneSided: "На другой стороне этой строки нет",
};

/** The keys and what they do, in Russian. */
export const HELP_RU: Widened<typeof HELP_EN> = {
  title: "Клавиши",
  open: "Клавиши",
  keys: {
    next: "К следующей записи или файлу",
    previous: "К предыдущей записи или файлу",
    open: "Открыть",
    unfold: "Показать или скрыть изменения",
    approve: "Одобрить",
    reject: "Отклонить",
    nextChange: "Следующее изменение",
    previousChange: "Предыдущее изменение",
    nextLine: "Следующая строка",
    previousLine: "Предыдущая строка",
    otherSide: "Та же строка на другой стороне: до или после",
    search: "Поиск",
    tree: "Дерево файлов",
    split: "В один столбец или рядом",
    blanks: "Без учёта пробелов",
    reading: "Режим чтения для экранных дикторов",
    copyLink: "Скопировать ссылку на строку",
    comment: "Замечание к строке или строкам",
    extendDown: "На строку ниже: строки для замечания или строки самого замечания",
    extendUp: "На строку выше: строки для замечания или строки самого замечания",
    seen: "Отметить файл как просмотренный или снять отметку",
    inbox: "Ко входящим",
    help: "Клавиши",
    close: "Закрыть",
  },
};
