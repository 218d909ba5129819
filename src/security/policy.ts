import type { Leak, Reading } from "./provenance.ts";

/** How much papa-yu may do by itself. */
export type Autonomy = "readonly" | "supervised" | "full";

/**
 * What a call may do to the world: look into the workspace or the daemon's own state; read from
 * outside; send a file to the person who asks, beyond this machine; note something for later turns;
 * set what papa-yu does later, such as a routine; change anything else; or something that is a
 * person's decision at every autonomy level.
 */
export type Effect = "none" | "network" | "send" | "note" | "rule" | "change" | "person";

/** What decides about a call, besides the autonomy level. */
export interface CallFacts {
  readonly effect: Effect;
  /** The strictest text that the model sees, and may be obeying. */
  readonly reading: Reading;
  /** Why what it lets out must not leave unasked. */
  readonly leak: Leak["kind"] | undefined;
  /** The person named the very thing that it is about. */
  readonly wasSaid: boolean;
  /** A person said no to this very call. */
  readonly wasDenied: boolean;
  /** Somebody is there who can be asked. */
  readonly hasApprover: boolean;
}

/** The facts of what a person does by their own words: nothing was read that could lead them. */
export const PERSONS_OWN = {
  reading: "clean",
  leak: undefined,
  wasSaid: true,
  wasDenied: false,
} as const satisfies Partial<CallFacts>;

/** What a call may ask for, in words for the model. */
const ASK_REASONS = {
  person: "this is a person's decision at every autonomy level",
  outside: "after reading text from outside this needs a person's approval",
  workspace: "after reading files or notes this needs a person's approval",
  unnamed: "nobody but the model or what it read named this address, so it needs a person's yes",
  composed: "the model composed what would leave this machine, so it needs a person's yes",
  many: "too many calls of this turn left this machine unasked after something was read",
  supervised: "security.autonomy is supervised",
} as const;

/** Why a call asks. */
export type AskReason = keyof typeof ASK_REASONS;

/** Why a call may not run: a person said no, a yes is needed that nobody can give, or the level. */
export interface Denial {
  readonly kind: "rejected" | "nobody" | "readonly";
  /** What it would have been asked for. */
  readonly why?: AskReason;
}

/** Whether a call runs; `reason` is for the model, `why` and `denial` for who tells a person. */
export type Decision =
  | { readonly kind: "allow" }
  | { readonly kind: "ask"; readonly why: AskReason; readonly reason: string }
  | { readonly kind: "deny"; readonly reason: string; readonly denial: Denial };

/** The whole policy of tool calls: nothing else decides whether one may run. */
export function decide(autonomy: Autonomy, facts: CallFacts): Decision {
  const decision = evaluateEffect(autonomy, facts);
  if (decision.kind === "deny" || facts.effect === "none") return decision;
  if (facts.wasDenied) return deny("a person said no to this very call", "rejected");
  if (decision.kind === "ask" && !facts.hasApprover) {
    const { reason, why } = decision;
    return deny(`${reason}, and nobody is there to be asked`, "nobody", why);
  }
  return decision;
}

const ALLOW: Decision = { kind: "allow" };

function evaluateEffect(autonomy: Autonomy, facts: CallFacts): Decision {
  const { effect, reading, leak, wasSaid } = facts;
  if (effect === "none") return ALLOW;
  const mustAsk = leak ?? (reading === "clean" ? undefined : reading);
  switch (effect) {
    case "network":
      if (leak === undefined) return ALLOW;
      return autonomy === "readonly"
        ? deny(`security.autonomy is readonly, and ${ASK_REASONS[leak]}`, "readonly", leak)
        : ask(leak);
    case "send":
      if (reading === "workspace" && wasSaid) return ALLOW;
      return mustAsk === undefined ? ALLOW : ask(mustAsk);
    case "note":
    case "rule":
    case "change":
    case "person":
      if (autonomy === "readonly") return deny("security.autonomy is readonly", "readonly");
      if (effect === "person") return ask("person");
      if (leak !== undefined) return ask(leak);
      // Work on a folder begins with reading it: a change there is what full autonomy allows.
      if (reading === "outside" || (reading === "workspace" && effect !== "change"))
        return ask(reading);
      if (effect === "note" || autonomy === "full") return ALLOW;
      return ask("supervised");
    default:
      return effect satisfies never;
  }
}

function ask(why: AskReason): Extract<Decision, { kind: "ask" }> {
  return { kind: "ask", why, reason: ASK_REASONS[why] };
}

function deny(
  reason: string,
  kind: Denial["kind"],
  why?: AskReason,
): Extract<Decision, { kind: "deny" }> {
  return { kind: "deny", reason, denial: { kind, ...(why && { why }) } };
}
