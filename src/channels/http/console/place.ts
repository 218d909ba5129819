import type { Press } from "../../channel.ts";
import { type ParsedPress, toAsker } from "../parse-request.ts";
import { refuse } from "../refuse.ts";
import type { PersonFacts } from "./facts.ts";

/** Puts a press into the conversation in which it was asked, or says why it does not count. */
export function place(
  facts: Pick<PersonFacts, "answering" | "chats">,
  read: ParsedPress,
  { isFresh, isPage, isAway, other }: Presser,
): ParsedPress | Response {
  const { press, digest, sessionId } = read.request;
  const { prefix } = toAsker(other);
  const isOfApi = sessionId.startsWith(prefix);
  const of = ACTS[press.act];
  if (other !== undefined && of !== "anybody") return refuse(403, (say) => say.ownersOnly);
  if (isPage && !isFresh && of === "a setting") return refuse(403, (say) => say.signInAgain);
  const found = facts.answering(press, digest);
  switch (found.kind) {
    case "unknown": {
      const speaker = isAway && !isOfApi ? undefined : facts.chats.speaker(sessionId);
      if (!speaker) return refuse(404, (say) => say.notToSpeakIn);
      return { ...read, request: { ...read.request, ...speaker } };
    }
    case "other person":
      return refuse(403, (say) => say.otherPerson(press.ref));
    case "other digest":
      return refuse(409, (say) => say.otherChange(press.ref));
    case "asked": {
      const { speaker, isShown, opensGate } = found;
      if (opensGate && !isFresh) return refuse(403, (say) => say.signInAgain);
      const names = [prefix + speaker.sessionId, speaker.sessionId];
      // A program that names neither its session nor what it was shown knows an id and no more.
      const isMeant = read.isNamed ? names.includes(sessionId) : isShown || isPage;
      if (isMeant) return { ...read, isNamed: true, request: { ...read.request, ...speaker } };
      if (isOfApi) return read;
      return refuse(403, (say) => say.otherConversation(press.ref));
    }
    default:
      return found satisfies never;
  }
}

/** Who presses. */
export interface Presser {
  readonly isFresh: boolean;
  /** No program. */
  readonly isPage: boolean;
  /** By the public host: where other channels speak they only answer what was asked. */
  readonly isAway: boolean;
  /** Somebody else than the owner. */
  readonly other: string | undefined;
}

/**
 * What is pressed by whom: an answer by whoever was asked; what concerns no question by the owner; what
 * switches something by the owner, who came in at this machine a moment ago.
 */
const ACTS: Readonly<Record<Press["act"], "anybody" | "the owner" | "a setting">> = {
  apply: "anybody",
  change: "anybody",
  drop: "anybody",
  approve: "anybody",
  approve_whole: "anybody",
  check_first: "anybody",
  keep: "anybody",
  reach: "anybody", // a gate by what it opens
  try_another: "anybody",
  show_way: "anybody",
  reject: "anybody",
  leave_out: "anybody",
  revise: "anybody",
  withdraw: "the owner",
  undo: "anybody",
  redo: "the owner",
  show_output: "anybody",
  plan_fix: "anybody",
  plan_again: "anybody",
  run_routine: "the owner",
  dry_run_routine: "the owner",
  stop_routine: "the owner",
  set_aside_run: "the owner",
  propose_routine: "the owner", // a question, whose yes is a gate
  change_routine: "the owner", // the same
  use_research: "a setting",
  stop_auto_use: "a setting",
  use_ws: "a setting",
  routine_on: "a setting",
  routine_off: "a setting",
  end_browser: "a setting",
};
