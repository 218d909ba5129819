import { plural } from "../plural.ts";
import type { DoctorWords } from "./en.ts";

const REPAIR = "papayu stop, затем papayu doctor --repair; он сначала спросит и ничего не удалит";

/** The same in Russian. */
export const DOCTOR_RU: DoctorWords = {
  joins: {
    list: (parts) => parts.join(", "),
    facts: (parts) => parts.join("; "),
    of: (what, said) => `${what}: ${said}`,
  },
  megabytes: (size) => `${size} МБ`,
  secret: (said) => `сделайте секрет доступным: ${said}`,
  notLookedAt: "не проверялось",
  fixConfigFirst: "сначала исправьте конфигурацию",
  configuration: {
    fix: "исправьте; papayu config check проверит снова",
    none: "нет; действуют встроенные значения",
    write: "papayu init создаст её",
    untrusted: (path, decided) => `файл ${path} не в числе доверенных; им задано: ${decided}`,
    nothing: "ничего",
  },
  home: {
    absent: (home) => `${home}: папки ещё нет`,
    isMade: "её создаст первая команда",
    noFolder: (home) => `${home} — не папка`,
    move: "уберите это или задайте PAPAYU_HOME",
    open: (home) => `разрешите запись в «${home}» или задайте PAPAYU_HOME`,
    space: (home, left) => `${home}: на диске осталось ${left}`,
    free: "освободите место",
    again: "потом снова papayu doctor",
  },
  database: {
    advice: {
      locked:
        "базу держит другая программа, сама база в порядке; подождите или завершите ту программу",
      full: "база в порядке; освободите место на диске",
      read_only: "база в порядке; разрешите запись на диск или в файл",
      denied: "проверьте, чьи база и её папка, и права на них",
      descriptors: "база в порядке; увеличьте предел открытых файлов («ulimit -n»)",
      newer: "база в порядке; обновите papa-yu",
      no_log: "база в порядке; уберите то, что там лежит: SQLite держит на этом месте свой файл",
      disk: "проверьте диск и место на нём",
      gone: REPAIR,
      empty: REPAIR,
      no_file: REPAIR,
      foreign: REPAIR,
      other_home:
        "верните базу, которая принадлежит этой домашней папке; или papayu doctor --adopt, чтобы работать с той, что лежит там сейчас, или papayu doctor --repair, чтобы вернуться к последней копии; оба сначала спросят и ничего не удалят",
      no_database: REPAIR,
      damaged: REPAIR,
    },
    absent: "ещё нет",
    pages: "все страницы целы; база большая, поэтому индексы с таблицами не сверялись",
    notes: (count) =>
      plural("ru", count, {
        one: "собственная заметка papa-yu не читается и считается отсутствующей",
        few: "собственные заметки papa-yu не читаются и считаются отсутствующими",
        many: "собственных заметок papa-yu не читаются и считаются отсутствующими",
      }),
    notesMend: "делать ничего не нужно: они запишутся заново, когда будет что отметить",
    gone: "базу удалили или заменили под работающим демоном; всё, что он пишет, теряется",
    goneMend: "papayu stop сохранит копию того, что у него есть; затем papayu doctor --repair",
  },
  copies: {
    none: "копий базы ещё нет",
    daily: "работающий демон делает одну в день",
    found: (dir, count, size, newest) =>
      `${dir}: ${plural("ru", count, { one: "копия", few: "копии", many: "копий" })} базы, ${size}, последняя от ${newest}`,
    old: "papayu start сделает новую, или журнал скажет, почему нет",
  },
  daemon: {
    off: "не запущен",
    runs: (pid) => `работает (pid ${pid})`,
    deaf: (pid) => `pid ${pid} работает, но его сокет не отвечает`,
    restart: "papayu restart",
    held: (home, pid) =>
      `здесь они не запускаются: их запускает демон копии этой папки («${home}», pid ${pid})`,
    heldMend: "остановите одного из двух командой papayu stop; запускать их будет другой",
    unwatched: (name, reason) => `«${name}» замечает не все файлы, за которыми следит: ${reason}`,
    unwatchedMend:
      "разрешите papa-yu читать эту папку или увеличьте fs.inotify.max_user_watches; попытка повторяется каждую минуту",
    noCrash: "о сбоях ничего не известно",
    crashed: (at) => `демон неожиданно завершился после ${at}`,
    before: (log) => `что было перед этим, скажут papayu logs и «${log}»`,
  },
  log: {
    none: "ещё нет",
    files: (dir, count, size) =>
      `${dir}: ${plural("ru", count, { one: "файл", few: "файла", many: "файлов" })}, ${size}`,
    tooLarge:
      "удалите файлы, имя которых не начинается с papayu.log: их размер ничто не ограничивает",
    open: (dir) => `разрешите чтение «${dir}»`,
  },
  channels: {
    mend: {
      conflict:
        "этого бота опрашивает другая программа: остановите её или заведите отдельного бота",
      token: "проверьте telegram.bot_token",
      database: "освободите место на диске; подробнее — в пункте о базе данных",
      other: "почему, скажет papayu logs",
    },
    thenRestart: (mend) => `${mend}; затем papayu restart`,
    turns: (most) =>
      `одновременно обрабатывается сообщений: ${most}, меньше, чем задаёт agent.max_parallel_turns: демон запущен на столько соединений`,
    turnsMend: (setting) => `papayu restart запустит его с ${setting}`,
    pageOff: (reason) => `страница консоли не отдаётся: ${reason}`,
    pageMend: "завершите то, что там слушает, или задайте другой http.port; затем papayu restart",
  },
  retention: {
    nothingYet: "уборки ещё не было",
    runs: (since) => `одна идёт с ${since}`,
    last: (size, at, removed) =>
      `после последней уборки ${at} осталось ${size}, удалено: ${removed}`,
    before: (last, removed, at) => `${last}, из них до обрыва уборки ${at}: ${removed}`,
    failed: (why) => `не убрано: ${why}`,
    more: (failure, parts) => `${failure}, и ещё частей: ${parts}`,
    triesAgain: "подробнее — papayu logs; следующая уборка попробует снова",
    cutOff: (at, removed) => `уборка ${at} оборвалась, удалено до этого: ${removed}`,
    goesOn: "делать ничего не нужно: следующая уборка работающего демона продолжит",
    held: (since) =>
      `с ${since} часы более чем на неделю впереди той уборки, поэтому сутки ничего не удаляется`,
    setClock: "если часы неверны, исправьте их; если верны, уборки продолжатся",
    fits: (days) =>
      `помещается только ${plural("ru", days, { one: "день", few: "дня", many: "дней" })}`,
    raise:
      "чтобы хранить больше, увеличьте retention.max_mb; нужное для отмены, открытых дел и лимитов остаётся всегда",
    openWork: (since) =>
      `сообщение, запуск или вызов от ${since} не завершены, поэтому ничего новее не удаляется`,
    closeWork: "papayu start с тем ботом, которому это пришло",
    unwritten: (at, what) => `при уборке ${at} не убрано: ${what}`,
  },
  provider: {
    offline: "встроенные правила, без модели",
    addOne: "чтобы отвечала модель, добавьте [providers.ИМЯ] и задайте default.provider",
    at: (model, host) => `${model} на ${host}`,
    noModel: "модели нет",
    noAddress: "адреса нет",
  },
  telegram: {
    off: "выключен",
    how: "как включить, сказано в docs/telegram.md",
    half: "выключен, хотя настроен",
    on: (users) =>
      `включён для ${plural("ru", users, { one: "человека", few: "человек", many: "человек" })}`,
    nobody: "включён, но пока ни для кого",
    letIn:
      "напишите боту что угодно, затем papayu pair КОД с его кодом; или добавьте свой id в telegram.allowed_user_ids",
  },
  research: {
    off: "выключен",
    how: "как включить, сказано в docs/research.md",
    noKey: (service) => `${service}: нет ключа`,
    answers: (service) => `${service} отвечает`,
    atOnce: "найденное используется сразу",
    fix: "исправьте [online_research] или задайте enabled = false",
    autoUseAlone: "выключен, хотя auto_use_as_context включён: от него ничего не зависит",
    autoUseMend: "задайте online_research.enabled = true или auto_use_as_context = false",
    noReader: "найденное не прочтёт ни одна модель: планы и чаты работают по встроенным правилам",
    readerMend: "задайте default.provider",
  },
  sandbox: {
    bwrap: "проверки идут в bubblewrap",
    none: (reason) => `нет: ${reason}; проверки идут с вашими правами`,
    mend: "установите bubblewrap или посмотрите в docs/security.md, что ему нужно",
  },
  skills: {
    none: "нет",
    mend: "исправьте или уберите; этот навык не используется",
  },
  workspaces: {
    none: "нет",
    add: "добавьте [[workspaces]] в config.toml или укажите -w ПАПКА",
    gone: (path) => `нет папки «${path}»`,
    mendGone: (name, file) =>
      `создайте папку, либо в «${file}» измените path записи [[workspaces]] «${name}» или уберите запись`,
    fix: (name, file) => `в «${file}» измените или уберите запись [[workspaces]] «${name}»`,
    notOne: "укажите существующую или настроенную папку",
    halfDone: "идёт изменение, или сбой оставил его недоделанным",
    recover: (workspace) => `papayu recover -w ${workspace}`,
    checks: (root, checks) => `${root}, проверки: ${checks}`,
    noChecks: "нет",
    lastTime: (seconds) => `в прошлый раз ${seconds} с`,
    unseen: "без вопроса не запускаются, пока вы их не видели",
    install: "установите недостающее или задайте check в [[workspaces]]",
    view: (kind) => `представление: ${kind}`,
    viewBecause: (kind, reason) => `представление: ${kind} (${reason})`,
    unread: (why) =>
      `индекс git: ${why}, поэтому добавленные файлы из списка игнорируемых считаются игнорируемыми`,
  },
  mcp: {
    tools: (count) =>
      plural("ru", count, { one: "инструмент", few: "инструмента", many: "инструментов" }),
    leftOut: (count) => `ещё ${count} использовать нельзя`,
    ordering: (count) => `исключено за приказы в именах: ${count}`,
    which: "какие исключены, сказано в docs/tools.md",
    more: (count) => `и ещё ${count}`,
    list: {
      owners: "его слова о них — ваши собственные (tools_sha256)",
      strangers: "его слова о них — чужой текст",
      changed: "его список уже не тот, который вы приняли как свой, поэтому это чужой текст",
    },
    makeOwn: (command) =>
      `чтобы принять его слова об инструментах как свои, прочитайте их целиком: «papayu tools --json», затем: ${command}`,
    unknown: (names) => `в нём нет ${names}: исправьте allowed_tools или read_only_tools`,
    doesNotStart: (why) => `не запускается: ${why}`,
    fix: (server) => `исправьте [mcp.servers.${server}] или задайте enabled = false`,
  },
};
