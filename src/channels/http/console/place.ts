import type { Press } from "../../channel.ts";
import type { ParsedPress } from "../parse-request.ts";
import { refuse } from "../refuse.ts";
import type { ConsoleFacts } from "./facts.ts";
import { SIGN_IN_AGAIN } from "./settings.ts";

/** Puts a press into the conversation in which it was asked, or says why it does not count. */
export function place(
  facts: Pick<ConsoleFacts, "answering">,
  read: ParsedPress,
  { isFresh, isPage }: { readonly isFresh: boolean; readonly isPage: boolean },
): ParsedPress | Response {
  const { press, digest, sessionId } = read.request;
  if (isPage && !isFresh && IS_SETTING[press.act]) return refuse(403, SIGN_IN_AGAIN);
  const found = facts.answering(press, digest);
  switch (found.kind) {
    case "unknown":
      return read;
    case "other person":
      return refuse(403, `somebody else was asked about "${press.ref}"; only they can answer`);
    case "other digest":
      return refuse(409, `"${press.ref}" is about another change than the one that was shown`);
    case "asked": {
      const { speaker, isShown, opensGate } = found;
      if (opensGate && !isFresh) return refuse(403, SIGN_IN_AGAIN);
      const names = [`http:${speaker.sessionId}`, speaker.sessionId];
      // A program that names neither its session nor what it was shown knows an id and no more.
      const isMeant = read.isNamed ? names.includes(sessionId) : isShown || isPage;
      return isMeant ? { ...read, isNamed: true, request: { ...read.request, ...speaker } } : read;
    }
    default:
      return found satisfies never;
  }
}

/** Whether it switches something, and is no answer to a question that the page shows. */
const IS_SETTING: Readonly<Record<Press["act"], boolean>> = {
  apply: false,
  change: false,
  drop: false,
  approve: false,
  check_first: false,
  keep: false,
  reach: false, // a gate by what it opens
  try_another: false,
  show_way: false,
  reject: false,
  leave_out: false,
  revise: false,
  withdraw: false,
  undo: false,
  redo: false,
  show_output: false,
  plan_fix: false,
  plan_again: false,
  run_routine: false,
  dry_run_routine: false,
  stop_routine: false,
  propose_routine: false, // a question, whose yes is a gate
  change_routine: false, // the same
  use_research: true,
  stop_auto_use: true,
  use_ws: true,
  routine_on: true,
  routine_off: true,
  end_browser: true,
};
