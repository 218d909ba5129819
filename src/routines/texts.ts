import type { Language } from "../core/language.ts";

type Text<Parts extends readonly (string | number)[]> = Readonly<
  Record<Language, (...parts: Parts) => string>
>;

/** Everything that routines say to people by themselves. */
export const TEXTS = {
  result: {
    en: (name, output) => `Routine "${name}"\n${output}`,
    ru: (name, output) => `Задача по расписанию «${name}»\n${output}`,
    zh: (name, output) => `定时任务“${name}”\n${output}`,
  } satisfies Text<[name: string, output: string]>,
  shown: {
    en: (name) => `Routine "${name}"`,
    ru: (name) => `Задача по расписанию «${name}»`,
    zh: (name) => `定时任务“${name}”`,
  } satisfies Text<[name: string]>,
  failed: {
    en: (name, error) =>
      `Routine "${name}" failed: ${error}\npapayu routine logs ${name} shows its runs`,
    ru: (name, error) =>
      `Задача по расписанию «${name}» не удалась: ${error}\nЗапуски: papayu routine logs ${name}`,
    zh: (name, error) => `定时任务“${name}”失败：${error}\n运行记录：papayu routine logs ${name}`,
  } satisfies Text<[name: string, error: string]>,
  worksAgain: {
    en: (name, output) => `Routine "${name}" works again\n${output}`,
    ru: (name, output) => `Задача по расписанию «${name}» снова работает\n${output}`,
    zh: (name, output) => `定时任务“${name}”恢复正常\n${output}`,
  } satisfies Text<[name: string, output: string]>,
  switchedOff: {
    en: (name, count, error) =>
      `Routine "${name}" is switched off: it failed ${count} times in a row, last: ${error}\npapayu routine enable ${name} switches it on again`,
    ru: (name, count, error) =>
      `Задача по расписанию «${name}» отключена: ${count} неудач подряд, последняя: ${error}\nВключить снова: papayu routine enable ${name}`,
    zh: (name, count, error) =>
      `定时任务“${name}”已停用：连续失败 ${count} 次，最近一次：${error}\n重新启用：papayu routine enable ${name}`,
  } satisfies Text<[name: string, count: number, error: string]>,
  capped: {
    en: (name, reason) => `Routine "${name}" did not run: ${reason}`,
    ru: (name, reason) => `Задача по расписанию «${name}» не запускалась: ${reason}`,
    zh: (name, reason) => `定时任务“${name}”未运行：${reason}`,
  } satisfies Text<[name: string, reason: string]>,
  away: {
    en: () => "Routines that papa-yu was not there for:",
    ru: () => "Задачи по расписанию, пропущенные, пока papa-yu не работал:",
    zh: () => "papa-yu 未运行期间错过的定时任务：",
  } satisfies Text<[]>,
  missed: {
    en: (name, count, last, made) =>
      `- ${name}: ${count} missed, the last at ${last}${made > 0 ? `; ${made} made up for now` : ""}`,
    ru: (name, count, last, made) =>
      `- ${name}: пропущено ${count}, последний раз ${last}${made > 0 ? `; сейчас выполняется ${made}` : ""}`,
    zh: (name, count, last, made) =>
      `- ${name}：错过 ${count} 次，最近一次 ${last}${made > 0 ? `；现在补做 ${made} 次` : ""}`,
  } satisfies Text<[name: string, count: number, last: string, made: number]>,
  unknown: {
    en: (name, at) =>
      `- ${name}: papa-yu stopped while it ran at ${at}; look what it did, it is not run again`,
    ru: (name, at) =>
      `- ${name}: papa-yu остановился во время запуска ${at}; проверьте, что сделано, повтора не будет`,
    zh: (name, at) => `- ${name}：papa-yu 在运行中停止（${at}）；请查看结果，不会自动重做`,
  } satisfies Text<[name: string, at: string]>,
};
