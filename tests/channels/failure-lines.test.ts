import { expect, test } from "bun:test";
import { toFailureLines } from "../../src/channels/failure-lines.ts";
import { textsIn } from "../../src/texts/texts.ts";

const [en, ru] = [textsIn("en"), textsIn("ru")];
const stale = { code: "ERR_CHANGE_SET_STALE", message: 'Cannot update "a": it changed just now' };

test("toFailureLines() gives the exact message, below a translation of its code", () => {
  expect(toFailureLines(stale, en)).toEqual([stale.message]);
  expect(toFailureLines(stale, ru)).toEqual([
    ru.failure("ERR_CHANGE_SET_STALE"),
    `Подробно: ${stale.message}`,
  ]);
});

test("toFailureLines() leaves the exact message out where the code says it all", () => {
  const nothing = { code: "UNDO_NOTHING", message: "There is nothing to undo" };
  expect(toFailureLines(nothing, en)).toEqual([nothing.message]);
  expect(toFailureLines(nothing, ru)).toEqual([ru.failure("UNDO_NOTHING")]);
});

test("toFailureLines() says what was said for the person instead of all else", () => {
  expect(toFailureLines({ ...stale, said: "Поздно" }, ru)).toEqual(["Поздно"]);
});

test.each([undefined, "NOT_OURS", "__proto__"])(
  "toFailureLines() shows only the message of code %p",
  (code) => {
    expect(toFailureLines({ code, message: "why" }, ru)).toEqual(["why"]);
  },
);
