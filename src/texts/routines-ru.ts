import { CHANGES } from "./commands-ru.ts";
import { plural } from "./plural.ts";
import type { Texts } from "./wording.ts";

/** Routines, their schedules and `routine add`, in Russian. */
export const ROUTINES_RU: Pick<Texts, "routines" | "schedule"> = {
  routines: {
    result: (name, output) => `Задача по расписанию «${name}»\n${output}`,
    shown: (name) => `Задача по расписанию «${name}»`,
    failed: (name, error) =>
      `Задача по расписанию «${name}» не удалась: ${error}\nЗапуски: papayu routine logs ${name}`,
    worksAgain: (name, output) => `Задача по расписанию «${name}» снова работает\n${output}`,
    switchedOff: (name, count, error) =>
      `Задача по расписанию «${name}» отключена: ${count} неудач подряд, последняя: ${error}\nВключить снова: papayu routine enable ${name}`,
    capped: (name, reason) => `Задача по расписанию «${name}» не запускалась: ${reason}`,
    away: "Задачи по расписанию, пропущенные, пока papa-yu не работал:",
    missed: (name, count, last) => `- ${name}: пропущено ${count}, последний раз ${last}`,
    madeUp: (count) => `; сейчас выполняется ${count}`,
    unknown: (name, at) =>
      `- ${name}: papa-yu остановился во время запуска ${at}; проверьте, что сделано, повтора не будет`,
    autoUsed: (query) => `Учтено ✓ то, что нашлось в сети: ${query}`,
    planKept: (planId) => `план ${planId}: набор изменений покажет papayu preview ${planId}`,
    waits: (count, planId) =>
      `${plural("ru", count, CHANGES)}, нужно ваше одобрение: papayu apply ${planId}`,
    sidePlan: (planId) =>
      `Здесь вашего ответа всё ещё ждёт другой вопрос. У этого плана свои кнопки; без них: papayu apply ${planId}`,
    none: "Задач по расписанию нет.",
    head: "Задачи по расписанию:",
    how: "/routines run ИМЯ запускает сейчас; ещё есть on ИМЯ, off ИМЯ и logs ИМЯ",
    states: {
      due: "в очереди",
      running: "выполняется",
      ok: "успешно",
      failed: "неудача",
      skipped: "пропущено",
      missed: "не состоялось",
      unknown: "прервано",
    },
    last: (time) => `последний раз ${time}`,
    moreRuns: (count, all, name) =>
      `Только последние ${count} из ${all}: все покажет papayu routine logs "${name}" --last ${all}.`,
    moreButtons: (count, all) =>
      `Кнопки есть только у первых ${count} из ${all}: /routines run ИМЯ, /routines on ИМЯ, /routines off ИМЯ.`,
    noRuns: (name) => `Задача «${name}» ещё не запускалась.`,
    runsAlready: (name) => `Задача «${name}» уже выполняется.`,
    dryDone: (tokens) => `Ничего не применено и не сохранено; потрачено токенов: ${tokens}.`,
    dryFailed: (tokens) => `Это не удалось бы. Ничего не сохранено; потрачено токенов: ${tokens}.`,
    stopping: (name) => `Задаче «${name}» велено остановиться.`,
    setAside: (name) => `Неудачный запуск задачи «${name}» убран; он остаётся среди её запусков.`,
    runsNot: (name) => `Задача «${name}» сейчас не выполняется.`,
    makeOf: (words) =>
      `Сделай из этого задачу по расписанию инструментом "routine"; переспрашивай, только если не сказано, когда или что:\n\n${words}`,
    changeOf: (words, name) =>
      `Измени задачу «${name}» инструментом "routine", action "change", чтобы она стала такой; что не меняется, не указывай:\n\n${words}`,
    wordsHow:
      "Скажите когда, двоеточие и что: «по будням в 8:00 в notes: что изменилось со вчера?»; когда: «каждый день в 8:00», «каждые 2 часа» или cron",
    wordsOffline:
      "Без модели понятны время и задача, лучше с двоеточием между ними, например «по будням в 8:00 в notes: что изменилось со вчера?»; время: «каждый день в 8:00», «каждые 2 часа» или cron. Для других слов нужна модель: как её подключить, скажет papayu doctor",
    ranSince: (name) =>
      `Задача «${name}» уже отработала после вашей просьбы, второй раз не запускаю:`,
    means: (words, schedule, timezone) =>
      `«${words}» — это ${schedule}, часовой пояс ${timezone}; ближайшие запуски:`,
    keep: "Сохранить эту задачу?",
    added: (name, next) => `задача «${name}» добавлена, следующий запуск ${next}`,
    never: "никогда",
    notAdded: "не добавлена",
  },
  schedule: {
    examples: "; скажите, например, «каждый день в 8», «по будням в 9:30», «каждые 2 часа»",
    unknown: (words) => `непонятно «${words}»`,
    refused: {
      seconds: "чаще раза в минуту нельзя",
      vague: "время не названо",
      stride: "«через день» и подобное в cron не выразить; назовите дни",
      no_time: "не сказано, в котором часу",
      no_day: "не сказано, в какие дни",
      impossible_time: "такого времени нет",
      uneven_interval:
        "промежуток должен делить час или сутки нацело: 5, 10, 15, 20, 30 минут или 1, 2, 3, 4, 6, 8, 12 часов",
      missing_date: "такое число есть не в каждом месяце; есть «в последний день месяца»",
      mixed: "это можно понять по-разному; сделайте две задачи",
      mixed_minutes: "в одном расписании не может быть разных минут; сделайте две задачи",
    },
  },
};
