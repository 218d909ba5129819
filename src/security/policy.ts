/** How much papa-yu may do by itself. */
export type Autonomy = "readonly" | "supervised" | "full";

/**
 * What a call may do to the world: look into the workspace or the daemon's own state; read from
 * outside; send a file to the person who asks, beyond this machine; note something for later turns;
 * change anything else; or something that is a person's decision at every autonomy level.
 */
export type Effect = "none" | "network" | "send" | "note" | "change" | "person";

/** What a call is judged by, beside the autonomy level. */
export interface CallFacts {
  readonly effect: Effect;
  /** The model sees text that strangers wrote, and may be obeying it. */
  readonly isTainted: boolean;
  /** It sends something to an address that neither the user nor anything read has named. */
  readonly mayLeak: boolean;
  /** A person said no to this very call. */
  readonly wasDenied: boolean;
  /** Somebody is there who can be asked. */
  readonly hasApprover: boolean;
}

/** What a call may ask for, in words for the model. */
const ASK_REASONS = {
  person: "this is a person's decision at every autonomy level",
  outside: "after reading text from outside this needs a person's yes",
  leak: "after reading text from outside, an address that was not seen before needs a yes",
  supervised: "security.autonomy is supervised",
} as const;

/** Why a call asks. */
export type AskReason = keyof typeof ASK_REASONS;

/** Whether a call runs; `reason` is for the model, `why` for who tells a person. */
export type Decision =
  | { readonly kind: "allow" }
  | { readonly kind: "ask"; readonly why: AskReason; readonly reason: string }
  /** `needsPerson`: a yes would let it run, and nobody is there to give one. */
  | { readonly kind: "deny"; readonly reason: string; readonly needsPerson?: true };

/** The whole policy of tool calls: nothing else decides whether one may run. */
export function decide(autonomy: Autonomy, facts: CallFacts): Decision {
  const decision = judgeEffect(autonomy, facts);
  if (decision.kind === "deny" || facts.effect === "none") return decision;
  if (facts.wasDenied) return deny("a person said no to this very call");
  if (decision.kind === "ask" && !facts.hasApprover) {
    return {
      ...deny(`${decision.reason}, and nobody is there to be asked`),
      needsPerson: true,
    };
  }
  return decision;
}

const ALLOW: Decision = { kind: "allow" };
function judgeEffect(autonomy: Autonomy, { effect, isTainted, mayLeak }: CallFacts): Decision {
  switch (effect) {
    case "none":
      return ALLOW;
    case "network":
      if (!isTainted || !mayLeak) return ALLOW;
      return ask("leak");
    case "send":
      return isTainted ? ask("outside") : ALLOW;
    case "note":
    case "change":
    case "person":
      if (autonomy === "readonly") return deny("security.autonomy is readonly");
      if (effect === "person") return ask("person");
      if (isTainted) return ask("outside");
      if (effect === "note" || autonomy === "full") return ALLOW;
      return ask("supervised");
    default:
      return effect satisfies never;
  }
}

function ask(why: AskReason): Decision {
  return { kind: "ask", why, reason: ASK_REASONS[why] };
}

function deny(reason: string): Extract<Decision, { kind: "deny" }> {
  return { kind: "deny", reason };
}
