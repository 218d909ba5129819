import { toVisibleText } from "../../core/visible-text.ts";
import type { CheckResult, CheckStage } from "../../transaction/change.ts";
import type { ChangeView, OutcomeView, PreviewView } from "../../transaction/views.ts";
import type { AgentEvent } from "../channel.ts";
import { escapeHtml } from "./html.ts";
import { type Button, type Message, textMessage } from "./message.ts";
import { renderCall, renderCallResult } from "./render-call.ts";

/** An event that is shown at once as messages of its own. */
export type ShownEvent = Extract<
  AgentEvent,
  {
    readonly kind:
      | "plan"
      | "research"
      | "approval"
      | "call_approval"
      | "call_result"
      | "outcome"
      | "error";
  }
>;

/** Masks secrets. */
export type Redact = (text: string) => string;

/** A longer diff, or answer from the web, goes out as a file. */
const MAX_INLINE_LENGTH = 3000;
const OUTPUT_TAIL_LINES = 15;
const OUTPUT_TAIL_LENGTH = 1500;

/** Messages for an event, with nothing in them that a reader could not see. */
export function renderEvent(event: ShownEvent, redact: Redact): Message[] {
  const show = (text: string) => escapeHtml(toVisibleText(redact(text)));
  switch (event.kind) {
    case "plan":
      return [renderPlan(event, show)];
    case "research":
      return renderResearch(event, show, redact);
    case "approval":
      return renderApproval(event.approvalId, event.preview, show, redact);
    case "call_approval":
      return renderCall(event, redact);
    case "call_result":
      return [renderCallResult(event, redact)];
    case "outcome":
      return [renderOutcome(event.outcome, show)];
    case "error":
      return [textMessage(`❌ ${show(event.message)}\n<code>${show(event.code)}</code>`)];
    default:
      return event satisfies never;
  }
}

type Show = (text: string) => string;

function renderPlan(plan: Extract<AgentEvent, { kind: "plan" }>, show: Show): Message {
  return {
    kind: "text",
    html: `<b>Plan for ${show(plan.workspace)}</b>\n\n${show(plan.summary)}`,
    buttons: [
      { label: "Apply", press: { act: "apply", ref: plan.planId } },
      { label: "Drop", press: { act: "drop", ref: plan.planId } },
    ],
  };
}

/** The button stands below the whole answer, so that nothing is used unseen. */
function renderResearch(
  event: Extract<AgentEvent, { kind: "research" }>,
  show: Show,
  redact: Redact,
): Message[] {
  const { researchId: ref, query, answerMd, notes, sources, autoUsed } = event;
  const head = `<b>Found on the web:</b> ${show(query)}`;
  const list = sources.map(({ url, title }, index) => `${index + 1}. ${show(title)} ${show(url)}`);
  const tail = [
    ...(notes === undefined ? [] : [`<i>${show(notes)}</i>`]),
    list.join("\n"),
    ...(autoUsed ? ["Auto-used ✓"] : []),
  ];
  const button: Button = autoUsed
    ? { label: "Disable auto-use", press: { act: "stop_auto_use", ref } }
    : { label: "Use as context (once)", press: { act: "use_research", ref } };
  if (answerMd.length <= MAX_INLINE_LENGTH) {
    const html = [head, show(answerMd), ...tail].join("\n\n");
    return [{ kind: "text", html, buttons: [button] }];
  }
  return [
    textMessage([head, ...tail].join("\n\n")),
    {
      kind: "document",
      filename: `${ref}.md`,
      content: toVisibleText(redact(answerMd)),
      caption: "The whole answer",
      buttons: [button],
    },
  ];
}

/** The buttons stand below the last thing shown, so that nothing is approved unseen. */
function renderApproval(ref: string, preview: PreviewView, show: Show, redact: Redact): Message[] {
  const buttons: Button[] = [
    { label: "Approve", press: { act: "approve", ref } },
    { label: "Reject", press: { act: "reject", ref } },
  ];
  const head = [
    `<b>Changes for ${show(preview.workspace)}</b>`,
    show(preview.summary),
    preview.changes.map((change) => changeLine(change, show)).join("\n"),
    preview.notes.map((note) => `• ${show(note)}`).join("\n"),
    preview.checks.length === 0
      ? "No checks will run."
      : `Checks that will run:\n${preview.checks.map((check) => `<code>${show(check)}</code>`).join("\n")}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
  const diff = preview.diff.trimEnd();
  if (diff.length <= MAX_INLINE_LENGTH) {
    const block = diff === "" ? "" : `\n\n<pre>${show(diff)}</pre>`;
    return [{ kind: "text", html: head + block, buttons }];
  }
  return [
    textMessage(head),
    {
      kind: "document",
      filename: `${preview.changeSetId.slice(0, 12)}.diff`,
      content: toVisibleText(redact(preview.diff)),
      caption: "The whole diff",
      buttons,
    },
  ];
}

function changeLine(change: ChangeView, show: Show): string {
  const counts = `+${change.added} −${change.removed}`;
  const path = `<code>${show(change.path)}</code>`;
  switch (change.kind) {
    case "update":
      return `${counts} ${path}`;
    case "create":
      return `${counts} ${path} (new)`;
    case "delete":
      return `${counts} ${path} (deleted)`;
    case "mkdir":
      return `${path} (new folder)`;
    case "rmdir":
      return `${path} (folder removed)`;
    default:
      return change.kind satisfies never;
  }
}

function renderOutcome(outcome: OutcomeView, show: Show): Message {
  const html = [
    headline(outcome, show),
    outcome.error === undefined ? "" : show(outcome.error),
    outcome.reason === undefined ? "" : show(outcome.reason),
    outcome.check === undefined ? "" : renderCheck(outcome.check, show),
    outcome.check === undefined ? "" : renderSandbox(outcome.check, show),
    outcome.errorCode === undefined ? "" : `<code>${show(outcome.errorCode)}</code>`,
  ]
    .filter((part) => part !== "")
    .join("\n");
  if (outcome.status !== "committed" || outcome.txId === undefined) return textMessage(html);
  const undo: Button = { label: "Undo", press: { act: "undo", ref: outcome.txId } };
  return { kind: "text", html, buttons: [undo] };
}

function headline(outcome: OutcomeView, show: Show): string {
  const where = `<b>${show(outcome.workspace)}</b>`;
  const count = outcome.changes.length;
  const what = `${count} ${count === 1 ? "change" : "changes"}`;
  switch (outcome.status) {
    case "committed":
      return `✅ Applied in ${where}: ${what}.`;
    case "rolled_back":
      if (outcome.errorCode === "ERR_IO") return `⚠️ Not all of it could be put back in ${where}.`;
      if (outcome.kept)
        return `⚠️ Rolled back in ${where}, except ${show(outcome.kept.join(", "))}.`;
      return `↩️ Rolled back in ${where}: every file is as it was.`;
    case "rejected":
      return `Rejected: nothing was changed in ${where}.`;
    case "no_changes":
      return `Nothing to change in ${where}.`;
    case "undone":
      return `↩️ Undone in ${where}: ${what}.`;
    case "redone":
      return `✅ Done again in ${where}: ${what}.`;
    case "conflict":
      return `⚠️ Not done in ${where}: something else changed there meanwhile.`;
    default:
      return outcome.status satisfies never;
  }
}

function renderCheck(check: CheckResult, show: Show): string {
  const failed = check.stages.find((stage) => stage.exitCode !== 0);
  if (check.ok || failed === undefined) {
    if (check.stages.length === 0) return "No checks ran.";
    const passed = check.stages.map((stage) => `<code>${show(stage.command.join(" "))}</code>`);
    return `Checks passed: ${passed.join(", ")}`;
  }
  const how = failed.timedOut ? "ran out of time" : `ended with ${failed.exitCode ?? "a signal"}`;
  const tail = outputTail(failed);
  const block = tail === "" ? "" : `\n<pre>${show(tail)}</pre>`;
  return `Check <code>${show(failed.command.join(" "))}</code> ${how}${tail === "" ? "." : ":"}${block}`;
}

function renderSandbox({ sandbox, sandboxNote }: CheckResult, show: Show): string {
  return `Sandbox: ${sandbox}${sandboxNote ? ` (${show(sandboxNote)})` : ""}`;
}

function outputTail(stage: CheckStage): string {
  const lines = stage.output.trimEnd().split("\n").slice(-OUTPUT_TAIL_LINES).join("\n");
  return lines.slice(-OUTPUT_TAIL_LENGTH);
}
