import { decodeUtf8 } from "../../core/decode-utf8.ts";
import { wordNotes } from "../../texts/notes/notes.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Change, ChangeSet, CheckResult, CheckStage } from "../../transaction/change.ts";
import { findRenames, type Rename } from "../../transaction/compute/compute.ts";
import { diffOf } from "../../transaction/preview.ts";
import type { ChangeView, PartView, PlannedCheck, PreviewView } from "../../transaction/views.ts";
import { maskLines } from "./mask-lines.ts";
import { isWhole } from "./past-change.ts";
import type { Since } from "./versions/versions.ts";

/** A longer text is not sent whole: what changed of it is. */
const MAX_TEXT_BYTES = 5 * 1024 * 1024;

/** What else is known of files. */
interface DocumentContext {
  readonly seen?: ReadonlyMap<string, string> | undefined;
  readonly renames?: readonly Rename[];
}

/** The rows of a review, one for each change, in the order of the change set. */
export function toFileRows(
  changeSet: ChangeSet,
  generated: ReadonlySet<string>,
  since: Since | undefined,
  { seen, renames = [] }: DocumentContext = {},
): readonly Readonly<Record<string, unknown>>[] {
  const [from, to] = [
    new Map(renames.map((each) => [each.from, each])),
    new Map(renames.map((each) => [each.to, each])),
  ];
  return changeSet.changes.map((change, n) => {
    const state = since?.files.get(change.path);
    const look = seen?.get(change.path);
    const row = toRow(changeSet, change, n, generated);
    const [goes, comes] = [from.get(n), to.get(n)];
    return {
      ...row,
      ...(state && { since: state }),
      ...(look !== undefined && { seen: look }),
      ...(goes && { renamed_to: { n: goes.to, path: changeSet.changes[goes.to]?.path } }),
      ...(comes && { renamed_from: toRenamedFrom(changeSet, comes) }),
    };
  });
}

/** How the file differs from what it was under its other name. */
function toRenamedFrom(changeSet: ChangeSet, rename: Rename): Readonly<Record<string, unknown>> {
  const { from: n, alike } = rename;
  return { n, path: changeSet.changes[n]?.path, alike, ...linesOf(changeSet, rename) };
}

function linesOf(changeSet: ChangeSet, rename: Rename): Lines {
  const change = toUpdate(changeSet, rename);
  const hunks = change && rename.alike < 100 ? diffOf(changeSet, change) : [];
  return { added: countLines(hunks, "+"), removed: countLines(hunks, "-") };
}

type Lines = Pick<ChangeView, "added" | "removed">;

/** How many files and lines a review shows: folders are none, and a file by another name is one. */
export function countShown(
  changeSet: ChangeSet,
  rows: readonly ChangeView[],
): Lines & { readonly files: number } {
  const renames = findRenames(changeSet);
  const names = renames
    .flatMap(({ from, to }) => [from, to])
    .map((n) => changeSet.changes[n]?.path);
  const joined = new Set(names);
  const others = rows.filter(({ path }) => !joined.has(path));
  const lines: readonly Lines[] = [...others, ...renames.map((each) => linesOf(changeSet, each))];
  const isFolder = ({ kind }: ChangeView) => kind === "mkdir" || kind === "rmdir";
  return {
    files: others.filter((row) => !isFolder(row)).length + renames.length,
    added: lines.reduce((sum, { added }) => sum + added, 0),
    removed: lines.reduce((sum, { removed }) => sum + removed, 0),
  };
}

/** Both sides as one; there is no such change in the change set. */
function toUpdate({ changes }: ChangeSet, { from, to }: Rename): Change | undefined {
  const [gone, come] = [changes[from], changes[to]];
  if (gone?.kind !== "delete" || come?.kind !== "create") return undefined;
  return { kind: "update", path: come.path, before: gone.before, after: come.after };
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
): FileDocument | undefined {
  const change = changeSet.changes[n];
  return change && toDocument(changeSet, change, redact, since);
}

/** A file with the texts of both of its names. */
export function toRenamedDocument(
  changeSet: ChangeSet,
  rename: Rename,
  redact: (text: string) => string,
  since?: Since,
): FileDocument | undefined {
  const [change, gone] = [toUpdate(changeSet, rename), changeSet.changes[rename.from]];
  if (!change || !gone) return undefined;
  const state = (path: string) => since?.files.get(path);
  const isSame = state(change.path) === "same" && state(gone.path) === "same";
  const files = new Map([[change.path, isSame ? ("same" as const) : ("changed" as const)]]);
  const own = since && { ...since, files, hunks: new Map() };
  return { ...toDocument(changeSet, change, redact, own), old_path: gone.path };
}

type FileDocument = Readonly<Record<string, unknown> & { path: string }>;

function toDocument(
  changeSet: ChangeSet,
  change: Change,
  redact: (text: string) => string,
  since: Since | undefined,
): FileDocument {
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

function toStage({ name, command, exitCode, durationMs, timedOut, output, looks }: CheckStage) {
  return {
    name,
    command,
    exit_code: exitCode,
    duration_ms: durationMs,
    timed_out: timedOut,
    ok: exitCode === 0 && !timedOut,
    output,
    ...(looks && { looks }),
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
