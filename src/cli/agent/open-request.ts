import type { RequestContext } from "../../agent/deps.ts";
import { maskTexts } from "../../agent/session/session.ts";
import type { AgentEvent } from "../../channels/channel.ts";
import { renderCall, renderCallResult } from "../../channels/render-call.ts";
import { renderFile } from "../../channels/render-file.ts";
import { renderOutcome, renderPreview } from "../../channels/render-text.ts";
import { newId } from "../../core/ids.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import type { App } from "../../daemon/app/app.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { CliContext } from "../context.ts";
import { wantsColor } from "../print.ts";

/** A session of its own for one command; what happens in it is shown to people, not to programs. */
export function openRequest(
  { agent: { core }, clock, texts }: App,
  { root }: Workspace,
  context: CliContext,
): RequestContext {
  const speaker = { sessionId: newId("ask"), userId: "owner" };
  core.sessions.update(speaker.sessionId, speaker.userId, { workspace: root }, clock.now());
  const emit = (event: AgentEvent) =>
    context.json ? undefined : show(maskTexts(event, core.redact), texts(), context);
  const { json, stdin, stdout, signal } = context;
  const hasApprover = !json && stdin.isTTY && stdout.isTTY;
  const workId = newId("work");
  return { speaker, texts: texts(), emit, signal, hasApprover, workId, isKept: false };
}

/** Text of a model, so nothing in it may command the terminal. */
function show(event: AgentEvent, texts: Texts, context: CliContext): void {
  const { stdout } = context;
  if (event.kind === "content") stdout.write(toPrintableText(event.text));
  if (event.kind === "call_approval") stdout.write(`\n${renderCall(event, texts)}\n`);
  if (event.kind === "call_result") stdout.write(`\n${renderCallResult(event)}\n`);
  if (event.kind === "file") stdout.write(`\n${renderFile(event, texts)}\n`);
  if (event.kind === "outcome") stdout.write(`\n${renderOutcome(event.outcome, texts)}\n`);
  if (event.kind !== "approval") return;
  const { preview } = event;
  const shown = renderPreview(preview, texts, wantsColor(stdout, context));
  stdout.write(`\n${shown}\nnext: papayu apply ${preview.planId}\n`);
}
