import { decide } from "../security/policy.ts";
import type { CallApproval } from "../store/approvals.ts";
import { failure, leavingOf, type Tool, type ToolArguments } from "../tools/tool.ts";
import { toAskedCall } from "./asked-call.ts";
import { STRANGERS_SEEN, toolsOf } from "./chat.ts";
import type { AgentDeps, Exchange } from "./deps.ts";
import { originOf, receiveResult, renderResult } from "./receive-result.ts";
import type { Say } from "./refusal.ts";
import { runTool } from "./run-tool.ts";
import { selectedWorkspace } from "./session-state.ts";
import { keepAllowed, keepReading } from "./turn-context.ts";

/** A call that a person may say yes to, or why it cannot run any more. */
export type ReadyCall =
  | { readonly ok: true; readonly tool: Tool; readonly args: ToolArguments }
  | { readonly ok: false; readonly say: Say };

/** Whether what a yes would run is still what the person was shown. */
export async function readyCall(exchange: Exchange, approval: CallApproval): Promise<ReadyCall> {
  const workspace = selectedWorkspace(exchange);
  const tools = await toolsOf(exchange, workspace, STRANGERS_SEEN);
  const tool = tools.find(({ schema }) => schema.name === approval.tool);
  if (!tool) return refuse(({ toolGone }) => toolGone(approval.tool));
  const args: ToolArguments = JSON.parse(approval.argsJson);
  const { callSha256 } = await toAskedCall(tool, args, workspace);
  if (callSha256 !== approval.callSha256) {
    return refuse(({ callChanged }) => callChanged);
  }
  // The strictest: only what no yes can allow is refused here.
  const decision = decide(exchange.deps.security.autonomy, {
    effect: tool.effect(args),
    reading: "outside",
    leak: (await leavingOf(tool, args)).kind === "nothing" ? undefined : "unnamed",
    wasSaid: false,
    wasDenied: false,
    hasApprover: true,
  });
  if (decision.kind === "deny") {
    return refuse(({ callDenied }) => callDenied(decision.reason));
  }
  return { ok: true, tool, args };
}

function refuse(say: Say): ReadyCall {
  return { ok: false, say };
}

/**
 * Runs a call that was taken out of waiting, so this once. Until its result is in the conversation
 * the approval stays open: a crash in between leaves the truth, not a second run.
 */
export async function runApproved(
  exchange: Exchange,
  approval: CallApproval,
  { tool, args }: Extract<ReadyCall, { ok: true }>,
): Promise<void> {
  const { deps, emit, signal, messageId } = exchange;
  const limit = AbortSignal.timeout(deps.limits.turnTimeoutMs);
  await emit({
    kind: "tool_call",
    id: approval.approvalId,
    name: approval.tool,
    args: approval.argsJson,
  });
  const result = await runTool(tool, args, AbortSignal.any([signal, limit]));
  // A short failure is kept without the marks of such text, so the conversation has to know.
  keepReading(exchange, originOf(tool, result));
  keepAllowed(exchange, await leavingOf(tool, args));
  deps.atomically(() => {
    const call = messageId === undefined ? approval : { ...approval, turnId: messageId };
    const page = result.ok ? result.page : undefined;
    appendAnswer(deps, call, renderResult(receiveResult(deps, tool, result)), page);
    deps.approvals.finish(approval.approvalId);
  });
  const text = result.ok ? result.content : result.error;
  await emit({ kind: "call_result", tool: approval.tool, ok: result.ok, text });
}

/** The call and what came of it, as the model finds them in the conversation. */
export function appendAnswer(
  { sessions, clock, redact }: AgentDeps,
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
 * For a start: calls that ran, by a yes or by the policy, and whose result nobody will ever know.
 * Each is told to its conversation and given back for the owner, once; none is run again.
 */
export function closeInterrupted(deps: AgentDeps): readonly CallApproval[] {
  let interrupted: readonly CallApproval[] = [];
  deps.atomically(() => {
    interrupted = deps.approvals.interrupt();
    for (const approval of interrupted) appendAnswer(deps, approval, NOT_KNOWN);
  });
  return interrupted;
}

const NOT_KNOWN = renderResult(
  failure(
    "internal",
    "papa-yu ended while this ran; whether it took effect is not known: look first",
  ),
);
