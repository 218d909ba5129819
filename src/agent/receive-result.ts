import { applyInjectionCheck, suspectInjection } from "../security/injection.ts";
import { defuse, wrapOutside } from "../security/untrusted.ts";
import type { Tool, ToolResult } from "../tools/tool.ts";
import type { AgentDeps } from "./deps.ts";

/** What a model gets of a result: text from outside is checked for orders and wrapped as data. */
export function receiveResult(
  { security, log }: Pick<AgentDeps, "security" | "log">,
  tool: Tool,
  result: ToolResult,
): ToolResult {
  if (!tool.isOutside) return result;
  const text = result.ok ? result.content : result.error;
  const check = security.injectionCheck;
  const kind = suspectInjection(text, { tool: tool.schema.name }, { check, log });
  // A short reason is our own sentence about what happened, at most with a word of theirs in it.
  const isReason = !result.ok && text.length <= MAX_REASON_CHARS && !text.includes("\n");
  const wrapped = isReason ? defuse(text) : wrapOutside(text);
  const received = kind === undefined ? wrapped : applyInjectionCheck(wrapped, kind, check);
  return result.ok ? { ok: true, content: received } : { ...result, error: received };
}

const MAX_REASON_CHARS = 300;

/** A result in the words that a model reads. */
export function renderResult(result: ToolResult): string {
  return result.ok ? result.content : `Error (${result.errorCode}): ${result.error}`;
}
