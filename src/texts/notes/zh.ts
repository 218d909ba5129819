import type { NoteWords, SpecialFlag } from "./notes.ts";

const WHO = { patch: "补丁", edit: "编辑" } as const;
const OF = { hunk: "补丁块", edit: "编辑" } as const;

const putsBack = (flags: readonly SpecialFlag[]) =>
  `papa-yu 不会设置这类位；可用 chmod ${flags.join(",")} 恢复`;
const bits = (flags: readonly SpecialFlag[]) => ` ${flags.join("、")} 位`;
const keep = (names: number) =>
  names === 2 ? "它的另一个名称（硬链接）仍保留旧内容" : "它的其他名称仍保留旧内容";

/** The same in Chinese. */
export const NOTES_ZH: NoteWords = {
  plain: {
    there: "已经存在，无需更改",
    twice: "写了两次，只应用一次",
    blanks: "行尾空白或缩进不同",
    signs: "空白、引号或字符形式不同",
    "blank lines": "空行不同",
    context: "有几行上下文不同",
    layout: "空白或引号不同",
    edges: "首尾的空行不同",
    tabs: "制表符与空格不同",
    markers: "上下文行缺少标记",
    numbers: "各行带有行号",
    elided: "省略了一些行",
    escaped: "换行符被转义了两次",
    colours: "带有终端颜色代码",
    prefixed: "每行前面都多了内容",
    encoded: "符号被编码",
    "non-breaking": "使用了不间断空格",
    typographic: "使用了排版引号",
    "anchor layout": "锚点的空白或缩进不同",
    "anchor cut": "锚点在单词中间截断",
    "anchor part": "锚点只是被替换内容的一部分",
  },
  placing: {
    moved: ({ lines }) => `位置${lines > 0 ? "下移" : "上移"} ${Math.abs(lines)} 行`,
    misquoted: ({ who, line, quoted, theirs }) =>
      `第 ${line} 行：${WHO[who]}中是“${quoted}”，文件中是“${theirs}”`,
    becomes: ({ who, line, quoted, theirs }) =>
      `第 ${line} 行：“${theirs}”将按${WHO[who]}中的写法变为“${quoted}”`,
    "left out": ({ who, line, theirs }) => `第 ${line} 行：${WHO[who]}中缺少“${theirs}”`,
    invented: ({ who, line, quoted }) => `第 ${line} 行：${WHO[who]}中有“${quoted}”，文件中没有`,
    "added again": ({ theirs }) => `“${theirs}”被省略后又添加：只保留一次`,
    more: ({ lines }) => `另有 ${lines} 行`,
  },
  files: {
    placed: ({ path, of, number }, said) => `${path}：第 ${number} 个${OF[of]}：${said}`,
    replaced: ({ path, names }) => `${path}：将由新文件取代；${keep(names)}`,
    unlinked: ({ path, names }) => `${path}：只删除这个名称；${keep(names)}`,
    "loses bits": ({ path, flags }) => `${path}：将失去${bits(flags)}；${putsBack(flags)}`,
    "had bits": ({ path, flags }) => `${path}：设有${bits(flags)}；恢复后不再有`,
    "back without bits": ({ path, flags }) =>
      `${path}：已恢复，但失去${bits(flags)}；${putsBack(flags)}`,
    opened: ({ path, before, after }) => `${path}：权限将变为 ${after}，比原来的 ${before} 更宽`,
    "had list": ({ path, mode }) => `${path}：有访问控制列表；换名或恢复后不再有，权限为 ${mode}`,
    "back without list": ({ path, mode }) => `${path}：已恢复，但没有访问控制列表，权限为 ${mode}`,
    "other owner": ({ path, from, to }) =>
      `${path}：属于用户 ${from}；新文件将属于 ${to}，因为 papa-yu 不能把文件转给别人`,
    "other group": ({ path, from, mode }) =>
      `${path}：属于 ${from}，papa-yu 不在该组中；新文件将属于 papa-yu 自己，权限为 ${mode}`,
    "back as other": ({ path, from, to }) =>
      `${path}：已恢复，现在属于 ${to}，因为 papa-yu 不能把它转给原来的 ${from}`,
    "was gone": ({ path }) => `${path}：其间被删除，现已恢复`,
    "folder anew": ({ path, mode }) =>
      `${path}：文件夹已不在，现已重建，仅所有者可用，权限为 ${mode}`,
    "was narrowed": ({ path, now, mode }) => `${path}：其间权限为 ${now}，现已恢复为 ${mode}`,
    "written late": ({ path, at }) =>
      `${path}：更改期间，仍打开着它的程序写入了内容；已保存在 ${at}`,
    "left out of checkout": ({ path }) =>
      `${path}：稀疏检出略去了仓库中此名下的内容；新文件将在那里取代它`,
    merged: ({ path }) => `${path}：已与之后的修改合并`,
    passing: ({ path }) => `${path}：一个部分更改它，另一个部分又改回`,
    "shown in part": ({ path }) => `${path}：只显示了一部分，context.max_total_chars 容不下全部`,
    reached: ({ hosts }) => `生成锁文件的程序曾可访问 ${hosts.join("、")}：已获人工允许`,
  },
  joins: { said: "，" },
};
