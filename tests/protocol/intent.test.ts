import { describe, expect, test } from "bun:test";
import { decideIntent, isYes } from "../../src/protocol/intent.ts";

function kindOf(text: string, hasPlan = false): string {
  return decideIntent(text, { hasPlan }).kind;
}

describe("decideIntent()", () => {
  test("follows a prefix, whatever else is said", () => {
    expect(decideIntent("plan: create a parser", { hasPlan: true })).toEqual({
      kind: "plan",
      goal: "create a parser",
    });
    expect(decideIntent("  Apply:\nfix it\nnow ", { hasPlan: false })).toEqual({
      kind: "apply",
      goal: "fix it\nnow",
    });
    expect(kindOf("plan:")).toBe("chat");
    expect(kindOf("my plan: sleep")).toBe("chat");
  });

  const yes = [
    "ok",
    "ок",
    "apply",
    "применяй",
    "применить",
    "делай",
    "да",
    "yes",
    "go",
    "вперёд",
    "好",
    "好的",
    "y",
    "д",
    "是",
    "应用",
  ];
  for (const word of yes) {
    test(`takes "${word}" as yes to a stored plan only`, () => {
      expect(kindOf(word, true)).toBe("apply_stored");
      expect(kindOf(` ${word.toUpperCase()}\n`, true)).toBe("apply_stored");
      expect(kindOf(word)).toBe("chat");
      expect(kindOf(`${word} 2 x`, true)).toBe("chat");
    });
  }

  for (const word of ["no", "n", "нет", "не", "н", "不", "不要", "不行", "否", "拒绝"]) {
    test(`takes "${word}" as no to a question only`, () => {
      const asked = { hasPlan: true, isAsked: true };
      expect(decideIntent(word, asked).kind).toBe("reject");
      expect(decideIntent(` ${word.toUpperCase()}!\n`, asked).kind).toBe("reject");
      expect(decideIntent(`${word} x`, asked).kind).toBe("chat");
      expect(kindOf(word, true)).toBe("chat");
    });
  }

  for (const word of ["исправь", "исправить", "почини", "fix"]) {
    test(`plans on the word "${word}"`, () => {
      expect(decideIntent(` ${word} the test`, { hasPlan: true })).toEqual({
        kind: "plan",
        goal: `${word} the test`,
      });
      expect(kindOf(`Please, ${word.toUpperCase()} it`)).toBe("plan");
      expect(kindOf(`x${word} it`)).toBe("chat");
      expect(kindOf(`${word}ы it`)).toBe("chat");
    });
  }

  for (const word of ["создай", "сгенерируй", "create", "с нуля"]) {
    test(`applies on the word "${word}"`, () => {
      expect(kindOf(`${word} a file`)).toBe("apply");
      expect(kindOf(`Now: ${word.toUpperCase()}!`)).toBe("apply");
      expect(kindOf(`${word}d a file`)).toBe("chat");
      expect(kindOf(`x_${word} a file`)).toBe("chat");
    });
  }

  test("finds Chinese words inside a sentence", () => {
    expect(kindOf("请修复这个错误")).toBe("plan");
    expect(kindOf("请创建一个文件")).toBe("apply");
  });

  test("plans where a message speaks of both", () => {
    expect(kindOf("fix the test and create a file")).toBe("plan");
  });

  for (const text of [
    "",
    "hello",
    "who created this?",
    "the prefix is wrong",
    "fix-up commits",
    "исправьте",
  ]) {
    test(`chats on ${JSON.stringify(text)}`, () => {
      expect(decideIntent(text, { hasPlan: true })).toEqual({ kind: "chat", goal: text });
    });
  }
});

describe("isYes()", () => {
  const clear = ["y", "yes", "д", "да", "好", "好的", "是"];
  test.each(clear)('takes "%s" for a yes at a [y/N]', (word) => {
    expect([word, ` ${word.toUpperCase()}!\n`].map(isYes)).toEqual([true, true]);
  });

  test("takes no other word for one, though it goes on with a plan", () => {
    const others = ["ok", "ок", "go", "apply", "применяй", "применить", "делай", "вперёд", "应用"];
    expect(others.filter((word) => kindOf(word, true) !== "apply_stored")).toEqual([]);
    expect(others.filter(isYes)).toEqual([]);
  });
});
