import type { ChatMessage } from "../providers/provider.ts";
import { askModel } from "./ask-model.ts";
import { type CallResult, runCalls } from "./run-calls.ts";
import {
  openTurn,
  paragraphGap,
  say,
  type Turn,
  type TurnError,
  type TurnRequest,
  type TurnResult,
} from "./turn-state.ts";

/**
 * Asks the model, runs the tools it calls, and asks again until it answers with text, only the
 * user can go on, a limit is reached, or the signal ends it. Never throws: failures are in the
 * result.
 */
export async function runTurn(request: TurnRequest): Promise<TurnResult> {
  const turn = openTurn(request);
  const ended = await runRounds(turn);
  const error = turn.signal.aborted ? abortError(turn, request.signal) : ended;
  const { kept: messages, text, toolCalls, modelCalls, tokens, cost } = turn;
  const figures = { modelCalls, tokens, ...(cost !== undefined && { cost }) };
  return { messages, text, toolCalls, ...figures, ...(error && { error }) };
}

async function runRounds(turn: Turn): Promise<TurnError | undefined> {
  const { maxToolIterations, maxFailedRounds } = turn.limits;
  let iterations = 0;
  let idleRounds = 0;
  while (!turn.signal.aborted) {
    const answer = await askModel(turn);
    const { results, question, error } = await runCalls(turn, answer.toolCalls);
    const kept = results.filter(({ kind }) => kind !== "failed");
    const successes = results.filter(({ kind }) => kind === "done");
    turn.messages.push(...toMessages(answer.content, results));
    turn.kept.push(...toMessages(answer.content, kept));
    if (answer.error ?? error) return answer.error ?? error;
    if (question !== undefined) return askUser(turn, question);
    if (results.length === 0) return isEmpty(turn) ? NO_ANSWER : undefined;
    const succeeded = successes.length > 0;
    iterations += succeeded ? 1 : 0;
    idleRounds = succeeded ? 0 : idleRounds + 1;
    if (idleRounds >= maxFailedRounds) return endIdle(results);
    if (iterations >= maxToolIterations) return reachLimit(turn, successes);
  }
  return undefined;
}

/** A round as the model wants to see it: what it said and called, then the result of each call. */
function toMessages(content: string, results: readonly CallResult[]): readonly ChatMessage[] {
  if (content === "" && results.length === 0) return [];
  const toolCalls = results.map(({ call }) => call);
  return [
    { role: "assistant", content, ...(toolCalls.length > 0 && { toolCalls }) },
    ...results.map((each) => ({
      role: "tool" as const,
      toolCallId: each.call.id,
      content: each.content,
    })),
  ];
}

/** The question is an answer like any other: the user's next message completes the call. */
async function askUser(turn: Turn, text: string): Promise<undefined> {
  const question = turn.redact(text);
  await say(turn, paragraphGap(turn) + question);
  turn.kept.push({ role: "assistant", content: question });
}

function isEmpty({ text, done, hasAsked }: Turn): boolean {
  return text.trim() === "" && done.length === 0 && !hasAsked;
}

const NO_ANSWER: TurnError = {
  code: "LLM_REQUEST",
  message: "The model answered with nothing; ask again, or in other words",
};

/** Nothing ran for too long. No fault where a person's answer is waited for: they were asked. */
function endIdle(results: readonly CallResult[]): TurnError | undefined {
  if (results.some(({ kind }) => kind === "put_off")) return undefined;
  const last = results.at(-1)?.content ?? "";
  const message = `Every tool call failed, so the work was stopped; the last one: ${excerpt(last)}`;
  return { code: "tool_execution_error", message };
}

/** Nothing is lost: where the model said nothing yet, the user sees what the tools found last. */
async function reachLimit(turn: Turn, found: readonly CallResult[]): Promise<TurnError> {
  if (turn.text.trim() === "") {
    const lines = found.map(({ call, content }) => `- ${call.name}: ${excerpt(content)}`);
    await say(turn, `Found so far:\n${lines.join("\n")}\n`);
  }
  const message = `The limit of ${turn.limits.maxToolIterations} tool rounds for one message is reached (agent.max_tool_iterations); send another to go on`;
  return { code: "tool_loop_limit", message };
}

const MAX_EXCERPT_CHARS = 300;

function excerpt(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  if (line.length <= MAX_EXCERPT_CHARS) return line;
  return `${line.slice(0, MAX_EXCERPT_CHARS).toWellFormed()}…`;
}

function abortError({ done }: Turn, userSignal: AbortSignal): TurnError {
  const rest = done.length === 0 ? "" : `; done before: ${done.join(", ")}`;
  if (userSignal.aborted) return { code: "ERR_CANCELLED", message: `Cancelled${rest}` };
  const message = `The turn took longer than agent.turn_timeout_s allows${rest}`;
  return { code: "timeout", message };
}
