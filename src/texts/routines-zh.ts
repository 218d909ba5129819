import type { Texts } from "./wording.ts";

/** Routines, their schedules and `routine add`, in Chinese. */
export const ROUTINES_ZH: Pick<Texts, "routines" | "schedule"> = {
  routines: {
    result: (name, output) => `定时任务“${name}”\n${output}`,
    shown: (name) => `定时任务“${name}”`,
    failed: (name, error) =>
      `定时任务“${name}”失败：${error}\n运行记录：papayu routine logs ${name}`,
    worksAgain: (name, output) => `定时任务“${name}”恢复正常\n${output}`,
    switchedOff: (name, count, error) =>
      `定时任务“${name}”已停用：连续失败 ${count} 次，最近一次：${error}\n重新启用：papayu routine enable ${name}`,
    capped: (name, reason) => `定时任务“${name}”未运行：${reason}`,
    away: "papa-yu 未运行期间错过的定时任务：",
    missed: (name, count, last) => `- ${name}：错过 ${count} 次，最近一次 ${last}`,
    madeUp: (count) => `；现在补做 ${count} 次`,
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
