import { shorten } from "../../core/cut-text.ts";
import { interruption, isInterrupted } from "../../core/interruption.ts";
import { askModel } from "./ask-model.ts";
import { beginRound, endRound, toMessages } from "./keep-round.ts";
import { runCalls } from "./run-calls.ts";
import { lastFailure, tellUntold } from "./tell-failure.ts";
import {
  type CallResult,
  openTurn,
  paragraphGap,
  say,
  type Turn,
  type TurnError,
  type TurnRequest,
  type TurnResult,
} from "./turn-state.ts";

export { type ReadCall, readCall } from "./read-call.ts";
export { runTool } from "./run-tool.ts";
export { createToolbox } from "./toolbox.ts";
export { openJournal } from "./turn-journal.ts";
export {
  loadBegun,
  type StoredTurn,
  type TurnCall,
  type TurnError,
  type TurnResult,
} from "./turn-state.ts";

/**
 * Asks the model, runs the tools it calls, and asks again until it answers with text, only the
 * user can go on, a limit is reached, or the signal ends it. Failures are in the result; it throws
 * only what its journal throws, and then nothing runs that was not written down.
 */
export async function runTurn(request: TurnRequest): Promise<TurnResult> {
  const turn = openTurn(request);
  const ended = await runRounds(turn);
  await turn.opened; // also where nobody was asked
  const error = turn.bounds.signal.aborted ? abortError(turn, request.bounds.signal) : ended;
  if (!request.bounds.signal.aborted) await tellUntold(turn);
  const { text, toolCalls, modelCalls, tokens, cost } = turn.progress;
  const figures = { modelCalls, tokens, ...(cost !== undefined && { cost }) };
  return { text, toolCalls, ...figures, ...(error && { error }) };
}

async function runRounds(turn: Turn): Promise<TurnError | undefined> {
  const { maxToolIterations, maxFailedRounds } = turn.bounds.limits;
  let iterations = 0;
  let idleRounds = 0;
  while (!turn.bounds.signal.aborted) {
    const answer = await askModel(turn);
    if (isInterrupted(turn.bounds.signal)) break; // as if it had never been asked
    beginRound(turn, answer);
    const { results, question, error = answer.error } = await runCalls(turn, answer.toolCalls);
    if (isInterrupted(turn.bounds.signal)) break; // what is known of the round is in the journal
    const isLast = results.length === 0 && question === undefined && error === undefined;
    await endRound(turn, isLast ? "last" : undefined);
    turn.messages.push(...toMessages(turn, answer, results));
    if (error) return error;
    if (question !== undefined) return askUser(turn, question);
    if (isLast) return isEmpty(turn) ? (allFailed(turn) ?? noAnswer(turn)) : undefined;
    const successes = results.filter(({ kind }) => kind === "done");
    const succeeded = successes.length > 0;
    iterations += succeeded ? 1 : 0;
    idleRounds = succeeded ? 0 : idleRounds + 1;
    if (idleRounds >= maxFailedRounds) return endIdle(turn, results);
    if (iterations >= maxToolIterations) return reachLimit(turn, successes);
  }
  return undefined;
}

/** The question is an answer like any other: the user's next message completes the call. */
async function askUser(turn: Turn, text: string): Promise<undefined> {
  const question = turn.voice.redact(text);
  turn.calls.failures.clear(); // the question is the last word
  turn.calls.notRun.clear();
  await say(turn, paragraphGap(turn) + question);
  await turn.journal.keep([{ role: "assistant", content: question }], "last");
}

function isEmpty({ progress, calls: { done, hasAsked } }: Turn): boolean {
  return progress.text.trim() === "" && done.length === 0 && !hasAsked;
}

function noAnswer({ voice }: Turn): TurnError {
  return { code: "LLM_REQUEST", message: voice.texts.agent.noAnswer, isSaid: true };
}

/** Nothing ran for too long. No fault where a person's answer is waited for: they were asked. */
function endIdle(turn: Turn, results: readonly CallResult[]): TurnError | undefined {
  if (results.some(({ kind }) => kind === "put_off")) return undefined;
  // Nothing failed that stands: the model made calls again that were answered.
  const message = turn.voice.texts.agent.wentInCircles;
  return allFailed(turn) ?? { code: "tool_execution_error", message, isSaid: true };
}

/** The turn came to nothing, and this is what it failed of in the end; undefined: of no tool. */
function allFailed(turn: Turn): TurnError | undefined {
  const last = lastFailure(turn);
  if (last === undefined) return undefined;
  const message = turn.voice.texts.agent.everyCallFailed(last);
  return { code: "tool_execution_error", message, isSaid: true };
}

/** Nothing is lost: where the model said nothing yet, the user sees what the tools found last. */
async function reachLimit(turn: Turn, found: readonly CallResult[]): Promise<TurnError> {
  if (turn.progress.text.trim() === "") {
    const lines = found.map(({ call, content }) => `- ${call.name}: ${excerpt(content)}`);
    await say(turn, `${turn.voice.texts.agent.foundSoFar}\n${lines.join("\n")}\n`);
  }
  const message = turn.voice.texts.agent.limitReached(turn.bounds.limits.maxToolIterations);
  return { code: "tool_loop_limit", message, isSaid: true };
}

const MAX_EXCERPT_CHARS = 300;

function excerpt(text: string): string {
  return shorten(text.replace(/\s+/gu, " ").trim(), MAX_EXCERPT_CHARS);
}

function abortError(turn: Turn, userSignal: AbortSignal): TurnError {
  const { done } = turn.calls;
  const texts = turn.voice.texts.agent;
  const { signal } = turn.bounds;
  if (isInterrupted(signal)) return interruption();
  const rest = done.length === 0 ? "" : texts.doneBefore(done);
  if (userSignal.aborted) return { code: "ERR_CANCELLED", message: texts.cancelled + rest };
  return { code: "timeout", message: texts.tookTooLong + rest, isSaid: true };
}
