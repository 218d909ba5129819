import { parseForeignJson, toOrderedJson } from "../../core/guards.ts";
import type { ToolCall } from "../../providers/provider.ts";
import type { ToolEffect, ToolFailure, ToolResult } from "../../tools/tool.ts";

/** Keeps one turn's tool calls from wasting money: see each method. */
export interface ToolGuard {
  /** Why a call is not executed: it failed before, is answered already, or its tool is gone. */
  refuse(call: ToolCall): ToolFailure | undefined;
  record(call: ToolCall, effect: ToolEffect, result: ToolResult): void;
  /** A failure that was waited out, as its service asked, counts like a round of them. */
  countWait(name: string, failure: ToolFailure): void;
  /** What was read by these calls is not whole before the model any more: it may be read again. */
  forget(callIds: ReadonlySet<string>): void;
  /** Ends a round of calls; gives the tools that are withdrawn by it. */
  endRound(): readonly string[];
  /** A call that waits for a person is answered; it says nothing of its tool. */
  putOff(call: ToolCall): void;
  /** Why a call with an effect is not executed: it was made before a crash. */
  refuseAgain(call: ToolCall): ToolFailure | undefined;
  isWithdrawn(name: string): boolean;
}

/**
 * What failures say of their tool: whether it is out of order. Wrong arguments, things that are not
 * there, a no and a size say something of the call alone, and the next one may well be right.
 */
const COUNTS: Readonly<Record<ToolFailure["errorCode"], boolean>> = {
  invalid_args: false,
  not_found: false,
  denied: false,
  too_large: false,
  unavailable: true,
  rate_limited: true,
  timeout: true,
  internal: true,
};

/** Whether a failure is of the tool, or of what it depends on, and not of this call. */
export function isOutOfOrder({ errorCode, isOfCall }: ToolFailure): boolean {
  return COUNTS[errorCode] && isOfCall !== true;
}

/**
 * A fresh guard for one turn, of which a crash may have left `earlier` calls. A tool that lacks
 * something for good (`unavailable`, not retryable) is withdrawn at once; one that was out of order
 * in `maxRounds` rounds in a row of its calls, without a success, when the last of them ends.
 * Answers and failures hold until some tool changes something; what comes from outside may change
 * by itself.
 */
export function createToolGuard(maxRounds: number, earlier: readonly ToolCall[] = []): ToolGuard {
  const ranBefore = new Set(earlier.map(toKey));
  const failed = new Set<string>();
  /** By their keys; with the id of a call that only read, which may be forgotten. */
  const answered = new Map<string, string | undefined>();
  const rounds = new Map<string, number>();
  const withdrawn = new Set<string>();
  let round = openRound();
  const countRound = (name: string) => void rounds.set(name, (rounds.get(name) ?? 0) + 1);
  return {
    refuse(call) {
      const key = toKey(call);
      if (withdrawn.has(call.name)) return denied(`${call.name} is not there in this turn`);
      if (failed.has(key)) return denied("this very call failed already; do not repeat it");
      if (answered.has(key)) return denied("this very call is answered above");
      return undefined;
    },
    record(call, effect, result) {
      const { name } = call;
      const key = toKey(call);
      // What is sent changes nothing here; a failed call may have changed something before it failed.
      const isChangeHere = isChange(effect) && effect !== "send";
      if (isChangeHere) answered.clear();
      if (result.ok) {
        round.worked.add(name);
        failed.delete(key);
        if (isChangeHere) failed.clear();
        if (effect === "none" || effect === "send") {
          answered.set(key, effect === "none" ? call.id : undefined);
        }
        return;
      }
      failed.add(key);
      if (!isOutOfOrder(result)) return;
      round.failed.add(name);
      if (isForGood(result)) withdrawn.add(name);
    },
    countWait: (name, failure) => {
      if (isOutOfOrder(failure)) countRound(name);
    },
    forget(callIds) {
      for (const [key, id] of answered) {
        if (id !== undefined && callIds.has(id)) answered.delete(key);
      }
    },
    endRound() {
      const { worked, failed: broken } = round;
      round = openRound();
      for (const name of worked) rounds.delete(name);
      for (const name of broken) {
        if (!worked.has(name)) countRound(name);
        if ((rounds.get(name) ?? 0) >= maxRounds) withdrawn.add(name);
      }
      return [...broken].filter((name) => withdrawn.has(name));
    },
    putOff: (call) => void answered.set(toKey(call), undefined),
    refuseAgain: (call) => (ranBefore.has(toKey(call)) ? denied(RAN_BEFORE) : undefined),
    isWithdrawn: (name) => withdrawn.has(name),
  };
}

/** What one round of calls came to, by their tools. */
function openRound() {
  return { worked: new Set<string>(), failed: new Set<string>() };
}

function isForGood({ errorCode, retryable }: ToolFailure): boolean {
  return errorCode === "unavailable" && !retryable;
}

const RAN_BEFORE =
  "this very call was made before papa-yu had to start again, and what is known of it is above; it is not made twice for one message";

/** Whether a call did more than read. */
export function isChange(effect: ToolEffect): boolean {
  return effect !== "none" && effect !== "network";
}

/** Name and arguments, however the arguments are written. */
function toKey({ name, arguments: text }: ToolCall): string {
  const args = parseForeignJson(text || "{}");
  return toOrderedJson([name, args ?? text]);
}

function denied(error: string): ToolFailure {
  return { ok: false, error, errorCode: "denied", retryable: false };
}
