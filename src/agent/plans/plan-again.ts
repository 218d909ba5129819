import { AppError } from "../../core/app-error.ts";
import type { ValueOf } from "../../store/settings/settings.ts";
import { readLastCheck } from "../../transaction/last-check.ts";
import type { RequestContext } from "../deps.ts";
import { refusal } from "../refusal.ts";
import { keepMeant, meantAtFirst, selectedWorkspace } from "../session/session.ts";
import { takePlan } from "./plan-goal.ts";

/** What a plan becomes when a person, or a failed check, has something to say about it. */

/** A wish that is not written within this time was forgotten. */
const WISH_MS = 3600_000;

/** Tells a wish for a plan from whatever else a message may be about. */
const WISH = "wish:";

/** [Change…]: the person's next message says what should be different. */
export async function askForWish(
  { deps, speaker, emit }: RequestContext,
  planId: string,
): Promise<void> {
  const wish = { planId, userId: speaker.userId, until: deps.clock.now() + WISH_MS };
  deps.settings.of("wish.").set(speaker.sessionId, wish);
  await emit({ kind: "content", text: deps.texts.plan.whatElse });
}

/**
 * The plan that the speaker's message is to change, once: whatever they write next is that wish,
 * or ends the waiting for it. Brought again after a crash, a wish is one still.
 */
export function takeAwaitedWish(request: RequestContext): string | undefined {
  const { deps, speaker } = request;
  const meant = meantAtFirst(request);
  if (meant?.startsWith(WISH)) return meant.slice(WISH.length);
  const wishes = deps.settings.of("wish.");
  const wish = wishes.get(speaker.sessionId);
  if (wish?.userId !== speaker.userId) return undefined;
  wishes.remove(speaker.sessionId);
  const { planId, until } = wish;
  const isCurrent = deps.sessions.state(speaker.sessionId).planId === planId;
  return isCurrent && deps.clock.now() < until ? planId : undefined;
}

/** Plans the same goal again with what the person wants to be different. */
export function planWithWish(request: RequestContext, planId: string, wish: string): Promise<void> {
  keepMeant(request, `${WISH}${planId}`);
  return planAgain(request, planId, `The user wants this to be different: ${wish}`);
}

/** Keeps which plan a transaction came from whose check made it go back; for the buttons below it. */
export function keepFailedCheck(
  { deps, speaker }: RequestContext,
  txId: string,
  planId: string,
): void {
  deps.settings.of("failed.").set(txId, { planId, userId: speaker.userId });
}

/** [Plan a fix]: the same goal, with what the check printed. */
export async function planFix(request: RequestContext, txId: string): Promise<void> {
  const { planId } = loadFailedCheck(request, txId);
  const output = readOutput(request, txId);
  const tail = output.slice(-MAX_SHOWN_TO_MODEL).toWellFormed();
  const note = `It was planned and applied before, but then a check failed and it was taken back. Plan it so that the check passes, for the files as they are now. What the check printed:\n${tail}`;
  await planAgain(request, planId, note);
}

/** [Show output]: everything that the checks of a transaction printed. */
export async function showOutput(request: RequestContext, txId: string): Promise<void> {
  loadFailedCheck(request, txId);
  const fence = "```";
  const output = readOutput(request, txId).replaceAll(fence, "'''");
  await request.emit({ kind: "content", text: `${fence}\n${output}\n${fence}\n` });
}

const MAX_SHOWN_TO_MODEL = 4000;

async function planAgain(request: RequestContext, planId: string, note: string): Promise<void> {
  const { deps, signal, speaker } = request;
  const { workspace, plan } = await deps.operations.planAgain(planId, note, {
    signal,
    userId: speaker.userId,
  });
  const taken = await takePlan(request, workspace, plan);
  if (typeof taken === "object") await request.emit({ kind: "plan", ...taken });
}

/** @throws AppError APPROVAL_INVALID for who did not apply it */
function loadFailedCheck({ deps, speaker }: RequestContext, txId: string): ValueOf<"failed."> {
  const failed = deps.settings.of("failed.").get(txId);
  if (failed?.userId === speaker.userId) return failed;
  throw refusal("APPROVAL_INVALID", deps.texts, ({ notYourApply }) => notYourApply);
}

/** @throws AppError APPROVAL_INVALID when other checks have run in the workspace since */
function readOutput(request: RequestContext, txId: string): string {
  const { workspaces, texts } = request.deps;
  const workspace = workspaces.withTransaction(txId) ?? selectedWorkspace(request);
  const check = readLastCheck(workspace);
  if (!check.ok) throw new AppError(check.code, check.message);
  if (check.text?.split("\n", 1)[0]?.endsWith(` ${txId}`)) return check.text;
  throw refusal("APPROVAL_INVALID", texts, ({ outputGone }) => outputGone);
}
