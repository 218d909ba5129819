import { plural } from "../../../texts/plural.ts";
import type { Widened } from "../../../texts/widened.ts";
import type { SETTINGS_EN } from "./settings-en.ts";

const keys = (count: number) => plural("ru", count, { one: "ключ", few: "ключа", many: "ключей" });

/** Settings, in Russian. */
export const SETTINGS_RU: Widened<typeof SETTINGS_EN> = {
  title: "Настройки",
  file: "Конфигурация",
  box: "Текст конфигурации",
  offers: "Подсказки",
  taken: (offer) => `Вставлено: ${offer}`,
  notThere: "такого файла ещё нет; он начнётся с первого ключа",
  masked: (count: number) =>
    `${plural("ru", count, { one: "место", few: "места", many: "мест" })} с секретом скрыто; что вы оставите как есть, таким и останется`,
  cannotShow: "Конфигурацию нельзя показать здесь",
  looking: "Проверяется…",
  found: (count: number) =>
    count === 0
      ? "Ошибок нет."
      : plural("ru", count, { one: "ошибка", few: "ошибки", many: "ошибок" }),
  line: (line: number) => `Строка ${line}`,
  hidden: "содержит невидимые символы:",
  review: "Показать, что изменится",
  discard: "Отбросить набранное",
  rebase: "Прочитать файл заново, сохранив набранное",
  saved: (path: string) => `Сохранено в ${path}.`,
  beside: {
    title: "Есть и другой файл",
    where: (path: string) =>
      `${path} лежит в папке, где был запущен papa-yu. Это не тот файл, что выше: в него ничего не записано, и сохранению он не мешает.`,
    untrusted: "Вы ему не доверяли, поэтому он может только сделать вашу конфигурацию строже.",
    changed:
      "Он изменился с тех пор, как вы ему доверились, поэтому пока может только сделать вашу конфигурацию строже.",
    broken: (reason: string) =>
      `Доверия к нему нет, и он не учитывается, так как в нём ошибка: ${reason}`,
    other: (names: string) =>
      `Он не учитывается: похоже, он от другой программы, у papa-yu нет ${names}.`,
    held: (names: string) => `Из него действует это, ведь большего оно не разрешает: ${names}.`,
    ignored: (names: string) => `Эти его ключи не действуют: ${names}.`,
    trust: "papayu config trust, набранное в той папке, покажет, что он изменил бы, и спросит.",
    list: (names: readonly string[], left: number) =>
      names.join(", ") + (left > 0 ? ` и ещё ${left}` : ""),
  },
  keys: "Все ключи",
  search: "Поиск по словам",
  keysFound: (shown: number, all: number) =>
    shown >= all ? keys(all) : `${shown} из ${all} ключей`,
  put: "Вставить",
  putKey: (key: string) => `Вставить: ${key}`,
  allowed: (allowed: string) => `Допустимо: ${allowed}`,
  initial: (value: string) => `По умолчанию: ${value}`,
  facts: {
    gate: "открывает доступ",
    program: "называет программу",
    looser: "разрешает больше",
    secret: "секрет",
    restart: "со следующего запуска",
  },
  opens: {
    gate: "Решает, кто может говорить с papa-yu или что делается без вопроса",
    program: "Называет программы, которые запускает papa-yu, или то, с чем они запускаются",
    looser: "Разрешает больше, чем раньше",
    secret: "Меняет секреты",
    restart: "Начнёт действовать после papayu restart",
  },
  saveTitle: "Это будет сохранено",
  inForce: (count: number) => `Другое значение получит ${keys(count)}`,
  nothingChanges: "Ни один ключ не получит другого значения: меняется только текст.",
  was: (before: string) => `было ${before}`,
  back: "Назад к тексту",
  save: "Сохранить",
};
