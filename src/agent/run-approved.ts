import { isFields, parseJsonAs } from "../core/guards.ts";
import { isInterrupted } from "../core/interruption.ts";
import { decide } from "../security/policy.ts";
import type { CallApproval } from "../store/approvals.ts";
import type { Say } from "../texts/texts.ts";
import { PROPOSE_CHANGES } from "../tools/propose-changes.ts";
import { failure, leavingOf, type Tool, type ToolArguments } from "../tools/tool.ts";
import { STRANGERS_SEEN, toolsOf, toToolResult } from "./chat.ts";
import type { AgentCore, RequestContext, TurnDeps } from "./deps.ts";
import {
  keepAllowed,
  keepReading,
  originOf,
  receiveResult,
  renderResult,
  toAskedCall,
} from "./gate/gate.ts";
import { findEnded, noteMade } from "./interrupted/interrupted.ts";
import { selectedWorkspace } from "./session/session.ts";
import { runTool } from "./turn/turn.ts";

/** A call that a person may say yes to, or why it cannot run any more. */
export type ReadyCall =
  | { readonly ok: true; readonly tool: Tool; readonly args: ToolArguments }
  /** `isOpen`: it may be run in another mode. */
  | { readonly ok: false; readonly say: Say; readonly isOpen?: true };

/** Whether what a yes would run is still what the person was shown. */
export async function readyCall(
  request: RequestContext,
  deps: TurnDeps,
  approval: CallApproval,
): Promise<ReadyCall> {
  const { core } = deps;
  const workspace = selectedWorkspace(request, core);
  const tools = await toolsOf(request, deps, workspace, STRANGERS_SEEN);
  const tool = tools.find(({ schema }) => schema.name === approval.tool);
  if (!tool) return refuse(({ toolGone }) => toolGone(approval.tool));
  const args: ToolArguments | undefined = parseJsonAs(approval.argsJson, isFields);
  if (!args) return refuse(({ callChanged }) => callChanged);
  const { callSha256 } = await toAskedCall(tool, args, workspace);
  if (callSha256 !== approval.callSha256) {
    return refuse(({ callChanged }) => callChanged);
  }
  // The strictest: only what no yes can allow is refused here.
  const decision = decide(core.security.autonomy, {
    effect: tool.effect(args),
    reading: "outside",
    leak: (await leavingOf(tool, args)).kind === "nothing" ? undefined : "unnamed",
    wasSaid: false,
    wasDenied: false,
    hasApprover: true,
  });
  if (decision.kind === "deny") {
    return { ok: false, say: ({ callDenied }) => callDenied, isOpen: true };
  }
  return { ok: true, tool, args };
}

function refuse(say: Say): ReadyCall {
  return { ok: false, say };
}

/**
 * Runs a call that was taken out of waiting, so this once. Until its result is in the conversation
 * the approval stays open: a crash in between is reported as such, and causes no second run.
 */
export async function runApproved(
  request: RequestContext,
  deps: TurnDeps,
  approval: CallApproval,
  { tool, args }: Extract<ReadyCall, { ok: true }>,
): Promise<void> {
  const { core } = deps;
  const {
    emit,
    signal,
    work: { id: turnId },
  } = request;
  const limit = AbortSignal.timeout(deps.limits.turnTimeoutMs);
  noteMade(request, core, approval.approvalId);
  core.approvals.begin(approval.approvalId);
  await emit({
    kind: "tool_call",
    id: approval.approvalId,
    name: approval.tool,
    args: approval.argsJson,
  });
  const both = AbortSignal.any([signal, limit]);
  const result = await runTool(tool, args, both, approval.approvalId);
  if (!result.ok && isInterrupted(signal)) return; // whether it took effect nobody knows
  // A short failure is kept without the marks of such text, so the conversation has to know.
  keepReading(request, core, originOf(tool, result));
  keepAllowed(request, core, await leavingOf(tool, args));
  await deps.commit(() => {
    const page = result.ok ? result.page : undefined;
    const received = renderResult(receiveResult(core, tool, result));
    appendAnswer(core, { ...approval, turnId }, received, page);
    core.approvals.finish(approval.approvalId);
  });
  const text = result.ok ? result.content : result.error;
  await emit({ kind: "call_result", tool: approval.tool, ok: result.ok, text });
}

/** The call and what came of it, as the model finds them in the conversation. */
export function appendAnswer(
  { sessions, clock, redact }: AgentCore,
  { approvalId: id, sessionId, tool, argsJson, turnId }: CallApproval,
  content: string,
  page?: string,
): void {
  const call = { id, name: tool, arguments: redact(argsJson) };
  sessions.append(
    sessionId,
    [
      { role: "assistant", content: "", toolCalls: [call] },
      {
        role: "tool",
        toolCallId: id,
        content: redact(content),
        ...(page !== undefined && { page }),
      },
    ],
    clock.now(),
    turnId === undefined ? undefined : { turnId },
  );
}

/**
 * For a start: calls that began, by a yes or by the policy, and whose end nobody saw. Of one that
 * changes files the journals know what became of it; of any other nobody ever will, and those are
 * given back for the owner. Each is told to its conversation once; none is run again here.
 */
export function closeInterrupted({
  core,
  commit,
}: Pick<TurnDeps, "core" | "commit">): Promise<readonly CallApproval[]> {
  return commit(() => {
    const open = core.approvals.interrupt();
    const unknown = open.filter(({ tool }) => tool !== PROPOSE_CHANGES);
    for (const approval of open) {
      if (approval.tool === PROPOSE_CHANGES) tellProposal(core, approval);
      else appendAnswer(core, approval, NOT_KNOWN);
    }
    return unknown;
  });
}

/** A proposal that changed nothing counts as never made: the turn goes on without it. */
function tellProposal(core: AgentCore, approval: CallApproval): void {
  const ended = findEnded(core, approval.approvalId);
  if (ended) appendAnswer(core, approval, renderResult(toToolResult(ended.outcome)));
  else core.approvals.finish(approval.approvalId);
}

const NOT_KNOWN = renderResult(
  failure(
    "internal",
    "papa-yu ended while this ran; whether it took effect is not known: look first",
  ),
);
