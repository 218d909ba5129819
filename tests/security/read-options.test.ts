import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { evaluateCommand } from "../../src/security/command-policy.ts";
import { readOptions } from "../../src/security/read-options.ts";

const RULES = {
  flags: "ab",
  valued: "n",
  attached: "U",
  longs: "all\n max= color=?",
  numeric: true,
};

test.each([
  [["-ab", "x"], ["-ab"], ["x"]],
  [["-an", "5", "x"], ["-an", "5"], ["x"]],
  [["-an5", "x"], ["-an5"], ["x"]],
  [["-U", "5"], ["-U"], ["5"]],
  [["-aU5b", "x"], ["-aU5b"], ["x"]],
  [["--max", "-5", "x"], ["--max", "-5"], ["x"]],
  [["--max=5", "--color", "x"], ["--max=5", "--color"], ["x"]],
  [["x", "-12", "-"], ["-12"], ["x", "-"]],
])("readOptions() tells options of %p from operands", (args, words, operands) => {
  expect(readOptions(args, RULES)).toMatchObject({ words, operands });
});

test.each([
  [["-ab"], [{ name: "a" }, { name: "b" }]],
  [
    ["-an", "5"],
    [{ name: "a" }, { name: "n", value: "5" }],
  ],
  [["-an5"], [{ name: "a" }, { name: "n", value: "5" }]],
  [["-aU"], [{ name: "a" }, { name: "U" }]],
  [["-aU5b"], [{ name: "a" }, { name: "U", value: "5b" }]],
  [["-12"], []],
  [["--all"], [{ name: "all" }]],
  [["--max", "-5"], [{ name: "max", value: "-5" }]],
  [["--max=5=6"], [{ name: "max", value: "5=6" }]],
  [["--max="], [{ name: "max", value: "" }]],
  [["--color"], [{ name: "color" }]],
  [["--color=x"], [{ name: "color", value: "x" }]],
])("readOptions() names the options of %p with their values", (args, given) => {
  expect(readOptions(args, RULES)).toEqual({ words: args, given, operands: [], tail: undefined });
  expect(readOptions([...args, "x"], { ...RULES, stops: true })).toEqual({
    words: args,
    given,
    operands: ["x"],
    tail: undefined,
  });
  const tail = ["-a", "x"];
  expect(readOptions([...args, "--", ...tail], RULES)).toEqual({
    words: args,
    given,
    operands: [],
    tail,
  });
});

test.each([
  ["-c"],
  ["-ac"],
  ["--al"],
  ["--all=1"],
  ["--"],
  ["-n"],
  ["--max"],
  ["--maximum=1"],
  ["-1a"],
])("readOptions() knows %p or says so", (word) => {
  const read = readOptions([word], RULES);
  if (word === "--") expect(read).toMatchObject({ tail: [] });
  else expect(read).toEqual({ unknown: expect.stringContaining(word) });
});

const WORD = fc.oneof(
  fc.constantFrom(
    "-a",
    "-n",
    "--max",
    "--color=x",
    "--",
    "-",
    "x",
    "-exec",
    "$(id)",
    ">",
    "~",
    "-r",
  ),
  fc.string({ maxLength: 6 }),
);

test("readOptions() loses no word and makes none", () => {
  fc.assert(
    fc.property(fc.array(WORD, { maxLength: 8 }), (args) => {
      const read = readOptions(args, RULES);
      if ("unknown" in read) return;
      const { words, operands, tail } = read;
      const all = [...words, ...operands, ...(tail === undefined ? [] : ["--", ...tail])];
      expect(all.toSorted()).toEqual(args.toSorted());
    }),
  );
});

test("evaluateCommand() has a verdict for whatever comes", () => {
  const programs = fc.oneof(
    fc.constantFrom("ls", "cat", "grep", "find", "echo", "git", "tar", "sh", "npm"),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(programs, fc.array(WORD, { maxLength: 8 }), (program, args) => {
      const { kind } = evaluateCommand(
        [program, ...args],
        ["ls", "cat", "grep", "find", "git", "npm"],
      );
      expect(["read", "change", "ask", "deny"]).toContain(kind);
    }),
  );
});
