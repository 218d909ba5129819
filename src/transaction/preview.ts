import { type StructuredPatchHunk, structuredPatch } from "diff";
import { decodeUtf8 } from "../core/decode-utf8.ts";
import type { Change, ChangeSet } from "./change.ts";
import { contentOf } from "./change-set.ts";
import type { ChangeView } from "./views.ts";

/** Past this many changed lines a diff is no longer searched for its shortest form. */
const MAX_EDITS = 1500;

/** One row for every change; `generated` are paths that a command wrote. */
export function viewChanges(
  changeSet: ChangeSet,
  generated: readonly string[] = [],
): readonly ChangeView[] {
  const made = new Set(generated);
  return changeSet.changes.map((change) => {
    const hunks = diffOf(changeSet, change) ?? [];
    return {
      path: change.path,
      kind: change.kind,
      before_sha256: "before" in change ? change.before.sha256 : null,
      after_sha256: "after" in change ? change.after.sha256 : null,
      added: countLines(hunks, "+"),
      removed: countLines(hunks, "-"),
      ...(made.has(change.path) && { generated: true as const }),
    };
  });
}

/** Everything as one unified diff that git and patch can read; folders have no part in it. */
export function renderDiff(changeSet: ChangeSet): string {
  return changeSet.changes.map((change) => renderChange(changeSet, change)).join("");
}

function renderChange(changeSet: ChangeSet, change: Change): string {
  if (change.kind === "mkdir" || change.kind === "rmdir") return "";
  const hunks = diffOf(changeSet, change);
  const header = renderHeader(change);
  if (hunks?.length === 0) return header;
  const from = change.kind === "create" ? "/dev/null" : `a/${change.path}`;
  const to = change.kind === "delete" ? "/dev/null" : `b/${change.path}`;
  if (!hunks) return `${header}Binary files ${from} and ${to} differ\n`;
  return `${header}--- ${fileName(from)}\n+++ ${fileName(to)}\n${hunks.map(renderHunk).join("")}`;
}

function renderHeader(change: Extract<Change, { kind: "create" | "update" | "delete" }>): string {
  const header = `diff --git a/${change.path} b/${change.path}\n`;
  switch (change.kind) {
    case "create":
      return `${header}new file mode ${gitMode(change.after.mode)}\n`;
    case "delete":
      return `${header}deleted file mode ${gitMode(change.before.mode)}\n`;
    case "update": {
      const [before, after] = [gitMode(change.before.mode), gitMode(change.after.mode)];
      return before === after ? header : `${header}old mode ${before}\nnew mode ${after}\n`;
    }
    default:
      return change satisfies never;
  }
}

/** The hunks of a change as the diff has them, or undefined when one side is no text. */
export function diffOf(
  changeSet: ChangeSet,
  change: Change,
): readonly StructuredPatchHunk[] | undefined {
  const before = "before" in change ? decodeUtf8(contentOf(changeSet, change.before)) : "";
  const after = "after" in change ? decodeUtf8(contentOf(changeSet, change.after)) : "";
  if (before === undefined || after === undefined) return undefined;
  const options = { context: 3, maxEditLength: MAX_EDITS };
  const patch = structuredPatch("", "", before, after, "", "", options);
  return patch?.hunks ?? [replaceAll(before, after)];
}

/** One hunk that takes all lines out and puts all lines in. */
function replaceAll(before: string, after: string): StructuredPatchHunk {
  const removed = wholeFile(before, "-");
  const added = wholeFile(after, "+");
  return {
    oldStart: 1,
    oldLines: removed.count,
    newStart: 1,
    newLines: added.count,
    lines: [...removed.lines, ...added.lines],
  };
}

function wholeFile(text: string, sign: "-" | "+") {
  const lines = text.split("\n");
  const ended = lines.at(-1) === "";
  if (ended) lines.pop();
  const signed = lines.map((line) => sign + line);
  return {
    count: lines.length,
    lines: ended || lines.length === 0 ? signed : [...signed, "\\ No newline at end of file"],
  };
}

function renderHunk(hunk: StructuredPatchHunk): string {
  const from = range(hunk.oldStart, hunk.oldLines);
  const to = range(hunk.newStart, hunk.newLines);
  return `@@ -${from} +${to} @@\n${hunk.lines.join("\n")}\n`;
}

/** An empty side counts from the line before, as diff and git write it. */
function range(start: number, lines: number): string {
  if (lines === 0) return `${start - 1},0`;
  return lines === 1 ? `${start}` : `${start},${lines}`;
}

function countLines(hunks: readonly StructuredPatchHunk[], sign: "+" | "-"): number {
  return hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line[0] === sign).length, 0);
}

function gitMode(mode: number): string {
  return (mode & 0o111) === 0 ? "100644" : "100755";
}

/** A blank in a name is followed by a tab, so that readers see where the name ends. */
function fileName(name: string): string {
  return name.includes(" ") ? `${name}\t` : name;
}
