import { CHANGES, CHANGES_EN, plural } from "./plural.ts";

/** What people press, and what they are told of checks before they do, in English. */
export const APPROVING_EN = {
  /** The change set of a plan is in the folder: somebody approved it a moment ago. */
  made: {
    already: (count: number) =>
      count === 1
        ? "This is made already; an undo takes it back."
        : `All ${count} parts of this are made already; an undo takes them back.`,
  },
  /** Labels of buttons, short enough for two or three in a row on a phone. */
  buttons: {
    apply: "Apply",
    change: "Change…",
    drop: "Drop",
    approve: "Approve",
    checkFirst: "Check first",
    reject: "Reject",
    undo: "Undo",
    redo: "Redo",
    run: "Run",
    dryRun: "Dry run",
    stop: "Stop",
    setAside: "Set aside",
    turnOn: "Switch on",
    turnOff: "Switch off",
    showOutput: "Show output",
    planFix: "Plan a fix",
    planAgain: "Plan again",
    useResearch: "Use as context (once)",
    stopAutoUse: "Disable auto-use",
    approveAnyway: "Approve anyway",
    approveWhole: "Approve the whole",
    leaveOut: "Leave it out",
    /** Of a plan whose changes were rejected: they are asked about once more. */
    showAgain: "Show its changes again",
    keep: "Keep them",
    reach: "Let it reach them",
    tryAnother: "Try another way",
    showWay: (number: string) => `Show no. ${number}`,
  },
  /** A yes to a whole of which something is unticked. */
  unticked: {
    about: (names: string) =>
      `On the web page this is unticked: ${names}. Nothing is applied yet; there it can be left out, or ticked again.`,
    part: (path: string, count: number) => `${plural("en", count, CHANGES_EN)} in ${path}`,
    more: (left: number) => `and ${left} more`,
  },
  /** Checks that have not run yet. */
  planned: {
    /** A command, and in brackets what is known of it. */
    joins: {
      check: (command: string, known: readonly string[]) => `${command} (${known.join("; ")})`,
    },
    took: (seconds: string) => `${seconds} s last time`,
    /** Above commands that nobody has seen, a line each; below them when they run. */
    found: "Checks found in this folder, not all of which you have been shown yet:",
    runBefore:
      "They run after your yes, before anything is written; from the next plan on, before you are asked.",
    runAfter: "They run after your yes.",
  },
  /** Checks that ran in a view of the folder, before anything was written. */
  checked: {
    /** A command, and the seconds that it took. */
    took: (command: string, seconds: string) => `${command} (${seconds} s)`,
    /** Below a check that failed. */
    failsWithout: "It fails without this change as well.",
    failsWithoutIn: (tests: string) => `These fail without this change as well: ${tests}`,
    failsOnlyWith: (tests: string) => `These fail only with this change: ${tests}`,
    passesWithout: "It passes without this change.",
    judges: (paths: string) => `The change touches what checks it: ${paths}`,
    leftOut: (count: number, paths: string) =>
      `The checks changed ${plural("en", count, { one: "file", many: "files" })} of the project, left out: ${paths}`,
    kept: (paths: string) => `The checks changed these files, which are part of it: ${paths}`,
    more: (count: number) => `and ${count} more`,
    /** After the checks that passed. */
    afterCorrections: (line: string, rounds: number) =>
      `${line}, after ${plural("en", rounds, { one: "correction", many: "corrections" })}`,
    stillFails: (rounds: number) =>
      `It still fails after ${plural("en", rounds, { one: "correction", many: "corrections" })}.`,
    corrected: (rounds: number) =>
      `Corrected ${plural("en", rounds, { one: "time", many: "times" })} before the checks passed`,
    /** Files that no other part of the change touches. */
    fixPaths: (paths: string) => `Corrections also touched: ${paths}`,
    /** What became of corrections that are not in it, and why there were no more. */
    notes: {
      judges: (paths: string) =>
        `A correction was refused: it would have touched what it must leave alone: ${paths}`,
      nothing: "A correction was refused: it would have taken the whole change back.",
      unfit: "A correction was refused: it could not be one change with the rest.",
      same: "The last correction was one that had failed before.",
      none: "The model had no further correction to propose.",
      failed: (why: string) => `There was no further correction: ${why}`,
    },
  },
  /** Lock files, which commands make in a view of the folder. */
  generated: {
    made: (paths: string, commands: string) => `Made by ${commands}: ${paths}`,
    leftOut: (paths: string) => `It changed these files as well, which are left out: ${paths}`,
    failed: (command: string, reason: string) =>
      `The lock file was not made: ${command} failed: ${reason}`,
    hosts: (hosts: string) =>
      `It asked for ${hosts}, which neither generate_hosts of the workspace nor a yes lets it reach.`,
    closedHosts: (hosts: string) =>
      `It also asked for ${hosts}, which nothing opens: an address of this machine, of a network or of a cloud.`,
    programs: (paths: string) =>
      `It ran without a network, for it runs what this change touches: ${paths}`,
    skipped: (commands: string) =>
      `The lock file is not made here, for that is done in a view only; to be run by you: ${commands}`,
  },
};

/** The same in Russian. */
export const APPROVING_RU: typeof APPROVING_EN = {
  made: {
    already: (count) =>
      count === 1
        ? "Это уже сделано; отмена вернёт всё назад."
        : `Все части этого (${count}) уже сделаны; отмена вернёт всё назад.`,
  },
  buttons: {
    apply: "Применить",
    change: "Изменить…",
    drop: "Отбросить",
    approve: "Одобрить",
    checkFirst: "Сначала проверить",
    reject: "Отклонить",
    undo: "Отменить",
    redo: "Вернуть",
    run: "Запустить",
    dryRun: "Пробный запуск",
    stop: "Остановить",
    setAside: "Убрать",
    turnOn: "Включить",
    turnOff: "Выключить",
    showOutput: "Показать вывод",
    planFix: "План исправления",
    planAgain: "Спланировать заново",
    useResearch: "Использовать (один раз)",
    stopAutoUse: "Выключить auto-use",
    approveAnyway: "Всё равно одобрить",
    approveWhole: "Одобрить всё",
    leaveOut: "Исключить это",
    showAgain: "Показать изменения снова",
    keep: "Включить файлы",
    reach: "Открыть доступ",
    tryAnother: "Другой вариант",
    showWay: (number) => `Показать № ${number}`,
  },
  unticked: {
    about: (names) =>
      `На веб-странице снята отметка: ${names}. Пока ничего не применено; там это можно исключить или отметить снова.`,
    part: (path, count) => `${plural("ru", count, CHANGES)} в ${path}`,
    more: (left) => `и ещё ${left}`,
  },
  planned: {
    joins: { check: (command, known) => `${command} (${known.join("; ")})` },
    took: (seconds) => `в прошлый раз ${seconds} с`,
    found: "Проверки, найденные в этой папке; не все из них вам уже показаны:",
    runBefore:
      "Они запустятся после вашего согласия, прежде чем что-либо будет записано; со следующего плана — до вопроса.",
    runAfter: "Они запустятся после вашего согласия.",
  },
  checked: {
    took: (command, seconds) => `${command} (${seconds} с)`,
    failsWithout: "Она не проходит и без этого изменения.",
    failsWithoutIn: (tests) => `Не проходят и без этого изменения: ${tests}`,
    failsOnlyWith: (tests) => `Не проходят только с этим изменением: ${tests}`,
    passesWithout: "Без этого изменения она проходит.",
    judges: (paths) => `Изменение затрагивает то, что его проверяет: ${paths}`,
    leftOut: (count, paths) =>
      `Проверки изменили ${plural("ru", count, { one: "файл", few: "файла", many: "файлов" })} проекта, они не входят в изменение: ${paths}`,
    kept: (paths) => `Проверки изменили файлы, и они входят в изменение: ${paths}`,
    more: (count) => `и ещё ${count}`,
    afterCorrections: (line, rounds) =>
      `${line}, после ${plural("ru", rounds, { one: "исправления", few: "исправлений", many: "исправлений" })}`,
    stillFails: (rounds) =>
      `Она не проходит и после ${plural("ru", rounds, { one: "исправления", few: "исправлений", many: "исправлений" })}.`,
    notes: {
      judges: (paths) =>
        `Исправление отклонено, оно затронуло бы то, что ему нельзя менять: ${paths}`,
      nothing: "Исправление отклонено: оно отменило бы всё изменение.",
      unfit: "Исправление отклонено: оно не складывается с остальным в одно изменение.",
      same: "Последнее исправление повторяло то, что уже не прошло проверку.",
      none: "Модель не предложила других исправлений.",
      failed: (why) => `Других исправлений нет: ${why}`,
    },
    corrected: (rounds) =>
      `Проверки прошли после ${plural("ru", rounds, { one: "исправления", few: "исправлений", many: "исправлений" })}`,
    fixPaths: (paths) => `Исправления затронули ещё и это: ${paths}`,
  },
  generated: {
    made: (paths, commands) => `Создано командой ${commands}: ${paths}`,
    leftOut: (paths) => `Кроме того, она изменила файлы, они не входят в изменение: ${paths}`,
    failed: (command, reason) => `Файл блокировки не создан: ${command}: ${reason}`,
    hosts: (hosts) =>
      `Она обращалась к ${hosts}; доступа нет ни по generate_hosts рабочей папки, ни по вашему согласию.`,
    closedHosts: (hosts) =>
      `Ещё она обращалась к ${hosts}; это не открыть ничем: адрес этой машины, локальной сети или облака.`,
    programs: (paths) => `Она работала без сети, потому что запускает то, что меняется: ${paths}`,
    skipped: (commands) =>
      `Файл блокировки здесь не создаётся, это делается только в представлении папки; запустите сами: ${commands}`,
  },
};

/** The same in Chinese. */
export const APPROVING_ZH: typeof APPROVING_EN = {
  made: {
    already: (count) =>
      count === 1 ? "这已经完成；撤销可以还原。" : `全部 ${count} 部分都已完成；撤销可以还原。`,
  },
  buttons: {
    apply: "应用",
    change: "修改…",
    drop: "放弃",
    approve: "批准",
    checkFirst: "先检查",
    reject: "拒绝",
    undo: "撤销",
    redo: "重做",
    run: "运行",
    dryRun: "试运行",
    stop: "停止",
    setAside: "搁置",
    turnOn: "开启",
    turnOff: "关闭",
    showOutput: "查看输出",
    planFix: "规划修复",
    planAgain: "重新规划",
    useResearch: "用作上下文（一次）",
    stopAutoUse: "关闭自动使用",
    approveAnyway: "仍然批准",
    approveWhole: "全部同意",
    leaveOut: "排除这些",
    showAgain: "再次查看其更改",
    keep: "一并保留",
    reach: "允许访问",
    tryAnother: "换一种方案",
    showWay: (number) => `显示第 ${number} 种`,
  },
  unticked: {
    about: (names) =>
      `网页上取消了勾选：${names}。还没有应用任何内容；可在那里排除它，或重新勾选。`,
    part: (path, count) => `${path} 中的 ${count} 处更改`,
    more: (left) => `另有 ${left} 项`,
  },
  planned: {
    joins: { check: (command, known) => `${command}（${known.join("；")}）` },
    took: (seconds) => `上次用时 ${seconds} 秒`,
    found: "在此文件夹中找到的检查，尚未全部向您显示过：",
    runBefore: "它们在您同意之后、写入任何内容之前运行；从下一个计划起，在询问之前运行。",
    runAfter: "它们在您同意之后运行。",
  },
  checked: {
    took: (command, seconds) => `${command}（${seconds} 秒）`,
    failsWithout: "没有这项更改时它也不通过。",
    failsWithoutIn: (tests) => `没有这项更改时同样不通过：${tests}`,
    failsOnlyWith: (tests) => `仅在有这项更改时不通过：${tests}`,
    passesWithout: "没有这项更改时它能通过。",
    judges: (paths) => `这项更改涉及检查它的内容：${paths}`,
    leftOut: (count, paths) => `检查更改了项目中的 ${count} 个文件，未纳入变更集：${paths}`,
    kept: (paths) => `检查更改了这些文件，已纳入变更集：${paths}`,
    more: (count) => `以及另外 ${count} 个`,
    afterCorrections: (line, rounds) => `${line}（修正 ${rounds} 次后）`,
    stillFails: (rounds) => `修正 ${rounds} 次后仍不通过。`,
    notes: {
      judges: (paths) => `已拒绝一次修正：它会更改不该动的内容：${paths}`,
      nothing: "已拒绝一次修正：它会撤回整个更改。",
      unfit: "已拒绝一次修正：它无法与其余部分合成一项更改。",
      same: "最后一次修正与之前未通过的相同。",
      none: "模型没有提出其他修正。",
      failed: (why) => `没有进一步的修正：${why}`,
    },
    corrected: (rounds) => `检查通过之前已修正 ${rounds} 次`,
    fixPaths: (paths) => `修正还更改了：${paths}`,
  },
  generated: {
    made: (paths, commands) => `由 ${commands} 生成：${paths}`,
    leftOut: (paths) => `它还更改了这些文件，未纳入变更集：${paths}`,
    failed: (command, reason) => `锁定文件未生成：${command} 失败：${reason}`,
    hosts: (hosts) => `它请求了 ${hosts}；工作区的 generate_hosts 没有列出，您也没有允许。`,
    closedHosts: (hosts) => `它还请求了 ${hosts}；这无法开放：属于本机、本地网络或云服务的地址。`,
    programs: (paths) => `它在没有网络的情况下运行，因为它会执行这项更改所涉及的内容：${paths}`,
    skipped: (commands) => `此处不生成锁定文件，因为只在视图中生成；请自行运行：${commands}`,
  },
};
