import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../core/app-error.ts";
import { examineState, isRepairable, StateError } from "../../store/open/open.ts";
import type { TableReport } from "../../store/repair/repair.ts";
import { prepareRepair, type Repair } from "../../store/repair/repair.ts";
import { takeLock } from "../../system/locks/locks.ts";
import { askYesNo, canAsk } from "../ask-yes-no.ts";
import { type CliContext, EXIT } from "../context.ts";
import { homeOf } from "../home-of.ts";
import { print } from "../print.ts";

/**
 * `papayu doctor --repair`: puts a new `state.db` together of what can be read of a damaged one and
 * of the newest good copy, shows what that keeps and loses, and asks. The damaged file is moved
 * aside, never deleted.
 *
 * @throws AppError ERR_STORE_REPAIR while a daemon runs, and where the file is not at fault
 */
export async function repair(
  { isAgreed }: { readonly isAgreed: boolean },
  context: CliContext,
): Promise<number> {
  const home = homeOf(context);
  if (!existsSync(home)) return reportWhole(context);
  const release = lockHome(home); // no daemon starts meanwhile
  try {
    const trouble = findTrouble(home);
    if (!trouble) return reportWhole(context);
    using prepared = prepareRepair(home, Date.now());
    const report = toReport(trouble, prepared);
    const text = renderReport(trouble, prepared);
    if (!isAgreed && (!canAsk(context) || context.command.json)) {
      print(context, { ok: false, repaired: false, ...report }, `${text}\n${HOW_TO_AGREE}`);
      return EXIT.approvalNeeded;
    }
    if (!context.command.json) context.stdout.write(`${text}\n`);
    if (!isAgreed && !(await askYesNo("Put the new database in its place?", context))) {
      context.stdout.write("Nothing was changed\n");
      return EXIT.failed;
    }
    const { aside, isStale } = prepared.commit();
    const done = isStale
      ? `Repaired, but another program stored something in the old database at that very moment: only "${aside}" has it; look what ran, and run it again`
      : `Repaired. What was in its place is in "${aside}"; delete that when you miss nothing`;
    print(context, { ok: !isStale, repaired: true, stale: isStale, aside, ...report }, done);
    return isStale ? EXIT.failed : EXIT.done;
  } finally {
    release();
  }
}

const HOW_TO_AGREE = "Nothing was changed; papayu doctor --repair --yes does it";

/** No daemon starts before the lock is given back. */
export function lockHome(home: string): () => void {
  const lock = takeLock(join(home, "daemon.lock"), "papayu doctor --repair");
  if (lock.ok) return lock.release;
  const who = lock.holder ? `${lock.holder.what}, pid ${lock.holder.pid}` : "another papayu";
  throw new AppError(
    "ERR_STORE_REPAIR",
    `Cannot repair while ${who}, works in "${home}"; run papayu stop first`,
  );
}

/**
 * Undefined when the database is whole, or none was begun.
 *
 * @throws AppError ERR_STORE_REPAIR for a trouble that is not in the file
 */
function findTrouble(home: string): StateError | undefined {
  try {
    examineState(home);
    return undefined;
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    if (isRepairable(error.trouble)) return error;
    const message = `Nothing to repair, and nothing was changed: ${error.message}`;
    throw new AppError("ERR_STORE_REPAIR", message, { cause: error });
  }
}

function reportWhole(context: CliContext): number {
  print(context, { ok: true, repaired: false, tables: [] }, "Nothing to repair: state.db is whole");
  return EXIT.done;
}

function toReport(trouble: StateError, { tables, copy }: Repair) {
  return { trouble: trouble.trouble, found: trouble.reason, copy: copy?.path ?? null, tables };
}

function renderReport({ reason }: StateError, { tables, copy }: Repair): string {
  const lines = tables
    .filter(({ kept, fromCopy, lost = 0 }) => kept + fromCopy + lost > 0)
    .map(renderTable);
  const hasLost = tables.some(({ lost }) => lost !== 0);
  return [
    `state.db: ${reason}`,
    copy
      ? `The newest good copy is of ${new Date(copy.madeAt).toLocaleString("sv")}`
      : "There is no good copy of it",
    lines.length === 0 ? "Nothing can be kept: papa-yu starts over" : "This can be kept:",
    ...lines,
    ...(hasLost ? [copy ? LOST_SINCE : "What cannot be read is lost"] : []),
    ...(tables.some(({ fromCopy }) => fromCopy > 0) ? [FROM_COPY] : []),
  ].join("\n");
}

const LOST_SINCE = "What came after the copy and cannot be read is lost";

const FROM_COPY =
  "What comes from the copy may have been deleted since: look at papayu pair, papayu routine list and your memories. Messages and approvals that waited in the copy wait no more";

function renderTable({ table, kept, fromCopy, lost }: TableReport): string {
  const copied = fromCopy > 0 ? `, ${fromCopy} from the copy` : "";
  const rest =
    { 0: "" }[lost ?? -1] ?? `, ${lost === undefined ? "maybe more lost" : `${lost} lost`}`;
  return `  ${table.padEnd(18)}${kept} rows${copied}${rest}`;
}
