import type { DryRun } from "../../agent/deps.ts";
import { withCore } from "../../agent/with-core.ts";
import type { Routine } from "../../routines/routine.ts";
import { createPlanStore } from "../../store/plans/plans.ts";
import type { RoutineHost } from "./host.ts";
import { createRoutineDeps, toPayer } from "./routine-deps.ts";

type DryHost = Pick<RoutineHost, "current" | "state">;
type Looked = Omit<DryRun, "tokens" | "cost">;

/**
 * What a routine would do: plan and diff, or the answer of one that only asks. Nothing is applied,
 * recorded as a run or kept; what the model took is counted all the same.
 */
export async function dryRun(
  host: DryHost,
  routine: Routine,
  signal: AbortSignal,
): Promise<DryRun> {
  const { agent } = host.current;
  const payer = toPayer(routine);
  const before = agent.commands.spent(payer);
  const look = routine.mode === "ask" ? askOnly : preview;
  const dry = await agent.charge(payer, () => look(host, routine, signal), routine.caps);
  const after = agent.commands.spent(payer);
  return { ...dry, tokens: after.tokens - before.tokens, cost: after.cost - before.cost };
}

/** Under the level readonly no tool changes anything. */
async function askOnly(
  { current }: DryHost,
  routine: Routine,
  signal: AbortSignal,
): Promise<Looked> {
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
  { current, state }: DryHost,
  { workspace, task }: Routine,
  signal: AbortSignal,
): Promise<Looked> {
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
