import { createHash, timingSafeEqual } from "node:crypto";
import { errorMessage } from "../../core/app-error.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { findProblems } from "../../routines/routine-states.ts";
import type { Scheduler } from "../../routines/scheduler.ts";
import type { RoutineHost } from "./host.ts";

/** What came of a request to run a routine, as an HTTP status with its reason. */
export interface Triggered {
  readonly status: 202 | 401 | 409 | 413;
  readonly message: string;
}

/** What webhooks are checked with. */
export interface WebhookHost extends Pick<RoutineHost, "routines" | "current" | "log"> {
  /** Gives the value of a reference. */
  readonly secrets: { readonly read: (reference: string) => string | undefined };
}

/** More is refused: a task is told about an event, not given its archive. */
const MOST_INPUT_BYTES = 64 * 1024;

/**
 * The webhook of routines. A name that is unknown, one without a secret, and a wrong secret get the
 * same answer in the same time, so that nobody learns which routines there are.
 */
export function createTrigger(
  { routines, current, secrets, log }: WebhookHost,
  scheduler: Pick<Scheduler, "trigger">,
): (name: string, secret: string, readBody: () => Promise<string>) => Promise<Triggered> {
  const readSecret = (reference: string) => {
    try {
      return secrets.read(reference);
    } catch (error) {
      log("ROUTINE_SECRET_UNREADABLE", { reason: errorMessage(error) });
      return undefined;
    }
  };
  return async (name, secret, readBody) => {
    const all = routines.list();
    const routine = all.find((it) => it.name === name);
    const known = routine?.triggerSecret && readSecret(routine.triggerSecret);
    if (!isSame(secret, known ?? "") || !routine) {
      return { status: 401, message: "there is no such routine with this secret" };
    }
    const body = await readBody();
    if (Buffer.byteLength(body) > MOST_INPUT_BYTES) {
      return { status: 413, message: `the body is over ${MOST_INPUT_BYTES} bytes` };
    }
    if (!routine.enabled) return { status: 409, message: "the routine is disabled" };
    const { redact, clock } = current.agent.core;
    if (findProblems(all, clock.now()).has(routine)) {
      return { status: 409, message: "the routine cannot run; papayu status says why" };
    }
    // It waits in the database for its turn, and a secret is in none.
    const input = body === "" ? {} : { input: redact(toVisibleText(body)) };
    return scheduler.trigger({ ...routine, ...input }, "webhook")
      ? { status: 202, message: "started" }
      : { status: 409, message: "the routine runs already, or papa-yu runs no routines just now" };
  };
}

function isSame(given: string, known: string): boolean {
  return timingSafeEqual(digest(given), digest(known)) && known !== "";
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
