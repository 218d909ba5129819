import type { Widened } from "../../../texts/widened.ts";
import type { HELP_EN, LINE_EN } from "./reading-en.ts";

/** What is said of a line of a change, in Chinese. */
export const LINE_ZH: Widened<typeof LINE_EN> = {
  added: "新增",
  removed: "删除",
  at: (number) => `第 ${number} 行`,
  openEnd: "末尾无换行",
  more: (count) => `显示更多（还有 ${count} 个字符）`,
  copied: "已复制该行的链接",
  copiedLines: (count, hidden) =>
    `已复制 ${count} 行${hidden > 0 ? `；不含折叠的 ${hidden} 行` : ""}`,
  printed: "打印的是屏幕上已绘出的内容：标有 ⋯ 之处以及收起的文件中，有些行没有打印。",
  findHint: "浏览器只查找已绘出的行；按 / 可在所有行中查找",
  oneSided: "另一侧没有这一行",
};

/** The keys and what they do, in Chinese. */
export const HELP_ZH: Widened<typeof HELP_EN> = {
  title: "按键",
  open: "按键",
  keys: {
    next: "到下一项或下一个文件",
    previous: "到上一项或上一个文件",
    open: "打开",
    unfold: "显示或隐藏更改",
    approve: "批准",
    reject: "拒绝",
    nextChange: "下一处更改",
    previousChange: "上一处更改",
    nextLine: "下一行",
    previousLine: "上一行",
    otherSide: "同一行的另一侧：更改前或更改后",
    search: "搜索",
    tree: "文件树",
    split: "单栏或并排",
    blanks: "忽略空白",
    reading: "供屏幕阅读器使用的朗读模式",
    copyLink: "复制该行的链接",
    comment: "批注该行或这些行",
    extendDown: "向下多一行：要批注的行，或批注所及的行",
    extendUp: "向上多一行：要批注的行，或批注所及的行",
    seen: "将文件标记为已看或取消",
    inbox: "回到收件箱",
    help: "按键",
    close: "关闭",
  },
};
