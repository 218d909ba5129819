import type { ToolCall } from "../../providers/provider.ts";
import type { ToolEffect, ToolFailure, ToolResult } from "../../tools/tool.ts";

/** Keeps one turn's tool calls from wasting money: see each method. */
export interface ToolGuard {
  /** Why a call is not executed: it failed before, is answered already, or its tool is gone. */
  refuse(call: ToolCall): ToolFailure | undefined;
  /** Records a result; true when the tool is withdrawn by it. */
  record(call: ToolCall, effect: ToolEffect, result: ToolResult): boolean;
  /** A call that waits for a person is answered; it says nothing of its tool. */
  putOff(call: ToolCall): void;
  /** Why a call with an effect is not executed: it was made before a crash. */
  refuseAgain(call: ToolCall): ToolFailure | undefined;
  withdraw(name: string): void;
  isWithdrawn(name: string): boolean;
}

/**
 * A fresh guard for one turn, of which a crash may have left `earlier` calls. A permanent failure (`unavailable`) withdraws its tool at once,
 * `maxFailuresInARow` failures do so too, and a success clears the count. Answers and failures
 * hold until some tool changes something; what comes from outside may change by itself.
 */
export function createToolGuard(
  maxFailuresInARow: number,
  earlier: readonly ToolCall[] = [],
): ToolGuard {
  const ranBefore = new Set(earlier.map(toKey));
  const failed = new Set<string>();
  const answered = new Set<string>();
  const inARow = new Map<string, number>();
  const withdrawn = new Set<string>();
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
        inARow.delete(name);
        failed.delete(key);
        if (isChangeHere) failed.clear();
        if (effect === "none" || effect === "send") answered.add(key);
        return false;
      }
      failed.add(key);
      const count = (inARow.get(name) ?? 0) + 1;
      inARow.set(name, count);
      if (result.errorCode !== "unavailable" && count < maxFailuresInARow) return false;
      withdrawn.add(name);
      return true;
    },
    putOff: (call) => void answered.add(toKey(call)),
    refuseAgain: (call) => (ranBefore.has(toKey(call)) ? denied(RAN_BEFORE) : undefined),
    withdraw: (name) => void withdrawn.add(name),
    isWithdrawn: (name) => withdrawn.has(name),
  };
}

const RAN_BEFORE =
  "this very call was made before papa-yu had to start again, and what is known of it is above; it is not made twice for one message";

/** Whether a call did more than read. */
export function isChange(effect: ToolEffect): boolean {
  return effect !== "none" && effect !== "network";
}

/** Name and arguments, however the arguments are written. */
function toKey({ name, arguments: text }: ToolCall): string {
  try {
    return JSON.stringify([name, JSON.parse(text || "{}")], sortKeys);
  } catch {
    return JSON.stringify([name, text]);
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function denied(error: string): ToolFailure {
  return { ok: false, error, errorCode: "denied", retryable: false };
}
