import { describe, expect, test } from "bun:test";
import { createConversation } from "../../src/agent/conversation.ts";
import type { ErrorCode } from "../../src/core/error-codes.ts";
import type { Language } from "../../src/core/language.ts";
import type { ToolFailure } from "../../src/tools/tool.ts";
import { type Reply, startModelServer } from "../support/model-server.ts";
import { ANNA, collectReply, openScene, withTools } from "./scene.ts";
import { tool } from "./turn-play.ts";

/** When a tool that goes on failing so is not offered any more. */
type Withdrawn = "at once" | "after two rounds" | "never";

interface Kind {
  readonly withdrawn: Withdrawn;
  readonly said: Readonly<Record<Language, string>>;
  readonly more?: Partial<ToolFailure>;
}

/** Every code that a tool can fail with; one that is missing here does not compile. */
const KINDS: Readonly<Record<ToolFailure["errorCode"], Kind>> = {
  invalid_args: {
    withdrawn: "never",
    said: {
      en: "it was called with arguments that do not fit",
      ru: "вызов с неподходящими параметрами",
      zh: "调用参数不合适",
    },
  },
  not_found: {
    withdrawn: "never",
    said: {
      en: "it did not find what it was asked for",
      ru: "то, что искали, не найдено",
      zh: "没有找到所要的内容",
    },
  },
  denied: {
    withdrawn: "never",
    said: { en: "it is not allowed", ru: "это не разрешено", zh: "这不被允许" },
  },
  too_large: {
    withdrawn: "never",
    said: {
      en: "it is too much or too large",
      ru: "слишком много или слишком велико",
      zh: "过多或过大",
    },
  },
  unavailable: {
    withdrawn: "after two rounds",
    more: { retryable: true },
    said: {
      en: "what it needs is out of reach or missing",
      ru: "нужный сервис, ключ или программа недоступны",
      zh: "所需的服务、密钥或程序不可用",
    },
  },
  rate_limited: {
    withdrawn: "after two rounds",
    said: {
      en: "the service asked to slow down",
      ru: "сервис просит подождать",
      zh: "服务要求放慢速度",
    },
  },
  timeout: {
    withdrawn: "after two rounds",
    said: { en: "no answer came in time", ru: "ответ не пришёл вовремя", zh: "没有及时得到回答" },
  },
  internal: {
    withdrawn: "after two rounds",
    said: { en: "it failed by itself", ru: "сбой самого инструмента", zh: "工具自身出错" },
  },
};

const { unavailable, internal, timeout } = KINDS;

/** What a failure says beside its code. */
const ROWS: readonly (readonly [string, ToolFailure["errorCode"], Kind])[] = Object.entries(
  KINDS,
).flatMap(([code, kind]) => toRow(code, kind));

const ALL = [
  ...ROWS,
  [
    "unavailable for good",
    "unavailable",
    { ...unavailable, withdrawn: "at once", more: { retryable: false } },
  ],
  [
    "internal, of this call",
    "internal",
    { ...internal, withdrawn: "never", more: { isOfCall: true } },
  ],
  [
    "timeout, of this call",
    "timeout",
    { ...timeout, withdrawn: "never", more: { isOfCall: true } },
  ],
  [
    "internal, of a code that says more",
    "internal",
    {
      ...internal,
      more: { cause: "ERR_IO" satisfies ErrorCode },
      said: {
        en: "it failed by itself",
        ru: "Диск отказал в чтении или записи",
        zh: "磁盘拒绝读取或写入",
      },
    },
  ],
] as const satisfies typeof ROWS;

function toRow(code: string, kind: Kind): typeof ROWS {
  return isToolCode(code) ? [[code, code, kind]] : [];
}

function isToolCode(code: string): code is ToolFailure["errorCode"] {
  return Object.hasOwn(KINDS, code);
}

/** A chat whose model calls the tool with another argument every round, as long as it is offered. */
async function chatWith(language: Language, failure: ToolFailure, rounds: number) {
  const look = tool("look", () => failure);
  await using model = startModelServer(({ body }, n): Reply => {
    const isOffered = body.tools?.some(({ function: { name } }) => name === "look") === true;
    if (!isOffered || n >= rounds) return { kind: "text", text: "All is well." };
    return { kind: "tools", calls: [{ name: "look", arguments: { q: `${n}` } }] };
  });
  using scene = await openScene({
    config: `[default]\nprovider = "m"\nlanguage = "${language}"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"`,
  });
  const conversation = createConversation(withTools(scene.app.current.agent, [look]));
  const reply = await collectReply((emit) => conversation.message(ANNA, "What is there?", emit));
  const answers = model.requests.flatMap(({ body }) => body.messages.at(-1)?.content ?? []);
  return { reply, runs: look.runs.length, told: answers.slice(1) };
}

const RUNS: Readonly<Record<Withdrawn, number>> = {
  "at once": 1,
  "after two rounds": 2,
  never: 3,
};

describe.each(["en", "ru", "zh"] as const)("in %s a tool that fails with", (language) => {
  test.each(ALL)("%s", async (_what, errorCode, { withdrawn, said, more }) => {
    const failure: ToolFailure = {
      ok: false,
      error: "the exact words",
      errorCode,
      retryable: false,
      ...more,
    };
    const { reply, runs, told } = await chatWith(language, failure, 9);
    const sentence = `${said[language]}; \`the exact words\``.replace(
      "; ",
      language === "zh" ? "；" : "; ",
    );
    expect(runs).toBe(RUNS[withdrawn]);
    const plain = `Error (${errorCode}): the exact words`;
    const isLast = withdrawn === "never" ? [] : [`${plain} (look is withdrawn for this turn)`];
    expect(told).toEqual([...Array(runs - isLast.length).fill(plain), ...isLast].slice(0, 2));
    if (withdrawn === "never") {
      const { code, message } = reply.last("error");
      expect(code).toBe("tool_execution_error");
      expect(message).toEndWith(`look: ${sentence}`);
      expect(reply.text).toBe("");
    } else {
      expect(reply.text).toContain(sentence);
      expect(reply.text.split(sentence)).toHaveLength(2);
      expect(reply.text).toEndWith("All is well.");
    }
  });
});

test.each(["en", "ru", "zh"] as const)(
  "a failure that a model passes over in its answer is said behind it, in %s",
  async (language) => {
    const failure = { ok: false, error: "busy", errorCode: "timeout", retryable: true } as const;
    const { reply } = await chatWith(language, failure, 1);
    expect(reply.text).toStartWith("All is well.\n\n");
    expect(reply.text.trimEnd()).toContain(KINDS.timeout.said[language]);
    expect(reply.kinds).not.toContain("error");
  },
);
