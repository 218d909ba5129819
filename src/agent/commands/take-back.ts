import { Refusal } from "../../texts/texts.ts";
import { nextToTakeBack } from "../../transaction/journal/journal.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { invalid } from "../approval.ts";
import type { AgentCore, PlanDeps, RequestContext } from "../deps.ts";
import { makeChange, noteUnreported, tellOutcome } from "../interrupted/interrupted.ts";
import {
  recordedIntent,
  recordIntent,
  selectedWorkspace,
  workspaceOf,
} from "../session/session.ts";
import { renderLeftAlone } from "./status-commands.ts";

/** Undoes or redoes the newest change; redelivered, a message refers to the same change as before. */
export async function takeBack(
  request: RequestContext,
  deps: PlanDeps,
  kind: "undo" | "redo",
): Promise<void> {
  const { core } = deps;
  const workspace = selectedWorkspace(request, core);
  const target = recordedIntent(request, core) ?? nextToTakeBack(workspace, kind)?.txId;
  if (target !== undefined) recordIntent(request, core, target);
  const outcome = await takeBackIn(request, deps, workspace, kind, { only: target });
  await tellOutcome(request, core, outcome);
  if (outcome.errorCode !== "UNDO_NOTHING") return;
  for (const text of renderLeftAlone(workspace, request.texts.history)) {
    await request.emit({ kind: "content", text });
  }
}

/** Which change, and what of it; without any the newest. */
interface Which {
  readonly only?: string | undefined;
  readonly exactly?: string | undefined;
  readonly isSeries?: boolean;
}

/** Undoes or redoes `only` that transaction, while it is the next to go, or with the series that it is of. */
function takeBackIn(
  request: RequestContext,
  { core, operations }: PlanDeps,
  workspace: Workspace,
  kind: "undo" | "redo",
  { only, exactly, isSeries = false }: Which,
): Promise<OutcomeView> {
  const {
    signal,
    work: { id: work },
  } = request;
  const exact = { ...(only !== undefined && { only }), ...(exactly !== undefined && { exactly }) };
  noteUnreported(request, core);
  return makeChange(request, core, {}, () =>
    operations[kind](workspace, signal, { work, isSeries, ...exact }),
  );
}

/**
 * Undoes `txId`, for who applied it, while it is the newest change of its workspace; of a series, all of
 * its parts that are there. What was shown to somebody beforehand is that one change, and no more.
 */
export async function undoTransaction(
  request: RequestContext,
  deps: PlanDeps,
  txId: string,
  exactly: string | undefined,
): Promise<void> {
  const { core } = deps;
  const workspace = undoable(request, core, txId, exactly);
  const which = { only: txId, exactly, isSeries: exactly === undefined };
  const outcome = await takeBackIn(request, deps, workspace, "undo", which);
  if (outcome.errorCode === "UNDO_NOTHING") {
    throw new Refusal("UNDO_NOTHING", ({ notNewest }) => notNewest);
  }
  await tellOutcome(request, core, outcome);
}

/** The workspace of a change, for who applied it, or for the owner, who was shown what an undo does. */
export function undoable(
  request: RequestContext,
  core: AgentCore,
  txId: string,
  exactly: string | undefined,
): Workspace {
  const { userId } = request.speaker;
  const isShownToOwner = exactly !== undefined && userId === LOCAL_OWNER;
  if (!isShownToOwner && core.settings.of("undo.").get(txId) !== userId) {
    throw invalid(({ notYourApply }) => notYourApply);
  }
  return workspaceOf(request, core, txId);
}

/** Redoes what the undo `txId` took back, while nothing was changed since. */
export async function redoTransaction(
  request: RequestContext,
  deps: PlanDeps,
  txId: string,
  exactly: string | undefined,
): Promise<void> {
  const { core } = deps;
  const workspace = redoable(request, core, txId, exactly);
  const outcome = await takeBackIn(request, deps, workspace, "redo", { only: txId, exactly });
  if (outcome.errorCode === "REDO_NOTHING") {
    throw new Refusal("REDO_NOTHING", ({ notNewestUndo }) => notNewestUndo);
  }
  await tellOutcome(request, core, outcome);
}

/** Nothing but a page that shows what it does offers a redo. */
export function redoable(
  request: RequestContext,
  core: AgentCore,
  txId: string,
  exactly: string | undefined,
): Workspace {
  if (exactly === undefined || request.speaker.userId !== LOCAL_OWNER) {
    throw invalid(({ nothingKnown }) => nothingKnown);
  }
  return workspaceOf(request, core, txId);
}

/** Who speaks on this machine. */
const LOCAL_OWNER = "owner";
