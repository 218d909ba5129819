import { cutText } from "../../../core/cut-text.ts";
import { firstOf } from "../../../core/few.ts";
import { toVisibleText } from "../../../core/visible-text.ts";
import type { Texts } from "../../../texts/texts.ts";
import { toCallText } from "../../call-text.ts";
import type { AgentEvent, CallApprovalEvent, FileEvent } from "../../channel.ts";
import { type Button, buttonsOf } from "../../event-buttons.ts";
import { toFailureLines } from "../../failure-lines.ts";
import { toPlannedSeriesLines } from "../../series-lines.ts";
import {
  cutMarkdown,
  escapeHtml,
  escapeUnlinked,
  fitsButton,
  type Message,
  markShowing,
  textMessage,
  toParts,
  toTelegramHtml,
} from "../message/message.ts";
import { renderApproval } from "./render-approval.ts";
import { renderOutcome } from "./render-outcome.ts";
import { createRenderer, type Redact, type Renderer } from "./renderer.ts";

export type { Redact } from "./renderer.ts";

const SHOWN = [
  "plan",
  "research",
  "approval",
  "call_approval",
  "call_result",
  "file",
  "outcome",
  "choice",
  "error",
] as const satisfies AgentEvent["kind"][];

/** An event that is shown at once as messages of its own. */
export type ShownEvent = Extract<AgentEvent, { readonly kind: (typeof SHOWN)[number] }>;

/** Whether an event has messages of its own. */
export function isShown(event: AgentEvent): event is ShownEvent {
  return SHOWN.some((kind) => kind === event.kind);
}

/** Messages for an event, with nothing in them that a reader could not see. */
export function renderEvent(event: ShownEvent, texts: Texts, redact: Redact): Message[] {
  return markShowing(event, renderKind(event, createRenderer(texts, redact)));
}

function renderKind(event: ShownEvent, renderer: Renderer): Message[] {
  const { texts } = renderer;
  const buttons = buttonsOf(event, texts.buttons);
  switch (event.kind) {
    case "plan":
      return [renderPlan(event, buttons, renderer)];
    case "research":
      return renderResearch(event, buttons, renderer);
    case "approval":
      return renderApproval(event, buttons, renderer);
    case "call_approval":
      return renderCall(event, buttons, renderer);
    case "call_result":
      return [renderCallResult(event, renderer)];
    case "file":
      return [renderFile(event, renderer)];
    case "outcome":
      return [renderOutcome(event.outcome, buttons, renderer)];
    case "choice":
      return [renderChoice(event, renderer)];
    case "error":
      return [renderError(event, renderer)];
    default:
      return event satisfies never;
  }
}

function renderError(
  error: Extract<AgentEvent, { kind: "error" }>,
  { texts, quote }: Renderer,
): Message {
  const lines = toFailureLines(error, texts).map((line) => quote(line));
  return textMessage(`❌ ${[...lines, `<code>${error.code}</code>`].join("\n")}`);
}

/** Telegram refuses a message with more than 100, and fewer where their labels are long. */
const MAX_BUTTONS = 60;

function renderChoice(
  { text, options, columns, opens }: Extract<AgentEvent, { kind: "choice" }>,
  { texts: { telegram }, quote, write, clean }: Renderer,
): Message {
  const fitting = options.filter(({ press }) => fitsButton(press));
  const lines = [write(text)];
  const buttons = firstOf(fitting, MAX_BUTTONS)
    .take((left, all) => lines.push(quote(telegram.someButtons(all - left, all))))
    .map(({ label, press }) => ({ label: clean(label), press }));
  const side = columns !== undefined && { columns };
  return { kind: "text", html: lines.join("\n\n"), buttons, ...side, ...(opens && { opens }) };
}

function renderPlan(
  { workspace, summary, row, isLocked }: Extract<AgentEvent, { kind: "plan" }>,
  buttons: readonly Button[],
  { texts, show, write }: Renderer,
): Message {
  const head = `<b>${texts.plan.head(show(workspace))}</b>`;
  const locked = isLocked ? [show(texts.refusals.locked)] : [];
  const html = [head, write(summary), ...toPlannedSeriesLines(row, texts), ...locked].join("\n\n");
  return { kind: "text", html, buttons };
}

/** A longer result or answer goes out as a file. */
const MAX_INLINE_LENGTH = 3000;

/** Findings from the web; the button is below the whole answer, so nothing is used unseen. */
function renderResearch(
  event: Extract<AgentEvent, { kind: "research" }>,
  buttons: readonly Button[],
  { texts: { answer, research }, clean, quote, show, write }: Renderer,
): Message[] {
  const { researchId: ref, query, answerMd, notes, sources, autoUsed } = event;
  const head = `<b>${research.head}</b> ${quote(query)}`;
  const list = sources.map(({ url, title }, index) => `${index + 1}. ${quote(title)} ${show(url)}`);
  const tail = [
    ...(notes === undefined ? [] : [quote(notes, "i")]),
    list.join("\n"),
    ...(autoUsed ? [research.autoUsed] : []),
  ];
  if (answerMd.length <= MAX_INLINE_LENGTH) {
    const html = [head, write(answerMd), ...tail].join("\n\n");
    return [{ kind: "text", html, buttons }];
  }
  const file = {
    kind: "document",
    filename: `${ref}.md`,
    content: clean(answerMd),
    caption: answer.wholeAnswer,
    buttons,
  } as const;
  return [textMessage([head, ...tail].join("\n\n")), file];
}

/**
 * A call for approval. A long one is shown by its ends, and whole as a file; the buttons are
 * below the last of it, so that nothing is approved unseen.
 */
function renderCall(
  { approvalId: ref, tool, shown, reason }: CallApprovalEvent,
  buttons: readonly Button[],
  { texts: { call }, redact, show }: Renderer,
): Message[] {
  const { whole, ends } = toCallText(redact(shown), call);
  const head = call.asks(`<b>${show(tool)}</b>`, show(reason));
  const html = `${head}\n\n<pre>${escapeHtml(ends ?? whole)}</pre>`;
  if (ends === undefined) return [{ kind: "text", html, buttons }];
  const caption = call.whole;
  return [
    textMessage(html),
    { kind: "document", filename: `${ref}.txt`, content: whole, caption, buttons },
  ];
}

/** What came of a call that was approved. */
function renderCallResult(
  { tool, ok, text }: Extract<AgentEvent, { kind: "call_result" }>,
  { redact }: Renderer,
): Message {
  const head = `${ok ? "✅" : "❌"} ${toVisibleText(tool)}`;
  const result = toVisibleText(redact(text)).trimEnd();
  if (result.length <= MAX_INLINE_LENGTH) {
    const block = result === "" ? "" : `\n<pre>${escapeHtml(result)}</pre>`;
    return textMessage(escapeHtml(head) + block);
  }
  return { kind: "document", filename: "result.txt", content: result, caption: head, buttons: [] };
}

/** What Telegram shows as a picture, and takes as one. */
const PHOTO = /\.(png|jpe?g|webp)$/iu;
const MAX_PHOTO_BYTES = 10 * 1024 * 1024;

/** A file as a picture where it is one, else as a document. */
function renderFile(
  { workspace, path, absolute, sha256, sizeBytes }: FileEvent,
  { texts: { file }, clean }: Renderer,
): Message {
  const shown = clean(path);
  return {
    kind: "file",
    absolute,
    sha256,
    filename: shown.slice(shown.lastIndexOf("/") + 1),
    caption: `${clean(workspace)}: ${shown}`,
    isPhoto: PHOTO.test(path) && sizeBytes <= MAX_PHOTO_BYTES,
    otherwise: file.notSent(shown),
    buttons: [],
  };
}

/** A longer answer is its first message and a file. */
export const MAX_PARTS = 4;
/** Markdown of more than so many messages, nearly whatever is in it; what is longer is not read on. */
export const MAX_LENGTH = 20_000;

/** An answer as the texts of its messages, and as a file when there would be too many. */
export function toAnswer(
  markdown: string,
  { wholeAnswer: caption }: Texts["answer"],
): { readonly parts: readonly string[]; readonly file?: Message } {
  const isWhole = markdown.length <= MAX_LENGTH;
  const start = isWhole ? markdown : cutMarkdown(markdown, MAX_LENGTH);
  const shown = toParts(toTelegramHtml(start));
  // Markup that holds nothing is all there is to say.
  const parts = shown.length > 0 ? shown : toParts(escapeUnlinked(start));
  if (parts.length <= MAX_PARTS && isWhole) return { parts };
  const file = { kind: "document", filename: "answer.md", content: markdown, caption } as const;
  return { parts: parts.slice(0, 1), file: { ...file, buttons: [] } };
}

/** Of a line about what is being done. */
const MAX_PROGRESS_LENGTH = 120;

/** One line about what is being done, as text. */
export function toProgressText(
  event: Extract<AgentEvent, { readonly kind: "progress" | "tool_call" }>,
  redact: (text: string) => string,
): string {
  const text = event.kind === "progress" ? event.text : `${event.name} ${firstValue(event.args)}`;
  return cutText(toVisibleText(redact(text)).replace(/\s+/g, " ").trim(), MAX_PROGRESS_LENGTH);
}

/** What a call is about: mostly its first argument, a path or a command. */
function firstValue(args: string): string {
  try {
    const [value] = Object.values(Object(JSON.parse(args)));
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}
