import { newId } from "../core/ids.ts";
import type { ChatMessage } from "../providers/provider.ts";
import { decide } from "../security/policy.ts";
import { isNewUrl, namesNewUrl } from "../security/seen-urls.ts";
import { holdsOutside } from "../security/untrusted.ts";
import type { Tool, ToolArguments, ToolFailure, ToolResult } from "../tools/tool.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type AskedCall, toAskedCall } from "./asked-call.ts";
import type { Exchange } from "./deps.ts";
import { receiveResult } from "./receive-result.ts";
import { runTool } from "./run-tool.ts";

/** The one way from a model's call to a tool that runs, for one turn. */
export interface Gate {
  /** Runs the call, asks a person about it, or denies it; the result is what the model is told. */
  readonly run: (tool: Tool, args: ToolArguments, signal: AbortSignal) => Promise<ToolResult>;
  /** Whether the model sees text that strangers wrote. */
  readonly isTainted: () => boolean;
}

/**
 * Opens the gate for a turn that begins with `messages`. A turn is tainted by what its tools
 * read outside, and from the start when the conversation still holds such text.
 */
export function openGate(
  exchange: Exchange,
  workspace: Workspace,
  messages: readonly ChatMessage[],
): Gate {
  const { deps, speaker } = exchange;
  const { sessionId } = speaker;
  const openedAt = deps.clock.now();
  const seen = textsOf(messages);
  const holds = messages.some(({ content }) => holdsOutside(content));
  if (holds) remember(exchange);
  let isTainted = holds || wasTainted(exchange);

  async function runNow(tool: Tool, args: ToolArguments, signal: AbortSignal) {
    const result = await runTool(tool, args, signal);
    if (tool.isOutside) {
      // Of a tool that only looks here the model itself chose every word that comes back.
      seen.push(JSON.stringify(args), result.ok ? result.content : result.error);
      isTainted = true;
      remember(exchange);
    }
    return receiveResult(deps, tool, result);
  }

  async function ask(call: AskedCall, reason: string): Promise<ToolResult> {
    const waiting = deps.approvals.waiting(sessionId, deps.clock.now());
    const isSame = waiting?.kind === "tool_call" && waiting.callSha256 === call.callSha256;
    if (waiting && !isSame && waiting.createdAt >= openedAt) return ANOTHER_WAITS;
    const isOwn = isSame && waiting.userId === speaker.userId;
    await askPerson(exchange, call, reason, isOwn ? waiting.approvalId : undefined);
    return notRun(
      `the person is shown it and decides (${reason}). Do not call it again and do not say that it ran; its result will follow`,
    );
  }

  return {
    async run(tool, args, signal) {
      const effect = tool.effect(args);
      if (effect === "none" || tool.asksItself) return runNow(tool, args, signal);
      const call = await toAskedCall(tool, args, workspace);
      const { callSha256 } = call;
      const decision = decide(deps.security.autonomy, {
        effect,
        isTainted,
        mayLeak: effect === "network" && isTainted && mayLeak(args, seen),
        wasDenied: deps.approvals.wasRejected(sessionId, callSha256, deps.clock.now()),
        hasApprover: exchange.hasApprover,
      });
      if (decision.kind === "allow") return runNow(tool, args, signal);
      return decision.kind === "ask" ? ask(call, decision.reason) : denied(tool, decision.reason);
    },
    isTainted: () => isTainted,
  };
}

/** How every answer begins to a call that was put off or refused by a person. */
const NOT_RUN = "This call has not run: ";

/** Whether this is the answer to a call that did not run. */
export function isPutOff(content: string): boolean {
  return content.startsWith(NOT_RUN);
}

/** What a model is told of such a call; it is no failure of the tool. */
export function notRun(why: string): ToolResult {
  return { ok: true, content: NOT_RUN + why };
}

const ANOTHER_WAITS = notRun(
  "another one waits for the person's answer. Call it again when that is given",
);

function denied({ schema }: Tool, reason: string): ToolFailure {
  const error = `${schema.name} may not run: ${reason}; do not try it in another way, say what it is needed for`;
  return { ok: false, error, errorCode: "denied", retryable: false };
}

/** Stores the question and shows it; one that is asked again keeps the buttons already shown. */
async function askPerson(
  { deps, speaker, emit }: Exchange,
  { tool, args, argsJson, shown, callSha256 }: AskedCall,
  reason: string,
  known: string | undefined,
): Promise<void> {
  const createdAt = deps.clock.now();
  const approvalId = known ?? newId("ap", createdAt);
  if (known === undefined) {
    const expiresAt = createdAt + deps.approvalTimeoutMs;
    const subject = { kind: "tool_call", tool, argsJson, callSha256 } as const;
    deps.approvals.ask({ ...subject, approvalId, ...speaker, createdAt, expiresAt });
  }
  await emit({ kind: "call_approval", approvalId, tool, args, shown, reason });
}

/** So long the words of a stranger may live on in what the model said, though they are gone. */
const TAINT_MS = 24 * 60 * 60 * 1000;

function remember({ deps, speaker }: Exchange): void {
  deps.settings.set(taintKey(speaker.sessionId), String(deps.clock.now()));
}

function wasTainted({ deps, speaker }: Exchange): boolean {
  const at = Number(deps.settings.get(taintKey(speaker.sessionId)) ?? Number.NaN);
  return deps.clock.now() - at < TAINT_MS;
}

function taintKey(sessionId: string): string {
  return `tainted:${sessionId}`;
}

/** A request with headers or a body can carry something even to an address that is known. */
function mayLeak(args: ToolArguments, seen: readonly string[]): boolean {
  const { headers, body, url, ...rest } = args;
  if ([headers, body].some(isGiven)) return true;
  if (url !== undefined && (typeof url !== "string" || isNewUrl(url, seen))) return true;
  return namesNewUrl(JSON.stringify(rest), seen);
}

function isGiven(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== "";
}

/**
 * What addresses may stand in: the user's words, what strangers wrote, and the calls that brought
 * it. Not what a model said, or had a tool of this machine repeat.
 */
function textsOf(messages: readonly ChatMessage[]): string[] {
  const outside = new Set(
    messages.flatMap((each) =>
      each.role === "tool" && holdsOutside(each.content) ? [each.toolCallId] : [],
    ),
  );
  return messages.flatMap((message) => {
    if (message.role === "user") return holdsOutside(message.content) ? [] : [message.content];
    if (message.role === "tool") return outside.has(message.toolCallId) ? [message.content] : [];
    if (message.role !== "assistant") return [];
    const calls = message.toolCalls ?? [];
    return calls.filter(({ id }) => outside.has(id)).map((call) => call.arguments);
  });
}
