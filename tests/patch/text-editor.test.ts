import { expect, test } from "bun:test";
import type { Edit } from "../../src/patch/edits/edit.ts";
import { createView } from "../../src/patch/edits/edit-view.ts";
import { openEditor, openWhole } from "../../src/patch/edits/text-editor.ts";
import { createDice, type Dice } from "../support/dice.ts";
import { runs } from "../support/long.ts";
import { edit } from "./edits.ts";

/** A file of several pieces, in which most lines are there more than once. */
function makeFile(dice: Dice): readonly string[] {
  return Array.from({ length: 60 + dice(300) }, (_, f) => {
    const body = Array.from({ length: 1 + dice(6) }, (_line, i) =>
      dice(3) === 0 ? `  const value${f}x${i} = compute("${"x".repeat(dice(90))}");` : "  next();",
    );
    return [`function name${f}(list) {`, ...body, "  return total;", "}", ...(dice(2) ? [""] : [])];
  }).flat();
}

/** What is looked for: as quoted, cut off, with other blanks, short, or over several lines. */
const QUOTES: readonly ((lines: readonly string[], at: number, dice: Dice) => string)[] = [
  (lines, at) => lines[at] ?? "",
  (lines, at) => (lines[at] ?? "").trim(),
  (lines, at, dice) => lines.slice(at, at + 1 + dice(4)).join("\n"),
  (lines, at, dice) =>
    lines
      .slice(at, at + 3)
      .join("\n")
      .slice(0, -1 - dice(6)),
  (lines, at) => (lines[at] ?? "").replace(" = ", "=").replace("  ", "\t"),
  (lines, at, dice) => (lines[at] ?? "").trim().slice(0, 1 + dice(5)),
];

function makeEdit(lines: readonly string[], dice: Dice): Edit {
  const at = dice(lines.length);
  const quote = (kinds: number) => QUOTES[dice(kinds)]?.(lines, at, dice) || "return";
  const before = quote(dice(5) === 0 ? 6 : 3);
  const anchor = dice(2) === 0 ? before : quote(6);
  const after =
    [before.replace(/\w+/, "other"), `${before}\n  added${dice(9)}();`, "", "return total;"][
      dice(4)
    ] ?? "";
  const occurrence = dice(2) === 0 ? undefined : 1 + dice(dice(3) === 0 ? 200 : 3);
  return edit(anchor, before, after, occurrence === undefined ? {} : { occurrence });
}

const FILES = runs(40, 2500);

test.each([
  ["as they are", (text: string) => text],
  ["with other line ends", (text: string) => `\uFEFF${text.replaceAll("\n", "\r\n")}`],
  ["without a last line end", (text: string) => text.trimEnd()],
])("edits in pieces of a text are what they are in the whole, in texts %s", (_, toSource) => {
  let made = 0;
  for (let seed = 1; seed <= FILES; seed++) {
    const dice = createDice(seed * 31);
    const lines = makeFile(dice);
    const source = toSource(`${lines.join("\n")}\n`);
    const edits = Array.from({ length: 3 + dice(12) }, () => makeEdit(lines, dice));
    const [editor, whole] = [openEditor(source, edits), openWhole(createView(source, edits))];
    for (const [i, one] of edits.entries()) {
      const same = whole.apply(one, i + 1);
      // Each that is not made in pieces is tried in the whole text, and there are few such tries.
      if (same.kind === "fault" && dice(9) > 0) continue;
      const step = editor.apply(one, i + 1);
      expect({ seed, one, step }).toEqual({ seed, one, step: same });
      if (step.kind === "made") made++;
      expect(editor.text() === whole.text() ? "" : `${seed}: ${JSON.stringify(one)}`).toBe("");
    }
  }
  expect(made).toBeGreaterThan(FILES);
});
