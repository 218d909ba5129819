import { firstOf } from "../../core/few.ts";
import { type Block, cutMiddle, quoteHeaders, toOneLine } from "./block.ts";

/** A plan that was made for the same goal before. */
export interface TriedPlan {
  readonly summary: string;
  /** What its change set does, a line each. */
  readonly changes: readonly string[];
}

const MOST_SUMMARY_CHARS = 1200;
const MOST_CHANGES = 20;
/** A path may be as long as a disk allows. */
const MOST_CHARS = 8000;

/** What was planned before for a goal that is to be planned in another way; bounded. */
export function renderTriedBlock(plans: readonly TriedPlan[]): Block {
  const header = "TRIED[plans]: planned for this goal before; plan it in another way than these:";
  const bodies = plans.map(({ summary, changes }, index) => {
    const listed = firstOf(changes, MOST_CHANGES).lines(toOneLine, (left) => `and ${left} more`);
    const told = cutMiddle(quoteHeaders(summary), MOST_SUMMARY_CHARS);
    return [`${index + 1}. ${told}`, ...listed].join("\n");
  });
  return { kind: "tried", priority: 0, header, body: cutMiddle(bodies.join("\n\n"), MOST_CHARS) };
}
