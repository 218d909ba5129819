import type { ToolCall } from "../providers/provider.ts";
import type { ToolEffect, ToolFailure, ToolResult } from "../tools/tool.ts";

/** Keeps one turn's tool calls from burning money: see each method. */
export interface ToolGuard {
  /** Why a call is not executed: it failed before, is answered already, or its tool is gone. */
  refuse(call: ToolCall): ToolFailure | undefined;
  /** Records a result; true when the tool is withdrawn by it. */
  record(call: ToolCall, effect: ToolEffect, result: ToolResult): boolean;
  isWithdrawn(name: string): boolean;
}

/**
 * A fresh guard for one turn. A permanent failure (`unavailable`) withdraws its tool at once,
 * `maxFailuresInARow` failures do so too, and a success clears the count. An answer holds until
 * some tool changes something.
 */
export function createToolGuard(maxFailuresInARow: number): ToolGuard {
  const failed = new Map<string, string>();
  const answered = new Set<string>();
  const inARow = new Map<string, number>();
  const withdrawn = new Set<string>();
  return {
    refuse(call) {
      const before = failed.get(toKey(call));
      if (before !== undefined) return denied(`${before} (already tried; do not repeat it)`);
      if (withdrawn.has(call.name)) return denied(`${call.name} is withdrawn for this turn`);
      if (answered.has(toKey(call))) return denied("this very call is answered above");
      return undefined;
    },
    record(call, effect, result) {
      const { name } = call;
      if (result.ok) {
        inARow.delete(name);
        if (effect === "none") answered.add(toKey(call));
        else answered.clear();
        return false;
      }
      failed.set(toKey(call), result.error);
      const count = (inARow.get(name) ?? 0) + 1;
      inARow.set(name, count);
      if (result.errorCode !== "unavailable" && count < maxFailuresInARow) return false;
      withdrawn.add(name);
      return true;
    },
    isWithdrawn: (name) => withdrawn.has(name),
  };
}

function toKey(call: ToolCall): string {
  return JSON.stringify([call.name, call.arguments]);
}

function denied(error: string): ToolFailure {
  return { ok: false, error, errorCode: "denied", retryable: false };
}
