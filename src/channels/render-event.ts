import { toPrintableText, toVisibleText } from "../core/visible-text.ts";
import type { Texts } from "../texts/texts.ts";
import { renderCall, renderCallResult } from "./call-text.ts";
import type { AgentEvent, FileEvent } from "./channel.ts";
import { type Button, buttonsOf, hasFailed } from "./event-buttons.ts";
import { toFailureLine } from "./failure-lines.ts";
import { renderOutcome, renderPreview } from "./render-text.ts";
import { toPlannedSeriesLines } from "./series-lines.ts";

/** An event for a surface that shows plain text: all that a new channel has to carry across. */
export interface RenderedEvent {
  /**
   * What to show, with nothing in it that could command a terminal, and nothing hidden in what
   * is decided on; empty: nothing. It has no line break around it.
   */
  readonly text: string;
  /** It continues the text before it; everything else is a paragraph of its own. */
  readonly isPiece: boolean;
  /** How to answer in words, for a surface without buttons. */
  readonly hint?: string;
  /** What can be pressed below it; for a question a yes and a no. */
  readonly buttons: readonly Button[];
  /** The agent waits for a yes or a no to this. */
  readonly question?: Question;
}

/** A question that waits for a yes or a no, as programs read it. */
export interface Question {
  readonly approvalId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** An event as plain text, with what may be asked as data; a diff is coloured when `color`. */
export function renderEvent(event: AgentEvent, texts: Texts, color = false): RenderedEvent {
  const { kind } = event;
  const question = toQuestion(event);
  return {
    text: toText(event, texts, color),
    isPiece: kind === "content" || kind === "choice",
    buttons: buttonsOf(event, texts.buttons),
    ...(event.kind === "plan" && {
      hint: event.isLocked ? texts.refusals.locked : texts.plan.goOn,
    }),
    ...(question && { question }),
  };
}

function toText(event: AgentEvent, texts: Texts, color: boolean): string {
  switch (event.kind) {
    case "content":
    case "choice":
    case "progress":
    case "check_output":
      return toPrintableText(event.text);
    case "tool_call":
      return `[${toPrintableText(event.name)}]`;
    case "plan":
      return toVisibleText([event.summary, ...toPlannedSeriesLines(event.row, texts)].join("\n\n"));
    case "research":
      return renderResearch(event, texts);
    case "approval":
      return renderPreview(event.preview, texts, color);
    case "call_approval":
      return renderCall(event, texts);
    case "call_result":
      return renderCallResult(event);
    case "file":
      return renderFile(event, texts);
    case "outcome":
      return renderOutcome(event.outcome, texts);
    case "error":
      return toPrintableText(toFailureLine(event, texts));
    case "counted":
    case "tool_result":
    case "done":
      return "";
    default:
      return event satisfies never;
  }
}

function toQuestion(event: AgentEvent): Question | undefined {
  if (event.kind === "call_approval") {
    const { approvalId, tool, args } = event;
    return { approvalId, tool, args };
  }
  if (event.kind !== "approval") return undefined;
  const { planId, changeSetId, workspace, changes, checked, fixPaths, triesLeft } = event.preview;
  const { unseen, checks: found } = event.preview;
  const paths = changes.map(({ path }) => path);
  const checks = checked && (hasFailed(event.preview) ? "failed" : "passed");
  const args = {
    plan_id: planId,
    change_set_id: changeSetId,
    workspace,
    paths,
    ...(checked && checks && { checks, fix_rounds: checked.fixRounds }),
    ...(fixPaths && { fix_paths: fixPaths }),
    ...(unseen && { unseen, unseen_checks: found.map(({ command }) => command) }),
    ...(triesLeft !== undefined && { tries_left: triesLeft }),
  };
  return { approvalId: event.approvalId, tool: "apply_change_set", args };
}

/** Findings from the web, hidden characters made visible. */
function renderResearch(
  event: Extract<AgentEvent, { kind: "research" }>,
  { research }: Texts,
): string {
  const { query, answerMd, notes, sources, autoUsed } = event;
  const parts = [
    `${research.head} ${query}`,
    answerMd,
    ...(notes === undefined ? [] : [`${research.notes}: ${notes}`]),
    sources.map(({ url, title }, index) => `${index + 1}. ${title} ${url}`).join("\n"),
    autoUsed ? research.autoUsedHow : research.useHow,
  ];
  return toVisibleText(parts.join("\n\n"));
}

/** Which file it is, for somebody at the machine that has it. */
function renderFile({ workspace, path, sizeBytes }: FileEvent, { file }: Texts): string {
  return toVisibleText(file.liesIn(workspace, path, toSize(sizeBytes)));
}

/** A size as people read it. */
function toSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
