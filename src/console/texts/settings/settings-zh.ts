import type { Widened } from "../../../texts/widened.ts";
import type { SETTINGS_EN } from "./settings-en.ts";

/** Settings, in Chinese. */
export const SETTINGS_ZH: Widened<typeof SETTINGS_EN> = {
  title: "设置",
  file: "配置",
  box: "配置的文本",
  offers: "建议",
  taken: (offer) => `已填入：${offer}`,
  notThere: "还没有这个文件；它从第一个键开始",
  masked: (count: number) => `${count} 处含有密钥，已遮盖；您不更改的内容保持不变`,
  cannotShow: "配置无法在此显示",
  looking: "正在检查…",
  found: (count: number) => (count === 0 ? "没有问题。" : `${count} 个问题`),
  line: (line: number) => `第 ${line} 行`,
  hidden: "含有看不见的字符：",
  review: "显示将有的变化",
  discard: "放弃已输入的内容",
  rebase: "重新读取文件，保留已输入的内容",
  saved: (path: string) => `已保存到 ${path}。`,
  beside: {
    title: "另外还有一个文件",
    where: (path: string) =>
      `${path} 位于启动 papa-yu 的文件夹中。它不是上面的文件：没有写入它，它也不妨碍保存。`,
    untrusted: "您没有信任它，因此它只能使您的配置更严格。",
    changed: "它在您信任之后有了变化，因此目前只能使您的配置更严格。",
    broken: (reason: string) => `它未受信任，而且有错误，因此不予采用：${reason}`,
    other: (names: string) => `它看来属于另一个程序，因此不予采用：papa-yu 没有 ${names}。`,
    held: (names: string) => `其中这些生效，因为它们不会允许更多：${names}。`,
    ignored: (names: string) => `其中这些键不生效：${names}。`,
    trust: "在那个文件夹中运行 papayu config trust，会显示它将改变什么，并请您确认。",
    list: (names: readonly string[], left: number) =>
      names.join("、") + (left > 0 ? `，另有 ${left} 个` : ""),
  },
  keys: "所有键",
  search: "按词搜索",
  keysFound: (shown: number, all: number) =>
    shown >= all ? `${all} 个键` : `${all} 个键中的 ${shown} 个`,
  put: "插入",
  putKey: (key: string) => `插入：${key}`,
  allowed: (allowed: string) => `允许：${allowed}`,
  initial: (value: string) => `默认：${value}`,
  facts: {
    gate: "会开放权限",
    program: "指定程序",
    looser: "允许更多",
    secret: "密钥",
    restart: "下次启动时生效",
  },
  opens: {
    gate: "决定谁可以与 papa-yu 对话，或它不经询问可做什么",
    program: "指定 papa-yu 启动的程序，或启动它们所用的内容",
    looser: "比以前允许更多",
    secret: "更改密钥",
    restart: "在 papayu restart 之后生效",
  },
  saveTitle: "将保存以下内容",
  inForce: (count: number) => `${count} 个键将有另一个值`,
  nothingChanges: "没有键会有另一个值：只有文本不同。",
  was: (before: string) => `原为 ${before}`,
  back: "返回文本",
  save: "保存",
};
