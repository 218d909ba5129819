import { describe, expect, test } from "bun:test";
import { createConversation } from "../../src/agent/conversation.ts";
import type { ErrorCode } from "../../src/core/error-codes.ts";
import type { Language } from "../../src/core/language.ts";
import type { ToolFailure } from "../../src/tools/tool.ts";
import { type Reply, startModelServer } from "../support/model-server.ts";
import { KINDS, type Kind, RUNS } from "./failure-words.ts";
import { ANNA, collectReply, openScene, withTools } from "./scene.ts";
import { tool } from "./turn-play.ts";

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
