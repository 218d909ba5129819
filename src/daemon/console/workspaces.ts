import { maskTexts } from "../../agent/session/session.ts";
import type {
  PastFacts,
  ReviewFile,
  Sign,
  TakeBackKind,
} from "../../channels/http/http-channel.ts";
import { goneFolder } from "../../config/gone-folder.ts";
import { AppError } from "../../core/app-error.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { createPlanStore } from "../../store/plans/plans.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { findLeftovers, findOwn, readOne } from "../../transaction/journal/journal.ts";
import { previewTakeBack } from "../../transaction/undo/undo.ts";
import { readProjectMemory } from "../../workspace/project-memory.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { App } from "../app/app.ts";
import { toFileDocument, toFileRows } from "./documents.ts";
import { toImage } from "./images.ts";
import { wasTakenBack, withContents } from "./past-change.ts";
import { describeTakeBack } from "./take-back.ts";
import { createTimeline, toEntry } from "./timeline.ts";

type Document = Readonly<Record<string, unknown>>;
type ConsoleApp = Pick<App, "current" | "state" | "clock">;

/** Whole change sets that are held for who reads their files one by one. */
const HELD = 3;
/** Of the past of a workspace so many are counted; then it is said that there are more. */
const MOST_COUNTED = 10_000;

/** What pages read of workspaces and of what was done in them; only those of the configuration. */
export function createPast(app: ConsoleApp): PastFacts & { signs(): readonly Sign[] } {
  const plans = createPlanStore(app.state.store);
  const held = new Map<string, ChangeSet>();
  const mask = <T>(document: T): T => maskTexts(document, app.current.agent.core.redact);

  function find(name: string): Workspace | undefined {
    const { workspaces } = app.current.agent.core;
    if (!workspaces.names.includes(name)) return undefined;
    try {
      return workspaces.get(name);
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  /** A line of the list, also of a folder that is not there: which one that is, and who has it. */
  function describeNamed(name: string): Document {
    try {
      return describe(name, app.current.agent.core.workspaces.get(name));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const gone = goneFolder(error);
      return { name, state: "gone", ...(gone && { root: gone.path, file: gone.file }) };
    }
  }

  function hold(key: string, read: () => ChangeSet | undefined): ChangeSet | undefined {
    const changeSet = held.get(key) ?? read();
    held.delete(key);
    if (changeSet) held.set(key, changeSet);
    for (const [oldest] of held) if (held.size > HELD) held.delete(oldest);
    return changeSet;
  }

  function toFile(changeSet: ChangeSet | undefined, n: number): ReviewFile | undefined {
    const { redact } = app.current.agent.core;
    const document = changeSet && toFileDocument(changeSet, n, redact);
    return document && { ...document, path: redact(document.path) };
  }

  function toPicture(changeSet: ChangeSet | undefined, n: number, side: "before" | "after") {
    return changeSet && toImage(changeSet, n, side, app.current.agent.core.redact);
  }

  /** As it was shown; undefined: it is another by now. */
  const takeBackOf = (workspace: Workspace, kind: TakeBackKind, digest: string) =>
    hold(`${workspace.root}\n${kind} ${digest}`, () => {
      const found = previewTakeBack(workspace, kind);
      const now = found.ok ? found.reversal.changeSet : undefined;
      return now?.id === digest ? now : undefined;
    });

  const changeSetOf = (workspace: Workspace, txId: string) =>
    hold(`${workspace.root}\n${txId}`, () => {
      const entry = readOne(workspace, txId);
      return entry && withContents(workspace, entry);
    });

  return {
    list() {
      const { workspaces } = app.current.agent.core;
      return mask(workspaces.names.map(describeNamed));
    },
    async read(name, page) {
      const { workspaces } = app.current.agent.core;
      const workspace = find(name);
      if (!workspace) return workspaces.names.includes(name) ? describeNamed(name) : undefined;
      const { operations } = app.current.agent.plans;
      const memory = readProjectMemory(workspace);
      const checks = await operations.listChecks(workspace, false).catch(toNone);
      return mask({
        ...describe(name, workspace),
        ...createTimeline(app, plans, workspace).page(page),
        checks: checks.map(({ command, from, tookMs }) => {
          return { command, from: from ?? null, took_ms: tookMs ?? null };
        }),
        preferences: memory.ok ? memory.memory : {},
        ...(!memory.ok && { preferences_error: memory.message }),
      });
    },
    transaction(name, txId) {
      const workspace = find(name);
      const entry = workspace && readOne(workspace, txId);
      const changeSet = entry && changeSetOf(workspace, txId);
      if (!changeSet) return undefined;
      const known = createTimeline(app, plans, workspace).facts([entry]);
      const document = toEntry(entry, known.get(entry.txId));
      return mask({
        workspace: name,
        ...document,
        ...(wasTakenBack(workspace, txId) && { taken_back: true }),
        files: toFileRows(changeSet, new Set(), undefined),
      });
    },
    transactionFile(name, txId, n) {
      const workspace = find(name);
      return workspace && toFile(changeSetOf(workspace, txId), n);
    },
    takeBack(name, kind) {
      const workspace = find(name);
      if (!workspace) return undefined;
      const found = previewTakeBack(workspace, kind);
      if (found.ok) {
        const { changeSet } = found.reversal;
        hold(`${workspace.root}\n${kind} ${changeSet.id}`, () => changeSet);
      }
      return mask(describeTakeBack(app, workspace, kind, found));
    },
    transactionImage(name, txId, n, side) {
      const workspace = find(name);
      return workspace && toPicture(changeSetOf(workspace, txId), n, side);
    },
    takeBackFile(name, kind, digest, n) {
      const workspace = find(name);
      if (!workspace) return undefined;
      const changeSet = takeBackOf(workspace, kind, digest);
      return changeSet ? toFile(changeSet, n) : "other files";
    },
    takeBackImage(name, kind, digest, n, side) {
      const workspace = find(name);
      if (!workspace) return undefined;
      const changeSet = takeBackOf(workspace, kind, digest);
      return changeSet ? toPicture(changeSet, n, side) : "other files";
    },
    signs() {
      const { workspaces } = app.current.agent.core;
      return workspaces.names.map((name) => ({
        kind: "workspace" as const,
        name,
        sign: signOf(find(name)),
      }));
    },
  };
}

function toNone(error: unknown): readonly never[] {
  if (error instanceof AppError) return [];
  throw error;
}

/** A workspace in a line of the list. */
function describe(name: string, workspace: Workspace): Document {
  const { own, uncertain } = findLeftovers(workspace);
  const found = findOwn(workspace);
  const count = found?.ledger.count(found.workspaceId, MOST_COUNTED + 1) ?? 0;
  const newest = found?.ledger.newest(found.workspaceId);
  const entry = newest === undefined ? undefined : readOne(workspace, newest);
  return {
    name,
    root: workspace.root,
    state: uncertain.length > 0 ? "uncertain" : own.length > 0 ? "unfinished" : "ready",
    transactions: Math.min(count, MOST_COUNTED),
    ...(count > MOST_COUNTED && { transactions_more: true }),
    ...(entry && {
      newest: {
        tx_id: entry.txId,
        kind: entry.kind,
        status: entry.status,
        at: new Date(entry.at).toISOString(),
        summary: toVisibleText(entry.summary),
      },
    }),
  };
}

/** Another text as soon as another transaction began or ended. */
function signOf(workspace: Workspace | undefined): string {
  if (!workspace) return "gone";
  const found = findOwn(workspace);
  if (!found) return "";
  const open = found.ledger.listOpen(found.workspaceId).map(({ txId }) => txId);
  return [found.ledger.newest(found.workspaceId), ...open].join(" ");
}
