import {
  applyInjectionCheck,
  type InjectionCheck,
  suspectInjection,
} from "../../security/injection.ts";
import type { Origin } from "../../security/provenance.ts";
import { defuse, wrapFiles, wrapOutside } from "../../security/untrusted.ts";
import type { Tool, ToolResult } from "../../tools/tool.ts";
import type { AgentCore, SecurityRules } from "../deps.ts";

/** How texts of others are checked, and where it is said. */
interface Screening extends Pick<AgentCore, "log"> {
  readonly security: Pick<SecurityRules, "injectionCheck">;
}

/** What a model gets of a result: what others may have written is checked for orders and wrapped as data. */
export function receiveResult(
  { security, log }: Screening,
  tool: Tool,
  result: ToolResult,
): ToolResult {
  const origin = originOf(tool, result);
  if (origin === "own") return result;
  const text = result.ok ? result.content : result.error;
  const check = origin === "outside" ? security.injectionCheck : sparing(security.injectionCheck);
  const wrapped = wrap(origin, result, text);
  const received = screen({ text, wrapped, source: { tool: tool.schema.name } }, { check, log });
  return result.ok ? { ...result, content: received } : { ...result, error: received };
}

/** What a model gets of a text that arrived unrequested from outside, such as a webhook's. */
export function receiveOutside(
  { security, log }: Screening,
  text: string,
  source: Readonly<Record<string, string>>,
): string {
  const wrapped = wrapOutside(text);
  return screen({ text, wrapped, source }, { check: security.injectionCheck, log });
}

interface Screened {
  readonly text: string;
  readonly wrapped: string;
  readonly source: Readonly<Record<string, string>>;
}

function screen(
  { text, wrapped, source }: Screened,
  options: { readonly check: InjectionCheck; readonly log: AgentCore["log"] },
): string {
  const kind = suspectInjection(text, source, options);
  return kind === undefined ? wrapped : applyInjectionCheck(wrapped, kind, options.check);
}

/** The user's own files stay readable whatever they say: a test of injections is one, too. */
function sparing(check: InjectionCheck): InjectionCheck {
  return check === "block" ? "warn" : check;
}

const MAX_REASON_CHARS = 300;

/** Who may have written a result. */
export function originOf({ origin: strictest }: Tool, { origin = strictest }: ToolResult): Origin {
  return origin;
}

/** A result in the words that a model reads. */
export function renderResult(result: ToolResult): string {
  return result.ok ? result.content : `Error (${result.errorCode}): ${result.error}`;
}

function wrap(origin: Origin, { ok }: ToolResult, text: string): string {
  // A short reason is our own sentence about what happened, at most with a word of theirs in it.
  if (!ok && text.length <= MAX_REASON_CHARS && !text.includes("\n")) return defuse(text);
  return origin === "outside" ? wrapOutside(text) : wrapFiles(text);
}
