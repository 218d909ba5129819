import { type Adoptable, adoptState, describeState } from "../../store/adopt-state.ts";
import { examineState, StateError } from "../../store/open/open.ts";
import { askYesNo, canAsk } from "../ask-yes-no.ts";
import { type CliContext, EXIT } from "../context.ts";
import { homeOf } from "../home-of.ts";
import { print } from "../print.ts";
import { lockHome } from "./repair.ts";

/**
 * `papayu doctor --adopt`: makes a `state.db` of another home, that is in the place of this one's,
 * this home's own, after a look at what is in it and a yes.
 *
 * @throws AppError ERR_STORE_REPAIR while a daemon runs; StateError for any other trouble
 */
export async function adoptDatabase(
  { isAgreed }: { readonly isAgreed: boolean },
  context: CliContext,
): Promise<number> {
  const home = homeOf(context);
  const release = lockHome(home);
  try {
    if (!isOther(home)) {
      const text = "Nothing to adopt: state.db is this home's, or there is none";
      print(context, { ok: true, adopted: false }, text);
      return EXIT.done;
    }
    const found = describeState(home);
    const text = renderFound(found);
    if (!isAgreed && (!canAsk(context) || context.command.json)) {
      const how = "Nothing was changed; papayu doctor --adopt --yes does it";
      print(context, { ok: false, adopted: false, found }, `${text}\n${how}`);
      return EXIT.approvalNeeded;
    }
    if (!context.command.json) context.stdout.write(`${text}\n`);
    if (!isAgreed && !(await askYesNo("Make it this home's own?", context))) {
      context.stdout.write("Nothing was changed\n");
      return EXIT.failed;
    }
    adoptState(home, Date.now());
    print(context, { ok: true, adopted: true, found }, "Adopted: papayu start works with it");
    return EXIT.done;
  } finally {
    release();
  }
}

function isOther(home: string): boolean {
  try {
    examineState(home);
    return false;
  } catch (error) {
    if (error instanceof StateError && error.trouble === "other_home") return true;
    throw error;
  }
}

function renderFound({ messages, memories, routines, paired }: Adoptable): string {
  return [
    "state.db belongs to another home of papa-yu. It holds:",
    `  ${messages} messages, ${memories} memories`,
    `  ${routines} routines, which would run here`,
    `  ${paired} paired people, who could write to the bot here`,
    "Messages, approvals and runs that wait in it wait no more",
  ].join("\n");
}
