import { maskTexts } from "../../agent/session/session.ts";
import type { TraceFacts, TracePage } from "../../channels/http/http-channel.ts";
import { AppError, errorMessage } from "../../core/app-error.ts";
import { shorten } from "../../core/cut-text.ts";
import { firstOf } from "../../core/few.ts";
import { isObject, parseJsonAs } from "../../core/guards.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { createPlanStore, findTraced, type PlanStore } from "../../store/plans/plans.ts";
import { createSpendingStore } from "../../store/spending.ts";
import { createVerificationStore } from "../../store/verifications.ts";
import { readTrace } from "../../trace/read-trace.ts";
import { readMerged, type TracePlace } from "../../trace/read-traces.ts";
import { buildReport } from "../../trace/report/report.ts";
import { parseTrace, type StoredTrace } from "../../trace/stored-trace.ts";
import { isCheckResult } from "../../transaction/change.ts";
import { readOlder } from "../../transaction/journal/journal.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { App } from "../app/app.ts";
import { toCheck } from "./documents.ts";
import { wasTakenBack } from "./past-change.ts";
import { CHECKS_FAILED, createTimeline, toEntry } from "./timeline.ts";

type Document = Readonly<Record<string, unknown>>;

/** Traces that one page looks into, however few of them its filters take. */
const MOST_LOOKED = 2000;
/** What is no trace, by name; the others are counted. */
const MOST_NAMED = 20;
/** However much there is: nobody waits longer, and no two ask for the same at once. */
const MOST_MS = 60_000;
const DAY_MS = 86_400_000;

/** What pages read of traces, of the workspaces of the configuration and no other folder. */
export function createTraceFacts(app: Pick<App, "current" | "state" | "clock">): TraceFacts {
  const plans = createPlanStore(app.state.store);
  const spending = createSpendingStore(app.state.store, app.state.commit);
  const links = createTraceLinks(app, plans);
  const asked = new Map<string, Promise<Document>>();
  const mask = <T>(document: T): T => maskTexts(document, app.current.agent.core.redact);

  /** Undefined: none has that name; without one all that are there. */
  function find(name: string | undefined): readonly Workspace[] | undefined {
    const { workspaces } = app.current.agent.core;
    if (name !== undefined && !workspaces.names.includes(name)) return undefined;
    return workspaces.names
      .filter((each) => name === undefined || each === name)
      .flatMap((each) => {
        try {
          return [workspaces.get(each)];
        } catch (error) {
          if (error instanceof AppError) return []; // its folder is gone
          throw error;
        }
      });
  }

  const withinTime = () => ({ now: app.clock.now(), signal: AbortSignal.timeout(MOST_MS) });

  /** Who asks while the same is read gets what that gives. */
  function once(key: string, read: () => Promise<Document>): Promise<Document> {
    const running = asked.get(key);
    if (running) return running;
    const begun = read().finally(() => asked.delete(key));
    asked.set(key, begun);
    return begun;
  }

  async function list(found: readonly Workspace[], page: TracePage): Promise<Document> {
    const before = page.before === undefined ? undefined : parsePlace(page.before);
    const traces: Document[] = [];
    const skipped: Document[] = [];
    let skippedCount = 0;
    let looked = 0;
    let last: TracePlace | undefined;
    let isMore = false;
    const ended = createEnded(app, plans);
    for await (const { workspace, reading, place } of readMerged(found, {
      ...withinTime(),
      before,
    })) {
      if (reading.kind === "unreadable" || !place) {
        skippedCount += 1;
        if (skipped.length < MOST_NAMED && reading.kind === "unreadable") {
          const { file, reason } = reading;
          skipped.push({ workspace: workspace.name, file, reason });
        }
        continue;
      }
      const isFull = traces.length >= page.limit || looked >= MOST_LOOKED;
      // Copies of a folder have the same traces: a page ends behind all of one id.
      if (isFull && last?.id !== place.id) {
        isMore = true;
        break;
      }
      looked += 1;
      last = place;
      const trace = ended(workspace, reading.trace);
      if (isWanted(trace, page)) traces.push(toRow(workspace.name, trace));
    }
    const older = isMore && last ? renderPlace(last) : null;
    return mask({ traces, older, looked, skipped_count: skippedCount, skipped });
  }

  return {
    async list(page) {
      const found = find(page.workspace);
      return found && once(`list ${JSON.stringify(page)}`, () => list(found, page));
    },
    async read(traceId, name) {
      for (const workspace of find(name) ?? []) {
        try {
          const trace = await readTrace(workspace, traceId, withinTime().signal);
          const related = links.of(workspace, traceId);
          const failed = createTimeline(app, plans, workspace).failedByChecks().has(traceId);
          const code = failed ? { error_code: CHECKS_FAILED } : {};
          return mask({
            workspace: workspace.name,
            trace,
            ...code,
            ...problemOf(trace),
            ...related,
          });
        } catch (error) {
          const isNone = error instanceof AppError && error.code === "ERR_NOT_FOUND";
          if (!isNone) throw error;
        }
      }
      return undefined;
    },
    async report(days, name) {
      const found = find(name);
      return (
        found &&
        once(`report ${days} ${name}`, async () => {
          const { now, signal } = withinTime();
          const since = Math.floor(now / DAY_MS) * DAY_MS - (days - 1) * DAY_MS;
          const readings = toReadings(readMerged(found, { now, signal }), createEnded(app, plans));
          const report = await buildReport(
            readings,
            { kind: "period", from: since, to: now + 1 },
            CHECKS_FAILED,
          );
          const first = new Date(since).toISOString().slice(0, 10);
          const spent = spending.since(first).map(({ day, payer, tokens, cost }) => ({
            day,
            routine: payer === "" ? null : payer.slice("routine:".length),
            tokens,
            cost,
          }));
          const kept = app.current.loaded.config.retention.traces_days;
          return mask({ since: first, days, kept_days: kept, ...report, spent });
        })
      );
    },
  };
}

/** Why it is none of those that lists and reports take. */
function problemOf(trace: Readonly<Record<string, unknown>>): Document {
  try {
    // One without a date is taken to have begun when it was written, which is no fault.
    parseTrace("", { value: trace, writtenAt: 0 });
    return {};
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}

async function* toReadings(merged: ReturnType<typeof readMerged>, ended: Ended) {
  for await (const { workspace, reading } of merged) {
    if (reading.kind === "unreadable") yield reading;
    else yield { ...reading, trace: ended(workspace, reading.trace) };
  }
}

/** A trace with how what it made ended, where that is another end than that of its answer. */
type Ended = (workspace: Workspace, trace: StoredTrace) => StoredTrace;

/** Looks once into each workspace, for as long as one question is answered. */
function createEnded(app: Pick<App, "current" | "state">, plans: PlanStore): Ended {
  const known = new Map<string, ReadonlySet<string>>();
  return (workspace, trace) => {
    if (trace.error_code !== undefined || trace.mode === "chat") return trace;
    const failed = known.getOrInsertComputed(workspace.root, () =>
      createTimeline(app, plans, workspace).failedByChecks(),
    );
    return failed.has(trace.trace_id) ? { ...trace, error_code: CHECKS_FAILED } : trace;
  };
}

function isWanted(
  trace: StoredTrace,
  { mode, model, protocol, errorCode }: Omit<TracePage, "before" | "limit" | "workspace">,
): boolean {
  const { mode: of, model: by, protocol_attempts: attempts = [], error_code: code } = trace;
  if (mode !== undefined && mode !== of) return false;
  if (model !== undefined && model !== by) return false;
  if (protocol !== undefined && !attempts.includes(protocol)) return false;
  if (errorCode === undefined) return true;
  return errorCode === "any" ? code !== undefined : errorCode === code;
}

/** Of a name, and of a list of versions, which are no longer in a trace of ours. */
const MOST_NAME_CHARS = 200;
const MOST_ATTEMPTS = 8;

/** What a list shows of a trace; the paths of its repairs and the like are its own page's. */
function toRow(workspace: string, trace: StoredTrace): Document {
  const { provider = "", model = "", protocol_attempts: attempts = [] } = trace;
  return {
    ...trace,
    workspace,
    provider: shorten(provider, MOST_NAME_CHARS),
    model: shorten(model, MOST_NAME_CHARS),
    protocol_attempts: firstOf(attempts, MOST_ATTEMPTS).take(() => {}),
    repair_injected_paths: undefined,
    ...(trace.fix && { fix: true }),
  };
}

/** Only what is sorted by another time than that in its id is named with both. */
function renderPlace({ age, id }: TracePlace): string {
  return age === id ? age : `${age}~${id}`;
}

function parsePlace(text: string): TracePlace {
  const [age = "", id = age] = text.split("~", 2);
  return { age, id };
}

/** The change of a trace is looked for among so many, the newest ones. */
const MOST_CHANGES = 200;

/** What is known beside a trace: its plan, the other request for that, its checks and its change. */
interface TraceLinks {
  of(workspace: Workspace, traceId: string): Readonly<Record<string, unknown>>;
}

/** Links of traces, from plans as long as they are kept. */
function createTraceLinks(app: Pick<App, "current" | "state">, plans: PlanStore): TraceLinks {
  const verifications = createVerificationStore(app.state.store);
  return {
    of(workspace, traceId) {
      const plan = findTraced(app.state.store, workspace.root, traceId);
      if (!plan) return {};
      const { planId, goal, traceId: planTrace, actionsTraceId } = plan;
      const stored = verifications.load(planId);
      const check =
        stored && parseJsonAs(stored.resultJson, isObject({ check: isCheckResult }))?.check;
      const newest = readOlder(workspace, undefined, MOST_CHANGES);
      const behind = createTimeline(app, plans, workspace).facts(newest);
      const change = newest.find(({ txId }) => behind.get(txId)?.plan?.planId === planId);
      return {
        goal: toVisibleText(goal),
        ...(planTrace !== "" && { plan_trace_id: planTrace }),
        ...(actionsTraceId !== "" && { actions_trace_id: actionsTraceId }),
        ...(check && { check: toCheck(check) }),
        ...(change && {
          transaction: {
            ...toEntry(change, behind.get(change.txId)),
            ...(wasTakenBack(workspace, change.txId) && { taken_back: true }),
          },
        }),
      };
    },
  };
}
