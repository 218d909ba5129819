import type { Captioned, Press, Seen } from "../channels/channel.ts";
import { toCommand } from "../protocol/command.ts";
import { decideIntent } from "../protocol/intent.ts";
import type { Approval } from "../store/approvals.ts";
import { chat, continueChat } from "./chat.ts";
import { runCommand } from "./commands/commands.ts";
import type {
  Agent,
  AgentCore,
  AskedBefore,
  CommandDeps,
  FollowUp,
  RequestContext,
} from "./deps.ts";
import { findEnded, tellUnreported } from "./interrupted/interrupted.ts";
import {
  applyMessage,
  applyPlan,
  planRevision,
  proposePlan,
  takeRevisionRequest,
  tellEnded,
} from "./plans/plans.ts";
import { actOn, admit } from "./press.ts";
import { isOfTerminal, recordedIntent, recordIntent, storedPlan } from "./session/session.ts";

/**
 * Does what a message asks for; `asked` is what waited for a yes when it was sent: it is never for
 * what came later.
 */
export async function answer(
  request: RequestContext,
  agent: Agent,
  { words, attached }: Captioned,
  asked: AskedBefore,
): Promise<void> {
  const { core, plans, turns, commands } = agent;
  const { speaker } = request;
  await tellUnreported(request, core);
  if (!request.work.isFirst) {
    if (await tellEnded(request, core)) return undefined;
    const approved = approvedBefore(request, core);
    if (approved !== undefined) return goOn(request, agent, { act: "approve", ref: approved });
  }
  const revised = takeRevisionRequest(request, core);
  const command = toCommand(words);
  const { planId } = core.sessions.state(speaker.sessionId);
  if (command) {
    const unread = command.name === "apply" ? whyUnread(request, core, planId, asked) : undefined;
    if (unread !== undefined) return tellUnread(request, commands, unread);
    return runCommand(request, commands, command);
  }
  const whole = (text: string) => (attached === "" ? text : `${text}\n\n${attached}`);
  if (wasBegun(request, core)) return chat(request, turns, whole(words));
  const waiting = core.approvals.waiting(speaker.sessionId, core.clock.now());
  const isAsked = waiting !== undefined;
  const intent = decideIntent(words, { hasPlan: planId !== undefined || isAsked, isAsked });
  const isAnswer = intent.kind === "apply_stored" || intent.kind === "reject";
  if (revised !== undefined && !isAnswer) {
    return planRevision(request, plans, revised, whole(words));
  }
  switch (intent.kind) {
    case "plan":
      return proposePlan(request, plans, whole(intent.goal));
    case "apply":
      return applyMessage(request, plans, whole(intent.goal));
    case "apply_stored":
    case "reject": {
      const unread = whyUnread(request, core, waiting?.approvalId ?? planId, asked);
      // A no harms nobody who saw less.
      const isHarmless = intent.kind === "reject" && unread === "unknown";
      if (unread !== undefined && !isHarmless) return tellUnread(request, commands, unread);
      // A "yes" while a question waits is its answer, not a new request.
      if (!waiting) return void (await applyPlan(request, plans, storedPlan(request, core)));
      if (intent.kind === "apply_stored") keepYes(request, core, waiting, words);
      const act = intent.kind === "reject" ? "reject" : "approve";
      return goOn(request, agent, { act, ref: waiting.approvalId });
    }
    case "chat":
      return chat(request, turns, whole(words));
    default:
      return intent.kind satisfies never;
  }
}

/**
 * Whether a press begins something that others wait for; throws the truth about one that does not
 * count. What a crash cut off counted before still counts.
 */
export async function admitPress(
  request: RequestContext,
  agent: Agent,
  press: Press,
): Promise<boolean> {
  const { core } = agent;
  const isAgain = findEnded(core, request.work.id) !== undefined || wasBegun(request, core);
  return isAgain || admit(request, agent, press);
}

/** Does what a press asks for; the work that it leads to is queued. */
export async function answerPress(
  request: RequestContext,
  agent: Agent,
  press: Press,
): Promise<FollowUp | undefined> {
  const { core } = agent;
  if (await tellEnded(request, core)) return undefined;
  return wasBegun(request, core) ? continueChat : actOn(request, agent, press);
}

/** `elsewhere`: a page asked it in the conversation of a terminal. */
type Unread = Exclude<Seen, "seen"> | "elsewhere";

/** Why a yes is none to a plan or a question: it came before that, or who says it was not shown that. */
function whyUnread(
  { speaker: { sessionId } }: RequestContext,
  { sessions, approvals }: AgentCore,
  ref: string | undefined,
  { approvalId, planId, saw = () => "seen" }: AskedBefore,
): Unread | undefined {
  if (ref === undefined) return undefined;
  const shown = isOfTerminal(sessionId) ? sessions.shownAs(sessionId, ref) : [];
  const isElsewhere = shown.length > 0 && shown.every(({ elsewhere }) => elsewhere === true);
  if (isElsewhere) return "elsewhere";
  if (ref !== approvalId && ref !== planId) return "later";
  // Who was asked about the changes of a plan has seen more than the plan.
  const asked = ref === planId ? approvals.lastAbout(sessionId, ref)?.approvalId : undefined;
  const seen = new Set([ref, ...(asked === undefined ? [] : [asked])].map(saw));
  if (seen.has("seen")) return undefined;
  return UNREAD.find((each) => seen.has(each)) ?? "unknown";
}

/** What says most about why comes first. */
const UNREAD = ["unsure", "later", "unsent", "lost"] as const satisfies Unread[];

/** Says so; what the channel never showed is shown, and asked about, instead. */
async function tellUnread(
  request: RequestContext,
  commands: CommandDeps,
  unread: Unread,
): Promise<void> {
  const { speaker, texts, emit } = request;
  const { approvals, sessions, clock } = commands.core;
  const { sessionId } = speaker;
  const waiting = approvals.waiting(sessionId, clock.now());
  const { planId } = sessions.state(sessionId);
  const isOfPlan =
    waiting === undefined || (waiting.kind === "change_set" && waiting.planId === planId);
  if (unread === "unknown" && isOfPlan) {
    return runCommand(request, commands, { name: "diff", argument: "" });
  }
  const { askedElsewhere, notShownHere, lostHere } = texts.console;
  const { cameLater, notSure } = texts.agent;
  const text = {
    elsewhere: askedElsewhere,
    later: cameLater,
    unsure: notSure,
    lost: lostHere,
    unsent: notShownHere,
    unknown: notShownHere,
  }[unread];
  await emit({ kind: "content", text });
}

/** The question that this very message said yes to before a crash, whatever waits by now. */
function approvedBefore(request: RequestContext, core: AgentCore): string | undefined {
  const recorded = recordedIntent(request, core);
  return recorded === undefined ? undefined : core.approvals.load(recorded)?.approvalId;
}

async function goOn(request: RequestContext, agent: Agent, press: Press): Promise<void> {
  const next = await actOn(request, agent, press);
  return next?.(request, agent);
}

/** What led to a turn of the chat before a crash does so again, whatever waits or is planned. */
function wasBegun(request: RequestContext, { sessions }: AgentCore): boolean {
  const { speaker, work } = request;
  const mayBeKnown = work.isKept && !work.isFirst;
  return mayBeKnown && sessions.turn(speaker.sessionId, work.id) !== undefined;
}

/** A yes that is redelivered still is one, whatever waits or is planned by then. */
function keepYes(
  request: RequestContext,
  core: AgentCore,
  { kind, userId, approvalId }: Approval,
  content: string,
) {
  const { speaker, work } = request;
  const { id: turnId } = work;
  if (!work.isKept || userId !== speaker.userId) return;
  recordIntent(request, core, approvalId);
  if (kind !== "tool_call") return;
  request.showing?.inTurn(true);
  const said = { role: "user", content } as const;
  core.sessions.append(speaker.sessionId, [said], core.clock.now(), { turnId });
}
