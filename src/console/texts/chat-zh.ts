import type { Texts } from "./wording.ts";

/** Conversations, in Chinese. */
export const CHAT_ZH = {
  title: "对话",
  begin: "新对话",
  all: "所有对话",
  none: "还没有对话。",
  untitled: "没有保存的文字",
  older: "显示更早的对话",
  olderMessages: "显示更早的消息",
  log: "对话内容",
  you: "你",
  message: "消息",
  keys: "Enter 发送，Shift+Enter 换行。",
  whileRunning: "离开或重新加载页面会停止回答。",
  send: "发送",
  stop: "停止",
  call: "工具调用：",
  noResult: "没有保存它的结果。",
  file: "给你的文件：",
  elsewhere: "这里只能阅读，对话在开始的地方继续：在那里输入的“是”会回答只有本页显示过的问题。",
  channels: { http: "控制台或程序", terminal: "终端", telegram: "Telegram" },
  states: {
    sent: "已发送…",
    running: "papa-yu 正在处理…",
    ended: "已回答",
    stopped: "已停止。已批准的继续进行。",
    failed: "失败",
    lost: "回答结束前连接中断。papa-yu 恢复后会显示已保存的部分。",
  },
  left: {
    running: "页面在回答结束前被离开；正在查询结果…",
    over: "页面在回答结束前被离开，回答因此停止。已保存的部分在上方，等待你的在下方。",
  },
} as const satisfies Texts["chat"];
