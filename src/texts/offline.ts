import { CHANGES_EN, plural } from "./plural.ts";

/** What is said and planned without a model, and tasks to begin with, in English. */
export const OFFLINE_EN = {
  offline: {
    /** Every chat is answered so. */
    help: `No model is configured, so I cannot chat. What works without one:

- \`plan: …\` – look at the workspace and propose what a newcomer would miss
- \`ok\` – show the plan's changes and apply them after your approval
- \`undo\`, \`redo\` – take back the last apply, or bring it back
- \`/help\` – every command

To get a model, fill in \`[providers.openai]\` in \`config.toml\` (base_url, api_key, model; any OpenAI-compatible server will do) and set \`default.provider = "openai"\`. \`papayu doctor\` says what is still missing.`,
    /** The kind is unknown of what has none of the manifests that the rules read. */
    diagnosis: (name: string, kind: string | undefined, files: number, found: string) =>
      `"${name}" is a ${kind ? `${kind} ` : ""}project of ${plural("en", files, { one: "file", many: "files" })}. ${found}`,
    nothing: "The built-in rules find nothing to add or fix.",
    proposed: (count: number) =>
      `The built-in rules (no model was asked) propose ${plural("en", count, CHANGES_EN)}.`,
    /** Words of a goal that a rule goes by. */
    knownWords: (words: readonly string[]) =>
      `Of the goal they went by ${words.map((word) => `"${word}"`).join(", ")} alone.`,
    unknownGoal:
      "They cannot follow the words of this goal, which takes a model (`papayu doctor` says how to get one): they looked for what a newcomer would miss.",
    later: (count: number) =>
      `${plural("en", count, { one: "further proposal is", many: "further proposals are" })} left for the next plan: one takes no more.`,
    unseen: (files: number) =>
      files === 0
        ? "Not every file was looked at: plan again once this is applied, or for a folder of its own."
        : `${plural("en", files, { one: "file was", many: "files were" })} not looked at: plan again for a folder of its own.`,
    plan: "Plan",
    create: "Create",
    patch: "Patch",
    check: "How to check",
    byReading: "read the new files; the project has no checks to run",
    /** Why a file is proposed. */
    reasons: {
      license: "the MIT licence",
      envExample: "the names (never the values) of the settings that .env holds",
      gitignore: "keeps generated files and secrets out of git",
      offByOne: (lines: string, read: string) =>
        `the loop in line ${lines} runs once too often and reads ${read} past the end`,
      editorconfig: "tells every editor the indentation that the sources already have",
      readme: "what the project is, its commands and its layout",
      firstTest: (name: string, path: string) => `a first test: it imports ${name} from ${path}`,
    },
  },
  /** Tasks of `routine add --starter`. */
  starters: {
    morning:
      "Look at which files of the workspace changed since yesterday and what they say now. Give me at most five lines: what changed, what is left open, what to do first today. Change nothing.",
    tidy: "Tidy the notes of today: fix headings and lists, join notes on the same subject, put dates into the form 2026-05-17. Keep every fact and every sentence that is not a repetition.",
    report:
      "Run `papayu report --last 200` with run_command and tell me in five lines how the applies of the last week went: how many, how many failed and why, whether the fallback to protocol 1 was needed. If you may not run it, say so in one line.",
    dependencies:
      "Find out which package manager the workspace uses and run its command that lists outdated packages (such as `npm outdated`, `bun outdated`, `cargo update --dry-run`) with run_command. Name the updates that fix a security problem or are a new major version. Install nothing. If you may not run it, say which command to allow.",
  },
};

/** What is said and planned without a model, and tasks to begin with, in Russian. */
export const OFFLINE_RU: typeof OFFLINE_EN = {
  offline: {
    help: `Модель не настроена, поэтому беседовать я не могу. Что работает без неё:

- \`plan: …\` – посмотреть рабочую папку и предложить то, чего не хватит новичку
- \`ok\` – показать изменения по плану и применить их после вашего согласия
- \`undo\`, \`redo\` – отменить последнее применение или вернуть его
- \`/help\` – все команды

Чтобы подключить модель, заполните \`[providers.openai]\` в \`config.toml\` (base_url, api_key, model; подойдёт любой OpenAI-совместимый сервер) и укажите \`default.provider = "openai"\`. \`papayu doctor\` подскажет, чего ещё не хватает.`,
    diagnosis: (name, kind, files, found) =>
      `Проект «${name}»${kind ? ` (${kind})` : ""}, файлов: ${files}. ${found}`,
    nothing: "Встроенные правила не нашли, что добавить или исправить.",
    proposed: (count) => `Встроенные правила (без модели) предлагают изменений: ${count}.`,
    knownWords: (words) =>
      `Из цели они поняли только: ${words.map((word) => `«${word}»`).join(", ")}.`,
    unknownGoal:
      "Слова этой цели им непонятны, для неё нужна модель (как её подключить, скажет `papayu doctor`): они искали то, чего не хватит новичку.",
    later: (count) =>
      `Ещё предложений: ${count}, они останутся следующему плану: больше в один не входит.`,
    unseen: (files) =>
      files === 0
        ? "Просмотрены не все файлы: после применения составьте план ещё раз или для отдельной папки."
        : `Не просмотрено файлов: ${files}. Составьте план для отдельной папки.`,
    plan: "План",
    create: "Создать",
    patch: "Исправить",
    check: "Как проверить",
    byReading: "прочитать новые файлы; проверок в проекте нет",
    reasons: {
      license: "лицензия MIT",
      envExample: "имена (без значений) настроек из .env",
      gitignore: "не пускает в git сгенерированные файлы и секреты",
      offByOne: (lines, read) =>
        `цикл в строке ${lines} делает лишний шаг и читает ${read} за концом массива`,
      editorconfig: "сообщает редакторам отступы, которые уже приняты в проекте",
      readme: "что это за проект, его команды и устройство",
      firstTest: (name, path) => `первый тест: импортирует ${name} из ${path}`,
    },
  },
  starters: {
    morning:
      "Посмотри, какие файлы рабочей папки изменились со вчерашнего дня и что в них теперь. Ответь не более чем пятью строками: что изменилось, что осталось открытым, с чего начать сегодня. Ничего не меняй.",
    tidy: "Приведи в порядок сегодняшние заметки: поправь заголовки и списки, объедини заметки на одну тему, запиши даты в виде 2026-05-17. Сохрани все факты и все предложения, кроме повторов.",
    report:
      "Запусти `papayu report --last 200` через run_command и расскажи в пяти строках, как прошли применения за неделю: сколько, сколько неудачных и почему, понадобился ли откат к протоколу 1. Если запуск не разрешён, скажи об этом одной строкой.",
    dependencies:
      "Выясни, какой менеджер пакетов используется в рабочей папке, и запусти через run_command его команду со списком устаревших пакетов (например `npm outdated`, `bun outdated`, `cargo update --dry-run`). Назови обновления, которые закрывают уязвимость или меняют старшую версию. Ничего не устанавливай. Если запуск не разрешён, скажи, какую команду разрешить.",
  },
};

/** What is said and planned without a model, and tasks to begin with, in Chinese. */
export const OFFLINE_ZH: typeof OFFLINE_EN = {
  offline: {
    help: `尚未配置模型，因此我还不能聊天。没有模型也可以使用：

- \`plan: …\` – 查看工作区，建议补充新成员需要的内容
- \`ok\` – 显示计划的更改，经您批准后应用
- \`undo\`、\`redo\` – 撤销上一次应用，或恢复它
- \`/help\` – 所有命令

要使用模型，请在 \`config.toml\` 中填写 \`[providers.openai]\`（base_url、api_key、model；任何兼容 OpenAI 的服务器都可以），并设置 \`default.provider = "openai"\`。\`papayu doctor\` 会告诉您还缺少什么。`,
    diagnosis: (name, kind, files, found) =>
      `“${name}”是${kind ?? "一个"}项目，共 ${files} 个文件。${found}`,
    nothing: "内置规则没有发现需要补充或修复的内容。",
    proposed: (count) => `内置规则（未使用模型）建议 ${count} 项更改。`,
    knownWords: (words) => `它们只按目标中的${words.map((word) => `“${word}”`).join("、")}行事。`,
    unknownGoal:
      "它们看不懂这个目标，这需要模型（`papayu doctor` 会说明如何配置）：它们查找的是新成员会缺少的内容。",
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
