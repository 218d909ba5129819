import type { Edit } from "../../src/patch/edits/edit.ts";
import { applyEdits } from "../../src/patch/edits/edits.ts";
import type { PatchRefusal } from "../../src/patch/patch-result.ts";
import { refusalOf, textOf } from "./patch-outcome.ts";

/** A file with two functions that are much alike. */
export const SOURCE = `import { sum } from "./sum.ts";

function first(list) {
  const total = sum(list);
  return total;
}

/** Adds one. */
function second(list) {
  const total = sum(list) + 1;
  return total;
}
`;

/** An edit with its fields in the order in which they are read. */
export function edit(
  anchor: string,
  before: string,
  after: string,
  more: Partial<Edit> = {},
): Edit {
  return { op: "replace", anchor, before, after, ...more };
}

/** The text after edits that have to be made. */
export function apply(source: string, ...edits: readonly Edit[]): string {
  return textOf(applyEdits(source, edits));
}

/** The refusal of edits that must not be made. */
export function refuse(source: string, ...edits: readonly Edit[]): PatchRefusal {
  return refusalOf(applyEdits(source, edits, { path: "src/a.ts" }));
}
