import { CHANGES, plural } from "./plural.ts";
import type { Widened } from "./widened.ts";

/** Routines, their schedules and `routine add`, in English. */
export const ROUTINES_EN = {
  routines: {
    result: (name: string, output: string) => `Routine "${name}"\n${output}`,
    shown: (name: string) => `Routine "${name}"`,
    failed: (name: string, error: string) =>
      `Routine "${name}" failed: ${error}\npapayu routine logs ${name} shows its runs`,
    worksAgain: (name: string, output: string) => `Routine "${name}" works again\n${output}`,
    switchedOff: (name: string, count: number, error: string) =>
      `Routine "${name}" is switched off: it failed ${count} times in a row, last: ${error}\npapayu routine enable ${name} switches it on again`,
    capped: (name: string, reason: string) => `Routine "${name}" did not run: ${reason}`,
    leftOut: (name: string) =>
      `Routine "${name}" did not run: when its turn came, it had been removed, switched off or could not run any more`,
    away: "Routines missed while papa-yu was not running:",
    missed: (name: string, count: number, last: string) =>
      `- ${name}: ${count} missed, the last at ${last}`,
    madeUp: (count: number) => `; ${count} run now`,
    moved: (from: string, to: string, names: string) =>
      `This machine is in another timezone now: ${to}, before ${from}. Routines without a timezone of their own follow it: ${names}`,
    unknown: (name: string, at: string) =>
      `- ${name}: papa-yu stopped while it ran at ${at}; check what it did, it is not run again`,
    autoUsed: (query: string) => `Auto-used ✓ what the web says on: ${query}`,
    planKept: (planId: string) => `plan ${planId}: papayu preview ${planId} shows the change set`,
    waits: (count: number, planId: string) =>
      `${plural("en", count, { one: "change waits", many: "changes wait" })} for your approval: papayu apply ${planId}`,
    sidePlan: (planId: string) =>
      `Another question still waits for your answer here. This plan has its own buttons; without them: papayu apply ${planId}`,
    /** Of /routines. */
    none: "No routines.",
    head: "Routines:",
    how: "/routines run NAME runs one now; /routines on NAME, off NAME and logs NAME",
    states: {
      due: "due",
      running: "running",
      ok: "ok",
      failed: "failed",
      skipped: "skipped",
      missed: "missed",
      unknown: "interrupted",
    },
    last: (time: string) => `last ${time}`,
    moreRuns: (count: number, all: number, name: string) =>
      `Only the newest ${count} of ${all}: papayu routine logs "${name}" --last ${all} lists all.`,
    moreButtons: (count: number, all: number) =>
      `Only the first ${count} of ${all} have buttons: /routines run NAME, /routines on NAME, /routines off NAME.`,
    noRuns: (name: string) => `Routine "${name}" has not run yet.`,
    runsAlready: (name: string) => `Routine "${name}" is already running.`,
    dryDone: (tokens: number) => `Nothing was applied or kept; it took ${tokens} tokens.`,
    dryFailed: (tokens: number) => `It would fail. Nothing was kept; it took ${tokens} tokens.`,
    stopping: (name: string) => `Routine "${name}" is told to stop.`,
    setAside: (name: string) =>
      `The failed run of "${name}" is set aside; it stays among its runs.`,
    runsNot: (name: string) => `Routine "${name}" does not run now.`,
    /** To a model, for who wrote the words. */
    makeOf: (words: string) =>
      `Make a routine of the following with the tool "routine"; ask back only where it does not say when or what:\n\n${words}`,
    changeOf: (words: string, name: string) =>
      `Change the routine "${name}" with the tool "routine", action "change", so that it is as follows; leave out what does not change:\n\n${words}`,
    wordsHow:
      'Say when, a colon, and what: "every weekday at 8 in notes: what changed since yesterday?"; when may be "every day at 8", "every monday at 9:30", "every 2 hours" or cron',
    wordsOffline:
      'Without a model a time and a task are understood, best with a colon between them, as in "every weekday at 8 in notes: what changed since yesterday?"; the time may be "every day at 8", "every monday at 9:30", "every 2 hours" or cron. Other words take a model: papayu doctor says how to get one',
    ranSince: (name: string) =>
      `Routine "${name}" has run since you asked, so it is not run again:`,
    /** Of `routine add`. */
    means: (words: string, schedule: string, timezone: string) =>
      `"${words}" is ${schedule} in ${timezone}; next:`,
    keep: "Keep this routine?",
    added: (name: string, next: string) => `added "${name}", next ${next}`,
    never: "never",
    notAdded: "not added",
  },
  /** Why a schedule in words is not taken. */
  schedule: {
    examples: '; say e.g. "every day at 8", "every weekday at 9:30", "every 2 hours"',
    unknown: (words: string) => `"${words}" is not understood`,
    refused: {
      seconds: "at most once a minute is possible",
      vague: "it names no time",
      stride: "cron cannot express every few days, weeks or months; name the days",
      no_time: "the time of day is missing",
      no_day: "it does not say on which days",
      impossible_time: "there is no such time",
      uneven_interval:
        "the interval must divide an hour or a day evenly: 5, 10, 15, 20, 30 minutes or 1, 2, 3, 4, 6, 8, 12 hours",
      missing_date: 'not every month has that day; "on the last day of each month" works',
      mixed: "it can be understood in several ways; make two routines of it",
      mixed_minutes:
        "one schedule cannot have times with different minutes; make two routines of it",
    },
  },
} as const;

/** Routines, their schedules and `routine add`, in Russian. */
export const ROUTINES_RU: Widened<typeof ROUTINES_EN> = {
  routines: {
    result: (name, output) => `Задача по расписанию «${name}»\n${output}`,
    shown: (name) => `Задача по расписанию «${name}»`,
    failed: (name, error) =>
      `Задача по расписанию «${name}» не удалась: ${error}\nЗапуски: papayu routine logs ${name}`,
    worksAgain: (name, output) => `Задача по расписанию «${name}» снова работает\n${output}`,
    switchedOff: (name, count, error) =>
      `Задача по расписанию «${name}» отключена: ${count} неудач подряд, последняя: ${error}\nВключить снова: papayu routine enable ${name}`,
    capped: (name, reason) => `Задача по расписанию «${name}» не запускалась: ${reason}`,
    leftOut: (name) =>
      `Задача по расписанию «${name}» не запускалась: когда подошла её очередь, она была удалена, отключена или больше не могла работать`,
    away: "Задачи по расписанию, пропущенные, пока papa-yu не работал:",
    missed: (name, count, last) => `- ${name}: пропущено ${count}, последний раз ${last}`,
    madeUp: (count) => `; сейчас выполняется ${count}`,
    moved: (from, to, names) =>
      `Часовой пояс этой машины изменился: теперь ${to}, раньше ${from}. Задачи без своего часового пояса следуют за ним: ${names}`,
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

/** Routines, their schedules and `routine add`, in Chinese. */
export const ROUTINES_ZH: Widened<typeof ROUTINES_EN> = {
  routines: {
    result: (name, output) => `定时任务“${name}”\n${output}`,
    shown: (name) => `定时任务“${name}”`,
    failed: (name, error) =>
      `定时任务“${name}”失败：${error}\n运行记录：papayu routine logs ${name}`,
    worksAgain: (name, output) => `定时任务“${name}”恢复正常\n${output}`,
    switchedOff: (name, count, error) =>
      `定时任务“${name}”已停用：连续失败 ${count} 次，最近一次：${error}\n重新启用：papayu routine enable ${name}`,
    capped: (name, reason) => `定时任务“${name}”未运行：${reason}`,
    leftOut: (name) => `定时任务“${name}”未运行：轮到它时，它已被删除、停用或无法运行`,
    away: "papa-yu 未运行期间错过的定时任务：",
    missed: (name, count, last) => `- ${name}：错过 ${count} 次，最近一次 ${last}`,
    madeUp: (count) => `；现在补做 ${count} 次`,
    moved: (from, to, names) =>
      `这台机器的时区变了：现在是 ${to}，之前是 ${from}。没有写明时区的任务随之改变：${names}`,
    unknown: (name, at) => `- ${name}：papa-yu 在运行中停止（${at}）；请查看结果，不会自动重做`,
    autoUsed: (query) => `已自动采用 ✓ 网上的资料：${query}`,
    planKept: (planId) => `计划 ${planId}：用 papayu preview ${planId} 查看更改`,
    waits: (count, planId) => `${count} 处更改等待您批准：papayu apply ${planId}`,
    sidePlan: (planId) =>
      `这里还有别的事在等您答复，它保持不变。此计划有自己的按钮；没有按钮时：papayu apply ${planId}`,
    none: "没有定时任务。",
    head: "定时任务：",
    how: "“/routines run 名称”立即运行；另有“on 名称”“off 名称”和“logs 名称”",
    states: {
      due: "排队中",
      running: "运行中",
      ok: "成功",
      failed: "失败",
      skipped: "已跳过",
      missed: "错过",
      unknown: "中断",
    },
    last: (time) => `上次 ${time}`,
    moreRuns: (count, all, name) =>
      `仅最新 ${count} 次，共 ${all} 次：papayu routine logs "${name}" --last ${all} 列出全部。`,
    moreButtons: (count, all) =>
      `共 ${all} 个，只有前 ${count} 个有按钮：/routines run 名称、/routines on 名称、/routines off 名称。`,
    noRuns: (name) => `定时任务“${name}”还没有运行过。`,
    runsAlready: (name) => `定时任务“${name}”正在运行。`,
    dryDone: (tokens) => `没有应用或保存任何内容；用了 ${tokens} 个 token。`,
    dryFailed: (tokens) => `它会失败。没有保存任何内容；用了 ${tokens} 个 token。`,
    stopping: (name) => `已让定时任务“${name}”停止。`,
    setAside: (name) => `定时任务“${name}”的失败运行已搁置，仍保留在运行记录中。`,
    runsNot: (name) => `定时任务“${name}”现在没有运行。`,
    makeOf: (words) =>
      `请用工具“routine”把下面的内容做成定时任务；只有在没说何时或做什么时才反问：\n\n${words}`,
    changeOf: (words, name) =>
      `请用工具“routine”的“change”动作修改定时任务“${name}”，使其如下；不变的内容不要写：\n\n${words}`,
    wordsHow:
      "请说明何时、冒号、做什么：“每个工作日早上8点在notes：昨天以来有什么变化？”；时间可以是“每天早上8点”、“每2小时”或 cron",
    wordsOffline:
      "没有模型时，能看懂时间和任务，中间最好有冒号，例如“每个工作日早上8点在notes：昨天以来有什么变化？”；时间可以是“每天早上8点”、“每2小时”或 cron。其他说法需要模型：papayu doctor 会说明如何配置",
    ranSince: (name) => `定时任务“${name}”在您提出之后已运行过，不再重复：`,
    means: (words, schedule, timezone) => `“${words}”即 ${schedule}，时区 ${timezone}；接下来：`,
    keep: "保存这个定时任务？",
    added: (name, next) => `已添加“${name}”，下次 ${next}`,
    never: "永不",
    notAdded: "未添加",
  },
  schedule: {
    examples: "；例如“每天8点”“工作日9:30”“每两小时”",
    unknown: (words) => `无法理解“${words}”`,
    refused: {
      seconds: "最多每分钟一次",
      vague: "没有明确的时间",
      stride: "cron 无法表示每隔几天、几周或几月；请写明日期",
      no_time: "缺少具体时间",
      no_day: "缺少日期",
      impossible_time: "没有这个时间",
      uneven_interval:
        "间隔必须能整除一小时或一天：5、10、15、20、30 分钟或 1、2、3、4、6、8、12 小时",
      missing_date: "不是每个月都有这一天；可用“每月最后一天”",
      mixed: "含义不明确；请分成两个任务",
      mixed_minutes: "一个计划不能包含不同的分钟；请分成两个任务",
    },
  },
};
