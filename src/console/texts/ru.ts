import { plural } from "../../texts/plural.ts";
import { CHAT_RU } from "./chat-ru.ts";
import { PAST_RU } from "./past-ru.ts";
import { HELP_RU, LINE_RU } from "./reading/reading.ts";
import { REVISING_RU } from "./revising/revising.ts";
import { ROUTINES_RU } from "./routines-ru.ts";
import { CARE_RU, SETTINGS_RU } from "./settings/settings.ts";
import { TRACES_RU } from "./traces-ru.ts";
import type { Texts } from "./wording.ts";

const files = (count: number) => plural("ru", count, { one: "файл", few: "файла", many: "файлов" });
const lines = { one: "строка", few: "строки", many: "строк" };

/** The page in Russian. */
export const RU: Texts = {
  language: "ru",
  inbox: "Входящие",
  skip: "К содержанию",
  loading: "Загрузка…",
  again: "Повторить",
  close: "Закрыть",
  part: {
    failed: "Эту часть страницы загрузить не удалось.",
    severalFailed: (count) => `Не удалось загрузить части страницы, всего ${count}.`,
    otherVersion: "Теперь работает другая версия papa-yu: эта страница осталась от прежней.",
    reload: "Перезагрузить страницу",
  },
  link: {
    connecting: "Соединение…",
    live: "На связи",
    offline: "Нет связи: ничего нельзя нажать, пока papa-yu не ответит",
    broken: "Связь прервалась: papa-yu не ответил",
  },
  theme: { label: "Цвета", auto: "Как в системе", light: "Светлые", dark: "Тёмные" },
  signedOut: {
    title: "Этот браузер не вошёл",
    text: "Откройте консоль из терминала на этой машине; ссылка действует один раз и одну минуту.",
    failed: "Эта ссылка уже использована или устарела. Запросите другую:",
  },
  signedOutApp: {
    title: "Откройте эту страницу из Telegram",
    text: "Она ничего не хранит. Напишите это боту в личном чате и откройте её снова:",
    failed:
      "То, что дал Telegram, уже использовано или устарело. Напишите это боту в личном чате и откройте страницу снова:",
  },
  sentFile: "Отправлено в ваш чат с ботом",
  unknown: { title: "Такой страницы нет", back: "Ко входящим" },
  empty: {
    title: "Вас ничего не ждёт",
    text: "То, на что нужен ответ «да» или «нет», появится здесь само.",
  },
  notices: {
    word: "Уведомлять",
    long: "Браузер сообщит о новом, пока на эту страницу никто не смотрит",
    refused: "Браузер не разрешает этой странице уведомления; это меняется в его настройках.",
    many: (count) => `Вас ждёт новое: ${count}`,
  },
  kinds: {
    change_set: "Изменения",
    call: "Вызов инструмента",
    plan: "План",
    rejected: "Отклонённые изменения",
    failed_routine: "Сбой задачи",
    pairing: "Просит доступ к боту",
    finding: "Диагностика",
    other: "Ждёт",
  },
  check: {
    passed: "Проверки пройдены",
    failed: "Проверки не пройдены",
    not_run: "Ещё не проверено",
  },
  states: {
    waiting: "Ждёт вас",
    approved: "Одобрено",
    rejected: "Отклонено",
    expired: "Срок истёк",
    superseded: "Заменено новой версией",
    other: "Завершено",
  },
  outcomes: {
    open: "Ещё не решено",
    committed: "Применено",
    rolled_back: "Возвращено назад",
    rejected: "Отклонено",
    no_changes: "Менять нечего",
    undone: "Отменено",
    redone: "Повторено",
    conflict: "Конфликт",
    incomplete: "Не завершено",
    other: "Окончено",
  },
  review: "Просмотр",
  otherPlan: "Что в плане должно быть иначе",
  atWork: "papa-yu работает…",
  failed: (code, time) =>
    `Последняя попытка не удалась ${time}${code === "" ? "." : ` (${code}).`}`,
  showChanges: "Показать изменения",
  hideChanges: "Скрыть изменения",
  files,
  folder: (count) => `папка, ${files(count)}`,
  added: (count) => `добавлено: ${count}`,
  removed: (count) => `удалено: ${count}`,
  expires: (time) => `истекает ${time}`,
  asked: (time) => `спрошено ${time}`,
  notes: "Примечания",
  checks: "Проверки",
  outdated: "Файлы в папке теперь не те, что были показаны: это можно только отклонить.",
  willRun: "Запустятся после вашего согласия:",
  afterYes: {
    before:
      "Проверки запустятся после вашего согласия, до первой записи: их команды ещё никто не видел.",
    after:
      "Проверки запустятся после вашего согласия, и от того, что их не пройдёт, ничего не останется: их команды ещё никто не видел.",
    other:
      "Проверки запустятся после вашего согласия, и от того, что их не пройдёт, ничего не останется.",
  },
  locked:
    'Пока papa-yu можно только читать, изменить ничего нельзя: это разрешит security.autonomy = "supervised" в настройках или /mode supervised в чате.',
  noChecks: "Для этой папки проверок нет.",
  sideEffects: "Проверки изменили также:",
  printed: "Что напечатано",
  seconds: (count) => `${count} с`,
  tree: "Файлы",
  treeToggle: "Дерево файлов",
  layout: { label: "Вид", unified: "В один столбец", split: "Рядом" },
  blanks: "Без учёта пробелов",
  reading: {
    word: "Чтение",
    long: "Чтение: сплошным текстом, номер строки в её конце",
    blank: "пусто",
    more: (count) =>
      `Показать ещё ${plural("ru", count, { one: "строку", few: "строки", many: "строк" })}`,
  },
  search: {
    label: "Поиск в изменениях",
    count: (at, of) => `${at} из ${of}`,
    none: "не найдено",
    reading: (left) => `чтение: ${files(left)}…`,
    next: "Следующее совпадение",
    previous: "Предыдущее совпадение",
  },
  change: { next: "Следующее изменение", previous: "Предыдущее изменение" },
  file: {
    create: "новый",
    mkdir: "новая папка",
    update: "изменён",
    delete: "удалён",
    rmdir: "папка удалена",
    rename: "переименован",
    becomes: "становится",
    before: "До",
    after: "После",
    asPicture: "Рисунок",
    picture: (path) => `Показать ${path} рисунком`,
    noImage: "браузер не знает такой картинки",
    generated: "создан программой",
    binary: (before, after) => `Двоичный: ${before} → ${after}`,
    nothing: "нет",
    mode: (before, after) => `Права ${before} → ${after}`,
    open: (path) => `Показать ${path}`,
    shut: (path) => `Скрыть ${path}`,
    closed: (count) => `${plural("ru", count, lines)}, свёрнут`,
    failed: (reason) => `Не удалось прочитать: ${reason}`,
    noLines: "Строки не отличаются.",
    onlyBlanks: "Отличаются только пробелы.",
  },
  fold: {
    lines: (count) => `без изменений: ${plural("ru", count, lines)}`,
    up: "Ещё 20 сверху",
    down: "Ещё 20 снизу",
    all: "Показать всё",
  },
  line: LINE_RU,
  comment: REVISING_RU.comment,
  leave: REVISING_RU.leave,
  since: {
    toggle: "После прошлой версии",
    looked: "После вашего просмотра",
    lookedAt: "Версия, которую вы смотрели",
    same: "как было",
    changed: "изменено",
    new: "новое",
    gone: (paths: string) => `Больше не меняется: ${paths}`,
    next: "Появилась новая версия: показать",
    previous: "Прошлая версия",
  },
  seen: {
    word: "Просмотрено",
    take: (path) => `Просмотрено: ${path}`,
    changed: "изменён после вашего просмотра",
    count: (seen, of) => `просмотрено ${seen} из ${of}`,
    failed: (reason) => `Отметка о просмотре не сохранилась: ${reason}`,
  },
  whole: "Задание целиком",
  revise: "Изменить…",
  actions: "Что можно сделать",
  more: { acts: "Ещё…", tools: "Поиск и другие способы показа" },
  press: {
    sent: (label) => `${label}: отправлено…`,
    taken: (label) => `${label}: papa-yu работает…`,
    ended: (label) => `${label}: завершено`,
    failed: (label) => `${label}: не удалось`,
    unread: (count) =>
      `Не прочитано: ${plural("ru", count, { one: "файл", few: "файла", many: "файлов" })}. Согласие считается, когда прочитано всё.`,
    unknown: (label) =>
      `${label}: связь прервалась, и пока неизвестно, засчитано ли нажатие. Что из него вышло, выяснится, как только papa-yu снова ответит.`,
    lost: (label) =>
      `${label}: ответ оборвался, и изменений из него не вышло. Здесь показано то, что есть сейчас.`,
    open: (label) =>
      `${label}: прервано, пока что-то выполнялось, и неизвестно, подействовало ли это. Проверьте, прежде чем нажимать ещё раз.`,
    back: (label) => `${label}: ничего не применено, потому что кое-что исключено`,
    tooSoon: "Слишком быстро, чтобы быть нарочно: нажмите ещё раз.",
    unfoldFirst: "Сначала посмотрите изменения, затем нажмите ещё раз.",
    newQuestion: "Спрошено заново: показать",
    whatIsSaid: "Что из этого вышло",
  },
  pages: "Страницы",
  past: PAST_RU,
  routines: ROUTINES_RU,
  chat: CHAT_RU,
  traces: TRACES_RU,
  settings: SETTINGS_RU,
  care: CARE_RU,
  help: HELP_RU,
};
