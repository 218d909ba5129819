import { maskTexts } from "../../agent/session/session.ts";
import type { RoutineFacts, Sign } from "../../channels/http/http-channel.ts";
import { AppError } from "../../core/app-error.ts";
import { renderInstant } from "../../core/clock.ts";
import { firstOf } from "../../core/few.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { RoutineRun } from "../../store/routines/routines.ts";
import type { RoutineService, RoutineView } from "../../tools/routine-service.ts";
import type { App } from "../app/app.ts";

type Document = Readonly<Record<string, unknown>>;

/** How far the calendar looks, and how many instants of one routine it has: an hourly one has all. */
const WEEK_MS = 7 * 86_400_000;
const MOST_AHEAD = 200;
/** Runs in the strip of a routine. */
const STRIP = 30;

/** What pages read of routines; the instants are the scheduler's own. */
export function createRoutineFacts(
  app: Pick<App, "current" | "clock">,
  service: RoutineService,
): RoutineFacts & { signs(): readonly Sign[] } {
  const mask = <T>(document: T): T => maskTexts(document, app.current.agent.core.redact);
  const isRunning = ({ state, last }: RoutineView) =>
    state === "running" || last?.state === "running" || last?.state === "due";

  function toActions(view: RoutineView): readonly Document[] {
    const { buttons } = app.current.texts();
    const { name: ref, state } = view;
    if (state === "invalid") return [];
    if (isRunning(view)) return [{ act: "stop_routine", ref, label: buttons.stop }];
    return [
      { act: "run_routine", ref, label: buttons.run },
      { act: "dry_run_routine", ref, label: buttons.dryRun },
      state === "disabled"
        ? { act: "routine_on", ref, label: buttons.turnOn }
        : { act: "routine_off", ref, label: buttons.turnOff },
    ];
  }

  function describe(view: RoutineView, until: number): Document {
    const { name, source, schedule, timezone, mode, workspace, state, reason, next, last } = view;
    const { task, channel, dues, isMore } = service.ahead(name, until, MOST_AHEAD);
    const words = `${schedule}${workspace === undefined ? "" : ` in ${workspace}`}: ${task}`;
    const isWhole = toVisibleText(words) === words && mask(words) === words;
    const recent = service.logs(name, STRIP);
    const toInstant = (at: number) => ({
      at: new Date(at).toISOString(),
      local: renderInstant(at, timezone),
    });
    return {
      name,
      source,
      schedule,
      timezone,
      mode,
      channel,
      task: toVisibleText(task),
      ...(source === "dynamic" && { words: isWhole ? words : null }),
      ...(workspace !== undefined && { workspace }),
      state: isRunning(view) ? "running" : state,
      ...(reason !== undefined && { reason: toVisibleText(reason) }),
      next: next.map(toInstant),
      ahead: dues.map(toInstant),
      ...(isMore && { ahead_more: true }),
      ...(last && { last: toRun(last) }),
      runs: recent.total,
      recent: recent
        .take(() => {})
        .map(({ dueAt, state: ended, delivery, cause }) => {
          return { due_at: new Date(dueAt).toISOString(), state: ended, delivery, cause };
        }),
      actions: toActions(view),
    };
  }

  return {
    list() {
      const from = app.clock.now();
      const until = from + WEEK_MS;
      return mask({
        from: new Date(from).toISOString(),
        until: new Date(until).toISOString(),
        routines: service.list().map((view) => describe(view, until)),
      });
    },
    runs(name, { before, limit }) {
      try {
        const { total } = service.logs(name, 1);
        const found = service.older(name, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
        let isMore = false;
        const shown = firstOf(found, limit).take(() => (isMore = true));
        const last = shown.at(-1);
        const older = isMore && last ? last.dueAt : null;
        return mask({ name, total, runs: shown.map(toRun), older });
      } catch (error) {
        if (error instanceof AppError && error.code === "ERR_ROUTINE_UNKNOWN") return undefined;
        throw error;
      }
    },
    signs: () =>
      service.list().map((view) => {
        const { name, state, reason, last } = view;
        const ended = last && [last.dueAt, last.state, last.delivery];
        return { kind: "routine", name, sign: JSON.stringify([state, reason, ended]) };
      }),
  };
}

/** A run with what came of it; the state of its message is apart. */
function toRun({
  dueAt,
  startedAt,
  finishedAt,
  state,
  delivery,
  cause,
  output,
  error,
}: RoutineRun) {
  const instant = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    due_at: new Date(dueAt).toISOString(),
    started_at: instant(startedAt),
    finished_at: instant(finishedAt),
    state,
    delivery,
    cause,
    output: toVisibleText(output),
    error: error === null ? null : toVisibleText(error),
  };
}
