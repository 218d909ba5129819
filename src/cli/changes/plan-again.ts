import { toVisibleText } from "../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import { type NoticeTarget, tell } from "../print.ts";

/** A longer goal is no line to copy. */
const MAX_GOAL_CHARS = 500;

/** Names the command that plans the same goal for the files as they are now, where only that helps. */
export function tellPlanAgain(
  context: NoticeTarget,
  { workspace, planAgain }: Pick<OutcomeView, "workspace" | "planAgain">,
  { terminal }: Pick<Texts, "terminal">,
): void {
  if (!planAgain) return;
  const { goal } = planAgain;
  const shown = goal.length <= MAX_GOAL_CHARS ? quote(goal) : "GOAL";
  const command = `papayu plan ${shown} -w ${quote(workspace)}`;
  tell(context, toVisibleText(terminal.next(command)));
}

/** One word for a shell. */
function quote(text: string): string {
  return /^[\w./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
