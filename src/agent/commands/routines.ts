import type { Press } from "../../channels/channel.ts";
import { AppError } from "../../core/app-error.ts";
import { cutText } from "../../core/cut-text.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { decide, PERSONS_OWN } from "../../security/policy.ts";
import type { Texts } from "../../texts/texts.ts";
import { wordIn } from "../../texts/word-in.ts";
import type { RequestContext } from "../deps.ts";
import { refusal } from "../refusal.ts";
import type { RoutineDesk, RoutineView, RunView } from "../routine-desk.ts";
import { keepMeant, meantAtFirst } from "../session/session.ts";

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
  argument: string,
): Promise<string | void> {
  const { texts, routines } = request.deps;
  if (!routines) return texts.status.noDaemon;
  if (argument === "") return listRoutines(request, routines);
  const [, verb = "", name = ""] = /^(\S+)\s+(\S.*)$/su.exec(argument) ?? [];
  switch (verb.toLowerCase()) {
    case "run":
      return (await askToRun(request, name))(request);
    case "on":
    case "off":
      return turnRoutine(request, name, verb.toLowerCase() === "on");
    case "logs":
      return listRuns(routines, name, texts);
    default:
      return texts.routines.how;
  }
}

async function listRoutines(
  { deps, emit }: RequestContext,
  desk: RoutineDesk,
): Promise<string | void> {
  const { routines: said } = deps.texts;
  const views = desk.list();
  if (views.length === 0) return said.none;
  const lines = views.map((view) => `· ${renderRoutine(view, deps.texts)}`);
  const options = views
    .filter(({ state }) => state !== "invalid")
    .slice(0, MAX_WITH_BUTTONS)
    .flatMap(toOptions);
  await emit({
    kind: "choice",
    text: [said.head, ...lines, said.how].join("\n"),
    options,
    columns: 2,
  });
}

function renderRoutine(
  { name, schedule, timezone, state, reason, next, last }: RoutineView,
  { status, routines }: Texts,
): string {
  const { marks } = status;
  const word = wordIn(status.words, state);
  const parts = [
    marks.named(name, marks.because(`\`${schedule}\``, timezone)),
    reason === undefined ? word : marks.because(word, reason),
    ...(next === undefined ? [] : [status.next(next)]),
    ...(last ? [routines.last(renderRun(last, routines, MAX_LISTED_CHARS))] : []),
  ];
  return parts.reduce((line, part) => marks.and(line, part));
}

/** Each says what it makes of the routine, so that pressing twice does the same. */
function toOptions({ name, state }: RoutineView) {
  const isOff = state === "disabled";
  const act: Press["act"] = isOff ? "routine_on" : "routine_off";
  return [
    { label: `▶ ${name}`, press: { act: "run_routine", ref: name } as const },
    { label: `${isOff ? "⏵" : "⏸"} ${name}`, press: { act, ref: name } },
  ];
}

function listRuns(desk: RoutineDesk, name: string, { routines }: Texts): string {
  const runs = desk.logs(name, MAX_RUNS);
  if (runs.length === 0) return routines.noRuns(name);
  return runs.map((run) => `· ${renderRun(run, routines, MAX_RUN_CHARS)}`).join("\n");
}

function renderRun(
  { at, state, text }: RunView,
  { states }: Texts["routines"],
  max: number,
): string {
  const line = toVisibleText(text).replaceAll(/\s+/gu, " ");
  const cut = cutText(line, max);
  const said = cut === "" ? "" : `: ${cut}${cut.length < line.length ? "…" : ""}`;
  return `${at} ${states[state]}${said}`;
}

/** Switches a routine on or off, and shows how it stands now. */
export async function turnRoutine(
  request: RequestContext,
  name: string,
  enabled: boolean,
): Promise<void> {
  const { deps, emit } = request;
  const desk = openDesk(request);
  desk.turn(name, enabled);
  const view = desk.find(name);
  const text = renderRoutine(view, deps.texts);
  await emit({ kind: "choice", text, options: toOptions(view), columns: 2 });
}

/**
 * Takes a wish to run a routine now; what is given back does it, when it is the session's turn. A
 * run that ends after the wish fulfils it: pressing twice, or a crash in between, runs it once.
 */
export async function askToRun(
  request: RequestContext,
  name: string,
): Promise<(later: RequestContext) => Promise<void>> {
  const desk = openDesk(request);
  desk.find(name);
  const askedAt = Number(meantAtFirst(request) ?? request.deps.clock.now());
  keepMeant(request, String(askedAt));
  return (later) => runRoutine(later, desk, name, askedAt);
}

async function runRoutine(
  { deps, speaker, emit, signal }: RequestContext,
  desk: RoutineDesk,
  name: string,
  askedAt: number,
): Promise<void> {
  const { routines: said, status } = deps.texts;
  const since = desk.logs(name, MAX_RUNS).find((run) => isAnswer(run, askedAt));
  if (since) {
    const isRunning = since.endedAt === undefined;
    const ended = `${said.ranSince(name)}\n${renderRun(since, said, MAX_RUN_CHARS)}`;
    return emit({ kind: "content", text: isRunning ? said.runsAlready(name) : ended });
  }
  await emit({ kind: "progress", text: status.routine(name) });
  const { done, events } = await desk.run(name, speaker, signal);
  for (const event of events) await emit(event);
  if (events.length === 0) await emit({ kind: "content", text: renderDone(name, done, said) });
}

/** What was left out or never began is no answer. */
function isAnswer({ state, endedAt = Infinity }: RunView, askedAt: number): boolean {
  return state !== "skipped" && state !== "missed" && endedAt > askedAt;
}

function renderDone(name: string, { state, text }: RunView, said: Texts["routines"]): string {
  if (state === "ok") return text === "" ? said.shown(name) : said.result(name, text);
  return state === "skipped" ? said.capped(name, text) : said.failed(name, text);
}

/** Running and switching are changes; the press or the command is the person's yes to them. */
function openDesk({ deps }: RequestContext): RoutineDesk {
  const { security, routines, texts } = deps;
  const facts = { ...PERSONS_OWN, effect: "rule", hasApprover: true } as const;
  if (decide(security.autonomy, facts).kind === "deny") {
    throw refusal("denied", texts, ({ locked }) => locked);
  }
  if (!routines) throw new AppError("ERR_DAEMON_NOT_RUNNING", texts.status.noDaemon);
  return routines;
}
