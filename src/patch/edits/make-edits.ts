import type { PatchPlacing, PatchRefusal, PlacedHunk } from "../patch-result.ts";
import type { Edit } from "./edit.ts";
import { type EditFault, tooManyEdits } from "./edit-fault.ts";
import { createView } from "./edit-view.ts";
import { restoreEdits } from "./restore-edits.ts";
import { openEditor, type TextEditor } from "./text-editor.ts";

/** Settings of {@link makeEdits}. */
export interface EditOptions {
  /** The file that is edited; is quoted in messages. */
  readonly path?: string;
}

/** An edit may take time in proportion to the source; an action of a plan has far fewer. */
const MOST_EDITS = 1000;

/** As `applyEdits`, which says in words what was tolerated. */
export function makeEdits(
  source: string,
  edits: readonly Edit[],
  options: EditOptions = {},
): PatchPlacing {
  if (edits.length > MOST_EDITS)
    return refuse(tooManyEdits(edits.length, MOST_EDITS), MOST_EDITS + 1, options.path);
  const result = applyInRow(openEditor(source, edits), edits, options.path);
  if (result.ok && result.others.length === 0) return toResult(result);
  const view = createView(source, edits);
  const restored = restoreEdits(view, edits, result.ok ? result.others : []);
  if (restored === undefined) return result.ok ? toResult(result) : result;
  const { repairs } = restored;
  const renewed = applyInRow(openEditor(source, restored.edits), restored.edits, options.path);
  if (!renewed.ok) return renewed;
  const hunks = renewed.hunks.map(
    (hunk): PlacedHunk => ({ ...hunk, matched: "tolerant", said: [...hunk.said, ...repairs] }),
  );
  return { ok: true, text: renewed.text, hunks };
}

/** All edits were made, and which of them are not quoted as the text is. */
interface Made extends Extract<PatchPlacing, { ok: true }> {
  readonly others: readonly Edit[];
}

function toResult({ ok, text, hunks }: Made): PatchPlacing {
  return { ok, text, hunks };
}

function applyInRow(
  editor: TextEditor,
  edits: readonly Edit[],
  path?: string,
): Made | PatchRefusal {
  const hunks: PlacedHunk[] = [];
  const made = new Map<string, PlacedHunk>();
  const others: Edit[] = [];
  for (const [i, edit] of edits.entries()) {
    const key = JSON.stringify([edit.anchor, edit.before, edit.after, edit.occurrence]);
    const twin = made.get(key);
    // An insertion leaves its old text in place: the same edit would be made a second time.
    if (twin !== undefined && edit.after.includes(edit.before)) {
      hunks.push({ ...twin, said: [...twin.said, "twice"] });
      continue;
    }
    const step = editor.apply(edit, i + 1);
    if (step.kind === "fault") return refuse(step, i + 1, path);
    // What was made before may be gone again.
    if (step.isChanged) made.clear();
    if (step.match !== "quoted") others.push(edit);
    made.set(key, step.hunk);
    hunks.push(step.hunk);
  }
  return { ok: true, text: editor.text(), hunks, others };
}

function refuse({ code, reason, hint }: EditFault, number: number, path?: string): PatchRefusal {
  const target = path === undefined ? "" : ` to "${path}"`;
  const message = `Cannot apply edit ${number}${target}: ${reason}`;
  return { ok: false, code, message, ...(hint !== undefined && { hint }) };
}
