import { decodeUtf8 } from "../../core/decode-utf8.ts";
import { firstOf } from "../../core/few.ts";
import { newId } from "../../core/ids.ts";
import type { ProtocolVersion } from "../../protocol/version.ts";
import type { ChangeSet, CheckResult, FixNote } from "../../transaction/change.ts";
import { contentOf } from "../../transaction/change-set.ts";
import { describeFailedCheck } from "../../transaction/last-check.ts";
import { renderDiff } from "../../transaction/preview.ts";
import { type CallRecord, createCallRecord, type Verdict } from "../answer.ts";
import {
  type Block,
  type ContextLimits,
  cutMiddle,
  filesSeen,
  filesSeenWhole,
  fitContext,
  originOfCheck,
  quoteHeaders,
  renderBlocks,
  renderFileBlock,
  renderNote,
  toOneLine,
  totalChars,
} from "../context/context.ts";
import type { ApplyContext } from "../evaluate/evaluate.ts";
import {
  type Answered,
  askForActions,
  type ChangeDeps,
  openApplyContext,
} from "../prepare/prepare.ts";
import { correctionMessages, renderGoal } from "../prompts/prompts.ts";
import type { Candidate } from "./candidate.ts";

/** What was asked for one correction, and what came of it. */
export interface AskedCorrection {
  readonly traceId: string;
  readonly startedAt: number;
  readonly record: CallRecord;
  /** The change set of an answer starts from what the candidate's leaves. */
  readonly verdict: Verdict<Answered>;
  readonly context: ApplyContext;
}

/**
 * Asks the author for actions on top of a change set whose checks failed, under the version that gave
 * it and within the bound of requests of any apply. What it is shown is bounded; what a check printed
 * comes as text from outside.
 */
export async function askForCorrection(
  deps: ChangeDeps,
  candidate: Candidate,
  check: CheckResult,
  signal: AbortSignal,
): Promise<AskedCorrection> {
  const { plan, workspace, prepared, changeSet } = candidate;
  const opened = await openApplyContext(deps, plan, workspace);
  const shown = describeFailure(candidate, check, deps.limits);
  const version = prepared.attempts.at(-1) ?? opened.version;
  const changed = new Set(changeSet.changes.map(({ path }) => path));
  const unchanged = Object.entries(opened.seen).filter(([path]) => !changed.has(path));
  const context: ApplyContext = {
    ...opened,
    version,
    on: changeSet,
    seen: { ...Object.fromEntries(unchanged), ...filesSeen(shown) },
    whole: [...opened.whole.filter((path) => !changed.has(path)), ...filesSeenWhole(shown)],
  };
  const text = renderBlocks(shown, deps.answers);
  const wanted = {
    goal: renderGoal(plan.goal, plan.notes),
    toMessages: (under: ProtocolVersion, note?: string) =>
      correctionMessages(plan, under, text, note),
  };
  const traceId = newId("trace");
  const startedAt = deps.records.clock.now();
  const record = createCallRecord(version, deps.records.clock.now);
  const verdict = await askForActions(deps.answers, wanted, context, record, signal);
  return { traceId, startedAt, record, verdict, context };
}

type Origin = NonNullable<Block["origin"]>;

/** The change set, the files as it leaves them, and how its check failed. */
function describeFailure(
  { changeSet, rounds, workspace }: Candidate,
  check: CheckResult,
  limits: ContextLimits,
): readonly Block[] {
  const failed = fitContext([toLogs(check, originOfCheck(workspace))], limits).blocks;
  const { maxFileChars, maxTotalChars } = limits;
  const beside = [
    toChanges(changeSet, maxFileChars),
    ...failed,
    ...toFailing(check, originOfCheck(workspace)),
    ...rounds.flatMap(({ refused }) => (refused ? [toRefused(refused)] : [])),
  ];
  const room = { ...limits, maxTotalChars: maxTotalChars - totalChars(beside) };
  const [changes, ...rest] = beside;
  const files = fitContext(toFiles(changeSet), room).blocks;
  return [...(changes ? [changes] : []), ...files, ...rest];
}

/** New files are shown whole below; of one that goes the model may never have seen the content. */
function toChanges(changeSet: ChangeSet, mostChars: number): Block {
  const { id, changes } = changeSet;
  const updates = changes.filter(({ kind }) => kind === "update");
  const others = changes.filter(({ kind }) => kind !== "update");
  const lines = others.map(({ kind, path }) => toOneLine(`${kind} ${path}`));
  const diff = renderDiff({ ...changeSet, changes: updates });
  const body = quoteHeaders([...lines, diff].join("\n"));
  const header = `CHANGE_SET[${id.slice(0, 12)}]: what the plan came to, against the folder:`;
  return { kind: "changes", priority: 0, header, body: cutMiddle(body, mostChars) };
}

function toFiles(changeSet: ChangeSet): readonly Block[] {
  return changeSet.changes.flatMap((change) => {
    if (change.kind !== "create" && change.kind !== "update") return [];
    const { path, after } = change;
    const text = decodeUtf8(contentOf(changeSet, after));
    if (text === undefined || text.includes("\0")) return [];
    return [renderFileBlock({ path, text, sha256: after.sha256 }, 0)];
  });
}

function toLogs(check: CheckResult, origin: Origin): Block {
  const { name, command = [], output = "" } = check.stages.at(-1) ?? {};
  const line = command.join(" ");
  const header = `LOGS[check]: ${describeFailedCheck(check)}${line === name ? "" : `: ${line}`}`;
  const body = output.trim() === "" ? "(it printed nothing)" : quoteHeaders(output.trimEnd());
  return { kind: "logs", priority: 0, header: toOneLine(header), body, origin };
}

/** What fails without the change as well is not for a correction of it. */
function toFailing({ baseline }: CheckResult, origin: Origin): readonly Block[] {
  const { before = [] } = baseline ?? {};
  if (before.length === 0) return [];
  const names = named(before.map(toOneLine)).join("\n");
  const header = "LOGS[baseline]: these fail without the change set as well; leave them:";
  const body = quoteHeaders(names);
  return [{ kind: "logs", priority: 0, header, body, origin }];
}

const MOST_NAMES = 20;

function named(names: readonly string[]): readonly string[] {
  return firstOf(names, MOST_NAMES).lines(String, (left) => `… and ${left} more`);
}

function toRefused({ why, paths = [] }: FixNote): Block {
  const list = named(paths).join(", ");
  if (why === "judges") {
    return renderNote(`A correction was REFUSED, for it touched what it must leave alone: ${list}`);
  }
  if (why === "nothing")
    return renderNote("A correction was REFUSED, for it took the whole change back");
  const about = list === "" ? "it has too many changes" : list;
  return renderNote(
    `A correction was REFUSED, for it is no single change set with the rest: ${about}`,
  );
}
