import { newId } from "../../core/ids.ts";
import type { ChatMessage, ToolSchema } from "../../providers/provider.ts";
import { type AskReason, type Decision, decide, type Effect } from "../../security/policy.ts";
import type { Leak } from "../../security/provenance.ts";
import type { Texts } from "../../texts/texts.ts";
import {
  failure,
  leavingOf,
  type Tool,
  type ToolArguments,
  type ToolFailure,
  type ToolResult,
} from "../../tools/tool.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { AgentCore, RequestContext } from "../deps.ts";
import { type AskedCall, toAskedCall } from "./asked-call.ts";
import { describeTool, receiveResult } from "./receive-result.ts";
import { isChange } from "./tool-guard.ts";
import { openTurnContext, type TurnContext } from "./turn-context.ts";

export { toAskedCall } from "./asked-call.ts";
export { originOf, receiveOutside, receiveResult, renderResult } from "./receive-result.ts";
export { createToolGuard, isChange, isOutOfOrder, type ToolGuard } from "./tool-guard.ts";
export { keepAllowed, keepReading, type TurnContext } from "./turn-context.ts";

/** What every call of one turn passes: it is authorised before it runs, its result received after. */
export interface Gate {
  /** What a model gets of tools, in a request; whose words these are is labelled as of a result. */
  show(tools: readonly Tool[]): readonly ToolSchema[];
  /** Lets the call run, defers it until a person decides, who is asked here, or denies it. */
  authorize(tool: Tool, args: ToolArguments): Promise<GateDecision>;
  /** What the model gets of a call that ran; it is labelled in the context from here on. */
  receive(tool: Tool, args: ToolArguments, result: ToolResult): ToolResult;
  readonly context: TurnContext;
}

/** Whether a call runs now; if not, what the model is told. */
export type GateDecision =
  /** `hasEffect`: what it does must not be done twice. */
  | { readonly kind: "run"; readonly hasEffect: boolean }
  | { readonly kind: "put_off"; readonly answer: string }
  | { readonly kind: "deny"; readonly failure: ToolFailure };

/**
 * Opens the gate for a turn that goes on with `messages`; one that was cut off before, and goes on,
 * was `begunAt` then.
 */
export function openGate(
  request: RequestContext,
  core: AgentCore,
  workspace: Workspace,
  messages: readonly ChatMessage[],
  begunAt: number | undefined,
): Gate {
  const { approvals, security, clock } = core;
  const { speaker } = request;
  const { sessionId } = speaker;
  const context = openTurnContext(request, core, messages);
  const waitingNow = () => approvals.waiting(sessionId, clock.now());
  let older: { readonly id: string | undefined } | undefined;

  function decideOn({ effect, leak, said }: Facts, callSha256 = ""): Decision {
    return decide(security.autonomy, {
      effect,
      reading: context.reading(),
      leak: leak?.kind,
      wasSaid: context.wasSaid(said),
      wasDenied: approvals.wasRejected(sessionId, callSha256, clock.now()),
      hasApprover: request.hasApprover,
    });
  }

  /**
   * Keeps what waits before this turn asks anything: a clock tells two questions of a millisecond,
   * or one from before it was set back, not apart.
   */
  function keepOlder(): void {
    older ??= { id: begunAt === undefined ? waitingNow()?.approvalId : undefined };
  }

  /** The question of this turn that waits: a second one would take its place unseen. */
  function ownQuestion() {
    const waiting = waitingNow();
    if (!waiting || waiting.approvalId === older?.id) return undefined;
    return begunAt === undefined || waiting.createdAt >= begunAt ? waiting : undefined;
  }

  async function ask(
    call: AskedCall,
    { why, reason }: Question,
    leak?: Leak,
  ): Promise<GateDecision> {
    const waiting = waitingNow();
    const isSame = waiting?.kind === "tool_call" && waiting.callSha256 === call.callSha256;
    if (!isSame && ownQuestion()) return ANOTHER_WAITS;
    const isOwn = isSame && waiting.userId === speaker.userId;
    const approvalId = isOwn ? waiting.approvalId : storeQuestion(request, core, call);
    await showQuestion(request, call, approvalId, why, leak);
    return putOff(
      `the person is shown it and decides (${reason}). Do not call it again and do not say that it ran; its result will follow`,
    );
  }

  return {
    show(tools) {
      context.show(tools);
      return tools.map(describeTool);
    },
    async authorize(tool, args) {
      const effect = tool.effect(args);
      if (effect === "none") return { kind: "run", hasEffect: false };
      keepOlder();
      if (tool.asksItself) {
        if (ownQuestion()) return ANOTHER_WAITS;
        const facts = { effect, leak: undefined, said: "" };
        return { kind: "run", hasEffect: decideOn(facts).kind === "allow" };
      }
      const call = await toAskedCall(tool, args, workspace);
      const leaving = await leavingOf(tool, args);
      const leak = context.findLeak(leaving);
      const decision = decideOn({ effect, leak, said: nameIn(args) }, call.callSha256);
      switch (decision.kind) {
        case "allow":
          context.pass(leaving);
          return { kind: "run", hasEffect: isChange(effect) };
        case "ask":
          return ask(call, decision, leak);
        case "deny":
          return deny(tool, decision);
        default:
          return decision satisfies never;
      }
    },
    receive(tool, args, result) {
      context.take(tool, args, result);
      return receiveResult(core, tool, result);
    },
    context,
  };
}

interface Facts {
  readonly effect: Effect;
  readonly leak: Leak | undefined;
  readonly said: string;
}

/** What a call is about, for a person to have named it: a file, by its path or its name. */
function nameIn({ path }: ToolArguments): string {
  return typeof path === "string" ? path : "";
}

type Question = Extract<Decision, { kind: "ask" }>;

/** What a model is told of a call that was deferred, or that a person said no to. */
export function notRun(why: string): string {
  return `This call has not run: ${why}`;
}

function putOff(why: string): GateDecision {
  return { kind: "put_off", answer: notRun(why) };
}

const ANOTHER_WAITS = putOff(
  "another one waits for the person's answer. Call it again when that is given",
);

function deny(
  { schema }: Tool,
  { reason, denial }: Extract<Decision, { kind: "deny" }>,
): GateDecision {
  const error = `${schema.name} may not run: ${reason}; do not try it in another way, say what it is needed for`;
  return { kind: "deny", failure: { ...failure("denied", error), denial } };
}

/** How much leaves, and whose words are in it. */
function describeLeak({ characters, holds }: Leak, { call, joins }: Texts): readonly string[] {
  const whose = joins.list(holds.map((label) => call.whose[label]));
  return [call.leaves(characters), ...(whose === "" ? [] : [call.holds(whose)])];
}

/** Stores the question of a call in place of what waits; gives its id. */
export function storeQuestion(
  { speaker }: RequestContext,
  { approvals, security, clock }: AgentCore,
  { tool, argsJson, callSha256 }: AskedCall,
): string {
  const createdAt = clock.now();
  const approvalId = newId("ap", createdAt);
  const expiresAt = createdAt + security.approvalTimeoutMs;
  const subject = { kind: "tool_call", tool, argsJson, callSha256 } as const;
  approvals.ask({ ...subject, approvalId, ...speaker, createdAt, expiresAt });
  return approvalId;
}

/** Shows a stored question; one that is asked again keeps the buttons already shown. */
export async function showQuestion(
  { texts, emit }: RequestContext,
  { tool, args, shown }: AskedCall,
  approvalId: string,
  why: AskReason,
  leak?: Leak,
): Promise<void> {
  const { reasons } = texts.call;
  const reason = texts.joins.facts([reasons[why], ...(leak ? describeLeak(leak, texts) : [])]);
  await emit({ kind: "call_approval", approvalId, tool, args, shown, reason });
}
