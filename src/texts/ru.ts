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
    cancelling: "Останавливаю то, что здесь выполняется.",
    nothingRuns: "Здесь ничего не выполняется.",
    notYours: "Нажать может только тот, кто спрашивал.",
    unknownButton: "Эта кнопка мне больше не знакома.",
    setAside: (tries, start) =>
      `Попыток: ${tries}, не получилось, отложено: «${start}». Скажите иначе или загляните в журнал.`,
    unreadable: "Я принимаю текст, файлы, фотографии и голосовые сообщения; это не они.",
    paired: "Вас впустили. Напишите, что нужно, или /help.",
    editTooLate:
      "Я уже взялся за это сообщение, правка ничего не изменит. Отправьте её новым сообщением.",
    queued: "В очереди: я ещё работаю. /cancel прервёт.",
    voiceOff:
      "Я не могу прослушать голосовое сообщение: не заданы transcription.base_url и model. Напишите текстом.",
    nothingHeard: "В этом голосовом сообщении я не услышал слов.",
    voiceTooLong: "Слишком длинное голосовое сообщение: не больше 10 минут и 20 МБ.",
    saved: "Сохранено:",
    tooLarge: "больше 20 МБ, а крупнее Telegram ботам файлы не отдаёт",
    stranger:
      "Я работаю только с теми, кого впустил мой владелец. Чтобы впустить вас, владелец в течение часа вводит на своей машине:",
  },
  agent: {
    queued: "В очереди за текущей работой.",
    cancelling: "Отменяю.",
    nothingRuns: "Сейчас ничего не выполняется.",
    cameLater:
      "Это «да» отправлено раньше, чем был задан вопрос выше, и ответом на него не считается. Посмотрите на вопрос и скажите «да» ещё раз или нажмите кнопку.",
    planDropped: "План отброшен.",
    changeRejected: "Отклонено. Ничего не изменено.",
    callRejected: "Отклонено. Ничего не запущено.",
    foundSoFar: "Найдено на данный момент:",
    noAnswer: "Модель ничего не ответила; спросите ещё раз или другими словами",
    cancelled: "Отменено",
    tookTooLong: "Работа заняла больше времени, чем позволяет agent.turn_timeout_s",
    doneBefore: (tools) =>
      `; \u0434\u043E \u044D\u0442\u043E\u0433\u043E \u0441\u0434\u0435\u043B\u0430\u043D\u043E: ${tools}`,
    waits: (tool, seconds) =>
      `${tool}: \u0441\u0435\u0440\u0432\u0438\u0441 \u043F\u0440\u043E\u0441\u0438\u0442 \u043F\u043E\u0434\u043E\u0436\u0434\u0430\u0442\u044C ${seconds} \u0441`,
    withdrawn: (tool, reason) =>
      `(${tool}: \u0432\u044B\u043F\u043E\u043B\u043D\u0438\u0442\u044C \u043D\u0435 \u0443\u0434\u0430\u043B\u043E\u0441\u044C: ${reason})`,
    misused: (tool, faults) =>
      `\u041C\u043E\u0434\u0435\u043B\u044C \u0434\u0432\u0430\u0436\u0434\u044B \u0432\u044B\u0437\u0432\u0430\u043B\u0430 ${tool} \u0431\u0435\u0437 \u043D\u0443\u0436\u043D\u044B\u0445 \u0434\u0430\u043D\u043D\u044B\u0445: ${faults}; \u0443\u043A\u0430\u0436\u0438\u0442\u0435 \u0438\u0445 \u0432 \u0441\u043E\u043E\u0431\u0449\u0435\u043D\u0438\u0438 \u0438\u043B\u0438 \u0441\u043F\u0440\u043E\u0441\u0438\u0442\u0435 \u0435\u0449\u0451 \u0440\u0430\u0437`,
    everyCallFailed: (last) =>
      `\u041D\u0438 \u043E\u0434\u0438\u043D \u0432\u044B\u0437\u043E\u0432 \u0438\u043D\u0441\u0442\u0440\u0443\u043C\u0435\u043D\u0442\u043E\u0432 \u043D\u0435 \u0443\u0434\u0430\u043B\u0441\u044F, \u0440\u0430\u0431\u043E\u0442\u0430 \u043E\u0441\u0442\u0430\u043D\u043E\u0432\u043B\u0435\u043D\u0430; \u043F\u043E\u0441\u043B\u0435\u0434\u043D\u0438\u0439: ${last}`,
    limitReached: (rounds) =>
      `\u0414\u043E\u0441\u0442\u0438\u0433\u043D\u0443\u0442 \u043F\u0440\u0435\u0434\u0435\u043B \u0432\u044B\u0437\u043E\u0432\u043E\u0432 \u0438\u043D\u0441\u0442\u0440\u0443\u043C\u0435\u043D\u0442\u043E\u0432 \u043D\u0430 \u043E\u0434\u043D\u043E \u0441\u043E\u043E\u0431\u0449\u0435\u043D\u0438\u0435: ${rounds} (agent.max_tool_iterations); \u043D\u0430\u043F\u0438\u0448\u0438\u0442\u0435 \u0435\u0449\u0451 \u0440\u0430\u0437, \u0447\u0442\u043E\u0431\u044B \u043F\u0440\u043E\u0434\u043E\u043B\u0436\u0438\u0442\u044C`,
  },
  autoUse: {
    on: "Auto-use включён для текущего проекта.",
    off: "Auto-use отключён для текущего проекта.",
    forbidden:
      "Auto-use отключён: online_research.enabled и auto_use_as_context не включены оба, или модели нет.",
  },
  terminal: {
    lost: "(демон остановился; жду его возвращения)",
    cut: "(демон остановился, не успев ответить; жду его возвращения)",
    back: "(демон снова работает)",
    notSent: "(не отправлено: демон сейчас не работает)",
    leaves: "(Ctrl-C ещё раз — выход)",
    resume: "Продолжить позже:",
    works: "с, Ctrl-C отменяет",
  },
  defects: {
    goesOn: "В papa-yu произошла внутренняя ошибка; работа продолжается. Подробности в журнале:",
    stops:
      "papa-yu ошибается снова и снова и останавливается. Подробности в журнале; papayu start запустит его заново.",
  },
  start: {
    recovered: "Работа прервалась посреди изменения, оно отменено:",
    interrupted:
      "Работа прервалась, пока это выполнялось. Подействовало ли оно, неизвестно; проверьте, повторно оно не запускается:",
    cutOff: "Прерванные задания по расписанию:",
    answering: "Сообщения, на которые сейчас готовится ответ:",
    missed: "Пропущенные задания по расписанию:",
    madeUp: "Задания, которые выполняются сейчас с опозданием:",
    waiting: "Всё ещё ждут вашего ответа:",
    back: "papa-yu снова работает.",
    wasStopped: (from, to) => `Был остановлен с ${from} до ${to}.`,
    wasCut: (from, to) => `Завершился аварийно и не работал примерно с ${from} до ${to}.`,
  },
};
