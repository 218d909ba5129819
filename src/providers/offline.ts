import { type Language, languageOf } from "../core/language.ts";
import type { Provider } from "./provider.ts";

/** Answers a chat while no model is configured: what works without one, and how to get one. */
export function createOfflineProvider(): Provider {
  return {
    name: "offline",
    model: "built-in",
    async *stream(request) {
      const last = request.messages.findLast((message) => message.role === "user");
      yield { kind: "content", text: HELP[languageOf(last?.content ?? "")] };
      yield { kind: "end", reason: "stop", usage: { inputTokens: 0, outputTokens: 0 } };
    },
  };
}

const HELP: Readonly<Record<Language, string>> = {
  en: `No model is configured, so I cannot chat. What works without one:

- \`plan: …\` – look at the workspace and propose what a newcomer would miss
- \`ok\` – show the plan's changes and apply them after your approval
- \`undo\`, \`redo\` – take back the last apply, or bring it back
- \`/help\` – every command

To get a model, fill in \`[providers.openai]\` in \`config.toml\` (base_url, api_key, model; any OpenAI-compatible server will do) and set \`default.provider = "openai"\`. \`papayu doctor\` says what is still missing.`,
  ru: `Модель не настроена, поэтому беседовать я не могу. Что работает без неё:

- \`plan: …\` – посмотреть рабочую папку и предложить то, чего не хватит новичку
- \`ok\` – показать изменения по плану и применить их после вашего согласия
- \`undo\`, \`redo\` – отменить последнее применение или вернуть его
- \`/help\` – все команды

Чтобы подключить модель, заполните \`[providers.openai]\` в \`config.toml\` (base_url, api_key, model; подойдёт любой OpenAI-совместимый сервер) и укажите \`default.provider = "openai"\`. \`papayu doctor\` подскажет, чего ещё не хватает.`,
  zh: `尚未配置模型，因此我还不能聊天。没有模型也可以使用：

- \`plan: …\` – 查看工作区，提出新手会缺少的内容
- \`ok\` – 显示计划的更改，经您批准后应用
- \`undo\`、\`redo\` – 撤销上一次应用，或恢复它
- \`/help\` – 所有命令

要使用模型，请在 \`config.toml\` 中填写 \`[providers.openai]\`（base_url、api_key、model；任何兼容 OpenAI 的服务器都可以），并设置 \`default.provider = "openai"\`。\`papayu doctor\` 会告诉您还缺少什么。`,
};
