import { expect, test } from "bun:test";
import { createModel, type Said } from "./storm-model.ts";

const WHOLE = { x: "file 644 aa", y: "file 644 bb" };
const NARROWED = { ...WHOLE, x: "file 400 aa" };

/** What a life prints of a change that was taken back, and what was there then. */
function tellFail(status: string, tree: Readonly<Record<string, string>>): readonly Said[] {
  const names = status === "conflict" ? ["x"] : [];
  const end = { kind: "fail", status, names, text: "every file is as before", tree } as const;
  return [
    { line: "begin", kind: "fail", target: null },
    { line: "end", committed: 0, ...end, ...(status === "conflict" && { text: "but x" }) },
  ];
}

test("createModel() tells how a tree is not what it must be, once, and no true word behind it is false", () => {
  const model = createModel(WHOLE);
  const said = [...tellFail("conflict", NARROWED), ...tellFail("rolled_back", NARROWED)];
  for (const line of said) model.receive(line);
  expect(model.inconsistent).toEqual(["fail conflict: x (file 644 aa -> file 400 aa)"]);
  expect(model.falseWords).toEqual([]);
});

test("createModel() has a word be false that says of another tree that it is as before", () => {
  const model = createModel(WHOLE);
  for (const line of tellFail("rolled_back", NARROWED)) model.receive(line);
  expect(model.falseWords).toEqual(['fail: "rolled_back: every file is as before" but x']);
});
