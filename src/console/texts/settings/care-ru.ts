import { plural } from "../../../texts/plural.ts";
import type { Widened } from "../../../texts/widened.ts";
import type { CARE_EN } from "./care-en.ts";

/** What keeps papa-yu well, in Russian. */
export const CARE_RU: Widened<typeof CARE_EN> = {
  parts: {
    doctor: "Диагностика",
    log: "Журнал",
    people: "Люди",
    browsers: "Браузеры",
    spending: "Расходы",
  },
  doctor: {
    looking: "Проверяется всё…",
    again: "Проверить ещё раз",
    sum: (failed: number, warnings: number) =>
      failed + warnings === 0
        ? "Всё в порядке."
        : `${plural("ru", failed, { one: "сбой", few: "сбоя", many: "сбоев" })}, ${plural("ru", warnings, { one: "предупреждение", few: "предупреждения", many: "предупреждений" })}`,
    states: { failed: "Сбой", warning: "Предупреждение", ok: "В порядке" },
    mend: "Что делать:",
    subjects: {
      configuration: "Конфигурация",
      home: "Домашняя папка",
      database: "База данных",
      copies: "Копии",
      daemon: "Демон",
      "state.db": "state.db",
      "last end": "Последнее завершение",
      log: "Журнал",
      retention: "Хранение",
      provider: "Модель",
      research: "Поиск в интернете",
      telegram: "Telegram",
      sandbox: "Песочница",
      workspace: "Рабочая папка",
      workspaces: "Рабочие папки",
      skills: "Навыки",
      channel: "Канал",
      "web console": "Веб-консоль",
      "MCP server": "Сервер MCP",
    },
  },
  log: {
    level: "Уровень",
    levels: { info: "Всё", warning: "Предупреждение", error: "Ошибка" },
    search: "Поиск",
    older: "Строки раньше",
    none: "Здесь ничего нет.",
    noneHere: "В просмотренном не найдено; может быть в более ранних строках.",
    unseen: (count: number) =>
      `${plural("ru", count, { one: "новая строка", few: "новые строки", many: "новых строк" })}: в конец`,
    cut: (count: number) =>
      `… и ещё ${plural("ru", count, { one: "символ", few: "символа", many: "символов" })}`,
  },
  really: (label: string) => `${label}: нажмите ещё раз`,
  people: {
    waiting: "Хотят говорить с ботом",
    code: "Код, который вам назвали; бот дал его этому человеку",
    letIn: "Впустить",
    isIn: "Теперь этот человек может говорить с ботом.",
    refuse: "Отказать",
    paired: "Впущены по коду",
    remove: "Убрать",
    listed: "В списке конфигурации (telegram.allowed_user_ids)",
    owner: "Владелец",
    nobody: "Никого.",
  },
  browsers: {
    here: "Этот",
    end: "Завершить",
    signOut: "Выйти",
    signedIn: (ago: string, until: string) => `вход ${ago}, самое позднее до ${until}`,
  },
  spending: {
    days: (day: string, since: string) => `Сегодня ${day} (UTC); месяц — с ${since}.`,
    who: "Кто",
    today: "Сегодня",
    cap: "Предел на день",
    month: "В этом месяце",
    all: "Всё вместе",
    others: "Беседы, планы и применения",
    tokens: "токенов",
    cost: "стоимость",
    noCap: "нет",
    of: (percent: number, most: string, unit: string) => `${percent} % из ${most} (${unit})`,
  },
};
