import { expect, spyOn, test } from "bun:test";
import * as views from "../../src/patch/edits/edit-view.ts";
import { applyEdits } from "../../src/patch/edits/edits.ts";
import { measureEffort } from "../support/effort.ts";
import { runs } from "../support/long.ts";
import { edit } from "./edits.ts";

const BODY = 12;

/** A file of functions with different lines, and an edit of one line in each `step`th of them. */
function fileWith(functions: number, step: number) {
  const lines = Array.from({ length: functions }, (_, f) => [
    `function name${f}(list) {`,
    ...Array.from({ length: BODY }, (_line, i) => `  const value${f}x${i} = compute(${i % 7});`),
    "}",
  ]);
  const picks = lines.filter((_, f) => f % step === 0);
  const edits = picks.flatMap(([head = "", , , line = ""], i) => {
    const after = `${line.replace("compute", "other")}\n  added${i}();`;
    return i % 2 === 0 ? edit(head, line, after) : edit(line, line, after);
  });
  return { source: `${lines.flat().join("\n")}\n`, edits };
}

/** The text after the edits one by one, each in the whole of it. */
function oneByOne(source: string, edits: ReturnType<typeof fileWith>["edits"]) {
  const hunks = [];
  let text = source;
  for (const one of edits) {
    const result = applyEdits(text, [one]);
    if (!result.ok) throw new Error(result.message);
    hunks.push(...result.hunks);
    text = result.text;
  }
  return { ok: true as const, text, hunks };
}

type Edits = ReturnType<typeof fileWith>["edits"];

/** Edits with other anchors, each as it is in a list of many. */
const ANCHORS: Readonly<Record<string, (edits: Edits, source: string) => Edits>> = {
  "anchors that are there once": (edits) => edits,
  "an anchor that is there in every function": (edits) =>
    edits.map((_, i) => edit("compute(3);", "compute(3);", `other(${i});`, { occurrence: 1 + i })),
  "the first of what is left": (edits) =>
    edits.map((_, i) => edit("compute(3);", "compute(3);", `other(${i});`, { occurrence: 1 })),
  "short anchors": (edits) =>
    edits.map((_, i) => edit("}", "}", `} // ${i}`, { occurrence: 1 + 2 * i })),
  "anchors that were cut off": (edits) =>
    edits.map(({ before, after }) => edit(before.slice(0, -5), before, after)),
  "anchors with other blanks": (edits) =>
    edits.map(({ before, after }) => edit(before.replace(" = ", "="), before, after)),
};

/** Edits whose old text is only like the file's. */
const ALIKE: Readonly<Record<string, (edits: Edits) => Edits>> = {
  "other blanks in what is replaced": (edits) => edits.map((one) => alike(one, [" = ", "="])),
  "look-alikes in anchor and text": (edits) =>
    edits.map(({ before, after }) => {
      const quoted = before.replace(" = ", "=");
      return edit(quoted, quoted, after);
    }),
  "tabs for the blanks of the file": (edits) => edits.map((one) => alike(one, ["  ", "\t"])),
};

function alike({ anchor, before, after }: Edits[number], [from, to]: readonly [string, string]) {
  return edit(anchor, before.replace(from, to), after.replaceAll(from, to));
}

test.each(Object.entries(ALIKE))(
  "many edits that are only alike read a little for each, and the file a few times: %s",
  (_, toEdits) => {
    const { source, edits } = fileWith(2000, 10);
    const list = toEdits(edits);
    const create = spyOn(views, "createView");
    try {
      const result = applyEdits(source, list);
      expect(result).toMatchObject({ ok: true });
      const whole = create.mock.calls.filter(([text]) => text.length > source.length / 20);
      expect(whole.length).toBeLessThanOrEqual(1);
      expect(create.mock.calls.length).toBeLessThanOrEqual(2 * list.length + 1);
    } finally {
      create.mockRestore();
    }
  },
);

test.each(Object.entries(ANCHORS))(
  "many edits read a little for each, not the file: %s",
  (_, toEdits) => {
    const { source, edits } = fileWith(2000, 10);
    const list = toEdits(edits, source);
    const create = spyOn(views, "createView");
    try {
      const result = applyEdits(source, list);
      expect(result).toMatchObject({ ok: true });
      const read = create.mock.calls.map(([text]) => text.length);
      expect(create).toHaveBeenCalledTimes(list.length);
      expect(Math.max(...read)).toBeLessThan(source.length / 20);
    } finally {
      create.mockRestore();
    }
  },
);

/** So many edits one after the other in the whole text are 60 times the work. */
const MOST_GROWTH = 24;

test.each([...Object.entries(ANCHORS), ...Object.entries(ALIKE)])(
  "eight times the file and the edits are about eight times the work: %s",
  (_, toEdits) => {
    const [few, many] = [1, 8].map((times) => {
      const { source, edits } = fileWith(200 * times, 10);
      const list = toEdits(edits, source);
      const efforts = Array.from({ length: runs(2, 6) }, () => {
        const effort = measureEffort();
        expect(applyEdits(source, list).ok).toBe(true);
        return effort();
      });
      return Math.min(...efforts);
    });
    expect(many ?? 0).toBeLessThan(MOST_GROWTH * Math.max(few ?? 0, 1));
  },
);

test.each([
  ["far apart", 900, 90],
  ["side by side", 60, 1],
  ["some near each other", 400, 7],
])("edits %s give what they give one by one, with the same line numbers", (_, functions, step) => {
  const { source, edits } = fileWith(functions, step);
  for (const [text, list] of [
    [source, edits],
    [source, edits.toReversed()],
    [`\uFEFF${source.replaceAll("\n", "\r\n")}`, edits],
  ] as const) {
    expect(applyEdits(text, list)).toEqual(oneByOne(text, list));
  }
});

test("an anchor that an earlier edit writes elsewhere is there twice", () => {
  const { source, edits } = fileWith(900, 90);
  const [first, ...rest] = edits;
  if (first === undefined) throw new Error("no edits");
  const last = rest.at(-1);
  const copy = { ...first, after: `${first.after}\n${last?.anchor}` };
  const result = applyEdits(source, [copy, ...rest]);
  expect(result).toMatchObject({ ok: false, code: "ERR_EDIT_AMBIGUOUS" });
});
