import { AppError } from "../core/app-error.ts";
import { shorten } from "../core/cut-text.ts";
import type { RoutineService } from "../tools/routine-service.ts";
import type { ToolArguments } from "../tools/tool.ts";
import { chat, STRANGERS_SEEN, toolsOf } from "./chat.ts";
import { openRoutines } from "./commands/commands.ts";
import type { Agent, RequestContext } from "./deps.ts";
import { showQuestion, storeQuestion, toAskedCall } from "./gate/gate.ts";
import type { FollowUp } from "./press.ts";
import { selectedWorkspace } from "./session/session.ts";

/** Who says more has a task for a plan, not for a schedule. */
const MOST_CHARS = 4000;
const NAME_CHARS = 40;

/**
 * Asks about the routine that some words are, as a chat does when its model makes one: with its next
 * instants, and nothing is kept before a yes. Words that say when, a colon and what are read without a
 * model; all others are given to one, where there is one.
 */
export async function proposeRoutine(
  request: RequestContext,
  agent: Agent,
  words: string,
): Promise<FollowUp | undefined> {
  const service = openRoutines(request, agent.commands);
  const toArgs = (read: ReadWords) => {
    const taken = new Set(service.list().map(({ name }) => name));
    return { action: "create", name: nameOf(read.task, taken), ...read };
  };
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
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
  const toArgs = ({ timezone: _own, ...read }: ReadWords) => ({ action: "change", name, ...read });
  return propose(request, agent, { service, words, timeZone: timezone, toArgs }, "changeOf", name);
}

interface Proposed {
  readonly service: RoutineService;
  readonly words: string;
  readonly timeZone: string;
  readonly toArgs: (read: ReadWords) => ToolArguments;
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
  const read = await readWords(words, service, core.workspaces.names, timeZone);
  if (read) {
    await ask(request, agent, toArgs(read));
    return undefined;
  }
  if (commands.providers.current.name === "offline") {
    throw new AppError("ERR_ROUTINE_INVALID", said.wordsHow);
  }
  return (later, { turns }) => chat(later, turns, said[how](words, name));
}

/** What words say of a routine. */
interface ReadWords {
  readonly schedule: string;
  readonly task: string;
  readonly timezone: string;
  readonly workspace?: string;
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

/** "every weekday at 8 in notes: what changed?"; undefined: they are other words. */
async function readWords(
  words: string,
  service: RoutineService,
  workspaces: readonly string[],
  timezone: string,
): Promise<ReadWords | undefined> {
  for (const { index, 0: mark } of words.matchAll(/[:：]\s+|：|\n/gu)) {
    const [when, workspace] = splitPlace(words.slice(0, index).trim(), workspaces);
    const task = words.slice(index + mark.length).trim();
    if (task === "" || !(await isSchedule(service, when, timezone))) continue;
    return { schedule: when, task, timezone, ...(workspace !== undefined && { workspace }) };
  }
  return undefined;
}

/** `… in NAME` with the name of a workspace. */
function splitPlace(
  when: string,
  workspaces: readonly string[],
): readonly [string, string | undefined] {
  const [, head, name] = /^(.+?)\s*(?:\bin|(?<!\S)в|在)\s*(\S+)$/isu.exec(when) ?? [];
  const isKnown = head !== undefined && name !== undefined && workspaces.includes(name);
  return isKnown ? [head, name] : [when, undefined];
}

async function isSchedule(service: RoutineService, when: string, timezone: string) {
  try {
    return (await service.readSchedule(when, timezone)).next.length > 0;
  } catch (error) {
    if (error instanceof AppError) return false;
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
