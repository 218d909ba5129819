import { APPROVING_RU } from "./approving.ts";
import { COMMANDS_RU } from "./commands-ru.ts";
import { CUT_RU, FAILURES_RU, OF_TOOLS_RU, UNSENT_RU } from "./failures/failures.ts";
import { NOTES_RU } from "./notes/ru.ts";
import { OFFLINE_RU } from "./offline.ts";
import { PLANS_RU } from "./plans.ts";
import { CHANGES, plural } from "./plural.ts";
import { ROUTINES_RU } from "./routines.ts";
import { FAILED_START_RU } from "./state-troubles.ts";
import { TRIES_RU } from "./tries.ts";
import type { Texts } from "./wording.ts";

const { list } = COMMANDS_RU.joins;

/** The interface in Russian. */
export const RU: Texts = {
  ...APPROVING_RU,
  tries: TRIES_RU,
  ...COMMANDS_RU,
  ...FAILED_START_RU,
  ...OFFLINE_RU,
  notes: NOTES_RU,
  ...ROUTINES_RU,
  failure: (code) => FAILURES_RU[code],
  exactly: (message) => `Подробно: ${message}`,
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
    reasons: {
      person: "это решает человек в любом режиме",
      outside: "после чтения текста извне на это нужно согласие человека",
      workspace: "после чтения файлов или заметок на это нужно согласие человека",
      unnamed: "этот адрес не назвали ни вы, ни ваша настройка",
      composed: "то, что будет отправлено, составила модель",
      many: "после чтения модель отправила восемь вызовов без вопроса, а сам их выбор может что-то выдать",
      supervised: "режим supervised",
    },
    leaves: (characters) =>
      `с этой машины уйдёт ${plural("ru", characters, { one: "знак", few: "знака", many: "знаков" })}`,
    holds: (whose) => `в том числе ${whose}`,
    whose: {
      user: "ваши слова",
      workspace: "слова файлов или заметок",
      outside: "прочитанное извне",
    },
    asks: (tool, reason) => `${tool} ждёт вашего согласия (${reason}):`,
    whole: "Вызов целиком",
    blanks: (count) => plural("ru", count, { one: "пробел", few: "пробела", many: "пробелов" }),
    emptyLines: (count) =>
      plural("ru", count, { one: "пустая строка", few: "пустые строки", many: "пустых строк" }),
    ends: (length, head, between, tail) =>
      `знаков: ${length}; начало:\n${head}\n⟨между ними знаков: ${between}⟩\nконец:\n${tail}`,
  },
  outcome: {
    committed: (where, count) => `Применено в ${where}: ${plural("ru", count, CHANGES)}`,
    rolledBack: (where) => `Откат в ${where}: все файлы изменения такие, какими были`,
    rolledBackExcept: (where, paths) => `Откат в ${where}, кроме ${list(paths)}`,
    notPutBack: (where, paths) => `Не всё удалось вернуть в ${where}: осталось ${list(paths)}`,
    nothingWritten: (where) => `В ${where} ничего не записано: проверка не прошла`,
    rejected: (where) => `Отклонено: в ${where} ничего не изменилось`,
    noChanges: (where) => `В ${where} нечего менять`,
    undone: (where, count) => `Отменено в ${where}: ${plural("ru", count, CHANGES)}`,
    redone: (where, count) => `Повторено в ${where}: ${plural("ru", count, CHANGES)}`,
    undoneAlready: (where) =>
      `В ${where} нечего отменять: этого изменения в файлах уже нет, например на другой ветке; следующий undo отменит предыдущее`,
    redoneAlready: (where) => `В ${where} нечего повторять: это изменение уже есть в файлах`,
    conflict: (where, isPart) =>
      `В ${where} ${isPart ? "сделано не всё" : "ничего не сделано"}: файлы, изменённые с тех пор, оставлены как есть`,
    undoHint: (workspace) => `undo отменит это (папка ${workspace})`,
  },
  check: {
    notes: {
      "no network": "без сети",
      "no network, which a check seems to ask for":
        "без сети, а проверке она, похоже, нужна: её даёт check_network = true в [[workspaces]]",
      "with network": "с сетью",
      "switched off": "выключена",
    },
    passed: (commands) => `Проверки пройдены: ${list(commands)}`,
    noneRan: "Проверки не запускались.",
    failed: (command, exit) => `Проверка ${command} завершилась: ${exit}`,
    excess: (command, what) => `Проверка ${command} остановлена: ${what}`,
    excesses: {
      processes: (limit) => `больше ${limit} процессов ([sandbox] max_processes)`,
      threads: (limit) => `больше ${limit} потоков ([sandbox] max_processes)`,
      memory: (mb) => `больше ${mb} МБ памяти ([sandbox] max_memory_mb)`,
      disk: (mb) => `больше ${mb} МБ на диске ([sandbox] max_disk_mb)`,
      file: (mb) => `файл больше ${mb} МБ ([sandbox] max_disk_mb)`,
      machine: (mb) => `на машине осталось меньше ${mb} МБ памяти`,
    },
    gaps: {
      "system calls are not filtered": "системные вызовы не фильтруются",
      "settings of the machine can be written": "настройки машины доступны для записи",
      "there is a network": "сеть доступна",
      "other processes can be seen": "видны чужие процессы",
      "new namespaces can be made": "можно создать новые пространства имён",
      "capabilities are not dropped": "привилегии не сброшены",
    },
    outOfTime: (command, seconds) =>
      `Проверка ${command} прервана через ${seconds} с; больше даёт check_timeout_s рабочей папки`,
    signal: "сигнал",
    sandbox: (kind) => `Песочница: ${kind}`,
    stage: {
      passed: "пройдена",
      timedOut: (seconds) => `прервана через ${seconds} с (check_timeout_s)`,
      exit: (code) => `код ${code}`,
    },
    took: (verdict, seconds) => `${verdict}, ${seconds} с`,
    wholeOutput: "Что напечатали проверки",
  },
  answer: { wholeAnswer: "Ответ целиком" },
  file: {
    liesIn: (workspace: string, path: string, size: string) =>
      `Файл в ${workspace}: ${path} (${size})`,
    notSent: (path: string) =>
      `Не удалось отправить «${path}»: файл изменился, исчез или не проходит по сети. Попросите ещё раз.`,
  },
  refusals: {
    goesOnLater:
      "papa-yu завершает работу; сообщение сохранено, и работа продолжится при следующем запуске",
    cutOff:
      "papa-yu завершил работу раньше, чем это было готово, и само оно не продолжится; ни один план не применён, отправьте ещё раз",
    cutOffBehind:
      "papa-yu завершил работу раньше, чем это было готово, и само оно не продолжится; что применено, показано выше, отменить можно командой /undo",
    cutOffInCall: (tools) =>
      `papa-yu завершил работу раньше, чем это было готово, и само оно не продолжится; работало: ${tools}; подействовало ли, неизвестно: проверьте, прежде чем отправлять ещё раз`,
    nothingKnown: "То, к чему относилась эта кнопка, здесь больше не известно",
    notAsked: "Ответить может только тот, кого спросили",
    notYourPlan: "Решать об этом плане может только тот, кто его просил",
    notYourApply: "Нажать может только тот, кто это применил",
    ...TRIES_RU.refusals,
    ...PLANS_RU.refusals,
    callApproved: "Этот вызов уже одобрен; дважды он не выполняется",
    callDone: "Этот вызов одобрен и выполнен; дважды он не выполняется. Спросите, что получилось",
    callInterrupted:
      "Этот вызов одобрен, но papa-yu прервался во время его работы: проверьте, подействовал ли он. Повторно он не выполняется",
    callRejected: "Этот вызов отклонён; ничего не запущено",
    callReplaced: "Этот вызов отброшен, или его место занял более новый вопрос; ничего не запущено",
    callExpired: "Срок одобрения истёк; ничего не запущено. Попросите ещё раз",
    callChanged:
      "То, о чём этот вызов, изменилось с тех пор, как он был показан; ничего не запущено",
    toolGone: (tool) => `Инструмента «${tool}» больше нет; ничего не запущено`,
    callDenied: "Это не разрешено (security.autonomy: readonly); ничего не запущено",
    filesLocked: "Файлы не сохраняются, пока security.autonomy: readonly",
    answered: "Это уже нажали; кнопка срабатывает один раз",
    answerFirst: "Здесь вашего ответа ждёт другой вопрос; ответьте на него и нажмите ещё раз",
    putBack:
      "Это было одобрено, но все файлы возвращены; напишите ok, чтобы снова увидеть набор изменений",
    putBackExcept: (kept) =>
      `Это было одобрено, но возвращено всё, кроме того, что кто-то с тех пор изменил: ${kept}; посмотрите на это и составьте новый план`,
    notNewest: "Отменять нечего: это уже отменено или больше не последнее изменение",
    notNewestUndo: "Возвращать нечего: уже возвращено, или с тех пор что-то изменено",
    outputGone: "С тех пор прошли другие проверки; этого вывода больше нет",
    noPlan: "Плана здесь нет; составьте его: /plan ЦЕЛЬ",
    noResearch: "В сети здесь ничего не искали; сначала что-нибудь спланируйте",
    tooMany: "Слишком много сообщений уже ждёт; дайте им закончиться или прервите первое: /cancel",
    workspaceGone: (root) =>
      `Рабочей папки «${root}», о которой здесь речь, в конфигурации больше нет, или у неё другое имя; ничего не сделано. Составьте новый план; сделанное там отменит на той машине papayu undo -w "${root}"`,
    workspaceUnknown: (name, names) => `Нет папки «${name}»; есть: ${list(names)}`,
    providerUnknown: (name, names) => `Нет провайдера «${name}»; настроены: ${list(names)}`,
    modeUnknown: (name) => `Нет режима «${name}»; есть: readonly, supervised, full`,
    locked:
      "Режим readonly, и никакое сообщение его не меняет; на машине: papayu config set security.autonomy supervised",
  },
  telegram: {
    forwarded:
      "Пересланное сообщение не считается вашим. Скопируйте текст, чтобы отправить его от себя.",
    cancelling: "Останавливаю то, что здесь выполняется.",
    nothingRuns: "Здесь ничего не выполняется.",
    notYours: "Нажать может только тот, кто спрашивал.",
    unknownButton: "Эта кнопка мне больше не знакома.",
    maybeTwice: "(возможно, повтор) ",
    sentAgain:
      "Это сообщение отправлено ещё раз ниже: было неясно, дошло ли оно. Нажмите кнопку там.",
    diskFull:
      "Диск заполнен: я ничего не могу сохранить. Освободите место. То, что вы напишете, подождёт в Telegram, и я отвечу потом.",
    storeRefuses: (reason) =>
      `Не могу записать в базу данных: ${reason}. То, что вы напишете, подождёт в Telegram, и я отвечу, когда смогу.`,
    ...UNSENT_RU,
    setAside: (tries, start) =>
      `Не получилось, больше не пробую (попыток: ${tries}): «${start}». Скажите иначе или загляните в журнал.`,
    unreadable: "Я принимаю текст, файлы, фотографии и голосовые сообщения; это не они.",
    paired: "Доступ открыт. Напишите, что нужно, или /help.",
    editTooLate:
      "Я уже взялся за это сообщение, правка ничего не изменит. Отправьте её новым сообщением.",
    queued: (count) =>
      `В очереди${count === 1 ? "" : ` (сообщений: ${count})`}: я ещё работаю. /cancel прервёт.`,
    voiceOff:
      "Я не могу прослушать голосовое сообщение: не заданы transcription.base_url и model. Напишите текстом.",
    nothingHeard: "В этом голосовом сообщении я не услышал слов.",
    voiceTooLong: "Слишком длинное голосовое сообщение: не больше 10 минут и 20 МБ.",
    saved: "Сохранено:",
    tooLarge: "больше 20 МБ, а крупнее Telegram ботам файлы не отдаёт",
    notGiven: "Telegram не отдаёт этот файл",
    incomplete: "Telegram трижды отдал только часть или не то; пришлите ещё раз",
    stranger:
      "Я работаю только с теми, кому разрешил мой владелец. Чтобы дать вам доступ, владелец в течение часа вводит на своей машине:",
  },
  agent: {
    ...OF_TOOLS_RU,
    serverStarts: (name) =>
      `MCP-сервер «${name}» ещё запускается; его инструменты будут доступны позже, со следующим сообщением`,
    serverFailed: (name, reason) => `Инструментов MCP-сервера «${name}» нет: ${reason}`,
    checking: (check) => `проверка ${check}`,
    lookingOnWeb: (code) => `Плана пока нет (${code}). Ищу в сети …`,
    noPlanYet: (reason) => `Плана пока нет: ${reason}`,
    queued: "В очереди за текущей работой.",
    cancelling: "Отменяю.",
    nothingRuns: "Сейчас ничего не выполняется.",
    cameLater:
      "Это отправлено раньше, чем был задан вопрос выше, и ответом на него не считается. Посмотрите на вопрос и ответьте ещё раз или нажмите кнопку.",
    notSure:
      "Я не знал, дошёл ли мой вопрос, и отправил его ещё раз, поэтому это ответом не считается. Ответьте на новый вопрос или нажмите кнопку под ним.",
    planDropped: "План отброшен.",
    changeRejected: "Отклонено. Ничего не изменено.",
    callRejected: "Отклонено. Ничего не запущено.",
    foundSoFar: "Найдено на данный момент:",
    ...CUT_RU,
    noAnswer: "Модель ничего не ответила; спросите ещё раз или другими словами",
    cancelled: "Отменено",
    tookTooLong: "Работа заняла больше времени, чем позволяет agent.turn_timeout_s",
    doneBefore: (tools) => `; до этого сделано: ${list(tools)}`,
    waits: (tool, seconds) => `${tool}: сервис просит подождать ${seconds} с`,
    misused: (tool, faults) =>
      `Модель дважды вызвала ${tool} без нужных данных: ${faults}; укажите их в сообщении или спросите ещё раз`,
    limitReached: (rounds) =>
      `Достигнут предел вызовов инструментов на одно сообщение: ${rounds} (agent.max_tool_iterations); напишите ещё раз, чтобы продолжить`,
  },
  autoUse: PLANS_RU.autoUse,
  terminal: {
    apply: "Применить?",
    undoIt: "Отменить это изменение?",
    undoAnyway: "Всё равно отменить?",
    applyAnyway: "Всё равно применить?",
    ...TRIES_RU.terminal,
    ...PLANS_RU.terminal,
    modeNotSet: (path: string, mode: string) => `${path}: права ${mode} из патча не выставлены`,
    applyAll: (count) => `Применить ${plural("ru", count, CHANGES)}?`,
    run: "Выполнить?",
    lost: "(демон остановился; жду его возвращения)",
    cut: "(демон остановился, не успев ответить; жду его возвращения)",
    back: "(демон снова работает)",
    notSent: "(не отправлено: демон сейчас не работает)",
    leaves: "(Ctrl-C ещё раз — выход)",
    newSession: (id) => `(разговора «${id}» нет: начинается новый)`,
    resume: "Продолжить позже:",
    works: "с, Ctrl-C отменяет",
  },
  defects: {
    goesOn: "В papa-yu произошла внутренняя ошибка; работа продолжается. Подробности в журнале:",
    stops:
      "В papa-yu ошибка за ошибкой, он останавливается. Подробности в журнале; papayu start запустит его заново.",
  },
  start: {
    putBack: (summary) => `«${summary}»; все файлы возвращены`,
    putBackExcept: (summary, kept) =>
      `«${summary}»; возвращено всё, кроме того, что кто-то с тех пор изменил: ${kept}`,
    notPutBack: (summary, state) => `«${summary}»; вернуть удалось не всё: ${state}`,
    recovered: "Работа прервалась посреди изменения. Что с ним теперь:",
    unreported: "Работа прервалась раньше, чем вы узнали результат:",
    interrupted:
      "Работа прервалась, пока это выполнялось. Подействовало ли оно, неизвестно; проверьте, повторно оно не запускается:",
    cutOff: "Прерванные задачи по расписанию:",
    answering: "Сообщения, на которые сейчас готовится ответ:",
    missed: "Пропущенные задачи по расписанию:",
    madeUp: "Задания, которые выполняются сейчас с опозданием:",
    waiting: "Всё ещё ждут вашего ответа:",
    back: "papa-yu снова работает.",
    wasStopped: (from, to) => `Был остановлен с ${from} до ${to}.`,
    wasCut: (from, to) => `Завершился аварийно и не работал примерно с ${from} до ${to}.`,
  },
};
