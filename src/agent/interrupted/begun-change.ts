import { isInterrupted } from "../../core/interruption.ts";
import type { ValueOf } from "../../store/settings/settings.ts";
import { isNamedRunning, nameProcess } from "../../system/processes/processes.ts";
import { PROPOSE_CHANGES } from "../../tools/propose-changes.ts";
import {
  type JournalHeader,
  seriesOnTop,
  type TransactionKind,
  type WorkOutcome,
} from "../../transaction/journal/journal.ts";
import { notesOnModes } from "../../transaction/mode-notes.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { AgentCore, RequestContext, RequestWork } from "../deps.ts";
import { maskTexts } from "../session/session.ts";
import { isOutcome } from "./stored-outcome.ts";

/**
 * The change that a work makes, as it is recorded before its first file is touched: after a
 * crash the journals are asked what became of it, and the person is told that and nothing else.
 */
export interface BegunChange {
  /** Of an apply. */
  readonly planId?: string;
  /** Missing while it is being made, and when papa-yu ended before it was done. */
  readonly outcome?: OutcomeView;
}

/** One that has ended. */
export interface EndedChange extends BegunChange {
  readonly outcome: OutcomeView;
}

/** What is told apart by the work that it is done for, and by nothing else of a request. */
type OfWork = { readonly work: Pick<RequestWork, "id"> };

/** Makes a change for a work, and keeps how it ended before it is reported. */
export async function makeChange<T extends OutcomeView>(
  { work: { id: workId }, signal }: OfWork & Pick<RequestContext, "signal">,
  { settings, redact }: Pick<AgentCore, "settings" | "redact">,
  begun: Pick<BegunChange, "planId">,
  change: () => Promise<T>,
): Promise<T> {
  const keep = (each: BegunChange) => settings.of("change.").set(workId, each);
  keep(begun);
  const outcome = await change();
  // An interruption is not an end, and neither is a question.
  const isEnd = outcome.errorCode !== "CONFIRM_REQUIRED" && (outcome.ok || !isInterrupted(signal));
  if (isEnd) keep({ ...begun, outcome: maskTexts(outcome, redact) });
  return outcome;
}

/** How the change of a work ended; undefined: it made none, or was interrupted and may be made. */
export function findEnded(
  core: Pick<AgentCore, "settings" | "workspaces">,
  workId: string,
): EndedChange | undefined {
  const ended = findLast(core, workId);
  return ended && isCutOff(ended.outcome) ? undefined : ended;
}

/** Everything was put back because papa-yu ended, and for no other reason. */
export function isCutOff({ errorCode, kept }: OutcomeView): boolean {
  return errorCode === "ERR_INTERRUPTED" && kept === undefined;
}

function isPutBack(outcome: OutcomeView): boolean {
  return isCutOff(outcome) && outcome.touched !== true; // of a series parts stay
}

/** How the change of a work ended that nobody takes up again, whatever ended it. */
export function findLast(
  { settings, workspaces }: Pick<AgentCore, "settings" | "workspaces">,
  workId: string,
): EndedChange | undefined {
  const stored = settings.of("change.").get(workId);
  if (stored === undefined) return undefined;
  const begun = stored.planId === undefined ? {} : { planId: stored.planId };
  // One that cannot be read is none: the journals know how it ended.
  const known = isOutcome(stored.outcome) ? stored.outcome : undefined;
  const found = known ? undefined : workspaces.withWork(workId);
  const outcome = known ?? (found && toOutcome(found.became, found.workspace));
  return outcome && { ...begun, outcome };
}

/** The same where any of it stayed; undefined: nothing was changed, or all of it was put back because papa-yu ended. */
export function findStayed(
  core: Pick<AgentCore, "settings" | "workspaces">,
  workId: string,
): EndedChange | undefined {
  const last = findLast(core, workId);
  return last && isPutBack(last.outcome) ? undefined : last;
}

/** As a journal knows it; the number of changed lines is not counted a second time. */
function toOutcome(became: WorkOutcome, workspace: Workspace): OutcomeView | undefined {
  const { name } = workspace;
  switch (became.kind) {
    case "none":
    case "unfinished": // recovery will put it back
      return undefined;
    case "parts":
      return toSeries(became, workspace);
    case "committed": {
      const { txId, header } = became;
      const changes = toChanges(header);
      const notes = notesOnModes(header.changes);
      const done = { workspace: name, txId, changes, ...(notes.length > 0 && { notes }) };
      if (header.left === undefined) return { ok: true, status: STATUS[header.kind], ...done };
      const conflict = { ok: false, status: "conflict", errorCode: "UNDO_CONFLICT" } as const;
      return { ...conflict, error: header.left, ...done };
    }
    case "rolled_back": {
      const { txId, code, message, kept } = became;
      const said = { errorCode: code, error: message };
      const back = { ok: false, workspace: name, txId, changes: [], ...said };
      if (kept.length === 0) return { ...back, status: "rolled_back" };
      return { ...back, status: "conflict", kept: kept.map(({ path }) => path) };
    }
    default:
      return became satisfies never;
  }
}

function toChanges({ changes }: JournalHeader): OutcomeView["changes"] {
  const unknown = { before_sha256: null, after_sha256: null, added: 0, removed: 0 };
  return changes.map(({ path, kind }) => ({ path, kind, ...unknown }));
}

/**
 * Parts that follow each other: all of them, or those before papa-yu ended. They stay; that it was cut off
 * is no end, and the rest is asked about again, or taken back as well.
 */
function toSeries(
  { parts: made, before, all }: Extract<WorkOutcome, { kind: "parts" }>,
  workspace: Workspace,
): OutcomeView | undefined {
  const last = made.at(-1);
  if (!last) return undefined;
  const { kind, left } = last.header;
  const rest = all - before - made.length;
  const parts = made.map(({ txId, header: { changeSetId, changes } }) => {
    return { changeSetId, changes: changes.length, status: "committed" as const, txId };
  });
  const missing = { changeSetId: "", changes: 0, status: "not begun" as const };
  const undoable = kind === "apply" ? seriesOnTop(workspace, last.txId).length : 0;
  const series = {
    done: before,
    undoable,
    parts: [...parts, ...Array.from({ length: rest }, () => missing)],
  };
  const notes = notesOnModes(made.flatMap(({ header }) => header.changes));
  const common = {
    workspace: workspace.name,
    changes: made.flatMap(({ header }) => toChanges(header)),
    touched: true,
    ...(notes.length > 0 && { notes }),
    ...(kind === "apply" && { row: series }), // what was taken back is no part that is there
  };
  const done = { ...common, txId: last.txId };
  if (left !== undefined) {
    return { ok: false, status: "conflict", errorCode: "UNDO_CONFLICT", error: left, ...done };
  }
  if (rest === 0) return { ok: true, status: STATUS[kind], ...done };
  const what = kind === "apply" ? "parts" : "undos of parts";
  const error = `papa-yu ended between two ${what} (${before + made.length} of ${all} done)`;
  return { ok: false, status: "rejected", errorCode: "ERR_INTERRUPTED", error, ...common };
}

const STATUS: Readonly<Record<TransactionKind, OutcomeView["status"]>> = {
  apply: "committed",
  undo: "undone",
  redo: "redone",
};

/**
 * Notes that a work has something done under another id: a call that makes a change or that a person
 * approved, a run of a routine. Who asks for the work is notified of that.
 */
export function noteMade(
  { work }: OfWork,
  { settings }: Pick<AgentCore, "settings">,
  id: string,
): void {
  settings.of("made.").set(`${madeBy(work.id)}${id}`, id);
}

/** How all changes ended that a work made, by itself or by calls of its turn. */
export function endedOf(
  core: Pick<AgentCore, "settings" | "workspaces">,
  workId: string,
): readonly OutcomeView[] {
  return [workId, ...listMade(core, workId)].flatMap(
    (each) => findEnded(core, each)?.outcome ?? [],
  );
}

/** Tools whose calls a work began and that have no end; of a change the journals know it. */
export function toolsInDoubt(
  { approvals, settings }: Pick<AgentCore, "approvals" | "settings">,
  workId: string,
): readonly string[] {
  const made = listMade({ settings }, workId);
  const open = [workId, ...made].flatMap((each) => approvals.openCalls(each));
  const tools = [...made, ...open].flatMap((id) => {
    const call = approvals.load(id);
    const isOpen = call?.state === "approved" || call?.state === "interrupted";
    return isOpen && call.kind === "tool_call" ? [call.tool] : [];
  });
  return [...new Set(tools)].filter((tool) => tool !== PROPOSE_CHANGES);
}

function listMade({ settings }: Pick<AgentCore, "settings">, workId: string): readonly string[] {
  const made = settings.of("made.").below(madeBy(workId));
  return made.map(({ value }) => value);
}

/** Quoted, so that no work's name is the beginning of another's. */
function madeBy(workId: string): string {
  return `${JSON.stringify(workId)}.`;
}

/**
 * Changes whose outcome was never reported, and that nobody asks for again: papa-yu ended
 * first, and a terminal or a program has no inbox. The next start reports them, and the session
 * reads them before its next answer.
 */
interface UnreportedChange {
  readonly id: string;
  readonly value: ValueOf<"untold.">;
}

type Place = Pick<RequestContext, "speaker" | "work">;

/** Notes that a change begins of which somebody has to be told. */
export function noteUnreported(
  { speaker, work }: Place,
  { settings }: Pick<AgentCore, "settings">,
): void {
  if (work.isKept) return;
  const id = `${startOf(speaker.sessionId)}${work.id}`;
  settings.of("untold.").set(id, { workId: work.id, runner: nameProcess() });
}

/** Notes that they were. */
export function noteReported(
  { speaker, work }: Place,
  { settings }: Pick<AgentCore, "settings">,
): void {
  if (!work.isKept) settings.of("untold.").remove(`${startOf(speaker.sessionId)}${work.id}`);
}

/** Tells how a change ended; an interrupted one is not reported now but later. */
export async function tellOutcome(
  request: RequestContext,
  core: AgentCore,
  outcome: OutcomeView,
): Promise<void> {
  await request.emit({ kind: "outcome", outcome });
  if (!isInterrupted(request.signal)) noteReported(request, core);
}

/** Tells a session of its changes that an earlier process ended before it could report. */
export async function tellUnreported(request: RequestContext, core: AgentCore): Promise<void> {
  const { speaker, work } = request;
  if (work.isKept) return;
  for (const { value } of listLeft(core, startOf(speaker.sessionId))) {
    const { workId } = value;
    const ended = findLast(core, workId);
    if (ended)
      await tellOutcome({ ...request, work: { ...work, id: workId } }, core, ended.outcome);
  }
}

/** For the report of a start: how such changes ended, each once. */
export function listUnreported(core: AgentCore): readonly OutcomeView[] {
  const unreported = core.settings.of("untold.");
  return listLeft(core, "").flatMap(({ id, value: change }) => {
    const ended = findLast(core, change.workId);
    if (!ended) unreported.remove(id);
    // What was put back is reported as that.
    if (!ended || change.isReported || isPutBack(ended.outcome)) return [];
    unreported.set(id, { ...change, isReported: true });
    return [ended.outcome];
  });
}

function listLeft(
  { settings }: Pick<AgentCore, "settings">,
  start: string,
): readonly UnreportedChange[] {
  const all = settings.of("untold.").below(start);
  const isLeft = (runner: string) => runner !== nameProcess() && !isNamedRunning(runner);
  return all.filter(({ value }) => isLeft(value.runner));
}

/** Quoted, so that no session's name is the beginning of another's. */
function startOf(sessionId: string): string {
  return `${JSON.stringify(sessionId)}.`;
}
