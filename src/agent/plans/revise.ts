import type { Comment, Revision } from "../../channels/press.ts";
import { firstOf } from "../../core/few.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { LeftChange } from "../../planner/operations.ts";
import type { Approval } from "../../store/approvals.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { findOverlap } from "../../transaction/compute/write-lines.ts";
import type { PreviewView } from "../../transaction/views.ts";
import { invalid } from "../approval.ts";
import type { AgentCore, PlanDeps, RequestContext } from "../deps.ts";
import { unmaskPaths } from "../session/session.ts";
import { applyPlan, assertGranted } from "./apply-flow.ts";
import { linesOfSide } from "./move-comments.ts";
import { forgetSidePlan, isSidePlan } from "./offer-plan.ts";
import { planForSession } from "./plan-goal.ts";
import { nameOf, renderComments, renderLeftOut, renderWritten } from "./revision-notes.ts";

/** An approval of a change set. */
type Asked = Extract<Approval, { readonly kind: "change_set" }>;

const MOST_NEEDS = 40;

/**
 * Asks about a change set without some of its files or hunks, those that are unticked where none are
 * named, instead of about the whole. Until then
 * the question that was pressed on stays as it is, and nothing is applied unasked.
 *
 * @throws AppError APPROVAL_INVALID with the reason why it cannot be done without them
 */
export async function askWithout(
  request: RequestContext,
  deps: PlanDeps,
  approval: Asked,
  revision: Revision,
): Promise<void> {
  const { planId, changeSetId, approvalId } = approval;
  await assertGranted(deps, planId);
  const { comments = [], unticked = [] } = deps.core.settings.of("draft.").get(approvalId) ?? {};
  const leftOut = revision.leftOut
    ? await ofFiles(request, deps, approval, revision.leftOut)
    : unticked;
  const why = comments.filter((each) => isOfLeft(each, leftOut));
  const toNote = (left: readonly LeftChange[]) => renderLeftOut(left, why, deps.core);
  const unwanted = { changeSetId, parts: leftOut, toNote };
  const rest = await deps.operations.leaveOut(planId, unwanted, request.signal);
  if (!rest.ok) throw invalid((texts) => whyNot(rest, texts));
  await askInstead(request, deps, approval, rest.planId, { comments: why, leftOut });
}

/** What is said of files by the names they are shown under, of the files. */
async function ofFiles<Said extends { readonly path?: string }>(
  { signal }: RequestContext,
  { core, operations }: PlanDeps,
  { planId, changeSetId }: Asked,
  said: readonly Said[],
): Promise<readonly Said[]> {
  const shown = await operations.showAgain(planId, changeSetId, signal);
  if (!shown) throw invalid(({ outdatedShown }) => outdatedShown);
  const meant = unmaskPaths(said, shown.changeSet.changes, core.redact);
  if (!meant.ok) throw invalid(({ several }) => several(`"${toVisibleText(meant.path)}"`));
  return meant.all;
}

/** Words about a file that is left out as a whole say why. */
function isOfLeft({ path, text, instead }: Comment, leftOut: Revision["leftOut"] = []): boolean {
  if (instead || text.trim() === "") return false;
  return leftOut.some((each) => each.path === path && each.hunks === undefined);
}

/**
 * [Change…] of a change set: plans its goal again with what a person says of it, and asks about what
 * comes of that; where all that is said is what lines are to be, with these and without an author.
 * Until then the question that was pressed on stays as it is.
 *
 * @throws AppError APPROVAL_INVALID where a comment is about what was not shown, or nobody can follow it
 */
export async function askRevised(
  request: RequestContext,
  deps: PlanDeps,
  approval: Asked,
  { comments = [] }: Revision,
): Promise<void> {
  const { planId, changeSetId } = approval;
  const words = comments.filter(({ text, instead }) => instead || text.trim() !== "");
  if (words.length === 0) throw invalid(({ comment }) => comment.nothing);
  await assertGranted(deps, planId);
  const said = await ofFiles(request, deps, approval, words);
  const shown = await deps.operations.showAgain(planId, changeSetId, request.signal);
  if (!shown) throw invalid(({ outdatedShown }) => outdatedShown);
  if (said.every(({ instead }) => instead)) {
    return askRewritten(request, deps, approval, said, shown.changeSet);
  }
  if (!(await deps.operations.followsWords())) throw invalid(({ comment }) => comment.noModel);
  refuseOverlap(said.filter(({ instead }) => instead));
  const note = renderComments(said, shown, deps.core);
  const plan = await planForSession(request, deps, planId, note);
  if (plan) await askInstead(request, deps, approval, plan, { comments: said });
}

/** Whoever plans would be told of the same line that it is to be one thing, and another. */
function refuseOverlap(written: readonly Comment[]): void {
  for (const [path, own] of Map.groupBy(written, (each) => each.path ?? "")) {
    const both = findOverlap(own.map(({ line = 0, to = line }) => ({ line, to })));
    if (both) throw invalid((texts) => whyOverlapping({ path, both }, texts));
  }
}

async function askRewritten(
  request: RequestContext,
  deps: PlanDeps,
  approval: Asked,
  written: readonly Comment[],
  changeSet: ChangeSet,
): Promise<void> {
  const { planId, changeSetId } = approval;
  const hidden = written.find((each) => isMasked(each, changeSet, deps.core));
  if (hidden) throw invalid(({ comment }) => comment.secret(nameOf(hidden)));
  const lines = written.map(({ path = "", line = 0, to = line, text }) => {
    return { path, line, to, text };
  });
  const note = renderWritten(written, deps.core);
  const made = await deps.operations.rewrite(planId, { changeSetId, lines, note }, request.signal);
  if (!made.ok) throw invalid((texts) => whyNot(made, texts));
  await askInstead(request, deps, approval, made.planId, { comments: written });
}

/** Who was shown a mask cannot know what would be lost with it. */
function isMasked(
  comment: Comment,
  changeSet: ChangeSet,
  { redact }: Pick<AgentCore, "redact">,
): boolean {
  const all = linesOfSide(comment, changeSet) ?? [];
  const { line = 1, to = line } = comment;
  const [head, own, tail] = [all.slice(0, line - 1), all.slice(line - 1, to), all.slice(to)].map(
    (lines) => lines.join("\n"),
  );
  const apart = [redact(head ?? ""), own, redact(tail ?? "")];
  const [first, last] = [line > 1 ? "\n" : "", to < all.length ? "\n" : ""];
  return redact(all.join("\n")) !== `${apart[0]}${first}${apart[1]}${last}${apart[2]}`;
}

async function askInstead(
  request: RequestContext,
  deps: PlanDeps,
  asked: Asked,
  planId: string,
  { comments = [], leftOut }: Revision,
): Promise<void> {
  const instead = {
    asked,
    ...(comments.length > 0 && { comments }),
    ...(leftOut && { leftOut }),
    goOver:
      async ({ planId: next }: PreviewView) =>
      () =>
        goOver(request, deps.core, asked, next),
  };
  await applyPlan(request, deps, planId, { mustAsk: true, instead });
}

/** An "ok" means what is asked about. */
function goOver(
  request: RequestContext,
  core: AgentCore,
  { planId: before }: Asked,
  planId: string,
): void {
  const { sessions, clock } = core;
  const { sessionId, userId } = request.speaker;
  if (isSidePlan(request, core, before)) forgetSidePlan(core, before);
  if (sessions.state(sessionId).planId !== before) return;
  sessions.update(sessionId, userId, { planId }, clock.now());
}

type NotDone = Extract<
  Awaited<ReturnType<PlanDeps["operations"]["leaveOut" | "rewrite"]>>,
  { readonly ok: false }
>;

type Refusals = Parameters<Parameters<typeof invalid>[0]>[0];

function whyNot(rest: NotDone, { leave, comment, outdatedShown }: Refusals): string {
  const name = (path: string) => `"${toVisibleText(path)}"`;
  switch (rest.why) {
    case "unknown": {
      const hunk = rest.hunk === undefined ? "" : ` #${rest.hunk}`;
      return leave.unknown(name(rest.path) + hunk);
    }
    case "nothing left out":
      return leave.nothing;
    case "nothing left":
      return leave.all;
    case "needed": {
      const pair = ({ path, needs }: (typeof rest.needs)[number]) =>
        leave.pair(name(path), name(needs));
      return leave.needed(
        firstOf(rest.needs, MOST_NEEDS)
          .lines(pair, (n) => `+${n}`)
          .join("; "),
      );
    }
    case "outdated":
      return outdatedShown;
    case "by command":
      return leave.byCommand(name(rest.path));
    case "no action":
      return leave.noAction(name(rest.path));
    case "unknown lines":
      return comment.unknown(nameOf({ text: "", path: rest.path, side: "after", line: rest.line }));
    case "overlapping":
      return whyOverlapping(rest, { comment });
    case "the same":
      return comment.same;
    case "refused":
      return leave.refused(rest.message);
    default:
      return rest satisfies never;
  }
}

function whyOverlapping(
  { path, both }: Pick<Extract<NotDone, { readonly why: "overlapping" }>, "path" | "both">,
  { comment }: Pick<Refusals, "comment">,
): string {
  const [one, other] = both.map((lines) => nameOf({ text: "", path, side: "after", ...lines }));
  return comment.overlapping(one ?? "", other ?? "");
}
