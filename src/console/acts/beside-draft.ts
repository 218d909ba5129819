import type { Act, Unsent } from "../client/client.ts";
import type { Texts } from "../texts/texts.ts";

/**
 * What is offered about a change set beside what a person drafted of it: while something is left out
 * the whole cannot be approved, and an answer or another plan that no comment is sent for says how many
 * it passes over.
 */
export function besideDraft(
  ref: string,
  actions: readonly Act[],
  { comments, unticked, files }: Unsent,
  { comment, leave }: Texts,
): readonly Act[] {
  const answers = actions.map((act): Act => {
    if (comments === 0 || !UNTOLD.has(act.act)) return act;
    return { ...act, label: comment.passOver(act.label, comments), passesOver: comments };
  });
  // Where no yes counts, what is left would be refused as well.
  if (unticked.length === 0 || !actions.some(({ act }) => act === "approve")) return answers;
  const hunks = unticked.reduce((sum, part) => sum + (part.hunks?.length ?? 0), 0);
  const label = leave.out(files, hunks);
  const out = { act: "leave_out", ref, label, revision: { leave_out: unticked } };
  return [out, ...answers.filter(({ act }) => act === "reject")];
}

/** What goes on without what is about to be said. */
const UNTOLD: ReadonlySet<string> = new Set(["approve", "reject", "try_another"]);
