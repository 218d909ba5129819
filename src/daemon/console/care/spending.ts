import { createSpendingStore } from "../../../store/spending.ts";
import type { App } from "../../app/app.ts";

type Document = Readonly<Record<string, unknown>>;

/** What models took today and this month (UTC), beside the caps of a day; 0 is no cap. */
export function readSpending({ current, state, clock }: Pick<App, "current" | "state" | "clock">) {
  const spending = createSpendingStore(state.store, state.commit);
  return (): Document => {
    const { agent, routines } = current.loaded.config;
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    const since = `${today.slice(0, 8)}01`;
    const days = spending.since(since).filter(({ day }) => day <= today);
    const payers = [...new Set(["", ...days.map(({ payer }) => payer)])];
    const sum = (wanted: typeof days) => ({
      tokens: wanted.reduce((all, { tokens }) => all + tokens, 0),
      cost: wanted.reduce((all, { cost }) => all + cost, 0),
    });
    const of = (isWanted: (payer: string) => boolean) => {
      const month = days.filter(({ payer }) => isWanted(payer));
      return { today: sum(month.filter(({ day }) => day === today)), month: sum(month) };
    };
    return {
      day: today,
      since,
      ...of(() => true),
      caps: { tokens: agent.max_tokens_per_day, cost: agent.max_cost_per_day },
      payers: payers.map((payer) => {
        const routine = payer === "" ? null : payer.slice("routine:".length);
        const job = routines.jobs.find(({ name }) => name === routine);
        const caps = { tokens: job?.max_tokens_per_day ?? 0, cost: job?.max_cost_per_day ?? 0 };
        const { today: now, month } = of((each) => each === payer);
        return { routine, today: now, month, caps };
      }),
    };
  };
}
