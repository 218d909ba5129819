import type { Press } from "../../channels/channel.ts";
import { AppError } from "../../core/app-error.ts";
import { renderInstant } from "../../core/clock.ts";
import { shorten } from "../../core/cut-text.ts";
import { firstOf } from "../../core/few.ts";
import { toVisibleName, toVisibleText } from "../../core/visible-text.ts";
import { readRunRef } from "../../protocol/run-ref.ts";
import { decide, PERSONS_OWN } from "../../security/policy.ts";
import type { RoutineRun } from "../../store/routines/routines.ts";
import type { Texts } from "../../texts/texts.ts";
import { Refusal } from "../../texts/texts.ts";
import { wordIn } from "../../texts/wording.ts";
import type { RoutineService, RoutineView } from "../../tools/routine-service.ts";
import type { AgentCore, CommandDeps, RequestContext, RoutinesOfChats } from "../deps.ts";
import { noteMade } from "../interrupted/interrupted.ts";
import { recordedIntent, recordIntent } from "../session/session.ts";

/** Routines in a chat: what there is, and running and switching them by words or buttons. */

/** Routines that have buttons; the others are called by name. */
const MAX_WITH_BUTTONS = 6;

/** Runs that `/routines logs` shows, and how much of each; the list shows less. */
const MAX_RUNS = 10;
const MAX_RUN_CHARS = 200;
const MAX_LISTED_CHARS = 80;

/** `/routines [run|on|off|logs NAME]`. */
export async function lookAfterRoutines(
  request: RequestContext,
  deps: CommandDeps,
  argument: string,
): Promise<string | void> {
  const { texts } = request;
  const routines = deps.daemon?.routines;
  if (!routines) return texts.status.noDaemon;
  if (argument === "") return listRoutines(request, routines);
  const [, verb = "", name = ""] = /^(\S+)\s+(\S.*)$/su.exec(argument) ?? [];
  switch (verb.toLowerCase()) {
    case "run":
      return (await askToRun(request, deps, name))(request);
    case "on":
    case "off":
      return turnRoutine(request, deps, name, verb.toLowerCase() === "on");
    case "logs":
      return listRuns(routines, name, texts);
    default:
      return texts.routines.how;
  }
}

async function listRoutines(
  { texts, emit }: RequestContext,
  service: RoutineService,
): Promise<string | void> {
  const { routines: said } = texts;
  const views = service.list();
  if (views.length === 0) return said.none;
  const lines = views.map((view) => `· ${renderRoutine(view, texts)}`);
  const valid = views.filter(({ state }) => state !== "invalid");
  const options = firstOf(valid, MAX_WITH_BUTTONS)
    .take((left, all) => lines.push(said.moreButtons(all - left, all)))
    .flatMap(toOptions);
  const text = [said.head, ...lines, said.how].join("\n");
  await emit({ kind: "choice", text, options, columns: 2 });
}

function renderRoutine(
  { name, schedule, timezone, state, reason, next, last }: RoutineView,
  { status, routines }: Texts,
): string {
  const { marks } = status;
  const word = wordIn(status.words, state);
  const [at] = next;
  const parts = [
    marks.named(toVisibleName(name), marks.because(`\`${schedule}\``, timezone)),
    reason === undefined ? word : marks.because(word, reason),
    ...(at === undefined ? [] : [status.next(renderInstant(at, timezone))]),
    ...(last ? [routines.last(renderRun({ ...last, timezone }, routines, MAX_LISTED_CHARS))] : []),
  ];
  return parts.reduce((line, part) => marks.and(line, part));
}

/** Each names the state that it sets, so that pressing twice does the same. */
function toOptions({ name, state }: RoutineView) {
  const isOff = state === "disabled";
  const act: Press["act"] = isOff ? "routine_on" : "routine_off";
  return [
    { label: `▶ ${toVisibleName(name)}`, press: { act: "run_routine", ref: name } as const },
    { label: `${isOff ? "⏵" : "⏸"} ${toVisibleName(name)}`, press: { act, ref: name } },
  ];
}

function listRuns(service: RoutineService, name: string, { routines }: Texts): string {
  const { timezone } = service.find(name);
  const runs = service.logs(name, MAX_RUNS);
  if (runs.total === 0) return routines.noRuns(name);
  const line = (run: RoutineRun) => `· ${renderRun({ ...run, timezone }, routines, MAX_RUN_CHARS)}`;
  return runs.lines(line, (left, all) => routines.moreRuns(all - left, all, name)).join("\n");
}

function renderRun(
  run: RoutineRun & { readonly timezone: string },
  { states }: Texts["routines"],
  max: number,
): string {
  const line = toVisibleText(resultOf(run)).replaceAll(/\s+/gu, " ");
  const said = line === "" ? "" : `: ${shorten(line, max)}`;
  return `${renderInstant(run.dueAt, run.timezone)} ${states[run.state]}${said}`;
}

/** What came of a run, or why nothing did. */
function resultOf({ error, output }: RoutineRun): string {
  return error ?? output;
}

/** Switches a routine on or off, and shows its state after that. */
export async function turnRoutine(
  request: RequestContext,
  deps: CommandDeps,
  name: string,
  enabled: boolean,
): Promise<void> {
  const service = openRoutines(request, deps);
  service.turn(name, enabled);
  const view = service.find(name);
  const text = renderRoutine(view, request.texts);
  await request.emit({ kind: "choice", text, options: toOptions(view), columns: 2 });
}

/**
 * Takes a request to run a routine now; the returned function runs it, when the session
 * reaches it. A run that ends after the request answers it: pressing twice, or a crash, runs it once.
 */
export async function askToRun(
  request: RequestContext,
  deps: CommandDeps,
  name: string,
): Promise<(later: RequestContext) => Promise<void>> {
  const { core } = deps;
  const service = openRoutines(request, deps);
  service.find(name);
  const askedAt = Number(recordedIntent(request, core) ?? core.clock.now());
  recordIntent(request, core, String(askedAt));
  return (later) => runRoutine(later, core, { service, name, askedAt });
}

async function runRoutine(
  request: RequestContext,
  core: AgentCore,
  {
    service,
    name,
    askedAt,
  }: { readonly service: RoutinesOfChats; readonly name: string; readonly askedAt: number },
): Promise<void> {
  const { speaker, texts, emit, signal } = request;
  const { routines: said, status } = texts;
  const { timezone } = service.find(name);
  // What answers a press is among the newest, or the press is older than all that is kept.
  const newest = service.logs(name, MAX_RUNS).take(() => {});
  const since = newest.find((run) => isAnswer(run, askedAt));
  if (since) {
    const isRunning = since.finishedAt === null;
    const ended = `${said.ranSince(name)}\n${renderRun({ ...since, timezone }, said, MAX_RUN_CHARS)}`;
    return emit({ kind: "content", text: isRunning ? said.runsAlready(name) : ended });
  }
  await emit({ kind: "progress", text: status.routine(name) });
  const { run, events } = await service.runFor(speaker, name, signal, (workId) =>
    noteMade(request, core, workId),
  );
  for (const event of events) await emit(event);
  if (events.length === 0) await emit({ kind: "content", text: renderDone(name, run, said) });
}

/** What a routine would do: said when the session reaches it. */
export async function askToDryRun(
  request: RequestContext,
  deps: CommandDeps,
  name: string,
): Promise<(later: RequestContext) => Promise<void>> {
  const service = openRoutines(request, deps);
  service.find(name);
  return async ({ texts, emit, signal }) => {
    await emit({ kind: "progress", text: texts.status.routine(name) });
    const { ok, text, diff, tokens } = await service.dry(name, signal);
    const { dryDone, dryFailed } = texts.routines;
    const said = [text, ...(diff === undefined ? [] : [diff]), (ok ? dryDone : dryFailed)(tokens)];
    await emit({ kind: "content", text: said.join("\n\n") });
  };
}

/** Ends what runs of a routine now. */
export async function stopRoutine(
  request: RequestContext,
  deps: CommandDeps,
  name: string,
): Promise<void> {
  const { stopping, runsNot } = request.texts.routines;
  const isThere = openRoutines(request, deps).stop(name);
  await request.emit({ kind: "content", text: (isThere ? stopping : runsNot)(name) });
}

/** Puts a failed run away: it waits for nobody any more, and stays among the runs. */
export async function setAsideRun(
  request: RequestContext,
  deps: CommandDeps,
  ref: string,
): Promise<void> {
  const { status, routines } = request.texts;
  if (!deps.daemon) throw new AppError("ERR_DAEMON_NOT_RUNNING", status.noDaemon);
  const [name, dueAt] = readRunRef(ref) ?? [ref, undefined];
  const { last } = deps.daemon.routines.find(name);
  if (last?.state !== "failed" || last.dueAt !== dueAt) {
    throw new Refusal("APPROVAL_INVALID", ({ nothingKnown }) => nothingKnown);
  }
  deps.core.settings.of("routine.set_aside.").set(name, dueAt);
  await request.emit({ kind: "content", text: routines.setAside(name) });
}

/** What was left out or never began is no answer, nor what somebody asked for before and was cut off. */
function isAnswer({ state, cause, dueAt, finishedAt }: RoutineRun, askedAt: number): boolean {
  if (state === "unknown" && cause === "manual" && dueAt < askedAt) return false;
  return state !== "skipped" && state !== "missed" && (finishedAt ?? Infinity) > askedAt;
}

function renderDone(name: string, run: RoutineRun, said: Texts["routines"]): string {
  const text = resultOf(run);
  if (run.state === "ok") return text === "" ? said.shown(name) : said.result(name, text);
  return run.state === "skipped" ? said.capped(name, text) : said.failed(name, text);
}

/** Running and switching are changes; the press or the command is the person's yes to them. */
export function openRoutines(
  { texts }: RequestContext,
  { core, daemon }: CommandDeps,
): RoutinesOfChats {
  const facts = { ...PERSONS_OWN, effect: "rule", hasApprover: true } as const;
  if (decide(core.security.autonomy, facts).kind === "deny") {
    throw new Refusal("denied", ({ locked }) => locked);
  }
  if (!daemon) throw new AppError("ERR_DAEMON_NOT_RUNNING", texts.status.noDaemon);
  return daemon.routines;
}
