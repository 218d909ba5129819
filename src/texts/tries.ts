import { CHANGES_EN, plural } from "./plural.ts";

/** What people are told of several ways to a goal, and of plans in several parts, in English. */
export const TRIES_EN = {
  smallest: (passing: number, tried: number) =>
    `${passing} of ${tried} different ways pass their checks; the smallest is shown.`,
  noneGreen:
    "None of them passes its checks; the one that failed least is shown. Nothing was written.",
  bySize: {
    unseen: "Compared by size alone: nobody has seen yet what was found to check this folder with.",
    "no checks": "Compared by size alone: there is nothing to check with.",
    "no view": "Compared by size alone: here no checks run before a yes.",
  },
  capped: "A daily cap was reached before all of it was done; what was made by then is compared.",
  oneWay: "Without a model there is one way only, so one plan was made.",
  /** Of one of them; see Grade. */
  states: {
    green: "passed",
    unchecked: "not checked",
    excused: "fails without it as well",
    red: "failed",
    nothing: "nothing to change",
    failed: "no change set",
  },
  lines: (count: number) => plural("en", count, { one: "line", many: "lines" }),
  same: (count: number) =>
    `the same from ${plural("en", count, { one: "more way", many: "more ways" })}`,
  /** Below several of them that were tried one after another. */
  begins: (provider: string, model: string) => `planning in another way (${provider} ${model})`,
  took: (amount: string) => `This way took ${amount}.`,
  left: (count: number) =>
    `${plural("en", count, { one: "more way", many: "more ways" })} may be tried.`,
  noneLeft: "There is no other way to try for this goal.",
  /** Why there is none. */
  refusals: {
    noWay: {
      unknown:
        "Nobody knows any more who made this plan, so there is no other way to it; plan the goal again",
      alone: "There is no other way to plan this: no other model, and no other temperature",
      "used up": "This goal was planned in as many ways as may be; answer one, or make a new plan",
    },
    wayGone: "This belongs to a question that was answered, or that a newer one took the place of",
  },
  series: {
    /** Below a plan, before any part is asked for. */
    planned: (files: number, parts: number, most: number) =>
      `It is about ${files} files, too many for one change: ${parts} parts that follow each other, ${parts} to ${most} requests to the model.`,
    /** While a part is asked for, from 1. */
    asking: (part: number, of: number) => `part ${part} of ${of} …`,
    checking: (check: string, at: number, of: number) => `check ${at} of ${of}: ${check}`,
    /** Above the parts of a question. */
    head: (count: number) =>
      `${plural("en", count, { one: "part", many: "parts" })}, one after another; your yes is to all of them, and each can be undone:`,
    /** Above them, where some were made before. */
    done: (count: number) =>
      `${plural("en", count, { one: "part is", many: "parts are" })} in the folder already.`,
    part: (number: number, files: number, lines: string, summary: string) =>
      `${number}. ${plural("en", files, CHANGES_EN)} (${lines}): ${summary}`,
    /** What corrections and commands add to all parts. */
    added: "what corrections and commands add",
    /** Behind a part: how the checks end with it and those before it. */
    passes: "checks pass up to here",
    fails: "checks fail until a later part",
    /** Of parts of which only some were made. */
    stopped: (where: string, made: number, all: number) =>
      `Stopped in ${where}: ${made} of ${all} parts are made and stay, each can be undone; the others were not begun or were taken back`,
    rest: "Ask for the same plan again to see the rest, or leave it.",
    /** What takes them back, so many of all; a terminal has no button, and a phone no command line. */
    undoNewest: (count: number, all: number) => {
      if (count === 1) return "The button takes back the newest part, as undo does.";
      const which = count < all ? `the newest ${count} of ${all} parts` : `all ${count} parts`;
      return `The button, or papayu undo --series, takes back ${which}, the newest first; undo alone only the newest.`;
    },
  },
  /** What else than yes and no may be typed, and for what. */
  terminal: {
    another: "t: try another way",
    view: "v: view it",
    /** What a person waits for. */
    doing: {
      plan: "making a plan",
      change: "working out the change",
      answer: "waiting for an answer",
    },
  },
};

/** The same in Russian. */
export const TRIES_RU: typeof TRIES_EN = {
  smallest: (passing, tried) =>
    `Разных вариантов: ${tried}, проверки проходят: ${passing}; показан наименьший.`,
  noneGreen: "Ни один не проходит проверки; показан тот, что ближе всего. Ничего не записано.",
  bySize: {
    unseen: "Сравнение только по размеру: никто ещё не видел, чем проверяется эта папка.",
    "no checks": "Сравнение только по размеру: проверять нечем.",
    "no view": "Сравнение только по размеру: проверки здесь не запускаются до согласия.",
  },
  capped: "Дневной предел достигнут раньше, чем всё было сделано; сравнивается то, что есть.",
  oneWay: "Без модели есть только один вариант, поэтому план один.",
  states: {
    green: "проверки пройдены",
    unchecked: "не проверено",
    excused: "не проходит и без него",
    red: "проверки не пройдены",
    nothing: "менять нечего",
    failed: "нет набора изменений",
  },
  lines: (count) => plural("ru", count, { one: "строка", few: "строки", many: "строк" }),
  same: (count) =>
    `то же ещё от ${plural("ru", count, { one: "варианта", few: "вариантов", many: "вариантов" })}`,
  begins: (provider, model) => `планирую иначе (${provider} ${model})`,
  took: (amount) => `На этот вариант ушло: ${amount}.`,
  left: (count) =>
    `Можно попробовать ещё ${plural("ru", count, { one: "вариант", few: "варианта", many: "вариантов" })}.`,
  noneLeft: "Других вариантов для этой цели нет.",

  refusals: {
    noWay: {
      unknown:
        "Неизвестно, кем составлен этот план, поэтому другого варианта нет; составьте план заново",
      alone: "Другого варианта нет: нет ни другой модели, ни другой температуры",
      "used up":
        "Вариантов для этой цели уже столько, сколько допускается; ответьте на один или составьте новый план",
    },
    wayGone:
      "Это относится к вопросу, на который уже ответили или место которого занял более новый",
  },
  series: {
    planned: (files, parts, most) =>
      `Затронуто файлов: ${files}, слишком много для одного изменения. Частей, идущих одна за другой: ${parts}; запросов к модели: от ${parts} до ${most}.`,
    asking: (part, of) => `часть ${part} из ${of} …`,
    checking: (check, at, of) => `проверка ${at} из ${of}: ${check}`,
    head: (count) =>
      `${plural("ru", count, { one: "часть", few: "части", many: "частей" })} одна за другой; ваше «да» относится ко всем, каждую можно отменить:`,
    done: (count) =>
      `Уже в папке: ${plural("ru", count, { one: "часть", few: "части", many: "частей" })}.`,
    part: (number, files, lines, summary) =>
      `${number}. ${plural("ru", files, { one: "изменение", few: "изменения", many: "изменений" })} (${lines}): ${summary}`,
    added: "то, что добавили исправления и команды",
    passes: "до этого места проверки проходят",
    fails: "проверки не проходят до одной из следующих частей",
    stopped: (where, made, all) =>
      `Остановлено в ${where}: сделано частей: ${made} из ${all}, они остаются, каждую можно отменить; остальные не начаты или возвращены`,
    rest: "Чтобы увидеть остальное, запросите тот же план ещё раз, или оставьте как есть.",
    undoNewest: (count, all) => {
      if (count === 1) return "Кнопка отменяет последнюю часть, как и undo.";
      const which = count < all ? `последние части (${count} из ${all})` : `все части (${count})`;
      return `Кнопка или papayu undo --series отменяет ${which}, начиная с последней; просто undo — только последнюю.`;
    },
  },
  terminal: {
    another: "t: другой вариант",
    view: "v: посмотреть",
    doing: { plan: "составляю план", change: "готовлю изменение", answer: "жду ответа" },
  },
};

/** The same in Chinese. */
export const TRIES_ZH: typeof TRIES_EN = {
  smallest: (passing, tried) =>
    `${tried} 种不同的方案中有 ${passing} 种通过检查；显示的是更改最少的一种。`,
  noneGreen: "没有一种方案通过检查；显示的是最接近的一种。未写入任何内容。",
  bySize: {
    unseen: "仅按大小比较：还没有人看过为此文件夹找到的检查。",
    "no checks": "仅按大小比较：没有可用的检查。",
    "no view": "仅按大小比较：此处在同意之前不运行检查。",
  },
  capped: "尚未全部完成就达到了每日上限；比较的是已完成的方案。",
  oneWay: "没有模型时只有一种方案，因此只做了一个计划。",
  states: {
    green: "已通过",
    unchecked: "未检查",
    excused: "没有它也不通过",
    red: "未通过",
    nothing: "无需更改",
    failed: "没有变更集",
  },
  lines: (count) => `${count} 行`,
  same: (count) => `另有 ${count} 种方案与此相同`,
  begins: (provider, model) => `正在换一种方案规划（${provider} ${model}）`,
  took: (amount) => `这种方案用了 ${amount}。`,
  left: (count) => `还可以再试 ${count} 种方案。`,
  noneLeft: "这个目标没有其他方案可试了。",

  refusals: {
    noWay: {
      unknown: "已不知道这个计划由谁做出，因此没有其他方案；请重新规划",
      alone: "没有其他方案：没有其他模型，也没有其他温度",
      "used up": "这个目标的方案数已达上限；请答复其中一种，或重新规划",
    },
    wayGone: "它所属的问题已有答复，或已被较新的取代",
  },
  series: {
    planned: (files, parts, most) =>
      `涉及 ${files} 个文件，一次更改放不下：分为 ${parts} 个依次进行的部分，需要向模型请求 ${parts} 到 ${most} 次。`,
    asking: (part, of) => `第 ${part} 部分，共 ${of} 部分…`,
    checking: (check, at, of) => `检查 ${at}/${of}：${check}`,
    head: (count) => `${count} 个部分，依次进行；您的同意适用于全部，每个部分都可以撤销：`,
    done: (count) => `已有 ${count} 个部分在文件夹中。`,
    part: (number, files, lines, summary) => `${number}. ${files} 处更改（${lines}）：${summary}`,
    added: "修正和命令所添加的内容",
    passes: "到此为止检查通过",
    fails: "在后面的部分之前检查不通过",
    stopped: (where, made, all) =>
      `在 ${where} 中停止：${all} 个部分中已完成 ${made} 个并保留，每个都可以撤销；其余的没有开始或已恢复`,
    rest: "再次请求同一计划即可看到其余部分，也可以就此放弃。",
    undoNewest: (count, all) => {
      if (count === 1) return "按钮会撤销最新的一个部分，与 undo 相同。";
      const which = count < all ? `${all} 个部分中最新的 ${count} 个` : `全部 ${count} 个部分`;
      return `按钮或 papayu undo --series 会从最新的开始撤销${which}；单独的 undo 只撤销最新的一个。`;
    },
  },
  terminal: {
    another: "t：换一种方案",
    view: "v：查看",
    doing: { plan: "正在制定计划", change: "正在准备更改", answer: "正在等待回答" },
  },
};
