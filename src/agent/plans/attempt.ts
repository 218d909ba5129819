import { saidOf } from "../../channels/error-text.ts";
import { toAppError } from "../../core/app-error.ts";
import type { ValueOf } from "../../store/settings/settings.ts";
import { nameProcess } from "../../system/processes/processes.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import type { AgentCore, RequestContext } from "../deps.ts";
import { maskTexts } from "../session/session.ts";

type Noted = Pick<AgentCore, "settings" | "clock">;

/** Notes that the changes of a plan are worked out or made now, for whoever looks at it elsewhere. */
export function noteAttempt({ settings, clock }: Noted, planId: string): void {
  settings.of("attempt.").set(planId, { at: clock.now(), runner: nameProcess() });
}

/**
 * Works out or makes the changes of a plan. How that failed is kept with the plan until it is tried
 * again: whoever pressed may be gone by then, and others look at it.
 */
export async function attempt<T extends OutcomeView>(
  { texts }: Pick<RequestContext, "texts">,
  core: AgentCore,
  planId: string,
  work: () => Promise<T>,
): Promise<T> {
  noteAttempt(core, planId);
  let failure: Failure | undefined;
  try {
    const outcome = await work();
    failure = toFailure(outcome);
    return outcome;
  } catch (error) {
    const failed = toAppError(error);
    const said = saidOf(failed, texts);
    failure = { code: failed.code, message: failed.message, ...(said !== undefined && { said }) };
    throw error;
  } finally {
    const kept = core.settings.of("attempt.");
    if (failure) kept.set(planId, { at: core.clock.now(), ...maskTexts(failure, core.redact) });
    else kept.remove(planId);
  }
}

type Failure = Pick<ValueOf<"attempt.">, "code" | "message" | "said">;

/** Undefined for what is done, and for a question. */
function toFailure(outcome: OutcomeView & { readonly preview?: unknown }): Failure | undefined {
  const { ok, preview, status, errorCode: code, error = status } = outcome;
  if (ok || preview !== undefined) return undefined;
  return { ...(code !== undefined && { code }), message: error };
}
