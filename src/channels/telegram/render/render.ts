import type { Texts } from "../../../texts/texts.ts";
import type { AgentEvent, FileEvent } from "../../channel.ts";
import { type Button, buttonsOf } from "../../event-buttons.ts";
import { toFailureLines } from "../../failure-lines.ts";
import { toPlannedRowLines } from "../../row-lines.ts";
import {
  cutMarkdown,
  escapeUnlinked,
  fitsButton,
  type Message,
  textMessage,
  toParts,
  toTelegramHtml,
} from "../message/message.ts";
import { renderApproval } from "./render-approval.ts";
import { renderCall, renderCallResult } from "./render-call.ts";
import { renderOutcome } from "./render-outcome.ts";
import { renderResearch } from "./render-research.ts";
import { createRenderer, type Redact, type Renderer } from "./renderer.ts";

export { toProgressText } from "./progress-text.ts";
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
  const renderer = createRenderer(texts, redact);
  const buttons = buttonsOf(event, texts.buttons);
  switch (event.kind) {
    case "plan":
      return [renderPlan(event, buttons, renderer)];
    case "research":
      return renderResearch(event, buttons, renderer);
    case "approval":
      return renderApproval(event.preview, buttons, renderer);
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

function renderChoice(
  { text, options, columns, opens }: Extract<AgentEvent, { kind: "choice" }>,
  { write, clean }: Renderer,
): Message {
  const fitting = options.filter(({ press }) => fitsButton(press));
  const buttons = fitting.map(({ label, press }) => ({ label: clean(label), press }));
  const side = columns !== undefined && { columns };
  return { kind: "text", html: write(text), buttons, ...side, ...(opens && { opens }) };
}

function renderPlan(
  { workspace, summary, row }: Extract<AgentEvent, { kind: "plan" }>,
  buttons: readonly Button[],
  { texts, show, write }: Renderer,
): Message {
  const head = `<b>${texts.plan.head(show(workspace))}</b>`;
  const html = [head, write(summary), ...toPlannedRowLines(row, texts)].join("\n\n");
  return { kind: "text", html, buttons };
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
