import { expect, test } from "bun:test";
import { Writable } from "node:stream";
import * as fc from "fast-check";
import type { Output, TerminalQueue } from "../../../src/cli/screen/open-output.ts";
import { createStatusLine } from "../../../src/cli/screen/status-line.ts";
import { runs } from "../../support/long.ts";
import { screenOf } from "../../support/screen-of.ts";

/** A terminal as `open-output` makes one, that keeps what is written. */
function openTerminal(columns: number) {
  let written = "";
  const shared: TerminalQueue = { written: Promise.resolve(), waitingBytes: 0, isCut: false };
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      written += (shared.uncover?.(text) ?? "") + text;
      done();
    },
  });
  const output: Output = Object.assign(stream, { isTTY: true, columns, shared });
  return { output, status: createStatusLine(output), screen: () => screenOf(written, columns) };
}

test("createStatusLine() writes over itself, whatever other line was there meanwhile", () => {
  const { output, status, screen } = openTerminal(20);
  const other = createStatusLine(output);
  for (const each of [status, other]) {
    each.show(["checking"]);
    each.hide();
  }
  status.show(["1 s"]);
  status.show(["2 s"]);
  expect(screen()).toEqual(["2 s"]);
});

test("createStatusLine() shows lines for the moment, below all other text", () => {
  const { output, status, screen } = openTerminal(20);
  output.write("one\n");
  status.show(["⠋ checking · 1 s", "  ok 1"]);
  expect(screen()).toEqual(["one", "⠋ checking · 1 s", "  ok 1"]);
  output.write("two\n");
  expect(screen().filter(Boolean)).toEqual(["one", "two"]);
  status.show(["⠙ checking · 2 s"]);
  expect(screen()).toEqual(["one", "two", "⠙ checking · 2 s"]);
  status.hide();
  expect(screen().filter(Boolean)).toEqual(["one", "two"]);
});

test("createStatusLine() stays away from a line that somebody has begun", () => {
  const { output, status, screen } = openTerminal(20);
  output.write("half");
  status.show(["⠋ checking"]);
  output.write(" a line\n");
  expect(screen().filter(Boolean)).toEqual(["half a line"]);
});

test("createStatusLine() is never wider than the window", () => {
  const { status, screen } = openTerminal(10);
  status.show(["中文没有空格的", "x".repeat(30)]);
  expect(screen()).toEqual(["中文没有", "x".repeat(9)]);
});

test("createStatusLine() leaves nothing, whatever is written between", () => {
  const words = fc.string({ unit: fc.constantFrom("a", "中", " ", "b"), maxLength: 8 });
  const printed = fc.string({ unit: fc.constantFrom("a", "中", " ", "\t", "\n"), maxLength: 8 });
  const act = fc.oneof(
    fc.record({
      kind: fc.constant("show"),
      lines: fc.array(printed, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant("hide"), lines: fc.constant([]) }),
    fc.record({ kind: fc.constant("write"), lines: fc.tuple(words) }),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
      const { output, status, screen } = openTerminal(16);
      const said: string[] = [];
      for (const { kind, lines } of acts) {
        if (kind === "show") status.show(lines);
        else if (kind === "hide") status.hide();
        else {
          output.write(`${lines.join("")}\n`);
          said.push(lines.join("").trimEnd());
        }
      }
      status.hide();
      expect(screen().join("\n").trimEnd()).toBe(said.join("\n").trimEnd());
    }),
    { numRuns: runs(300, 10_000) },
  );
});
