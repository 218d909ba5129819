import { newId } from "../../core/ids.ts";
import type { ToolCall } from "../../providers/provider.ts";
import type { Tool, ToolArguments, ToolFailure, ToolResult } from "../../tools/tool.ts";
import { countedTeller } from "../counted.ts";
import { isChange } from "../gate/gate.ts";
import { toStored } from "./keep-round.ts";
import { type ReadCall, readCall } from "./read-call.ts";
import { runTool } from "./run-tool.ts";
import { noteFailure, noteNotRun, noteSuccess } from "./tell-failure.ts";
import type { Turn } from "./turn-state.ts";

/** What one call comes to: an answer for the model, or what ends the turn. */
export type CallOutcome =
  | AnsweredCall
  | { readonly kind: "question"; readonly question: string }
  | { readonly kind: "misused"; readonly failure: ToolFailure };

/** What the model gets an answer to; only a result is one of a call that was to run. */
export type AnsweredCall =
  | { readonly kind: "result"; readonly result: ToolResult; readonly effectId?: string }
  /** A repeat: neither executed nor reported, but every call needs an answer. */
  | { readonly kind: "refused"; readonly result: ToolFailure }
  | { readonly kind: "put_off"; readonly answer: string };

/**
 * Reads a call, has the gate authorise it, and runs it. `explainedBefore` are the tools whose schema the
 * model was shown in an earlier round.
 */
export async function runCall(
  turn: Turn,
  call: ToolCall,
  explainedBefore: ReadonlySet<string>,
): Promise<CallOutcome> {
  const { guard, toolbox, argumentContext } = turn.calls;
  const { signal } = turn.bounds;
  const refused = guard.refuse(call);
  if (refused) return { kind: "refused", result: refused };
  const read = await readCall(toolbox, call, argumentContext, signal);
  switch (read.kind) {
    case "ask":
      return { kind: "question", question: read.question };
    case "unreadable":
      return { kind: "result", result: refuse(turn, call, read.failure) };
    case "failed":
      guard.record(call, "none", read.failure);
      noteFailure(turn, call.name, read.failure);
      return { kind: "result", result: read.failure };
    case "unfit":
      return answerUnfit(turn, call, read, explainedBefore);
    case "run":
      return askGate(turn, { call, tool: read.tool, args: read.args });
    default:
      return read satisfies never;
  }
}

type Unfit = Extract<ReadCall, { kind: "unfit" }>;

/**
 * Shows the schema once where the model can learn from it: it left something out, or never saw it.
 * Whoever described the tool named its arguments, too: what is said of them is received like an answer.
 */
function answerUnfit(
  turn: Turn,
  call: ToolCall,
  { tool, args, faults, isIncomplete }: Unfit,
  explainedBefore: ReadonlySet<string>,
): CallOutcome {
  const { toolbox, explained } = turn.calls;
  const { name, parameters } = tool.schema;
  const failure = { ok: false, error: faults, errorCode: "invalid_args", retryable: true } as const;
  const isStrangers = tool.wordedBy === "outside";
  const told = (error: string) => {
    const origin = isStrangers ? "outside" : "own";
    return turn.gate.receive(tool, args, { ...failure, error, origin });
  };
  if (!isIncomplete && toolbox.isOffered(name)) {
    refuse(turn, call, failure);
    return { kind: "result", result: told(faults) };
  }
  if (explainedBefore.has(name)) return { kind: "misused", failure };
  explained.add(name);
  toolbox.offer(name);
  noteNotRun(turn, name, failure);
  // A stranger's on a line of its own: what is no sentence of ours is wrapped as theirs.
  const gap = isStrangers ? "\n" : " ";
  return {
    kind: "result",
    result: told(`${faults};${gap}${name} takes ${JSON.stringify(parameters)}`),
  };
}

/** A call that could run. */
interface ToolRun {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly args: ToolArguments;
}

/** One that runs, under the id that it has in the journal if it has an effect. */
interface BegunRun extends ToolRun {
  readonly callId: string;
}

async function askGate(turn: Turn, run: ToolRun): Promise<CallOutcome> {
  const { call, tool, args } = run;
  turn.calls.toolbox.offer(call.name);
  const decision = await turn.gate.authorize(tool, args);
  switch (decision.kind) {
    case "run":
      if (decision.hasEffect) return runOnce(turn, run);
      return { kind: "result", result: await execute(turn, { ...run, callId: newId("call") }) };
    case "put_off":
      turn.calls.guard.putOff(call);
      turn.calls.hasAsked = true;
      return decision;
    case "deny":
      return { kind: "result", result: refuse(turn, call, decision.failure) };
    default:
      return decision satisfies never;
  }
}

/** A crash while it runs leaves it in the journal: then nobody knows whether it took effect. */
async function runOnce(turn: Turn, run: ToolRun): Promise<CallOutcome> {
  const refused = turn.calls.guard.refuseAgain(toStored(turn, run.call));
  if (refused) return { kind: "refused", result: refused };
  const effectId = await turn.journal.begin(run.call);
  return { kind: "result", result: await execute(turn, { ...run, callId: effectId }), effectId };
}

async function execute(turn: Turn, run: BegunRun): Promise<ToolResult> {
  const { gate, voice } = turn;
  const { guard, done } = turn.calls;
  const { call, tool, args } = run;
  const effect = tool.effect(args);
  await voice.emit({ kind: "tool_call", id: call.id, name: call.name, args: call.arguments });
  const own = await runPatiently(turn, run);
  const result = gate.receive(tool, args, own);
  guard.record(call, effect, result);
  if (!own.ok) noteFailure(turn, call.name, own);
  if (!result.ok) return result;
  noteSuccess(turn, call.name);
  if (isChange(effect)) done.push(call.name);
  return result;
}

/**
 * A service that asks for time gets it once, if the turn lasts that long; but not for a call with an
 * effect: one that says it is busy may have done by then what it was asked for.
 */
async function runPatiently(turn: Turn, run: BegunRun): Promise<ToolResult> {
  const { call, tool, args, callId } = run;
  const { emit } = turn.voice;
  const tell = countedTeller(emit, performance.now.bind(performance));
  const result = await runTool(tool, args, turn.bounds.signal, callId, tell);
  if (result.ok || isChange(tool.effect(args))) return result;
  if (!(await waitAsAsked(turn, call.name, result))) return result;
  // A service that goes on refusing is withdrawn, not asked a third time.
  turn.calls.guard.countWait(call.name, result);
  return runTool(tool, args, turn.bounds.signal, callId);
}

/** False: no second try. */
async function waitAsAsked(turn: Turn, name: string, failure: ToolFailure): Promise<boolean> {
  const { clock, signal, endsAt } = turn.bounds;
  const { emit, texts } = turn.voice;
  const { retryable, retryAfterMs } = failure;
  if (!retryable || retryAfterMs === undefined || clock.now() + retryAfterMs >= endsAt)
    return false;
  const seconds = Math.ceil(retryAfterMs / 1000);
  await emit({ kind: "progress", text: texts.agent.waits(name, seconds) });
  await clock.sleep(retryAfterMs, signal).catch(() => {});
  return !signal.aborted;
}

/** A call that nothing was done for. */
function refuse(turn: Turn, call: ToolCall, failure: ToolFailure): ToolFailure {
  turn.calls.guard.record(call, "none", failure);
  noteNotRun(turn, call.name, failure);
  return failure;
}
