import { shorten } from "../../core/cut-text.ts";
import { isInterrupted } from "../../core/interruption.ts";
import type { ToolCall } from "../../providers/provider.ts";
import type { ToolResult } from "../../tools/tool.ts";
import { renderResult } from "../gate/gate.ts";
import { keepResult } from "./keep-round.ts";
import { type AnsweredCall, type CallOutcome, runCall } from "./run-call.ts";
import { tellWithdrawn } from "./tell-failure.ts";
import type { CallResult, Turn, TurnError } from "./turn-state.ts";

/** A round's calls; a question or an error ends the turn, and the calls behind it never run. */
export interface Round {
  readonly results: readonly CallResult[];
  readonly question?: string;
  readonly error?: TurnError;
}

/** Runs a round's calls one after another. */
export async function runCalls(turn: Turn, calls: readonly ToolCall[]): Promise<Round> {
  // Calls of one round were made together: only an earlier round can have taught the model.
  const explainedBefore = new Set(turn.calls.explained);
  const results: CallResult[] = [];
  for (const call of calls) {
    const outcome = turn.bounds.signal.aborted
      ? CANCELLED
      : await runCall(turn, call, explainedBefore);
    if (outcome.kind === "question") return { results, question: outcome.question };
    if (outcome.kind === "misused") {
      report(turn, call, outcome.failure);
      const message = turn.voice.texts.agent.misused(call.name, outcome.failure.error);
      return { results, error: { code: "tool_validation_error", message, isSaid: true } };
    }
    const { kind, content, page } = toAnswer(outcome);
    // Whether it took effect nobody knows: the journal is to say so, and not that it failed.
    if (kind === "failed" && isInterrupted(turn.bounds.signal)) break;
    const result = {
      call,
      kind,
      content: turn.voice.redact(content),
      ...(page !== undefined && { page: turn.voice.redact(page) }),
    };
    results.push(result);
    await keepResult(turn, result, outcome.kind === "result" ? outcome.effectId : undefined);
    if (outcome.kind === "result") report(turn, call, outcome.result);
    if (kind === "done") await showResult(turn, result);
  }
  return { results: await withdraw(turn, results) };
}

/** Ends the round: who called a tool that is withdrawn by it reads so, and the person why. */
async function withdraw(
  turn: Turn,
  results: readonly CallResult[],
): Promise<readonly CallResult[]> {
  const names = turn.calls.guard.endRound();
  if (turn.bounds.signal.aborted) return results;
  for (const name of names) await tellWithdrawn(turn, name);
  return results.map((result) => {
    const { call, kind, content } = result;
    if (kind !== "failed" || !names.includes(call.name)) return result;
    return { ...result, content: `${content} (${call.name} is withdrawn for this turn)` };
  });
}

const CANCELLED: CallOutcome = {
  kind: "result",
  result: { ok: false, error: "cancelled before it ran", errorCode: "denied", retryable: false },
};

function report({ progress: { toolCalls } }: Turn, call: ToolCall, result: ToolResult): void {
  const { name, arguments: args } = call;
  if (result.ok) return void toolCalls.push({ name, args, ok: true });
  const { errorCode, denial } = result;
  const needsPerson = denial?.kind === "nobody";
  toolCalls.push({ name, args, ok: false, errorCode, ...(needsPerson && { needsPerson }) });
}

function toAnswer(outcome: AnsweredCall): Omit<CallResult, "call"> {
  if (outcome.kind === "put_off") return { kind: "put_off", content: outcome.answer };
  const { result } = outcome;
  const content = renderResult(result);
  if (!result.ok) return { kind: "failed", content };
  return { kind: "done", content, ...(result.page !== undefined && { page: result.page }) };
}

/** What came of a call, for who watches; the model gets all of it. */
async function showResult({ voice }: Turn, { call, content }: CallResult): Promise<void> {
  const { id, name } = call;
  const shown = shorten(content, MAX_SHOWN_CHARS);
  await voice.emit({ kind: "tool_result", id, name, ok: true, content: shown });
}

const MAX_SHOWN_CHARS = 20_000;
