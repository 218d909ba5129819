import { withCore } from "../../agent/with-core.ts";
import type { App } from "../../daemon/app/app.ts";
import { createRoutineDeps, toPayer } from "../../daemon/routines/routines.ts";
import type { Routine } from "../../routines/routine.ts";
import { createPlanStore } from "../../store/plans/plans.ts";
import type { RoutineCommand } from "./routine.ts";

/** What a routine would do. */
interface Dry {
  readonly ok: boolean;
  readonly text: string;
  readonly diff?: string;
  readonly changes?: readonly unknown[];
}

/**
 * `routine run NAME --dry`: plan, diff and cost, or the answer of one that only asks; nothing is
 * applied, recorded as a run or kept. What the model took is counted all the same. True when it
 * went well.
 *
 * @throws AppError ERR_ROUTINE_UNKNOWN.
 */
export async function routineDry(
  name: string,
  app: App,
  { json, print }: Pick<RoutineCommand, "json" | "print">,
  signal: AbortSignal,
): Promise<boolean> {
  const routine = app.routines.find(name);
  const payer = toPayer(routine);
  const before = app.current.agent.commands.spent(payer);
  const look = routine.mode === "ask" ? askOnly : preview;
  const dry = await app.current.agent.charge(payer, () => look(app, routine, signal), routine.caps);
  const after = app.current.agent.commands.spent(payer);
  const took = { tokens: after.tokens - before.tokens, cost: after.cost - before.cost };
  if (json) print(JSON.stringify({ ...dry, dry: true, ...took }, null, 2));
  else print([dry.text, ...(dry.diff ? [dry.diff] : []), renderCost(took)].join("\n\n"));
  return dry.ok;
}

/** Under the level readonly no tool changes anything. */
async function askOnly({ current }: App, routine: Routine, signal: AbortSignal): Promise<Dry> {
  const { core, ...agent } = current.agent;
  const security = { ...core.security, autonomy: "readonly" as const };
  const deps = createRoutineDeps({
    ...current,
    agent: withCore(agent, { ...core, security }),
  });
  const { ok, text } = await deps.ask(routine, signal);
  return { ok, text };
}

async function preview(
  { current, state }: App,
  { workspace, task }: Routine,
  signal: AbortSignal,
): Promise<Dry> {
  const { core, operations } = current.agent.plans;
  const plan = await operations.plan(core.workspaces.get(workspace), task, { signal });
  if (!plan.ok) return { ok: false, text: `${plan.code}: ${plan.message}` };
  try {
    const shown = await operations.preview(plan.planId, signal);
    if (!shown.ok) return { ok: false, text: `${plan.summary}\n\n${shown.code}: ${shown.message}` };
    const { diff, changes } = shown.preview;
    return { ok: true, text: plan.summary, diff, changes };
  } finally {
    createPlanStore(state.store).dropPlan(plan.planId);
  }
}

function renderCost({ tokens, cost }: { readonly tokens: number; readonly cost: number }): string {
  const price = cost > 0 ? `, cost ${Number(cost.toPrecision(3))}` : "";
  return `Nothing was applied or kept; it took ${tokens} tokens${price}`;
}
