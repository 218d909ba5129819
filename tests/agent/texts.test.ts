import { expect, test } from "bun:test";
import { openAttack, type Step, spy } from "../security/attack-scene.ts";

const fails: Step[] = ["a", "b", "c"].map((q) => [["look", { q }]]);
const busy = { ok: false, error: "busy", errorCode: "timeout", retryable: true } as const;

test.each([
  [
    "en",
    "(look could not be completed: no answer came in time; `busy`)",
    "The tool calls failed",
    "Nothing is running.",
  ],
  [
    "ru",
    "(look: выполнить не удалось: ответ не пришёл вовремя; `busy`)",
    "Вызовы инструментов не удались",
    "Сейчас ничего не выполняется.",
  ],
  ["zh", "（look 未能完成：没有及时得到回答；`busy`）", "工具调用失败", "当前没有正在进行的工作。"],
])("the agent's own sentences are in the language of the interface: %s", async (...row) => {
  const [language, withdrawn, failed, idle] = row;
  const security = `[default]\nlanguage = "${language}"`;
  const tools = [spy("look", "none", { answer: () => busy })];
  using scene = await openAttack({ steps: fails, tools, security });
  const reply = await scene.say("look");
  expect(reply.text).toContain(withdrawn);
  expect(reply.last("error").message).toStartWith(failed);
  expect((await scene.say("/cancel")).text).toBe(idle);
});
