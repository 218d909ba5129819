import type { AgentEvent, Emit } from "../../channels/channel.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { keepLooks } from "../../system/run/run.ts";
import { Refusal, type Say } from "../../texts/texts.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { AgentCore, RequestContext } from "../deps.ts";

export { createSessionQueue, type SessionQueue, type WorkKind } from "./session-queue.ts";
export { openShowing, type Said } from "./shown.ts";

/** Whether a session belongs to terminals. */
export function isOfTerminal(sessionId: string): boolean {
  return sessionId.startsWith("terminal:");
}

/** The workspace a session works in. */
export function selectedWorkspace({ speaker }: RequestContext, core: AgentCore): Workspace {
  return core.workspaces.get(core.sessions.state(speaker.sessionId).workspace);
}

/**
 * The workspace of a transaction. Throws ERR_WORKSPACE_UNKNOWN, which says how to undo it, when its
 * folder is in none any more.
 */
export function workspaceOf(request: RequestContext, core: AgentCore, txId: string): Workspace {
  const { workspaces } = core;
  const workspace = workspaces.withTransaction(txId);
  if (workspace) return workspace;
  const root = workspaces.rootWith(txId);
  if (root === undefined) return selectedWorkspace(request, core);
  throw new Refusal("ERR_WORKSPACE_UNKNOWN", ({ workspaceGone }) =>
    workspaceGone(toVisibleText(root)),
  );
}

/** Makes `planId` the session's plan, or none; a question about an older one is out of date. */
export function setPlan({ speaker }: RequestContext, core: AgentCore, planId: string | null): void {
  core.sessions.update(speaker.sessionId, speaker.userId, { planId }, core.clock.now());
  core.approvals.replace(speaker.sessionId);
}

/**
 * The session's plan, for who asked for it, whatever words mean it. Throws ERR_PLAN_UNKNOWN when there
 * is none, APPROVAL_INVALID for anybody else.
 */
export function storedPlan(request: RequestContext, core: AgentCore): string {
  const { planId } = core.sessions.state(request.speaker.sessionId);
  if (planId === undefined) throw new Refusal("ERR_PLAN_UNKNOWN", ({ noPlan }) => noPlan);
  assertOwnPlan(request, core, planId);
  return planId;
}

/** A plan works for the person who asked, until a newer plan or a drop. Throws APPROVAL_INVALID. */
export function assertOwnPlan({ speaker }: RequestContext, core: AgentCore, planId: string): void {
  const state = core.sessions.state(speaker.sessionId);
  const refuse = (say: Say) => new Refusal("APPROVAL_INVALID", say);
  if (state.planId !== planId) throw refuse(({ planGone }) => planGone);
  if (state.userId !== speaker.userId) throw refuse(({ notYourPlan }) => notYourPlan);
}

/** Makes `researchId` the one that /use means. */
export function setResearch(
  { speaker }: RequestContext,
  core: AgentCore,
  researchId: string,
): void {
  core.settings.of("research.").set(speaker.sessionId, researchId);
}

/** The newest research that the session was shown. Throws APPROVAL_INVALID when there is none. */
export function storedResearch({ speaker }: RequestContext, core: AgentCore): string {
  const researchId = core.settings.of("research.").get(speaker.sessionId);
  if (researchId !== undefined) return researchId;
  throw new Refusal("APPROVAL_INVALID", ({ noResearch }) => noResearch);
}

/** A channel's output as the agent uses it: masked, in order, never a reason for work to fail. */
export interface EventSink {
  /** Never throws: what the channel could not take is reported by {@link EventSink.end}. */
  readonly emit: (event: AgentEvent) => Promise<void>;
  /** Says `done`; then throws the first failure of the channel, if there was one. */
  end(): Promise<void>;
}

/**
 * Opens the output of one request; every text that takes it is masked by `redact`, and events
 * are shown as `toShown` wants them.
 */
export function openEventSink(
  emit: Emit,
  redact: (text: string) => string,
  toShown: (event: AgentEvent) => Promise<AgentEvent> | AgentEvent = (event) => event,
): EventSink {
  let last = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;
  const send = (event: AgentEvent): Promise<void> => {
    last = last
      .then(async () => emit(await toShown(event)))
      .catch((error: unknown) => {
        failure ??= { error };
      });
    return last;
  };
  return {
    emit: (event) => send(maskEvent(event, redact)),
    async end() {
      await send({ kind: "done" });
      if (failure) throw failure.error;
    },
  };
}

/** Of an answer's pieces there are many. */
function maskEvent(event: AgentEvent, redact: (text: string) => string): AgentEvent {
  if (event.kind === "content") return { kind: "content", text: redact(event.text) };
  const masked = maskTexts(event, redact);
  if (event.kind !== "check_output" || masked.kind !== "check_output" || !event.looks)
    return masked;
  return { ...masked, looks: keepLooks(event.looks, event.text, masked.text) };
}

/** A document with every text in it masked. */
export function maskTexts<T>(document: T, redact: (text: string) => string): T {
  const mask = (_key: string, value: unknown) =>
    typeof value === "string" ? redact(value) : value;
  return JSON.parse(JSON.stringify(document), mask);
}

/**
 * What is said of `files` by the names that people are shown, of the files themselves; a name that
 * none has stays. Not ok: the name is that of several.
 */
export function unmaskPaths<Said extends { readonly path?: string }>(
  all: readonly Said[],
  files: readonly { readonly path?: string }[],
  redact: (text: string) => string,
):
  | { readonly ok: true; readonly all: readonly Said[] }
  | { readonly ok: false; readonly path: string } {
  const paths = files.flatMap(({ path }) => (path === undefined ? [] : [path]));
  const byName = Map.groupBy(paths, redact);
  const found: Said[] = [];
  for (const said of all) {
    const { path = "" } = said;
    const own = new Set([...(byName.get(path) ?? []), ...paths.filter((each) => each === path)]);
    if (own.size > 1) return { ok: false, path };
    const [file] = own;
    found.push(file === undefined ? said : { ...said, path: file });
  }
  return { ok: true, all: found };
}

/**
 * What a message or a press was about when it came first. Redelivered after a crash, it is
 * about the same, and not about what has become the newest since.
 */
export function recordedIntent(
  { work }: RequestContext,
  { settings }: AgentCore,
): string | undefined {
  return work.isKept ? settings.of("subject.").get(work.id) : undefined;
}

/** Keeps what a message or a press is about, before anything is done for it. */
export function recordIntent({ work }: RequestContext, { settings }: AgentCore, ref: string): void {
  if (work.isKept) settings.of("subject.").set(work.id, ref);
}
