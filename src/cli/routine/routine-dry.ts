import type { RoutineCommand } from "./routine.ts";

/**
 * `routine run NAME --dry`: plan, diff and cost, or the answer of one that only asks; nothing is
 * applied, recorded as a run or kept. True when it went well.
 *
 * @throws AppError ERR_ROUTINE_UNKNOWN.
 */
export async function routineDry(
  name: string,
  { routines, json, print }: Pick<RoutineCommand, "routines" | "json" | "print">,
  signal: AbortSignal,
): Promise<boolean> {
  const { tokens, cost, ...dry } = await routines.dry(name, signal);
  if (json) print(JSON.stringify({ ...dry, dry: true, tokens, cost }, null, 2));
  else {
    const parts = [dry.text, ...(dry.diff ? [dry.diff] : []), renderCost({ tokens, cost })];
    print(parts.join("\n\n"));
  }
  return dry.ok;
}

function renderCost({ tokens, cost }: { readonly tokens: number; readonly cost: number }): string {
  const price = cost > 0 ? `, cost ${Number(cost.toPrecision(3))}` : "";
  return `Nothing was applied or kept; it took ${tokens} tokens${price}`;
}
