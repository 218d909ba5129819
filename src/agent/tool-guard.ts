import type { ToolFailure, ToolResult } from "../tools/tool.ts";

/** Keeps one turn's tool calls from burning money: see each method. */
export interface ToolGuard {
  /** The failure this very call had before; a call that failed is not executed again. */
  earlier(name: string, args: string): ToolFailure | undefined;
  /** Records a result; true when the tool is withdrawn by it. */
  record(name: string, args: string, result: ToolResult): boolean;
  isWithdrawn(name: string): boolean;
}

/**
 * A fresh guard for one turn. A permanent failure (`unavailable`) withdraws its tool at once,
 * `maxFailuresInARow` failures do so too, and a success clears the count.
 */
export function createToolGuard(maxFailuresInARow: number): ToolGuard {
  const failed = new Map<string, ToolFailure>();
  const inARow = new Map<string, number>();
  const withdrawn = new Set<string>();
  return {
    earlier: (name, args) => failed.get(`${name} ${args}`),
    record(name, args, result) {
      if (result.ok) {
        inARow.delete(name);
        return false;
      }
      failed.set(`${name} ${args}`, result);
      const count = (inARow.get(name) ?? 0) + 1;
      inARow.set(name, count);
      if (result.errorCode !== "unavailable" && count < maxFailuresInARow) return false;
      withdrawn.add(name);
      return true;
    },
    isWithdrawn: (name) => withdrawn.has(name),
  };
}
