import type { COMMANDS_EN } from "./commands-en.ts";
import { CHANGES, plural } from "./plural.ts";
import type { Texts } from "./wording.ts";

/** The same in Russian. */
export const COMMANDS_RU: Pick<Texts, keyof typeof COMMANDS_EN> = {
  commands: {
    help: { usage: "", about: "что я умею" },
    ws: { usage: "[ИМЯ]", about: "показать или выбрать папку" },
    plan: { usage: "ЦЕЛЬ", about: "составить план изменений" },
    apply: { usage: "", about: "превратить план в набор изменений и спросить одобрения" },
    diff: { usage: "", about: "снова показать набор изменений" },
    undo: { usage: "", about: "отменить последнее изменение" },
    redo: { usage: "", about: "повторить отменённое" },
    history: { usage: "", about: "что менялось в папке" },
    status: { usage: "", about: "что работает и сколько сегодня потратили модели" },
    routines: {
      usage: "[run|on|off|logs ИМЯ]",
      about: "задачи по расписанию: запуск, включение, журнал",
    },
    memory: { usage: "[forget КЛЮЧ]", about: "что я помню" },
    model: { usage: "[ИМЯ]", about: "показать или выбрать провайдера" },
    mode: { usage: "[readonly|supervised|full]", about: "что мне можно без вопросов" },
    report: { usage: "", about: "как прошли последние планы" },
    web: { usage: "", about: "как открыть веб-консоль" },
    rules: { usage: "", about: "что мне можно, о чём я спрашиваю и чего не делаю никогда" },
    use: { usage: "", about: "новый план с найденным в сети, один раз" },
    autouse: { usage: "[on|off]", about: "брать ли найденное в сети в планы без вопроса" },
    cancel: { usage: "", about: "остановить то, что выполняется" },
  },
  help: {
    intro:
      "Я работаю в папках, которые мне открыл владелец: предлагаю план, показываю все изменения одним diff, применяю их после вашего одобрения, запускаю проверки и могу всё отменить. Напишите, что нужно, или выберите:",
    words: "plan: ЦЕЛЬ — составить план; ok — применить его; всё прочее — разговор",
    planWithoutGoal: "Скажите, что планировать, например: /plan почини падающий тест",
    nothingBehind: (name) => `Ничего не сделано: за /${name} слов не пишут.`,
    unknown: (name) => `Нет команды /${name}.`,
    nearest: (name) => `Может быть, /${name}?`,
    listed: "Все команды: /help",
  },
  besideCommand: {
    files: (names) =>
      `Не сохранено, так как пришло с командой: ${names}. Чтобы сохранить, пришлите ещё раз без неё.`,
    captions: (starts) => `По той же причине не прочитано: ${starts}`,
  },
  research: {
    head: "Найдено в сети:",
    notes: "Примечания",
    autoUsed: "Использовано ✓",
    autoUsedHow: "Использовано ✓ (/autouse off выключит это для папки)",
    useHow: "/use составит новый план с учётом этого, один раз",
  },
  history: {
    none: "Изменений пока нет.",
    newest: (count, workspace) =>
      `Только последние ${count}: все сохранённые покажет papayu history -w ${workspace}.`,
    kinds: { apply: "применено", undo: "отменено", redo: "повторено" },
    rolledBack: "откат",
    rolledBackExcept: "откат, кроме более поздних правок",
    open: "не закончено",
    count: (count) => plural("ru", count, CHANGES),
    leftAlone: (count, workspace) =>
      `В ${workspace} ещё ${plural("ru", count, CHANGES)}, которые нельзя показать и отменить: их сделала прежняя версия papa-yu или другая установка, или база данных потеряна. На компьютере papayu recover -w ${workspace} назовёт каждое и скажет, как его принять.`,
  },
  joins: {
    remark: (what, next) => `${what}. ${next}`,
    sentences: (parts) => parts.join(" "),
    list: (parts) => parts.join(", "),
    facts: (parts) => parts.join("; "),
  },
  workspaces: {
    head: "Папки:",
    how: "/ws ИМЯ выбирает папку",
    none: "Ни одной папки не настроено. Чтобы добавить, наберите на той машине: papayu config set workspaces.NAME '{ path = \"FOLDER\" }'",
    chosen: (name) => `Папка: ${name}`,
  },
  status: {
    marks: {
      named: (name, what) => `${name}: ${what}`,
      and: (one, other) => `${one}, ${other}`,
      because: (what, reason) => `${what} (${reason})`,
    },
    stateGone:
      "Файл state.db удалён или заменён во время работы papa-yu. То, что у него осталось, копируется в папку backups: сейчас и ещё раз при остановке. Выполните papayu stop, затем papayu doctor --repair.",
    routinesHeld: (home, pid) =>
      `Задачи по расписанию здесь не запускаются: их запускает демон копии этой папки («${home}», pid ${pid}). Остановите одного из двух командой papayu stop.`,
    stateTrouble: (message: string) => `База данных требует внимания: ${message}`,
    noDaemon: "Демон здесь не работает.",
    runs: (version, time, pid, size) => `papa-yu ${version} работает ${time} (pid ${pid}, ${size})`,
    size: (megabytes) => `${megabytes} МБ`,
    seconds: (count) => `${count} с`,
    minutes: (count) => `${count} мин`,
    hours: (count) => `${count} ч`,
    days: (count) => `${count} д`,
    routine: (routine) => `задача ${routine}`,
    unwatched: (reason) => `замечаются не все её файлы: ${reason}`,
    next: (time) => `следующий запуск ${time}`,
    kept: (size, at, removed) => `хранится: ${size}; последняя уборка ${at}, удалено: ${removed}`,
    keptDays: (days) => `больше, чем retention.max_mb: удаляется всё старше ${days} дн.`,
    notTidied: (why, others) =>
      others > 0
        ? `не удалось убрать: ${why}; и ещё ${others}: papayu logs`
        : `не удалось убрать: ${why}`,
    tidyingCutOff: (at, removed) =>
      `уборка ${at} оборвалась, удалено до этого: ${removed}; следующая продолжит`,
    tidyingHeld: (at) =>
      `ничего не убирается: с ${at} часы больше чем на неделю впереди последней уборки. Если они неверны, исправьте их; если верны, уборка продолжится через день`,
    waiting: (sessions, approvals) => `разговоров: ${sessions}, ждут одобрения: ${approvals}`,
    spent: (all, here) => `Модели сегодня (UTC): ${all}; здесь: ${here}`,
    tokens: (count) => `токенов: ${count}`,
    tokensAndCost: (count, cost) => `токенов: ${count}, стоимость ${cost}`,
    words: {
      listening: "слушает",
      stopped: "остановлен",
      connecting: "подключается",
      polling: "на связи",
      offline: "нет связи",
      conflict: "бот занят другой программой",
      failed: "не работает",
      waiting: "ждёт",
      running: "выполняется",
      disabled: "выключена",
      invalid: "неверна",
      clients: "терминалов:",
      port: "порт",
      last_poll_at: "последний опрос",
      inbox: "входящих:",
      outbox: "исходящих:",
      reason: "причина:",
      page_off: "страница не показывается",
      turns_at_most: "ответов сразу, не больше",
    },
  },
  /** Of the web console. */
  console: {
    how: "Веб-консоль открывается на машине, где я работаю: `papayu open`",
    own: "То, что ждёт вас, и наши разговоры — на странице",
    alone: "На телефоне она открывается из нашего личного чата: напишите там /web.",
    open: "Открыть консоль",
    review: "Читать правки",
    notYou: "Это не вы?",
    revoke: "Отозвать",
    browserEnded: "Браузер больше не впускается.",
    browserGone: "Под этим номером браузера уже нет.",
    answered: "Отвечено в веб-консоли:",
    cameIn: (browser: string, time: string) => `Вы вошли в веб-консоль: ${browser}, ${time}`,
    said: "Сказано в веб-консоли:",
    askedElsewhere:
      "То, что здесь ждёт, спросили в веб-консоли и здесь не показывали, поэтому это не ответ. Ответьте там или попросите об этом здесь заново.",
    notShownHere:
      "Того, что ждёт в этом разговоре, не было у вас на экране, когда вы это сказали, поэтому это не ответ. Сначала посмотрите, затем ответьте ещё раз.",
    lostHere:
      "Telegram не принял то, о чём я здесь спросил, поэтому слова здесь на это не ответ. Попросите ещё раз (/diff показывает изменения) или ответьте в веб-консоли.",
    signedIn: (browser: string, time: string, id: string) =>
      `В веб-консоль вошёл браузер: ${browser}, ${time}. Если это были не вы: papayu open --revoke ${id}`,
  },
  memory: {
    none: "Здесь я пока ничего не запомнил.",
    everywhere: "везде",
    newest: (count, all) => `Это самые новые: ${count} из ${all}; спросите о том, что ищете.`,
    how: "/memory forget КЛЮЧ забывает запись",
    forgotten: (key) => `Забыто: ${key}`,
    unknown: (key) => `Записи «${key}» у меня нет.`,
  },
  config: {
    refused: (file) => `«${file}» сохранён, но в силе остаётся то, что было:`,
    gone: (file) => `«${file}» больше нет; в силе остаётся то, что в нём было:`,
    inOrder: (file) => `«${file}» снова в порядке; ничего не изменилось`,
    now: (file) => `«${file}» сохранён; с этой минуты в силе:`,
    later: (file) => `«${file}» сохранён; вступит в силу после papayu restart:`,
    more: (count) => `и ещё ${count}`,
    set: (key, value) => `Задать в настройках papa-yu ${key} = ${value}`,
    show: "Показать настройки papa-yu",
    written: "Записано; вступит в силу в течение секунды:",
    writtenLater: "Записано; вступит в силу после papayu restart:",
    overruled: "Записано, но другой файл или окружение важнее; в силе:",
  },
  model: {
    now: (provider, model) => `Провайдер: ${provider}, модель: ${model}`,
    configured: "Настроены:",
    how: "/model ИМЯ выбирает провайдера",
  },
  mode: {
    now: (mode) => `Режим: ${mode}.`,
    how: "/mode readonly|supervised|full меняет режим; о full я спрошу",
    readonly: "Я смотрю и планирую; всё, что имеет последствия, запрещено.",
    supervised: "Я смотрю и запоминаю, что вы скажете; обо всём, что меняет что-либо, спрашиваю.",
    full: "Я действую без вопросов; о том, что решать вам, например о настройках безопасности, спрашиваю.",
  },
  report: {
    none: (workspace) => `В ${workspace} ещё ничего не применялось.`,
    applies: (count, workspace, from, to) =>
      `Применений в ${workspace}: ${count}, с ${from} по ${to}`,
    failed: (failed, fallbacks) => `Неудач: ${failed}, с откатом протокола: ${fallbacks}`,
    tokens: (input, output) => `Токенов: ${input} получено моделью, ${output} написано ею`,
    cost: (cost) => `Стоимость: ${cost}`,
    ready: "Откат на протокол v1 больше не нужен.",
    notReady: "Откат на протокол v1 пока нужен.",
  },
  rules: {
    head: (workspace) =>
      `Правила для ${workspace}. Это настройки, и никакое сообщение модели их не меняет.`,
    autonomy: (mode) => `режим: ${mode}.`,
    outside:
      "после чтения извне: о заметках, изменениях, отправке файлов и новых адресах я спрашиваю в любом режиме, который их допускает.",
    protectedPaths: (paths) =>
      `защищённые пути, никогда не читаются и не пишутся: ${paths}; lock-файлы никогда не пишутся`,
    commands: (commands) => `разрешённые команды: ${commands}`,
    noCommands: "команды не разрешены",
    orders: {
      block: "указания, спрятанные в прочитанном: текст убирается",
      warn: "указания, спрятанные в прочитанном: текст помечается",
      review: "указания, спрятанные в прочитанном: только запись в журнал",
      off: "указания, спрятанные в прочитанном: не ищутся",
    },
  },
};
