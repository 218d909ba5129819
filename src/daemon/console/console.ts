import type { Press, Speaker } from "../../channels/channel.ts";
import type { Answering, ConsoleFacts } from "../../channels/http/http-channel.ts";
import type { RoutineService } from "../../tools/routine-service.ts";
import type { App } from "../app/app.ts";
import { createInbox } from "./inbox.ts";
import { createReviews } from "./review.ts";

/** Who has come in by the local API or by the console. */
const OWNER = "owner";
/** Where the console presses what was asked in no conversation. */
const OWN_SESSION = "http:console";

/** What else it reads from. */
export interface Around {
  readonly routines: Pick<RoutineService, "list">;
  /** The owner on the phone, as sessions there know them. */
  readonly phoneOwner: () => string | undefined;
}

/** What the console reads of a daemon; loaded with its first request. */
export function createConsoleFacts(
  app: Pick<App, "current" | "state" | "clock">,
  { routines, phoneOwner }: Around,
): ConsoleFacts {
  const isOwners = (userId: string) => userId === OWNER || userId === phoneOwner();
  const reviews = createReviews(app, isOwners);
  const { store } = app.state;
  return {
    inbox: createInbox({ app, reviews, routines, isOwners }),
    mark() {
      const others = store.query<{ data_version: number }, []>("PRAGMA data_version").get();
      const own = store.query<{ n: number }, []>("SELECT total_changes() AS n").get();
      return `${others?.data_version} ${own?.n}`;
    },
    review: (approvalId) => reviews.review(approvalId),
    file: (approvalId, n) => reviews.file(approvalId, n),
    answering: (press, digest) => toAnswering(app, press, digest, isOwners),
  };
}

function toAnswering(
  app: Pick<App, "current">,
  { act, ref }: Press,
  digest: string | undefined,
  isOwners: (userId: string) => boolean,
): Answering {
  const { approvals, sessions, settings } = app.current.agent.core;
  const asked = (speaker: Speaker): Answering =>
    isOwners(speaker.userId) ? { kind: "asked", speaker } : { kind: "other person" };
  const approval = approvals.load(ref);
  if (approval) {
    const { sessionId, userId } = approval;
    const shown = approval.kind === "change_set" ? approval.changeSetId : approval.callSha256;
    if (digest !== undefined && digest !== shown) return { kind: "other digest" };
    return asked({ sessionId, userId });
  }
  const beside = settings.of("side_plan.").get(ref);
  if (beside) return asked(beside);
  const session = sessions.withPlans().find(({ planId }) => planId === ref);
  if (session) return asked(session);
  if (act === "undo") {
    const userId = settings.of("undo.").get(ref);
    if (userId !== undefined) return asked({ sessionId: OWN_SESSION, userId });
  }
  if (act === "run_routine") return asked({ sessionId: OWN_SESSION, userId: OWNER });
  return { kind: "unknown" };
}
