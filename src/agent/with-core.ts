import type { Agent, AgentCore } from "./deps.ts";

/** The same agent over another core: under other rules, say. No part of it keeps the old one. */
export function withCore(
  { plans, turns, commands, ...rest }: Omit<Agent, "core">,
  core: AgentCore,
): Agent {
  const ownPlans = { ...plans, core };
  return {
    ...rest,
    core,
    plans: ownPlans,
    turns: { ...turns, core, plans: ownPlans },
    commands: { ...commands, core, plans: ownPlans },
  };
}
