import { toCode } from "../../core/cut-text.ts";
import type { Denial } from "../../security/policy.ts";
import type { Texts } from "../../texts/texts.ts";
import type { ToolFailure } from "../../tools/tool.ts";
import { isOutOfOrder } from "../gate/gate.ts";
import { paragraphGap, type Turn, tell } from "./turn-state.ts";

/**
 * Keeps what a tool really failed with, as it said so itself: not what a guard, the wrapping of
 * foreign text or the model makes of it. A person is told of it if nothing better follows.
 */
export function noteFailure({ calls: { failures } }: Turn, name: string, it: ToolFailure): void {
  failures.delete(name);
  failures.set(name, it); // the last one failed last
}

/** Keeps why a call was not even tried: that never hides what another really failed with. */
export function noteNotRun({ calls: { notRun } }: Turn, name: string, it: ToolFailure): void {
  notRun.delete(name);
  notRun.set(name, it);
}

/** The tool worked after all. */
export function noteSuccess({ calls: { failures, notRun, told } }: Turn, name: string): void {
  failures.delete(name);
  notRun.delete(name);
  told.delete(name);
}

/** The last real failure in the person's words, with its tool; undefined: none that stands. */
export function lastFailure(turn: Turn): string | undefined {
  const { failures, notRun, told } = turn.calls;
  const tried = [...failures].at(-1);
  const untried = [...notRun].at(-1);
  const last = tried ?? untried;
  if (!last) return undefined;
  const [name, failure] = last;
  told.add(name);
  const sentence = `${name}: ${inWords(turn, failure)}`;
  const [other = "", { denial } = {}] = (tried && untried) ?? [];
  if (!denial) return sentence;
  const { texts } = turn.voice;
  return texts.agent.notTried(sentence, other, texts.joins.facts(denialIn(texts, denial)));
}

/** What the call would have been asked for, where there was a question, and why there was none. */
function denialIn({ agent, call }: Texts, { kind, why }: Denial): readonly string[] {
  return [...(why ? [call.reasons[why]] : []), agent.denials[kind]];
}

/** Says that a tool is withdrawn, and why, in one sentence. */
export async function tellWithdrawn(turn: Turn, name: string): Promise<void> {
  const failure = turn.calls.failures.get(name);
  if (failure) await tellFailure(turn, name, failure);
}

/**
 * At the end of a turn: what the answer had to do without, which a model may pass over. What it got
 * wrong or did not find is the model's to say, for it can look elsewhere.
 */
export async function tellUntold(turn: Turn): Promise<void> {
  const { failures, told } = turn.calls;
  for (const [name, failure] of failures) {
    if (!told.has(name) && isOutOfOrder(failure)) await tellFailure(turn, name, failure);
  }
}

async function tellFailure(turn: Turn, name: string, failure: ToolFailure): Promise<void> {
  turn.calls.told.add(name);
  const sentence = turn.voice.texts.agent.toolFailed(name, inWords(turn, failure));
  // What others worded is code already, in which no address is a link.
  await tell(turn, `${paragraphGap(turn)}${sentence}\n`);
}

const MAX_EXACT_CHARS = 200;

/** In the person's language what it is, then exactly, which is English or a stranger's. */
function inWords(
  { voice: { texts, redact } }: Turn,
  { errorCode, cause, error, reason = error, denial }: ToolFailure,
): string {
  const { toolFailures } = texts.agent;
  if (denial) return texts.joins.facts([toolFailures.denied, ...denialIn(texts, denial)]);
  const saysMore = cause !== undefined && !Object.hasOwn(toolFailures, cause);
  const known = saysMore ? texts.failure(cause).replace(/[.。]$/u, "") : "";
  const sentence = known || toolFailures[errorCode];
  const [exact = ""] = redact(reason).split("\n\n");
  return texts.joins.facts([sentence, ...(exact === "" ? [] : [toCode(exact, MAX_EXACT_CHARS)])]);
}
