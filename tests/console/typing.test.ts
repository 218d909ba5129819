import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { COMMANDS, commandOf } from "../../src/console/commands/keys.ts";
import { createTyping } from "../../src/console/commands/typing.ts";
import { runs } from "../support/long.ts";

/** Keys on a page where nothing has the focus, each some time behind the one before. */
function type(keys: readonly (readonly [key: string, ms: number])[], restMs = 10_000) {
  let now = 1000;
  let due: { readonly at: number; readonly run: () => void } | undefined;
  const ran: string[] = [];
  let hurried = 0;
  const typing = createTyping({
    start: (run, ms) => (due = { at: now + ms, run }),
    clear: (timer) => {
      if (timer === due) due = undefined;
    },
  });
  const pass = (ms: number) => {
    now += ms;
    if (!due || due.at > now) return;
    const { run } = due;
    due = undefined;
    run();
  };
  for (const [key, ms] of keys) {
    pass(ms);
    const press = { key, code: "", repeat: false, on: "nothing" } as const;
    const none = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false };
    const command = commandOf({ ...press, ...none }, "review");
    const isSign = key.length === 1;
    const run = command && (() => void ran.push(command));
    typing.press({ at: now, isSign, command }, run, () => (hurried += 1));
  }
  pass(restMs);
  return { ran, hurried, stop: () => typing.stop() };
}

const spelled = (text: string, ms: number) => text.split("").map((key) => [key, ms] as const);
const answers = ({ ran }: { readonly ran: readonly string[] }) =>
  ran.filter((each) => each === "approve" || each === "reject");

describe("createTyping()", () => {
  test("takes a yes or a no that stands alone, also behind a step, and twice as once", () => {
    expect(answers(type([["a", 2000]]))).toEqual(["approve"]);
    expect(answers(type([["r", 2000]]))).toEqual(["reject"]);
    expect(
      answers(
        type([
          ["j", 2000],
          ["a", 50],
        ]),
      ),
    ).toEqual(["approve"]);
    expect(answers(type(spelled("aaa", 50)))).toEqual(["approve"]);
  });

  test("runs whatever answers nothing at once", () => {
    expect(type(spelled("jjv", 10), 0).ran).toEqual(["next", "next", "seen"]);
  });

  test("says so where one came too soon behind another key", () => {
    const { ran, hurried } = type([
      ["v", 2000],
      ["a", 100],
    ]);
    expect([ran, hurried]).toEqual([["seen"], 1]);
  });

  test("is not kept waiting by whoever presses again because it came too soon", () => {
    const again = [2000, 100, 250, 250, 250].map((ms, at) => [at === 0 ? "v" : "a", ms] as const);
    const { ran, hurried } = type(again);
    expect([ran, hurried]).toEqual([["seen", "approve"], 3]);
  });

  test("takes no answer from a text, however fast or slowly within a word it is typed", () => {
    const word = fc
      .array(fc.constantFrom(..."abcdefghilmnoprstuvwxyz .,'".split("")), {
        minLength: 2,
        maxLength: 30,
      })
      .filter((signs) => !/^[jknp]+[ar]?$/u.test(signs.join("")));
    fc.assert(
      fc.property(word, fc.integer({ min: 1, max: 290 }), (signs, ms) => {
        const typed = type(signs.map((sign) => [sign, ms] as const));
        // Steps and one answer, or the same answer again and again, are no word.
        const isWord = !/^[np]*[ar]+$/u.test(signs.join("")) && !/aaa|rrr/u.test(signs.join(""));
        if (isWord) expect(answers(typed)).toEqual([]);
      }),
      { numRuns: runs(300, 20_000) },
    );
  });

  test("answers nothing when the place is left", () => {
    const typed = type([["a", 2000]], 0);
    typed.stop();
    expect(typed.ran).toEqual([]);
  });
});

test("both answers are keys of the places where something is answered", () => {
  for (const place of ["inbox", "review"] as const) {
    expect(COMMANDS[place]).toEqual(expect.arrayContaining(["approve", "reject"]));
  }
});
