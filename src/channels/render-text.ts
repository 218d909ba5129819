import { lastOf } from "../core/few.ts";
import { toVisibleText } from "../core/visible-text.ts";
import { toAmount } from "../system/limits.ts";
import { wordNotes } from "../texts/notes/notes.ts";
import type { Texts } from "../texts/texts.ts";
import { wordIn } from "../texts/wording.ts";
import {
  type CheckResult,
  type CheckStage,
  type Generation,
  limitOf,
} from "../transaction/change.ts";
import type { ChangeView, OutcomeView, PlannedCheck, PreviewView } from "../transaction/views.ts";
import {
  type Checked,
  describePlanned,
  toCheckedLines,
  toFixPathsLines,
  toGenerationLines,
  toPassedLine,
  toUnseenLines,
} from "./checked-lines.ts";
import { toFailureLine } from "./failure-lines.ts";
import { paintDiff } from "./paint-diff.ts";
import { toSeriesEndLines, toSeriesLines } from "./series-lines.ts";
import { type Headline, toHeadline } from "./to-headline.ts";

/** Lines of a failing check's output that are shown. */
const OUTPUT_LINES = 15;
/** Where the lines before those are, in the workspace. */
const CHECK_LOG = ".papa-yu/last-check.log";

/** A change set as text for a terminal, hidden characters made visible; coloured when `color`. */
export function renderPreview(preview: PreviewView, texts: Texts, color: boolean): string {
  const { head, diff } = toPreviewParts(preview, texts);
  return `${head}\n\n${color ? paintDiff(diff) : diff}`;
}

/** The same in its parts: what there is to say of a change set, and its diff. */
export function toPreviewParts(
  preview: PreviewView,
  texts: Texts,
): { readonly head: string; readonly diff: string } {
  const { changes, workspace, changeSetId, notes, checked, generation, diff } = preview;
  const { approval } = texts;
  const head = [
    `${approval.count(changes.length, workspace)} (${changeSetId.slice(0, 12)})`,
    ...changes.map((change) => `  ${renderChange(change)}`),
    ...toSeriesLines(preview, texts, (words) => words).map((line) => `  ${line}`),
    ...wordNotes(notes, texts.notes).map((note) => `  ${approval.note}: ${note}`),
    ...renderGeneration(generation, texts),
    ...(checked ? renderChecked(checked, texts) : renderPlanned(preview, texts)),
    ...toFixPathsLines(preview.fixPaths, texts, (name) => name),
  ];
  return { head: toVisibleText(head.join("\n")), diff: toVisibleText(diff) };
}

/** Checks that run after a yes. */
function renderPlanned(preview: PreviewView, texts: Texts): readonly string[] {
  const { changes, checks, unseen } = preview;
  // Commands that nobody has seen are noted as shown where a preview is.
  if (changes.length === 0 && !unseen) return [];
  if (unseen) return [renderUnseen(preview, texts)];
  return [renderCheckList(checks, texts)];
}

/** Checks that will run, in one line; hidden characters made visible. */
export function renderCheckList(checks: readonly PlannedCheck[], texts: Texts): string {
  if (checks.length === 0) return texts.approval.noChecks;
  const list = checks.map((check) => describePlanned(check, texts.planned, (command) => command));
  return toVisibleText(`${texts.approval.checks} ${list.join(" · ")}`);
}

/** Checks that were found and never shown; hidden characters made visible. */
export function renderUnseen(
  preview: Pick<PreviewView, "checks" | "unseen">,
  texts: Texts,
): string {
  const [head = "", ...lines] = toUnseenLines(preview, texts, (command) => command);
  return toVisibleText([head, ...lines.map((line) => `  ${line}`)].join("\n"));
}

/** How a transaction ended, with its checks, and with what helps on; hidden characters made visible. */
export function renderOutcome(outcome: OutcomeView, texts: Texts, hasHints = true): string {
  const { workspace, changes, check, reason, error, status, row, notes = [] } = outcome;
  const { sideEffects, fixRounds, fixNotes, generation } = outcome;
  const lines = [
    renderHeadline(outcome, texts),
    ...changes.map((change) => `  ${renderChange(change)}`),
    ...wordNotes(notes, texts.notes).map((note) => `  ${texts.approval.note}: ${note}`),
    ...renderGeneration(generation, texts),
    ...(reason === undefined ? [] : [reason]),
    ...(check ? renderCheck({ check, sideEffects, fixRounds, fixNotes }, texts) : []),
    ...toFixPathsLines(outcome.fixPaths, texts, (name) => name),
    ...(error === undefined ? [] : [renderFailure(outcome, error, texts)]),
    ...(status === "committed" && !row && hasHints ? [texts.outcome.undoHint(workspace)] : []),
    ...toSeriesEndLines(outcome, texts),
  ];
  return toVisibleText(lines.join("\n"));
}

/** Checks of a folder as it is. */
export function renderFolderCheck(check: CheckResult, texts: Texts): string {
  if (check.stages.length === 0) return texts.check.noneRan;
  return toVisibleText(renderCheck({ check }, texts).join("\n"));
}

function renderFailure(
  { errorCode: code, made }: OutcomeView,
  message: string,
  texts: Texts,
): string {
  const said = made === undefined ? undefined : texts.made.already(made);
  return toFailureLine({ code, message, said }, texts);
}

const MARKS: Readonly<Record<Headline["mark"], string>> = {
  done: "✓ ",
  undone: "✓ ",
  "rolled back": "✗ ",
  warning: "! ",
  rejected: "✗ ",
  nothing: "",
};

function renderHeadline(outcome: OutcomeView, texts: Texts): string {
  const { mark, text } = toHeadline(outcome, texts, outcome.workspace, (path) => path);
  const { status, txId } = outcome;
  return `${MARKS[mark]}${text}${status === "committed" && txId ? ` (${txId})` : ""}`;
}

function renderChange(change: ChangeView): string {
  // Of an empty file, and of what only a journal tells of, where lines are not counted again.
  const hasLines = change.added + change.removed > 0;
  const counts = hasLines ? ` +${change.added} -${change.removed}` : "";
  return `${change.kind.padEnd(6)} ${change.path}${counts}`;
}

/** Of checks before a question: passed ones are one line. */
function renderChecked(checked: Checked, texts: Texts): readonly string[] {
  const { check } = checked;
  if (!check.ok) return renderCheck(checked, texts);
  if (check.stages.length === 0) return [texts.approval.noChecks];
  const took = check.stages.map(({ command, durationMs }) =>
    texts.checked.took(command.join(" "), (durationMs / 1000).toFixed(1)),
  );
  const passed = toPassedLine(checked, took, texts);
  return [passed, ...renderCheckNotes({ ...checked, fixRounds: 0 }, texts)];
}

function renderGeneration(generation: Generation | undefined, texts: Texts): readonly string[] {
  return toGenerationLines(generation, texts, (name) => name).map((line) => `  ${line}`);
}

function renderCheckNotes(
  checked: Checked,
  texts: Pick<Texts, "checked" | "failure">,
): readonly string[] {
  return toCheckedLines(checked, texts, (name) => name).map((line) => `  ${line}`);
}

function renderCheck(checked: Checked, { check: texts, ...all }: Texts): readonly string[] {
  const { stages, sandbox, sandboxNote, sandboxGaps = [] } = checked.check;
  const note = sandboxNote ? ` (${wordIn(texts.notes, sandboxNote)})` : "";
  const gaps = sandboxGaps.map((gap) => `; ${wordIn(texts.gaps, gap)}`).join("");
  const where = `  ${texts.sandbox(sandbox)}${note}${gaps}`;
  const beside = renderCheckNotes(checked, all);
  return [...stages.flatMap((stage) => renderStage(stage, texts)), where, ...beside];
}

function renderStage(stage: CheckStage, texts: Texts["check"]): readonly string[] {
  const passed = stage.exitCode === 0;
  const took = texts.took(verdictOf(stage, texts), (stage.durationMs / 1000).toFixed(1));
  const command = stage.command.join(" ");
  const named = stage.name === command ? command : `${stage.name}: ${command}`;
  const line = `${passed ? "✓" : "✗"} ${named} — ${took}`;
  if (passed) return [line];
  const lines: string[] = [line];
  const all = stage.output.trimEnd().split("\n");
  const tail = lastOf(all, OUTPUT_LINES).take((left) =>
    lines.push(`    … +${left} ↑ ${CHECK_LOG}`),
  );
  return [...lines, ...tail.map((text) => `    ${text}`)];
}

function verdictOf(checked: CheckStage, { stage, excesses }: Texts["check"]): string {
  const { timedOut, excess, exitCode } = checked;
  if (excess) return excesses[excess.kind](toAmount(excess));
  if (timedOut) return stage.timedOut(limitOf(checked));
  return exitCode === 0 ? stage.passed : stage.exit(String(exitCode ?? "?"));
}
