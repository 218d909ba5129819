import { renderOutcome } from "../../channels/render-text.ts";
import type { Current } from "../../daemon/app/app.ts";
import { reject, toUndoOutcome } from "../../planner/outcome-view.ts";
import { type CheckedUndo, describeUnchecked } from "../../planner/verify/check-undo.ts";
import { isExcused } from "../../planner/verify/verify.ts";
import { isYes } from "../../protocol/intent.ts";
import { describeFailedCheck } from "../../transaction/last-check.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { canAsk } from "../ask-yes-no.ts";
import { type CliContext, EXIT } from "../context.ts";
import { print } from "../print.ts";
import { toApplyReport } from "../reports.ts";
import { openActivity } from "../screen/activity.ts";
import { askAbout } from "./ask-about.ts";

/**
 * `papayu undo --check`: what the undo would give is checked in a view, and done after a yes. A
 * check that fails with it and not without it ends it; one that fails either way is for a person.
 */
export async function undoChecked(
  current: Current,
  workspace: Workspace,
  isAgreed: boolean,
  context: CliContext,
): Promise<number> {
  const outcome = await checkAndUndo(current, workspace, isAgreed, context);
  print(context, toApplyReport(outcome), renderOutcome(outcome, current.texts()));
  if (outcome.errorCode === "CONFIRM_REQUIRED") return EXIT.approvalNeeded;
  return outcome.ok ? EXIT.done : EXIT.failed;
}

async function checkAndUndo(
  current: Current,
  workspace: Workspace,
  isAgreed: boolean,
  context: CliContext,
): Promise<OutcomeView> {
  const { operations } = current.agent.plans;
  const { signal } = context;
  using activity = openActivity(context, current.texts());
  const found = await operations.checkUndo(workspace, signal, activity.step);
  activity.rest();
  if (found.kind === "refused") return toUndoOutcome(workspace, found.result);
  if (found.kind === "none") {
    return reject(workspace, "ERR_SANDBOX", `Cannot check the undo: ${found.reason}`);
  }
  const check = found.verification?.check;
  const known = { changes: found.preview.changes, ...(check && { check }) };
  const unchecked = found.verification ? [] : [describeUnchecked(workspace)];
  if (check && !check.ok && !isExcused(check)) {
    const error = `${describeFailedCheck(check)} with the undo, and not without it; nothing was undone`;
    const refused = reject(workspace, "AUTO_CHECK_FAILED_ROLLED_BACK", error);
    return { ...refused, status: "rolled_back", ...known };
  }
  const isOpen = check?.ok === false; // it fails without the undo as well
  switch (isAgreed && !isOpen ? "yes" : await ask(found, isOpen, current, context)) {
    case "yes": {
      const outcome = await operations.undo(workspace, signal, { checked: found });
      const notes = [...(outcome.notes ?? []), ...unchecked];
      return { ...outcome, ...known, ...(notes.length > 0 && { notes }) };
    }
    case "no":
      return reject(workspace, "APPROVAL_REJECTED", "You said no; nothing was undone");
    case "nobody":
      return { ...reject(workspace, "CONFIRM_REQUIRED", isOpen ? FAILS_BOTH : NOBODY), ...known };
  }
}

async function ask(
  { preview }: CheckedUndo,
  isOpen: boolean,
  current: Current,
  context: CliContext,
): Promise<"yes" | "no" | "nobody"> {
  if (!canAsk(context)) return "nobody";
  const { undoIt, undoAnyway } = current.texts().terminal;
  const question = isOpen ? undoAnyway : undoIt;
  return isYes(await askAbout(preview, question, [], current, context)) ? "yes" : "no";
}

const NOBODY = "Cannot undo without approval; ask a person or pass --yes";
const FAILS_BOTH =
  "Cannot undo: a check fails with the undo and without it; say yes on a terminal, or run papayu undo without --check";
