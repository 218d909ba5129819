import { expect, spyOn, test } from "bun:test";
import * as views from "../../src/patch/edits/edit-view.ts";
import { applyEdits } from "../../src/patch/edits/edits.ts";
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

test("many edits read the file a few times, not once for each", () => {
  const { source, edits } = fileWith(2000, 20);
  const create = spyOn(views, "createView");
  try {
    expect(applyEdits(source, edits).ok).toBe(true);
    const read = create.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
    expect(create).toHaveBeenCalledTimes(edits.length);
    // Each part is read once: the lines around its edit, and no more.
    expect(read).toBeLessThan(2 * source.length);
  } finally {
    create.mockRestore();
  }
});

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
