const files = (count: number) => `${count} 个文件`;

/** What a person says of a change set and leaves out of it, in Chinese. */
export const REVISING_ZH = {
  comment: {
    onLine: (line: number) => `批注第 ${line} 行`,
    onOldLine: (line: number) => `批注已删除的第 ${line} 行`,
    onFile: (path: string) => `批注 ${path}`,
    onLines: (from: number, to: number) => `批注第 ${from}–${to} 行`,
    onOldLines: (from: number, to: number) => `批注原第 ${from}–${to} 行`,
    lines: (from: number, to: number) => (from === to ? `第 ${from} 行` : `第 ${from}–${to} 行`),
    oldLines: (from: number, to: number) =>
      from === to ? `原第 ${from} 行` : `原第 ${from}–${to} 行`,
    toLine: "至行",
    writeLine: "自己写这一行",
    writeLines: "自己写这些行",
    instead: (line: number) => `第 ${line} 行应为`,
    insteadOf: (from: number, to: number) => `第 ${from}–${to} 行应为`,
    onAll: "批注整体",
    drop: "丢弃",
    dropOf: (label: string) => `丢弃：${label}`,
    said: "您对上一版说过",
    saidAt: (line: number) => `您对上一版第 ${line} 行说过，该行已不存在`,
    waiting: (count: number) => `${count} 条批注将随“修改…”发送`,
    failed: (reason: string) => `未能保存您写的内容：${reason}`,
    passOver: (label: string, count: number) => `${label}，不发送 ${count} 条批注`,
    passWords: (label: string) => `${label}，不发送已输入的内容`,
    notSent: (count: number) => `${count} 条批注未发送`,
    elsewhere: "另一个窗口里这里的文字不同。",
    takeThose: "显示那些文字",
    full: (most: number) => `一条批注最多 ${most} 个字符：超出的部分没有放入。`,
  },
  leave: {
    word: "包含",
    take: (path: string) => `包含 ${path}`,
    takeHunk: (number: number, path: string) => `包含 ${path} 的第 ${number} 处更改`,
    hunk: (number: number) => `第 ${number} 处更改`,
    asBefore: (number: number) => `第 ${number} 处更改：与上一版相同`,
    asLooked: (number: number) => `第 ${number} 处更改：与您看过时相同`,
    out: (files_: number, hunks: number) =>
      `排除 ${[
        ...(files_ > 0 ? [files(files_)] : []),
        ...(hunks > 0 ? [`${hunks} 处更改`] : []),
      ].join("、")}`,
    noYes: (label: string) => `有内容被排除时，不能同意全部：请按“${label}”，或重新包含全部。`,
    all: "重新包含全部",
    failed: (reason: string) => `未能保存您排除的内容：${reason}`,
    before: (parts: string) => `您从上一版中排除了：${parts}`,
    some: (hunks: number, path: string) => `${path} 的 ${hunks} 处更改`,
  },
};
