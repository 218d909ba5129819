import type { Widened } from "../../../texts/wording.ts";
import type { CARE_EN } from "./care-en.ts";

/** What keeps papa-yu well, in Chinese. */
export const CARE_ZH: Widened<typeof CARE_EN> = {
  parts: { doctor: "诊断", log: "日志" },
  doctor: {
    looking: "正在检查所有内容…",
    again: "再检查一次",
    sum: (failed: number, warnings: number) =>
      failed + warnings === 0 ? "一切正常。" : `${failed} 个故障，${warnings} 个警告`,
    states: { failed: "故障", warning: "警告", ok: "正常" },
    mend: "怎么办：",
    subjects: {
      configuration: "配置",
      home: "主文件夹",
      database: "数据库",
      copies: "副本",
      daemon: "守护进程",
      "state.db": "state.db",
      "last end": "上次结束",
      log: "日志",
      retention: "保留",
      provider: "模型",
      research: "网络搜索",
      telegram: "Telegram",
      sandbox: "沙箱",
      workspace: "工作区",
      workspaces: "工作区",
      skills: "技能",
      channel: "通道",
      "web console": "网页控制台",
      "MCP server": "MCP 服务器",
    },
  },
  log: {
    level: "级别",
    levels: { info: "全部", warning: "警告", error: "错误" },
    search: "搜索",
    older: "更早的行",
    none: "这里没有内容。",
    noneHere: "已查看的部分中没有找到；更早的行中可能有。",
    unseen: (count: number) => `${count} 行新内容：到末尾`,
    cut: (count: number) => `… 还有 ${count} 个字符`,
  },
};
