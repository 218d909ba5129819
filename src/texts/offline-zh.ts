import type { Texts } from "./wording.ts";

/** What is said and planned without a model, and tasks to begin with, in Chinese. */
export const OFFLINE_ZH: Pick<Texts, "offline" | "starters"> = {
  offline: {
    help: `尚未配置模型，因此我还不能聊天。没有模型也可以使用：

- \`plan: …\` – 查看工作区，建议补充新成员需要的内容
- \`ok\` – 显示计划的更改，经您批准后应用
- \`undo\`、\`redo\` – 撤销上一次应用，或恢复它
- \`/help\` – 所有命令

要使用模型，请在 \`config.toml\` 中填写 \`[providers.openai]\`（base_url、api_key、model；任何兼容 OpenAI 的服务器都可以），并设置 \`default.provider = "openai"\`。\`papayu doctor\` 会告诉您还缺少什么。`,
    plainKind: "普通",
    diagnosis: (name, kind, files, found) => `“${name}”是${kind}项目，共 ${files} 个文件。${found}`,
    nothing: "内置规则没有发现需要补充或修复的内容。",
    proposed: (count) => `内置规则（未使用模型）建议 ${count} 项更改。`,
    later: (count) => `还有 ${count} 项建议留给下一个计划：一个计划放不下更多。`,
    unseen: (files) =>
      files === 0
        ? "并非所有文件都已查看：应用后请再次规划，或针对单个文件夹规划。"
        : `有 ${files} 个文件未查看：请针对单个文件夹规划。`,
    plan: "计划",
    create: "创建",
    patch: "修改",
    check: "如何检查",
    byReading: "阅读新文件；该项目没有可运行的检查",
    reasons: {
      license: "MIT 许可证",
      envExample: ".env 中各项设置的名称（不含值）",
      gitignore: "避免把生成文件和机密提交到 git",
      offByOne: (lines, read) => `第 ${lines} 行的循环多执行一次，${read} 读取越界`,
      editorconfig: "让编辑器遵循项目已有的缩进",
      readme: "项目介绍、命令和目录结构",
      firstTest: (name, path) => `第一个测试：从 ${path} 导入 ${name}`,
    },
  },
  starters: {
    morning:
      "查看工作区中自昨天以来有哪些文件变动以及现在的内容。最多用五行回答：有什么变化、还有什么未完成、今天先做什么。不要修改任何内容。",
    tidy: "整理今天的笔记：修正标题和列表，合并同一主题的笔记，把日期写成 2026-05-17 的形式。保留所有事实和所有非重复的句子。",
    report:
      "用 run_command 运行 `papayu report --last 200`，用五行说明上周的应用情况：共多少次、失败多少次及原因、是否需要回退到协议 1。如果不允许运行，用一行说明。",
    dependencies:
      "确定工作区使用的包管理器，用 run_command 运行列出过期依赖的命令（如 `npm outdated`、`bun outdated`、`cargo update --dry-run`）。指出修复安全问题或主版本升级的更新。不要安装任何东西。如果不允许运行，说明需要允许哪个命令。",
  },
};
