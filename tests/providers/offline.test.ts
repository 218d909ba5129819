import { describe, expect, test } from "bun:test";
import { complete } from "../../src/providers/complete.ts";
import { createOfflineProvider } from "../../src/providers/offline.ts";

describe("createOfflineProvider()", () => {
  test.each([
    ["hello", "No model is configured"],
    ["привет, как дела?", "Модель не настроена"],
    ["你好", "尚未配置模型"],
    ["", "No model is configured"],
  ])("answers %j in the language of the question", async (content, beginning) => {
    const answer = await complete(createOfflineProvider(), {
      messages: [
        { role: "user", content: "первый вопрос" },
        { role: "user", content },
      ],
    });
    expect(answer.text).toStartWith(beginning);
    expect(answer.reason).toBe("stop");
    for (const word of ["`plan: …`", "`ok`", "`undo`", "[providers.openai]", "config.toml"]) {
      expect(answer.text).toContain(word);
    }
  });
});
