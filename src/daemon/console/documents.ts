import { decodeUtf8 } from "../../core/decode-utf8.ts";
import { wordNotes } from "../../texts/notes/notes.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Change, ChangeSet, CheckResult, CheckStage } from "../../transaction/change.ts";
import { diffOf } from "../../transaction/preview.ts";
import type { PartView, PlannedCheck, PreviewView } from "../../transaction/views.ts";
import { maskLines } from "./mask-lines.ts";
import { isWhole } from "./past-change.ts";
import type { Since } from "./since.ts";

/** A longer text is not sent whole: what changed of it is. */
const MAX_TEXT_BYTES = 5 * 1024 * 1024;

/** The rows of a review, one for each change, in the order of the change set. */
export function toFileRows(
  changeSet: ChangeSet,
  generated: ReadonlySet<string>,
  since: Since | undefined,
  seen?: ReadonlyMap<string, string>,
): readonly Readonly<Record<string, unknown>>[] {
  return changeSet.changes.map((change, n) => {
    const state = since?.files.get(change.path);
    const look = seen?.get(change.path);
    const row = toRow(changeSet, change, n, generated);
    return { ...row, ...(state && { since: state }), ...(look !== undefined && { seen: look }) };
  });
}

function toRow(
  changeSet: ChangeSet,
  change: Change,
  n: number,
  generated: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const [before, after] = sidesOf(change);
  const isThere = isWhole(changeSet, change);
  const hunks = isThere ? diffOf(changeSet, change) : undefined;
  return {
    n,
    path: change.path,
    kind: change.kind,
    added: countLines(hunks, "+"),
    removed: countLines(hunks, "-"),
    binary: isThere && !hunks,
    generated: generated.has(change.path),
    size_before: before?.sizeBytes ?? null,
    size_after: after?.sizeBytes ?? null,
    before_sha256: before?.sha256 ?? null,
    after_sha256: after?.sha256 ?? null,
    ...toModes(change),
    ...(!isThere && { gone: true }),
  };
}

/** A file of a change set with its texts, and where they differ as the shown diff has it. */
export function toFileDocument(
  changeSet: ChangeSet,
  n: number,
  redact: (text: string) => string,
  since?: Since,
): Readonly<Record<string, unknown> & { path: string }> | undefined {
  const change = changeSet.changes[n];
  if (!change) return undefined;
  const { path } = change;
  const [before, after] = sidesOf(change);
  if (!isWhole(changeSet, change))
    return { path, before: null, after: null, hunks: [], gone: true };
  const hunks = diffOf(changeSet, change);
  if (!hunks || (before ?? after) === undefined) {
    return { path, before: null, after: null, hunks: [], ...(!hunks && { binary: true }) };
  }
  const isLarge = [before, after].some((side) => (side?.sizeBytes ?? 0) > MAX_TEXT_BYTES);
  const textOf = (side: typeof before) =>
    side === undefined || isLarge
      ? null
      : maskLines(
          decodeUtf8(changeSet.contents.get(side.sha256) ?? new Uint8Array()) ?? "",
          redact,
        );
  return {
    path,
    before: textOf(before),
    after: textOf(after),
    ...(isLarge && { too_large: true }),
    hunks: hunks.map((hunk, at) => {
      const isSame = since?.hunks.get(path)?.[at] ?? since?.files.get(path) === "same";
      return toHunk(hunk, isLarge ? redact : undefined, since && isSame);
    }),
  };
}

/** Where a hunk is, and its lines where the texts are not sent. */
function toHunk(
  { oldStart, oldLines, newStart, newLines, lines }: NonNullable<ReturnType<typeof diffOf>>[number],
  redact: ((text: string) => string) | undefined,
  same: boolean | undefined,
): Readonly<Record<string, unknown>> {
  return {
    ...(same !== undefined && { same }),
    old_start: startOf(oldStart, oldLines),
    old_lines: oldLines,
    new_start: startOf(newStart, newLines),
    new_lines: newLines,
    ...(redact && { lines: maskLines(lines.join("\n"), redact).split("\n") }),
  };
}

/** What a preview says beside its files. */
export function toPreviewFacts(
  preview: PreviewView,
  texts: Texts,
): Readonly<Record<string, unknown>> {
  const { summary, checks, checked, notes, unseen, fixPaths, triesLeft, generation, row } = preview;
  return {
    summary,
    checks: checks.map(toPlannedCheck),
    ...(unseen && { unseen }),
    ...(checked && { check: toCheck(checked.check), fix_rounds: checked.fixRounds }),
    notes: wordNotes(notes, texts.notes),
    side_effects: checked?.sideEffects ?? [],
    ...(fixPaths && { fix_paths: fixPaths }),
    ...(triesLeft !== undefined && { tries_left: triesLeft }),
    ...(generation && { generation: generation.kind }),
    ...(row && { row: { done: row.done, parts: row.parts.map(toPart) } }),
  };
}

function toPlannedCheck({ command, from, tookMs }: PlannedCheck) {
  return { name: command, command, from: from ?? null, took_ms: tookMs ?? null };
}

function toPart({ summary, changes, added, removed, checks }: PartView) {
  return { summary: summary ?? null, changes, added, removed, checks: checks ?? null };
}

/** What checks came to. */
export function toCheck({ ok, stages, baseline }: CheckResult): Readonly<Record<string, unknown>> {
  const isOfBaseline = baseline && { ok: baseline.ok, stages: baseline.stages.map(toStage) };
  return { ok, stages: stages.map(toStage), ...(isOfBaseline && { baseline: isOfBaseline }) };
}

function toStage({ name, command, exitCode, durationMs, timedOut, output }: CheckStage) {
  return {
    name,
    command,
    exit_code: exitCode,
    duration_ms: durationMs,
    timed_out: timedOut,
    ok: exitCode === 0 && !timedOut,
    output,
  };
}

function sidesOf(change: Change) {
  const before = "before" in change ? change.before : undefined;
  const after = "after" in change ? change.after : undefined;
  return [before, after] as const;
}

function toModes(change: Change): Readonly<Record<string, string>> {
  const octal = (mode: number) => mode.toString(8);
  if (change.kind === "mkdir") return { mode_after: octal(change.mode) };
  if (change.kind === "rmdir") return { mode_before: octal(change.mode) };
  const [before, after] = sidesOf(change);
  return {
    ...(before && { mode_before: octal(before.mode) }),
    ...(after && { mode_after: octal(after.mode) }),
  };
}

function countLines(hunks: ReturnType<typeof diffOf>, sign: "+" | "-"): number {
  const isCounted = (line: string) => line[0] === sign;
  return (hunks ?? []).reduce((sum, { lines }) => sum + lines.filter(isCounted).length, 0);
}

/** An empty side counts from the line before, as the diff has it. */
function startOf(start: number, lines: number): number {
  return lines === 0 ? start - 1 : start;
}
