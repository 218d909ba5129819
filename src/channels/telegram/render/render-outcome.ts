import { keepEnd } from "../../../core/cut-text.ts";
import { lastOf } from "../../../core/few.ts";
import { toAmount } from "../../../system/limits.ts";
import { wordNotes } from "../../../texts/notes/notes.ts";
import type { Texts } from "../../../texts/texts.ts";
import { wordIn } from "../../../texts/wording.ts";
import { type CheckStage, limitOf } from "../../../transaction/change.ts";
import type { OutcomeView } from "../../../transaction/views.ts";
import {
  type Checked,
  toCheckedLines,
  toFixPathsLines,
  toGenerationLines,
  toPassedLine,
} from "../../checked-lines.ts";
import type { Button } from "../../event-buttons.ts";
import { toFailureLines } from "../../failure-lines.ts";
import { toSeriesEndLines } from "../../series-lines.ts";
import { type Headline, toHeadline } from "../../to-headline.ts";
import type { Message } from "../message/message.ts";
import type { Renderer } from "./renderer.ts";

const OUTPUT_TAIL_LINES = 15;
const OUTPUT_TAIL_LENGTH = 1500;

const MARKS: Readonly<Record<Headline["mark"], string>> = {
  done: "✅ ",
  undone: "↩️ ",
  "rolled back": "↩️ ",
  warning: "⚠️ ",
  rejected: "",
  nothing: "",
};

/** How a transaction ended, with what can be done about it as buttons. */
export function renderOutcome(
  outcome: OutcomeView,
  buttons: readonly Button[],
  { texts, show, quote }: Renderer,
): Message {
  const { workspace, reason, check, errorCode, notes = [] } = outcome;
  const { sideEffects, fixRounds, fixNotes } = outcome;
  const { mark, text } = toHeadline(outcome, texts, `<b>${show(workspace)}</b>`, quote);
  const lines = [
    `${MARKS[mark]}${text}`,
    ...renderFailure(outcome, texts, quote),
    ...wordNotes(notes, texts.notes).map((note) => quote(note)),
    ...toGenerationLines(outcome.generation, texts, (name) => `<code>${show(name)}</code>`),
    ...(reason === undefined ? [] : [quote(reason)]),
    ...(check ? renderCheck({ check, sideEffects, fixRounds, fixNotes }, texts, show) : []),
    ...toFixPathsLines(outcome.fixPaths, texts, (name) => `<code>${show(name)}</code>`),
    ...(errorCode === undefined ? [] : [`<code>${show(errorCode)}</code>`]),
    ...toSeriesEndLines(outcome, texts),
  ];
  return { kind: "text", html: lines.join("\n"), buttons };
}

function renderFailure(
  { error: message, errorCode: code, made }: OutcomeView,
  texts: Texts,
  quote: Renderer["quote"],
): readonly string[] {
  if (message === undefined) return [];
  const said = made === undefined ? undefined : texts.made.already(made);
  return toFailureLines({ code, message, said }, texts).map((line) => quote(line));
}

/** How checks ended, what they ran in, and what else there is to say of them. */
export function renderCheck(checked: Checked, all: Texts, show: Renderer["show"]): string[] {
  const { check } = checked;
  const { check: texts } = all;
  const { sandbox, sandboxNote, sandboxGaps = [] } = check;
  const note = sandboxNote ? ` (${show(wordIn(texts.notes, sandboxNote))})` : "";
  const gaps = sandboxGaps.map((gap) => `; ${show(wordIn(texts.gaps, gap))}`).join("");
  const where = `${texts.sandbox(sandbox)}${note}${gaps}`;
  // With the checks that passed in one line goes what was corrected before.
  const rest = check.ok ? { ...checked, fixRounds: 0 } : checked;
  return [renderStages(checked, all, show), where, ...renderCheckNotes(rest, all, show)];
}

/** What else there is to say of checks, each name of the project's as code. */
export function renderCheckNotes(
  checked: Checked,
  texts: Texts,
  show: Renderer["show"],
): readonly string[] {
  return toCheckedLines(checked, texts, (name) => `<code>${show(name)}</code>`);
}

function renderStages(checked: Checked, all: Texts, show: Renderer["show"]): string {
  const { ok, stages } = checked.check;
  const { check: texts } = all;
  const code = ({ command }: CheckStage) => `<code>${show(command.join(" "))}</code>`;
  const failed = stages.find(({ exitCode }) => exitCode !== 0);
  if (stages.length === 0) return texts.noneRan;
  if (ok || failed === undefined) return toPassedLine(checked, stages.map(code), all);
  const how = howFailed(failed, code(failed), texts);
  const tail = outputTail(failed);
  return tail === "" ? how : `${how}\n<pre>${show(tail)}</pre>`;
}

function howFailed(stage: CheckStage, command: string, texts: Texts["check"]): string {
  const { timedOut, excess, exitCode } = stage;
  if (excess) return texts.excess(command, texts.excesses[excess.kind](toAmount(excess)));
  return timedOut
    ? texts.outOfTime(command, limitOf(stage))
    : texts.failed(command, String(exitCode ?? texts.signal));
}

function outputTail({ output }: CheckStage): string {
  let before = "";
  const lines = lastOf(output.trimEnd().split("\n"), OUTPUT_TAIL_LINES).take((left) => {
    before = `… +${left} ↑ .papa-yu/last-check.log\n`;
  });
  return before + keepEnd(lines.join("\n"), OUTPUT_TAIL_LENGTH);
}
