import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { createView, type EditView } from "../../src/patch/edits/edit-view.ts";
import { lineAt, replaceSpan } from "../../src/patch/edits/flat-text.ts";
import { runs } from "../support/long.ts";

const part = fc.constantFrom("a", "b", "\n", "\r\n", "\r", "\uFEFF", "  ", "'q'", "é", "😀", "x1");
const text = fc.array(part, { maxLength: 25 }).map((parts) => parts.join(""));
const LINES = ["a", "b", "x1", "", "ab", "'q'"];

/** All that a view tells. */
function allOf(view: EditView) {
  const { text: flat, finder } = view;
  const folded = view.folded();
  return {
    lines: flat.origin.lines,
    flat: flat.flat,
    starts: [...flat.starts],
    origin: [...flat.origin.starts],
    folded: [folded.flat, ...folded.starts],
    positions: LINES.map((line) => [...finder.positions(line)]),
    exact: LINES.map((line) => finder.exact([line]).map(({ start }) => start)),
  };
}

describe("createView()", () => {
  const change = fc.tuple(text, fc.nat(), fc.nat(8));
  test("after changes tells the same as a new view of the changed text", () => {
    fc.assert(
      fc.property(text, fc.array(change, { maxLength: 4 }), (source, changes) => {
        let view = createView(source);
        allOf(view);
        for (const [after, at, count] of changes) {
          const { flat, origin } = view.text;
          const start = at % (flat.length + 1);
          const end = Math.min(flat.length, start + count);
          const changed = replaceSpan(view.text, { start, end }, after.replaceAll("\r\n", "\n"));
          const to = Math.min(lineAt(view.text, end) + 1, origin.lines.length);
          view = view.after(changed, lineAt(view.text, start), to);
          expect(allOf(view)).toEqual(allOf(createView(changed)));
        }
      }),
      { numRuns: runs(200, 1000) },
    );
  });
});
