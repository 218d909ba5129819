import type { RoutinesOfChats } from "../../agent/deps.ts";
import { shorten } from "../../core/cut-text.ts";
import { toVisibleName } from "../../core/visible-text.ts";
import type { RoutineRun } from "../../store/routines/routines.ts";
import type { RoutineView } from "../../tools/routine-service.ts";

/** What `routine` commands work with, and where they write. */
export interface RoutineCommand {
  readonly routines: RoutinesOfChats;
  readonly json: boolean;
  readonly print: (text: string) => void;
  /** Beside a document. */
  readonly note: (text: string) => void;
}

/** How many runs `routine logs` shows in a terminal. */
const SHOWN_RUNS = 50;

/** How much of an output the list shows. */
const LISTED_CHARS = 200;

/** `routine list`: every routine with its next three instants and its last run; writes nothing. */
export function routineList(command: RoutineCommand): void {
  const entries = command.routines.list().map(toEntry);
  if (command.json) return command.print(JSON.stringify(entries, null, 2));
  const rows = entries.map(({ name, schedule, timezone, mode, reason, next_at, last }) => [
    toVisibleName(name),
    schedule,
    timezone,
    mode,
    reason ?? next_at[0] ?? "disabled",
    last?.state ?? "never ran",
  ]);
  const head = ["NAME", "SCHEDULE", "TIMEZONE", "MODE", "NEXT", "LAST"];
  command.print(
    rows.length === 0 ? "No routines; papayu routine add makes one" : renderTable([head, ...rows]),
  );
}

/**
 * `routine logs [NAME]`: the newest runs of one routine or of all, newest first: `last` of them, or
 * as many as people read. A document that is an array cannot say that it is cut, so it is whole
 * where nobody said how long it may be.
 *
 * @throws AppError ERR_ROUTINE_UNKNOWN when there is neither such a routine nor a run of one.
 */
export function routineLogs(
  { name, last }: { readonly name: string | undefined; readonly last: number | undefined },
  command: RoutineCommand,
): void {
  const found = command.routines.logs(name, last ?? (command.json ? Infinity : SHOWN_RUNS));
  const more = (left: number, all: number) =>
    `… only the newest ${all - left} of ${all}: --last ${all} lists all`;
  if (command.json) {
    const runs = found.take((left, all) => command.note(more(left, all)));
    const toRow = (run: RoutineRun) => (name ? {} : { name: run.routine });
    const rows = runs.map((run) => Object.assign(toRow(run), toLogRow(run)));
    return command.print(JSON.stringify(rows, null, 2));
  }
  command.print(found.total === 0 ? "No runs yet" : found.lines(renderRun, more).join("\n"));
}

/**
 * `routine run NAME`: runs it now, whatever its schedule, its switch and `only_if_changed` say; the
 * result is printed instead of delivered. True when it went well.
 *
 * @throws AppError ERR_ROUTINE_UNKNOWN or ERR_ROUTINE_INVALID.
 */
export async function routineRun(
  name: string,
  command: RoutineCommand,
  signal: AbortSignal,
): Promise<boolean> {
  const done = await command.routines.run(name, signal);
  const ok = done.state === "ok";
  command.print(
    command.json ? JSON.stringify({ ok, ...toLogRow(done) }, null, 2) : renderRun(done),
  );
  return ok;
}

/** A routine as `routine list --json` shows it. */
export function toEntry(routine: RoutineView) {
  const { name, source, schedule, timezone, mode, state, reason, next, last } = routine;
  return {
    name,
    source,
    schedule,
    timezone,
    mode,
    enabled: state !== "disabled" && state !== "invalid",
    ...(reason !== undefined && { reason }),
    next_at: next.map(toIso),
    last: last ? { ...toLogRow(last), output: shorten(last.output, LISTED_CHARS) } : null,
  };
}

function toLogRow(run: RoutineRun) {
  return {
    due_at: toIso(run.dueAt),
    started_at: run.startedAt === null ? null : toIso(run.startedAt),
    finished_at: run.finishedAt === null ? null : toIso(run.finishedAt),
    state: run.state,
    delivery: run.delivery,
    output: run.output,
    ...(run.error !== null && { error: run.error }),
  };
}

function toIso(instant: number): string {
  return new Date(instant).toISOString();
}

function renderRun({ routine, dueAt, state, delivery, output, error }: RoutineRun): string {
  const sent = delivery === "none" ? "" : `, message ${delivery}`;
  const head = `${toIso(dueAt)}  ${toVisibleName(routine)}  ${state}${sent}${error === null ? "" : `: ${error}`}`;
  return output === "" ? head : `${head}\n${output.replaceAll(/^(?=.)/gm, "  ")}`;
}

function renderTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const renderRow = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join("  ");
  return rows.map((row) => renderRow(row).trimEnd()).join("\n");
}
