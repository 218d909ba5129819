import { chatTurn } from "../agent/chat.ts";
import type { AgentDeps } from "../agent/deps.ts";
import { renderOutcome } from "../channels/render-text.ts";
import { AppError } from "../core/app-error.ts";
import { newId } from "../core/ids.ts";
import type { Routine } from "../routines/routine.ts";
import type { RunDeps } from "../routines/run.ts";
import { readFingerprint } from "../workspace/fingerprint.ts";
import type { App } from "./app.ts";

/** What routines may do, over the same use cases that people use. */
export function createRoutineDeps(app: App): RunDeps {
  const { agent, operations, clock } = app;
  const { redact } = agent;
  return {
    async ask(task, workspace, signal) {
      const speaker = { sessionId: newId("routine"), userId: "owner" };
      if (workspace !== undefined) {
        agent.sessions.update(speaker.sessionId, speaker.userId, { workspace }, clock.now());
      }
      const deps = withoutProposals(agent);
      const exchange = { deps, speaker, emit: () => {}, signal, hasApprover: false };
      const turn = await chatTurn(exchange, task);
      if (turn.error) throw new AppError(turn.error.code, redact(turn.error.message));
      return turn.text;
    },
    async plan(name, goal, signal) {
      const plan = await operations.plan(agent.workspaces.get(name), goal, { signal });
      if (!plan.ok) return { ok: false, text: redact(`${plan.code}: ${plan.message}`) };
      const { summary, planId, autoUsed } = plan;
      const used = autoUsed ? `\n\nAuto-used ✓ what the web says on: ${autoUsed.query}` : "";
      const next = `\n\nplan ${planId}: papayu preview ${planId} shows the change set`;
      return { ok: true, text: redact(summary + used) + next, planId };
    },
    async apply(name, goal, signal) {
      const plan = await operations.plan(agent.workspaces.get(name), goal, { signal });
      if (!plan.ok) return { ok: false, text: redact(`${plan.code}: ${plan.message}`) };
      const outcome = await operations.apply(plan.planId, { signal });
      if (!outcome.preview) {
        return { ok: outcome.ok, text: redact(renderOutcome(outcome, app.texts())) };
      }
      const { changes } = outcome.preview;
      const count = changes.length === 1 ? "1 change waits" : `${changes.length} changes wait`;
      const text = `${count} for your approval: papayu apply ${plan.planId}`;
      return { ok: true, text };
    },
    fingerprint: (name, signal) => readFingerprint(agent.workspaces.get(name).root, signal),
    get: (key) => agent.settings.get(key),
    set: (key, value) => agent.settings.set(key, value),
  };
}

/** Who a routine's spending is counted for. */
export function toPayer({ name }: Pick<Routine, "name">): string {
  return `routine:${name}`;
}

/** Nobody watches a routine's chat, so it has no tool that would need an approval. */
function withoutProposals(agent: AgentDeps): AgentDeps {
  return {
    ...agent,
    async toolsFor(...asked) {
      const tools = await agent.toolsFor(...asked);
      return tools.filter(({ schema }) => schema.name !== "propose_changes");
    },
  };
}
