import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { dropNulls, extractJson } from "../../src/protocol/extract-json.ts";
import { measureEffort } from "../support/effort.ts";
import { runs } from "../support/long.ts";

const VALUE = { actions: [], summary: 'a "quoted" } brace, a ``` fence and a \\ in a string' };
const JSON_TEXT = JSON.stringify(VALUE, null, 2);

describe("extractJson()", () => {
  const answers: Record<string, string> = {
    "the whole text": JSON_TEXT,
    "text with blanks around": `\n  ${JSON_TEXT}\n`,
    "a fence": `\`\`\`json\n${JSON_TEXT}\n\`\`\``,
    "a fence that is never closed": `\`\`\`\n${JSON_TEXT}`,
    "prose around": `Here it is:\n\n${JSON_TEXT}\n\nI hope it helps {really}.`,
    "brackets in the prose": `As in [1] and {this}, see "that":\n${JSON_TEXT}\n[2]`,
    "a smaller example before": `Like {"actions": []}:\n${JSON_TEXT}`,
    "an interval in the prose": `For i in [0, n) and [1, 5):\n${JSON_TEXT}`,
    "a brace that never closes in the prose": `if (x) { // c\n${JSON_TEXT}`,
    "a draft in the thoughts": `<think>Or {"actions": [1], "x": "${"y".repeat(500)}"}?</think>\n${JSON_TEXT}`,
    "a broken example before": `Not {actions: []}, but\n${JSON_TEXT}`,
    "code that parses as nothing before": `if (x) { "use strict" }\n${JSON_TEXT}`,
  };
  for (const [name, answer] of Object.entries(answers)) {
    test(`finds the value in ${name}`, () => {
      expect(extractJson(answer)).toEqual({ ok: true, value: VALUE });
    });
  }

  test("takes a bare array", () => {
    expect(extractJson('Sure: [{"kind":"x"}] done')).toEqual({ ok: true, value: [{ kind: "x" }] });
  });

  for (const answer of [
    "",
    "I cannot do that.",
    "{placeholder} and [see below]",
    "See [1] for details; I cannot do it.",
    "- [ ] first",
  ]) {
    test(`finds nothing in ${JSON.stringify(answer)}`, () => {
      expect(extractJson(answer)).toMatchObject({ ok: false, code: "ERR_JSON_EXTRACT" });
    });
  }

  for (const answer of [
    JSON_TEXT.slice(0, -3),
    JSON_TEXT.replace('"actions"', "actions").replace("{", '{"x":1,'),
    '{"actions": [{"kind": "DELETE_FILE", "path": "a"}, {"kind"',
    '[{"kind": "DELETE_FILE", "path": "a"}, {"kind"',
    '{"summary":"5" disk }","risks":[],"actions":[{"kind":"DELETE_FILE","path":"a"}]}',
    "{'actions': []}",
    "{actions: []}",
    'Like {"actions": [], "summary": "an example"}, so: {"actions": [{"kind"',
  ]) {
    test(`says that ${JSON.stringify(answer.slice(0, 30))}… does not parse`, () => {
      expect(extractJson(answer)).toMatchObject({ ok: false, code: "ERR_JSON_PARSE" });
    });
  }

  test("looks behind so many brackets that never close, and no more", () => {
    const behind = (count: number) => extractJson(`${"if (x) { // c\n".repeat(count)}${JSON_TEXT}`);
    expect(behind(16)).toEqual({ ok: true, value: VALUE });
    expect(behind(17)).toMatchObject({ ok: false, code: "ERR_JSON_EXTRACT" });
  });

  test("never throws, and finds any object between two lines of prose", () => {
    const prose = fc.stringMatching(/^[A-Za-z ,.`'"]{0,30}$/);
    fc.assert(
      fc.property(fc.string(), (text) => void extractJson(text)),
      { numRuns: runs(60, 500) },
    );
    fc.assert(
      fc.property(
        prose,
        fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
        (line, value) => {
          // JSON has no -0.
          const json = JSON.stringify(value);
          expect(extractJson(`${line}\n${json}\n${line}`)).toEqual({
            ok: true,
            value: JSON.parse(json),
          });
        },
      ),
      { numRuns: runs(60, 500) },
    );
  });

  test("takes time in proportion to hostile text", () => {
    const effort = measureEffort();
    for (const part of ["[1", '{"}', "[{} ", "{ }[1,}", '{"\\"', "{    "]) {
      extractJson(part.repeat(100_000));
    }
    expect(effort()).toBeLessThan(4000);
  });
});

test("dropNulls() goes down as far as schemas look, and no further", () => {
  const nest = (levels: number): unknown =>
    levels === 0 ? { a: null, b: 1 } : { in: nest(levels - 1) };
  const has = (levels: number) => JSON.stringify(dropNulls(nest(levels))).includes("null");
  const deep = [0, 1, 2, 3, 4, 5, 6, 7, 8].filter(has);
  expect(deep).toEqual([7, 8]);
  const lists = (levels: number): unknown => (levels === 0 ? { a: null } : [lists(levels - 1)]);
  const kept = [0, 1, 2, 3, 4, 5, 6, 7, 8].filter((levels) =>
    JSON.stringify(dropNulls(lists(levels))).includes("null"),
  );
  expect(kept).toEqual([7, 8]);
  expect(dropNulls([[{ a: null }], null])).toEqual([[{}], null]);
});
