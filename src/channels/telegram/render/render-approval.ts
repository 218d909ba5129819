import { wordNotes } from "../../../texts/notes/notes.ts";
import type { Texts } from "../../../texts/texts.ts";
import type { ChangeView, CheckedView, PreviewView } from "../../../transaction/views.ts";
import type { AgentEvent } from "../../channel.ts";
import {
  describePlanned,
  toFixPathsLines,
  toGenerationLines,
  toPassedLine,
  toUnseenLines,
} from "../../checked-lines.ts";
import type { Button } from "../../event-buttons.ts";
import { toSeriesLines } from "../../series-lines.ts";
import { type Message, textMessage } from "../message/message.ts";
import { renderCheck, renderCheckNotes } from "./render-outcome.ts";
import type { Renderer } from "./renderer.ts";

/** A longer diff goes out as a file. */
const MAX_INLINE_LENGTH = 3000;

/**
 * A change set for approval. The buttons are below the last thing shown, so that nothing is
 * approved unseen.
 */
export function renderApproval(
  { approvalId: review, preview }: Extract<AgentEvent, { kind: "approval" }>,
  buttons: readonly Button[],
  renderer: Renderer,
): Message[] {
  const { texts, show, clean } = renderer;
  const head = renderHead(preview, renderer);
  const diff = preview.diff.trimEnd();
  if (diff.length <= MAX_INLINE_LENGTH) {
    const block = diff === "" ? "" : `\n\n<pre>${show(diff)}</pre>`;
    return [{ kind: "text", html: head + block, buttons, review }];
  }
  const file = {
    kind: "document",
    filename: `${preview.changeSetId.slice(0, 12)}.diff`,
    content: clean(preview.diff),
    caption: texts.approval.wholeDiff,
    buttons,
    review,
  } as const;
  return [textMessage(head), file];
}

function renderHead(preview: PreviewView, renderer: Renderer): string {
  const { texts: all, quote, show, write } = renderer;
  const { approval: texts } = all;
  const { workspace, summary, changes, notes, checked, generation, row } = preview;
  const parts = [
    `<b>${texts.head(show(workspace))}</b>`,
    write(summary),
    // A phone shows the parts; the files of each are in the diff.
    row
      ? toSeriesLines({ row }, all, quote).join("\n")
      : changes.map((change) => renderChange(change, texts, show)).join("\n"),
    wordNotes(notes, all.notes)
      .map((note) => `• ${quote(note)}`)
      .join("\n"),
    toGenerationLines(generation, all, (name) => `<code>${show(name)}</code>`).join("\n"),
    checked ? renderChecked(checked, all, show) : renderPlanned(preview, renderer),
    toFixPathsLines(preview.fixPaths, all, (name) => `<code>${show(name)}</code>`).join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Checks that run after a yes. */
function renderPlanned(preview: PreviewView, { texts, quote, show }: Renderer): string {
  const { checks, unseen } = preview;
  const toCode = (command: string) => `<code>${show(command)}</code>`;
  const quoted = checks.map(({ from, ...check }) => ({
    ...check,
    ...(from !== undefined && { from: quote(from) }),
  }));
  if (unseen) return toUnseenLines({ checks: quoted, unseen }, texts, toCode).join("\n");
  if (checks.length === 0) return texts.approval.noChecks;
  const list = quoted.map((check) => describePlanned(check, texts.planned, toCode));
  return [texts.approval.checks, ...list].join("\n");
}

/** Checks that ran before the question. */
function renderChecked(checked: CheckedView, texts: Texts, show: Renderer["show"]): string {
  if (!checked.check.ok) return renderCheck(checked, texts, show).join("\n");
  if (checked.check.stages.length === 0) return texts.approval.noChecks;
  const took = checked.check.stages.map(({ command, durationMs }) => {
    const code = `<code>${show(command.join(" "))}</code>`;
    return texts.checked.took(code, (durationMs / 1000).toFixed(1));
  });
  const passed = toPassedLine(checked, took, texts);
  return [passed, ...renderCheckNotes({ ...checked, fixRounds: 0 }, texts, show)].join("\n");
}

function renderChange(
  { path, kind, added, removed }: ChangeView,
  texts: Texts["approval"],
  show: Renderer["show"],
): string {
  const shown = `<code>${show(path)}</code>`;
  const counted = `+${added} −${removed} ${shown}`;
  switch (kind) {
    case "update":
      return counted;
    case "create":
      return `${counted} (${texts.created})`;
    case "delete":
      return `${counted} (${texts.deleted})`;
    case "mkdir":
      return `${shown} (${texts.folderCreated})`;
    case "rmdir":
      return `${shown} (${texts.folderRemoved})`;
    default:
      return kind satisfies never;
  }
}
