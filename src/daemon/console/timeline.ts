import type { PastPage } from "../../channels/http/http-channel.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import { firstOf } from "../../core/few.ts";
import { isObject, parseJsonAs } from "../../core/guards.ts";
import { instantOf } from "../../core/ids.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { MadePlan, PlanStore } from "../../store/plans/plans.ts";
import { createVerificationStore } from "../../store/verifications.ts";
import { type CheckResult, isCheckResult } from "../../transaction/change.ts";
import { contentIdOf } from "../../transaction/change-set.ts";
import { type HistoryEntry, readOlder } from "../../transaction/journal/journal.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { App } from "../app/app.ts";
import { toCheck } from "./documents.ts";

type Document = Readonly<Record<string, unknown>>;

/** What else is known of a transaction, beside its journal. */
interface Behind {
  readonly plan: MadePlan | undefined;
  readonly check: CheckResult | undefined;
  readonly asked: Document;
}

/** The past of a workspace, in pages. */
interface Timeline {
  page(page: PastPage): Document;
  facts(entries: readonly HistoryEntry[]): ReadonlyMap<string, Behind>;
  /** The traces of good answers of which nothing was kept, since a check failed. */
  failedByChecks(): ReadonlySet<string>;
}

/** How that ended, in the words of an error. */
export const CHECKS_FAILED = "AUTO_CHECK_FAILED_ROLLED_BACK" satisfies ErrorCode;

/** Among so many of the newest transactions it is looked what became of a plan. */
const MOST_ENDED = 500;

/** The timeline of one workspace; what is read is as much as a page has. */
export function createTimeline(
  { current, state }: Pick<App, "current" | "state">,
  plans: Pick<PlanStore, "ofFolder">,
  workspace: Workspace,
): Timeline {
  const { settings } = current.agent.core;
  const verifications = createVerificationStore(state.store);

  function checkOf(plan: MadePlan | undefined, id: string): CheckResult | undefined {
    const stored = plan && verifications.load(plan.planId);
    if (stored?.changeSetId !== id) return undefined;
    return parseJsonAs(stored.resultJson, isObject({ check: isCheckResult }))?.check;
  }

  function facts(entries: readonly HistoryEntry[]): ReadonlyMap<string, Behind> {
    const made = entries.length === 0 ? [] : plans.ofFolder(workspace.root);
    return new Map(
      entries.map(({ txId, kind, at, changes, work }) => {
        const id = contentIdOf(changes);
        // A later plan may come to the same files.
        const isOf = (each: MadePlan) =>
          (each.contentId === id || each.checkedId === id) && instantOf(each.planId) <= at;
        const plan = kind === "apply" ? made.find(isOf) : undefined;
        const session = work === undefined ? undefined : settings.of("asked.").get(work)?.sessionId;
        return [txId, { plan, check: checkOf(plan, id), asked: toAsked(work, session) }];
      }),
    );
  }

  return {
    facts,
    failedByChecks() {
      const ended = readOlder(workspace, undefined, MOST_ENDED)
        .filter(({ kind }) => kind === "apply")
        .map(({ changes, at, error }) => ({ contentId: contentIdOf(changes), at, error }));
      const hasFailed = (plan: MadePlan) => {
        const { contentId: own, checkedId } = plan;
        const madeAt = instantOf(plan.planId);
        const last = ended.find(
          ({ contentId, at }) => (contentId === own || contentId === checkedId) && madeAt <= at,
        );
        if (last) return last.error?.code === CHECKS_FAILED;
        // Checked in a view, it never came to a transaction.
        return checkOf(plan, plan.checkedId ?? plan.contentId)?.ok === false;
      };
      const made = plans.ofFolder(workspace.root).filter(hasFailed);
      return new Set(made.map(({ traceId }) => traceId));
    },
    page({ before, limit }) {
      const found = readOlder(workspace, before, limit + 1);
      let isMore = false;
      const shown = firstOf(found, limit).take(() => (isMore = true));
      const known = facts(shown);
      const last = shown.at(-1);
      return {
        entries: shown.map((entry) => toEntry(entry, known.get(entry.txId))),
        older: isMore && last ? last.txId : null,
      };
    },
  };
}

/** A transaction without its files. */
export function toEntry(entry: HistoryEntry, behind: Behind | undefined): Document {
  const { txId, kind, status, at, summary, changeSetId, changes, reverses, error, kept } = entry;
  const count = (...kinds: readonly string[]) =>
    changes.filter((change) => kinds.includes(change.kind)).length;
  return {
    tx_id: txId,
    kind,
    status,
    at: new Date(at).toISOString(),
    summary: toVisibleText(summary),
    change_set_id: changeSetId,
    figures: {
      created: count("create", "mkdir"),
      updated: count("update"),
      deleted: count("delete", "rmdir"),
    },
    asked: behind?.asked ?? toAsked(undefined, undefined),
    ...(behind?.plan && {
      goal: toVisibleText(behind.plan.goal),
      ...(behind.plan.traceId !== "" && { trace_id: behind.plan.traceId }),
    }),
    ...(behind?.check && { check: toCheck(behind.check) }),
    ...(reverses !== undefined && { reverses }),
    ...(error && { error: { code: error.code, message: toVisibleText(error.message) } }),
    ...(kept.length > 0 && { kept: kept.map(({ path }) => path) }),
    ...toPart(entry.work),
  };
}

/** Who asked for it, by the id of its work: a channel, or a routine by its name. */
export function toAsked(work: string | undefined, session: string | undefined): Document {
  if (session !== undefined) return { channel: channelOf(session), session_id: session };
  if (work === undefined) return { channel: "terminal" };
  const [, routine] = /^routine:([^]*):\d+(?:#|$)/u.exec(work) ?? [];
  if (routine !== undefined) return { channel: "routine", routine };
  return { channel: channelOf(work) };
}

function channelOf(id: string): string {
  if (id.startsWith("telegram:")) return "telegram";
  if (id.startsWith("http:console") || id.startsWith("app:")) return "console";
  if (id.startsWith("run_")) return "routine";
  // Whatever channel there is: ids of the terminal's commands have no name before a colon.
  return /^([a-z][a-z0-9-]*):/u.exec(id)?.[1] ?? "terminal";
}

function toPart(work: string | undefined): Document {
  const [, number, all] = /#(\d+)\/(\d+)$/u.exec(work ?? "") ?? [];
  return number === undefined ? {} : { part: { number: Number(number), all: Number(all) } };
}
