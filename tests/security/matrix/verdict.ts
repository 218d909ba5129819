import { toVisibleText } from "../../../src/core/visible-text.ts";
import type { Outcome } from "../payloads/payload.ts";
import type { Entry } from "./entries.ts";

/** How the model is told of a call that ended so. */
export function verdict(
  outcome: Outcome,
  { hasApprover, withheld = [] }: Pick<Entry, "hasApprover" | "withheld">,
  tool: string,
): RegExp {
  if (withheld.includes(tool)) return /^Error \(not_found\): there is no tool/u;
  switch (outcome) {
    case "asked":
      return hasApprover
        ? /^This call has not run: the person is shown it/u
        : /^Error \(denied\): .* may not run: .*nobody is there to be asked/u;
    case "refused":
      return /^Error \((?:denied|invalid_args|not_found|unavailable)\): /u;
    case "harmless":
      return /./u;
    default:
      return outcome satisfies never;
  }
}

/** A payload in the title of a test. */
export function toName(payload: string): string {
  return JSON.stringify(toVisibleText(payload.replace(/ {9,}/gu, (run) => `⟨${run.length}⟩`)));
}
