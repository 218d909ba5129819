import { AppError } from "../../core/app-error.ts";
import { shorten } from "../../core/cut-text.ts";
import type { RoutineService } from "../../tools/routine-service.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import { chat, STRANGERS_SEEN, toolsOf } from "../chat.ts";
import { openRoutines } from "../commands/commands.ts";
import type { Agent, FollowUp, RequestContext } from "../deps.ts";
import { showQuestion, storeQuestion, toAskedCall } from "../gate/gate.ts";
import { selectedWorkspace } from "../session/session.ts";
import { type ReadWords, readWords } from "./routine-words.ts";

/** Who says more has a task for a plan, not for a schedule. */
const MOST_CHARS = 4000;
const NAME_CHARS = 40;

/**
 * Asks about the routine that some words are, as a chat does when its model makes one: with its next
 * instants, and nothing is kept before a yes. Words that say when, a colon and what are read without a
 * model; all others are given to one. Where there is none, the colon may be missing.
 */
export async function proposeRoutine(
  request: RequestContext,
  agent: Agent,
  words: string,
): Promise<FollowUp | undefined> {
  const service = openRoutines(request, agent.commands);
  const toArgs = (read: WithZone) => {
    const taken = new Set(service.list().map(({ name }) => name));
    return { action: "create", name: nameOf(read.task, taken), ...read };
  };
  const timeZone = service.timezone();
  return propose(request, agent, { service, words, timeZone, toArgs }, "makeOf");
}

/**
 * The same of a routine that was added: as the words say it is to be, beside what it is. Its runs and
 * its switch stay.
 *
 * @throws AppError ERR_ROUTINE_UNKNOWN, and ERR_ROUTINE_INVALID for one of config.toml
 */
export async function proposeChange(
  request: RequestContext,
  agent: Agent,
  name: string,
  words: string,
): Promise<FollowUp | undefined> {
  const service = openRoutines(request, agent.commands);
  const { timezone } = await service.entry(name);
  const toArgs = ({ timezone: _own, ...read }: WithZone) => ({ action: "change", name, ...read });
  return propose(request, agent, { service, words, timeZone: timezone, toArgs }, "changeOf", name);
}

type WithZone = ReadWords & { readonly timezone: string };

interface Proposed {
  readonly service: RoutineService;
  readonly words: string;
  readonly timeZone: string;
  readonly toArgs: (read: WithZone) => ToolArguments;
}

async function propose(
  request: RequestContext,
  agent: Agent,
  { service, words, timeZone, toArgs }: Proposed,
  how: "makeOf" | "changeOf",
  name = "",
): Promise<FollowUp | undefined> {
  const { core, commands } = agent;
  const { routines: said } = request.texts;
  if (words.trim() === "" || words.length > MOST_CHARS) {
    throw new AppError("ERR_ROUTINE_INVALID", said.wordsHow);
  }
  const isOffline = commands.providers.current.name === "offline";
  const read = await readWords(words, {
    workspaces: core.workspaces.names,
    needsColon: !isOffline,
    toCron: (when) => toCron(service, when, timeZone),
  });
  if (read) {
    await ask(request, agent, toArgs({ ...read, timezone: timeZone }));
    return undefined;
  }
  if (isOffline) throw new AppError("ERR_ROUTINE_INVALID", said.wordsOffline);
  return (later, { turns }) => chat(later, turns, said[how](words, name));
}

async function ask(request: RequestContext, { core, turns }: Agent, args: ToolArguments) {
  const workspace = selectedWorkspace(request, core);
  const tools = await toolsOf(request, turns, workspace, STRANGERS_SEEN);
  const tool = tools.find(({ schema }) => schema.name === "routine");
  const completed = await tool?.complete?.(args, { userTexts: [] }, request.signal);
  if (!tool || completed?.kind !== "complete") {
    throw new AppError("ERR_ROUTINE_INVALID", "Cannot make a routine here");
  }
  const call = await toAskedCall(tool, completed.args, workspace);
  const approvalId = storeQuestion(request, core, call);
  core.settings.of("command.").set(approvalId, "asked by a command"); // before anybody can answer
  await showQuestion(request, call, approvalId, "person");
}

async function toCron(service: RoutineService, when: string, timezone: string) {
  try {
    const { schedule, next } = await service.readSchedule(when, timezone);
    return next.length > 0 ? schedule : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Of its first words, with a number where that is taken. */
function nameOf(task: string, taken: ReadonlySet<string>): string {
  const [start = ""] = /^(?:[^\p{L}\p{N}]*[\p{L}\p{N}]+){1,4}/u.exec(task.toLowerCase()) ?? [];
  const words = start.match(/[\p{L}\p{N}]+/gu) ?? [];
  const base = shorten(words.join("-"), NAME_CHARS).replaceAll("…", "");
  const names = [base, ...Array.from({ length: taken.size + 1 }, (_, n) => `${base}-${n + 2}`)];
  return names.find((name) => name !== "" && !taken.has(name)) ?? "routine";
}
