import type { RequestContext } from "../../agent/deps.ts";
import { maskTexts } from "../../agent/session/session.ts";
import type { AgentEvent } from "../../channels/channel.ts";
import { renderEvent } from "../../channels/render-event.ts";
import { newId } from "../../core/ids.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import type { Current } from "../../daemon/app/app.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { canAsk } from "../ask-yes-no.ts";
import type { CliContext } from "../context.ts";
import { tell } from "../print.ts";
import { type Activity, openActivity } from "../screen/activity.ts";

/** A session of its own for one command; what happens in it is shown to people, not to programs. */
export function openRequest(
  { agent: { core }, texts }: Current,
  { root }: Workspace,
  context: CliContext,
): RequestContext & { readonly endProse: () => void; readonly activity: Activity } {
  const speaker = { sessionId: newId("ask"), userId: "owner" };
  core.sessions.update(speaker.sessionId, speaker.userId, { workspace: root }, core.clock.now());
  const prose = createProse(context);
  const activity = openActivity(context, texts());
  const { answer } = texts().terminal.doing;
  const emit = (event: AgentEvent) => {
    if (event.kind === "counted") return activity.step(event);
    const masked = maskTexts(event, core.redact);
    activity.rest();
    // What is held back of the answer was said before.
    if (masked.kind === "tool_call" || masked.kind === "progress") prose.end();
    if (masked.kind === "tool_call") activity.begin(renderEvent(masked, texts()).text);
    if (masked.kind === "tool_result") activity.begin(answer);
    if (masked.kind === "progress") tellProgress(masked, texts(), context);
    else if (context.command.json) return undefined;
    else if (masked.kind === "content") prose.add(masked.text);
    else return show(masked, texts(), context, () => prose.end());
    return undefined;
  };
  const {
    command: { json },
    stdout,
    signal,
  } = context;
  const hasApprover = !json && canAsk(context) && stdout.isTTY; // which shows what is asked about
  const work = { id: newId("work"), isKept: false };
  return {
    speaker,
    texts: texts(),
    emit,
    signal,
    hasApprover,
    isOnlyTurn: true,
    work,
    endProse: () => prose.end(),
    activity,
  };
}

/** What a model says, in pieces: read as Markdown where a terminal shows it, else as it comes. */
function createProse({ command: { json }, stdout, screen }: CliContext) {
  const stream = json ? undefined : screen(stdout)?.stream();
  let endsLine = false;
  return {
    add(text: string) {
      const shown = toPrintableText(text);
      if (shown !== "") endsLine = shown.endsWith("\n");
      stdout.write(stream ? stream.push(shown) : shown);
    },
    end() {
      if (stream) stdout.write(stream.end() + (endsLine ? "\n" : ""));
      endsLine = false;
    },
  };
}

/** What takes time, and what is missing: for people, beside what a command gives. */
function tellProgress(event: AgentEvent, texts: Texts, context: CliContext): void {
  tell(context, `papayu: ${renderEvent(event, texts, false).text}`);
}

/** Text of others, so nothing in it may command the terminal. */
async function show(
  event: AgentEvent,
  texts: Texts,
  context: CliContext,
  endProse: () => void,
): Promise<void> {
  const { stdout } = context;
  const text = toPrintableText(renderEvent(event, texts).text);
  const { kind } = event;
  if (text !== "") endProse();
  if (kind === "call_approval" || kind === "call_result") stdout.write(`\n${text}\n\n`);
  if (kind === "file" || kind === "outcome") stdout.write(`\n${text}\n`);
  if (kind === "approval") {
    const next = texts.terminal.next(`papayu apply ${event.preview.planId}`);
    const { renderOnScreen } = await import("../screen/show-preview.ts");
    const shown = await renderOnScreen(event.preview, texts, context.screen(stdout));
    stdout.write(`\n${shown}\n${next}\n`);
  }
}
