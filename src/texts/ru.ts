import { FAILURES_RU } from "./failures.ts";
import { plural } from "./plural.ts";
import type { Texts } from "./texts.ts";

const CHANGES = { one: "изменение", few: "изменения", many: "изменений" };

/** The interface in Russian. */
export const RU: Texts = {
  buttons: {
    apply: "Применить",
    change: "Изменить…",
    drop: "Отбросить",
    approve: "Одобрить",
    reject: "Отклонить",
    undo: "Отменить",
    showOutput: "Показать вывод",
    planFix: "План исправления",
    useResearch: "Использовать (один раз)",
    stopAutoUse: "Выключить auto-use",
  },
  failure: (code) => FAILURES_RU[code],
  plan: {
    head: (workspace) => `План для ${workspace}`,
    goOn: "Напишите ok, чтобы увидеть набор изменений.",
    whatElse: "Что сделать иначе? Напишите, и я составлю план заново.",
  },
  approval: {
    head: (workspace) => `Изменения для ${workspace}`,
    count: (count, workspace) => `${plural("ru", count, CHANGES)} в ${workspace}`,
    checks: "Будут запущены проверки:",
    noChecks: "Проверок не будет.",
    note: "примечание",
    created: "новый",
    deleted: "удаляется",
    folderCreated: "новая папка",
    folderRemoved: "папка удаляется",
    wholeDiff: "Весь diff",
  },
  call: {
    asks: (tool, reason) => `${tool} ждёт вашего «да» (${reason}):`,
    whole: "Вызов целиком",
    blanks: (count) => plural("ru", count, { one: "пробел", few: "пробела", many: "пробелов" }),
    emptyLines: (count) =>
      plural("ru", count, { one: "пустая строка", few: "пустые строки", many: "пустых строк" }),
    ends: (length, head, between, tail) =>
      `знаков: ${length}; начало:\n${head}\n⟨между ними знаков: ${between}⟩\nконец:\n${tail}`,
  },
  outcome: {
    committed: (where, count) => `Применено в ${where}: ${plural("ru", count, CHANGES)}`,
    rolledBack: (where) => `Откат в ${where}: все файлы такие, какими были`,
    rolledBackExcept: (where, paths) => `Откат в ${where}, кроме ${paths}`,
    notPutBack: (where) => `Не всё удалось вернуть в ${where}`,
    rejected: (where) => `Отклонено: в ${where} ничего не изменилось`,
    noChanges: (where) => `В ${where} нечего менять`,
    undone: (where, count) => `Отменено в ${where}: ${plural("ru", count, CHANGES)}`,
    redone: (where, count) => `Возвращено в ${where}: ${plural("ru", count, CHANGES)}`,
    conflict: (where) =>
      `В ${where} сделано не всё: файлы, изменённые с тех пор, оставлены как есть`,
    undoHint: (workspace) => `undo отменит это (папка ${workspace})`,
  },
  check: {
    passed: (commands) => `Проверки пройдены: ${commands}`,
    noneRan: "Проверки не запускались.",
    failed: (command, exit) => `Проверка ${command} завершилась: ${exit}`,
    outOfTime: (command) => `Проверка ${command} не уложилась во время`,
    signal: "сигнал",
    sandbox: (kind) => `Песочница: ${kind}`,
    stage: { passed: "пройдена", timedOut: "время вышло", exit: (code) => `код ${code}` },
    took: (verdict, seconds) => `${verdict}, ${seconds} с`,
    wholeOutput: "Что напечатали проверки",
  },
  answer: { wholeAnswer: "Ответ целиком" },
  research: {
    head: "Найдено в сети:",
    notes: "Примечания",
    autoUsed: "Использовано ✓",
    autoUsedHow: "Использовано ✓ (/autouse off выключит это для папки)",
    useHow: "/use составит план с этим, один раз",
  },
  commands: {
    help: { usage: "", about: "что я умею" },
    ws: { usage: "[ИМЯ]", about: "показать или выбрать папку" },
    plan: { usage: "ЦЕЛЬ", about: "составить план изменений" },
    apply: { usage: "", about: "превратить план в набор изменений и спросить одобрения" },
    diff: { usage: "", about: "снова показать набор изменений" },
    undo: { usage: "", about: "отменить последнее изменение" },
    redo: { usage: "", about: "вернуть отменённое" },
    history: { usage: "", about: "что менялось в папке" },
    status: { usage: "", about: "что работает и сколько сегодня потратили модели" },
    routines: { usage: "", about: "задачи по расписанию и их следующие запуски" },
    memory: { usage: "[forget КЛЮЧ]", about: "что я помню" },
    model: { usage: "[ИМЯ]", about: "показать или выбрать провайдера" },
    mode: { usage: "[readonly|supervised|full]", about: "что мне можно без вопросов" },
    report: { usage: "", about: "как прошли последние планы" },
    rules: { usage: "", about: "что мне можно, о чём я спрашиваю и чего не бывает" },
    use: { usage: "", about: "новый план с найденным в сети, один раз" },
    autouse: { usage: "[on|off]", about: "брать ли найденное в сети в планы без вопроса" },
    cancel: { usage: "", about: "остановить то, что выполняется" },
  },
  telegram: {
    help: "Я работаю в папках, которые мне открыл владелец: предлагаю план, показываю все изменения одним diff, применяю их после вашего одобрения, запускаю проверки и могу всё отменить. Напишите, что нужно, или выберите:",
    planWithoutGoal: "Скажите, что планировать, например: /plan почини падающий тест",
    forwarded:
      "Пересланное сообщение не считается вашим. Скопируйте текст, чтобы отправить его от себя.",
    onlyText: "Я понимаю только текст.",
    cancelling: "Останавливаю то, что здесь выполняется.",
    nothingRuns: "Здесь ничего не выполняется.",
    notYours: "Нажать может только тот, кто спрашивал.",
    unknownButton: "Эта кнопка мне больше не знакома.",
    stranger: (userId) =>
      `Я работаю только для тех, кого указал владелец. Попросите его добавить ${userId} в telegram.allowed_user_ids.`,
    setAside: (tries, start) =>
      `Попыток: ${tries}, не получилось, отложено: «${start}». Скажите иначе или загляните в журнал.`,
  },
};
