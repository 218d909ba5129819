import { BY_PERSON, key, NOT_TAKEN } from "./schema-facts.ts";
import { integer, table } from "./schema-parts.ts";

/** The table `retention`: how long what grows is kept. */
export const Retention = table(
  "How long things are kept; what an undo, a work that is not over or a cap needs stays longer",
  {
    messages_days: days("conversations and runs of routines are", 365),
    history_days: days("a change can be undone, and plans and research are", 90),
    traces_days: days("traces are", 90),
    logs_days: days("files of the log are", 30),
    approvals_days: days("answered questions are", 90),
    max_mb: key(
      integer(
        "Megabytes of all of it together, the oldest first; 0: no limit",
        2048,
        0,
        10_000_000,
      ),
      NOT_TAKEN,
      BY_PERSON,
    ),
  },
  "operations.md",
);

function days(what: string, initial: number) {
  const phrase = what.endsWith(" are") ? `${what} kept` : what;
  return key(integer(`Days that ${phrase}; 0: no limit`, initial, 0, 36_500), NOT_TAKEN, BY_PERSON);
}
