import type { Language } from "../core/language.ts";

/** A routine to begin with, to be switched on once its owner has looked at it. */
export interface Starter {
  readonly schedule: string;
  readonly mode: "ask" | "plan";
  readonly needsWorkspace: boolean;
  readonly task: Readonly<Record<Language, string>>;
}

/** What `papayu routine add --starter NAME` offers. */
export const STARTERS: Readonly<Record<string, Starter>> = {
  morning: {
    schedule: "0 8 * * 1-5",
    mode: "ask",
    needsWorkspace: true,
    task: {
      en: "Look at which files of the workspace changed since yesterday and what they say now. Give me at most five lines: what changed, what is left open, what to do first today. Change nothing.",
      ru: "Посмотри, какие файлы рабочей папки изменились со вчерашнего дня и что в них теперь. Ответь не более чем пятью строками: что изменилось, что осталось открытым, с чего начать сегодня. Ничего не меняй.",
      zh: "查看工作区中自昨天以来有哪些文件变动以及现在的内容。最多用五行回答：有什么变化、还有什么未完成、今天先做什么。不要修改任何内容。",
    },
  },
  tidy: {
    schedule: "0 22 * * *",
    mode: "plan",
    needsWorkspace: true,
    task: {
      en: "Tidy the notes of today: mend headings and lists, join notes on the same subject, put dates into the form 2026-05-17. Keep every fact and every sentence that is not a repetition.",
      ru: "Приведи в порядок сегодняшние заметки: поправь заголовки и списки, объедини заметки на одну тему, запиши даты в виде 2026-05-17. Сохрани все факты и все предложения, кроме повторов.",
      zh: "整理今天的笔记：修正标题和列表，合并同一主题的笔记，把日期写成 2026-05-17 的形式。保留所有事实和所有非重复的句子。",
    },
  },
  report: {
    schedule: "0 9 * * 1",
    mode: "ask",
    needsWorkspace: false,
    task: {
      en: "Run `papayu report --last 200` with run_command and tell me in five lines how the applies of the last week went: how many, how many failed and why, whether the fallback to protocol 1 was needed. If you may not run it, say so in one line.",
      ru: "Запусти `papayu report --last 200` через run_command и расскажи в пяти строках, как прошли применения за неделю: сколько, сколько неудачных и почему, понадобился ли откат к протоколу 1. Если запуск не разрешён, скажи об этом одной строкой.",
      zh: "用 run_command 运行 `papayu report --last 200`，用五行说明上周的应用情况：共多少次、失败多少次及原因、是否需要回退到协议 1。如果不允许运行，用一行说明。",
    },
  },
  dependencies: {
    schedule: "0 10 * * 1",
    mode: "ask",
    needsWorkspace: true,
    task: {
      en: "Find out which package manager the workspace uses and run its command that lists outdated packages (such as `npm outdated`, `bun outdated`, `cargo update --dry-run`) with run_command. Name the updates that mend a security fault or are a new major version. Install nothing. If you may not run it, say which command to allow.",
      ru: "Выясни, какой менеджер пакетов используется в рабочей папке, и запусти через run_command его команду со списком устаревших пакетов (например `npm outdated`, `bun outdated`, `cargo update --dry-run`). Назови обновления, которые закрывают уязвимость или меняют старшую версию. Ничего не устанавливай. Если запуск не разрешён, скажи, какую команду разрешить.",
      zh: "确定工作区使用的包管理器，用 run_command 运行列出过期依赖的命令（如 `npm outdated`、`bun outdated`、`cargo update --dry-run`）。指出修复安全问题或主版本升级的更新。不要安装任何东西。如果不允许运行，说明需要允许哪个命令。",
    },
  },
};
