import type { Comment, Revision } from "../../channels/press.ts";
import { shorten } from "../../core/cut-text.ts";
import { firstOf } from "../../core/few.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { LeftChange } from "../../planner/operations.ts";
import { receiveText } from "../../security/injection.ts";
import type { Approval } from "../../store/approvals.ts";
import type { GoalNote } from "../../store/plans/plans.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import type { PreviewView } from "../../transaction/views.ts";
import { invalid } from "../approval.ts";
import type { AgentCore, PlanDeps, RequestContext } from "../deps.ts";
import { applyPlan, assertGranted } from "./apply-flow.ts";
import { linesOfSide, moveComments } from "./move-comments.ts";
import { forgetSidePlan, isSidePlan } from "./offer-plan.ts";
import { planForSession } from "./plan-goal.ts";

/** An approval of a change set. */
type Asked = Extract<Approval, { readonly kind: "change_set" }>;

const MOST_LISTED = 40;
/** A goal with all that was said of it has to fit the bound of goals. */
const MOST_LEFT_CHARS = 6000;
const MOST_PLACES_CHARS = 16_000;
const MOST_LINE_CHARS = 400;
/** Lines around one that a comment is about, and fewer where many comments have to be told of. */
const AROUND = [2, 1, 0];

/**
 * Asks about a change set without some of its files or hunks, instead of about the whole. Until then
 * the question that was pressed on stays as it is, and nothing is applied unasked.
 *
 * @throws AppError APPROVAL_INVALID with the reason why it cannot be done without them
 */
export async function askWithout(
  request: RequestContext,
  deps: PlanDeps,
  approval: Asked,
  { leftOut = [] }: Revision,
): Promise<void> {
  const { planId, changeSetId } = approval;
  await assertGranted(deps, planId);
  const toNote = (left: readonly LeftChange[]) => renderLeftOut(left, deps.core);
  const unwanted = { changeSetId, parts: leftOut, toNote };
  const rest = await deps.operations.leaveOut(planId, unwanted, request.signal);
  if (!rest.ok) throw invalid(({ leave, outdatedShown }) => whyNot(rest, leave, outdatedShown));
  await askInstead(request, deps, approval, rest.planId);
}

/**
 * [Change…] of a change set: plans its goal again with what a person says of it, and asks about what
 * comes of that. Until then the question that was pressed on stays as it is.
 *
 * @throws AppError APPROVAL_INVALID where a comment is about what was not shown
 */
export async function askRevised(
  request: RequestContext,
  deps: PlanDeps,
  approval: Asked,
  { comments = [] }: Revision,
): Promise<void> {
  const { planId, changeSetId } = approval;
  const said = comments.filter(({ text }) => text.trim() !== "");
  if (said.length === 0) throw invalid(({ comment }) => comment.nothing);
  await assertGranted(deps, planId);
  const shown = await deps.operations.showAgain(planId, changeSetId, request.signal);
  if (!shown) throw invalid(({ outdatedShown }) => outdatedShown);
  const note = renderComments(said, shown, deps.core);
  const plan = await planForSession(request, deps, planId, note);
  if (plan) await askInstead(request, deps, approval, plan, said);
}

async function askInstead(
  request: RequestContext,
  deps: PlanDeps,
  asked: Asked,
  planId: string,
  comments?: readonly Comment[],
): Promise<void> {
  const instead = {
    approvalId: asked.approvalId,
    ...(comments && { comments }),
    goOver: (next: PreviewView) => goOver(request, deps, asked, next, comments !== undefined),
  };
  await applyPlan(request, deps, planId, { mustAsk: true, instead });
}

/**
 * What was about to be said was said by now, or is still to be said of what takes its place, at its
 * places there; and an "ok" means what is asked about. A crash leaves all of it, or nothing.
 */
async function goOver(
  request: RequestContext,
  { core, operations }: PlanDeps,
  asked: Asked,
  next: PreviewView,
  isSaid: boolean,
): Promise<(approvalId: string) => void> {
  const { speaker, signal } = request;
  const { sessions, settings, clock } = core;
  const { sessionId, userId } = speaker;
  const from = await operations.showAgain(asked.planId, asked.changeSetId, signal);
  const to = await operations.showAgain(next.planId, next.changeSetId, signal);
  return (approvalId) => {
    const drafts = settings.of("draft.");
    const draft = drafts.get(asked.approvalId);
    if (draft && !isSaid) {
      const { comments } = draft;
      const moved = from && to ? moveComments(comments, from.changeSet, to.changeSet) : comments;
      drafts.set(approvalId, { ...draft, comments: [...moved] });
    }
    drafts.remove(asked.approvalId);
    if (isSidePlan(request, core, asked.planId)) forgetSidePlan(core, asked.planId);
    if (sessions.state(sessionId).planId !== asked.planId) return;
    sessions.update(sessionId, userId, { planId: next.planId }, clock.now());
  };
}

type NotDone = Exclude<
  Awaited<ReturnType<PlanDeps["operations"]["leaveOut"]>>,
  { readonly ok: true }
>;

type Refusals = Parameters<Parameters<typeof invalid>[0]>[0];

function whyNot(rest: NotDone, leave: Refusals["leave"], outdated: string): string {
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
        firstOf(rest.needs, MOST_LISTED)
          .lines(pair, (n) => `+${n}`)
          .join("; "),
      );
    }
    case "outdated":
      return outdated;
    case "by command":
      return leave.byCommand(name(rest.path));
    case "no action":
      return leave.noAction(name(rest.path));
    case "refused":
      return leave.refused(rest.message);
    default:
      return rest satisfies never;
  }
}

/** What whoever plans the goal again is told; names and lines are not the person's own words. */
function renderLeftOut(left: readonly LeftChange[], core: AgentCore): GoalNote {
  const names = firstOf(left, MOST_LISTED).lines(
    ({ path, kind, lines }) =>
      `- ${lines ? "some changes of" : WHOLE[kind]} ${JSON.stringify(path)}`,
    (more) => `- and ${more} more`,
  );
  // Behind all names: of long lines some may be cut.
  const hunks = left.flatMap(({ path, lines }) =>
    lines ? [`In ${JSON.stringify(path)}:`, ...lines] : [],
  );
  const listed = quote(names.join("\n"), core, MOST_LEFT_CHARS);
  const said = `The user left these parts out of what was planned for this before. Plan without them, and do not bring them back:\n${listed}`;
  if (hunks.length === 0) return { said };
  return { said, about: quote(hunks.join("\n"), core, MOST_LEFT_CHARS) };
}

const WHOLE: Readonly<Record<LeftChange["kind"], string>> = {
  mkdir: "the new folder",
  create: "the new file",
  update: "all changes of",
  delete: "the removal of",
  rmdir: "the removal of the folder",
};

function renderComments(
  comments: readonly Comment[],
  {
    preview,
    changeSet,
  }: { readonly preview: { readonly summary?: string }; readonly changeSet: ChangeSet },
  core: AgentCore,
): GoalNote {
  const said = comments.map(({ text }, index) => `${index + 1}. ${text.trim()}`);
  const planned = `What was planned: ${shorten(preview.summary ?? "", MOST_LINE_CHARS)}`;
  const places = comments.map((comment, index) => `${index + 1} is about ${nameOf(comment)}`);
  // Names and lines of files are nobody's words: they stand apart from what the person says.
  const ways = AROUND.map((around) => {
    const lines = comments.flatMap((comment, index) => {
      const shown = linesFor(comment, changeSet, around);
      if (shown === undefined) throw invalid((texts) => texts.comment.unknown(nameOf(comment)));
      return shown.length > 0 ? [`${index + 1}:\n${shown.join("\n")}`] : [];
    });
    return [planned, ...places, ...lines].join("\n");
  });
  const quoted = ways.find(({ length }) => length <= MOST_PLACES_CHARS) ?? ways.at(-1) ?? "";
  return {
    said: `The user read what was planned for this before, and wants this to be different:\n${said.join("\n")}`,
    about: `The places that each of these is about, as they would be with that plan; it was not carried out:\n${quote(quoted, core, MOST_PLACES_CHARS)}`,
  };
}

function nameOf({ path, side, line, to }: Comment): string {
  if (path === undefined) return "the whole";
  const name = JSON.stringify(path);
  if (line === undefined) return name;
  const lines = to === undefined || to === line ? `line ${line}` : `lines ${line}-${to}`;
  return `${name}, ${lines} ${side === "before" ? "before the change" : "with the change"}`;
}

/** The lines that a comment is about and those around them; undefined: there are none such. */
function linesFor(
  comment: Comment,
  changeSet: ChangeSet,
  around: number,
): readonly string[] | undefined {
  const { path, line, to = line } = comment;
  if (path === undefined) return [];
  const change = changeSet.changes.find((each) => each.path === path);
  if (!change) return undefined;
  if (line === undefined || to === undefined) return [];
  const all = linesOfSide(comment, changeSet);
  if (!all || to > all.length) return undefined;
  return all.slice(Math.max(0, line - 1 - around), to + around).map((each, index) => {
    const number = Math.max(1, line - around) + index;
    const mark = number >= line && number <= to ? ">" : " ";
    return `${mark} ${number}: ${shorten(each, MOST_LINE_CHARS)}`;
  });
}

/** Lines of files are told as what they are, whatever they say. */
function quote(lines: string, { redact, security, log }: AgentCore, most: number): string {
  const text = shorten(redact(lines), most);
  const received = {
    text,
    origin: "workspace",
    source: { context: "reviewed change set" },
  } as const;
  return receiveText(received, { check: security.injectionCheck, log });
}
