import { goneFolder } from "../../config/gone-folder.ts";
import { shorten } from "../../core/cut-text.ts";
import { lastOf } from "../../core/few.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Amount } from "../../providers/budget.ts";
import type { StoredMemory } from "../../store/memories/memories.ts";
import type { Texts } from "../../texts/texts.ts";
import { Refusal } from "../../texts/texts.ts";
import {
  countLeftAlone,
  type HistoryEntry,
  readNewest,
} from "../../transaction/journal/journal.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { AgentCore, CommandDeps, RequestContext } from "../deps.ts";
import { selectedWorkspace, setPlan } from "../session/session.ts";

/** What commands show of the workspace, of what is remembered and of the work done. */

/** Changes that /history shows. */
const MAX_HISTORY = 10;

/** `/history`: the newest changes of the workspace. */
export function listHistory(request: RequestContext, { core }: CommandDeps): string {
  const { texts } = request;
  const { history } = texts;
  const workspace = selectedWorkspace(request, core);
  const entries = readNewest(workspace, MAX_HISTORY + 1);
  const lines = lastOf(entries, MAX_HISTORY).lines(
    (entry) => renderEntry(entry, texts),
    () => history.newest(MAX_HISTORY, workspace.name), // who lists all counts them
  );
  const none = lines.length === 0 ? [history.none] : [];
  return [...none, ...lines, ...renderLeftAlone(workspace, history)].join("\n");
}

/** Says where a change is that the history, or what can be undone, does not show. */
export function renderLeftAlone(workspace: Workspace, texts: Texts["history"]): readonly string[] {
  const count = countLeftAlone(workspace);
  return count > 0 ? [texts.leftAlone(count, workspace.name)] : [];
}

function renderEntry(entry: HistoryEntry, { history: texts, status }: Texts): string {
  const { marks } = status;
  const { kind, at, changes, summary, kept } = entry;
  const time = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const back = kept.length > 0 ? texts.rolledBackExcept : texts.rolledBack;
  const ends = { committed: "", rolled_back: back, open: texts.open };
  const what = `${time} ${texts.kinds[kind]}`;
  const end = ends[entry.status];
  const head = marks.and(end === "" ? what : marks.because(what, end), texts.count(changes.length));
  return marks.named(head, summary);
}

/** `/ws [NAME]`: lists the workspaces, or chooses one for the session. */
export async function chooseWorkspace(
  request: RequestContext,
  { core }: CommandDeps,
  name: string,
): Promise<string | void> {
  const { texts } = request;
  const { workspaces } = core;
  if (workspaces.names.length === 0) return texts.workspaces.none;
  if (name !== "") return useWorkspace(request, core, name);
  const selected = selectedName(request, core);
  const lines = workspaces.names.map((each) => `${each === selected ? "▸" : "·"} ${each}`);
  const text = [texts.workspaces.head, ...lines, texts.workspaces.how].join("\n");
  const others = workspaces.names.filter((each) => each !== selected);
  if (others.length === 0) return text;
  const options = others.map((ref) => ({ label: ref, press: { act: "use_ws", ref } as const }));
  await request.emit({ kind: "choice", text, options });
}

/** Also of a folder that is not there, for who wants to choose another. */
function selectedName(request: RequestContext, core: AgentCore): string {
  try {
    return selectedWorkspace(request, core).name;
  } catch (error) {
    const gone = goneFolder(error);
    if (gone) return gone.name;
    throw error;
  }
}

/** Chooses a workspace for the session; says so. Throws ERR_WORKSPACE_UNKNOWN. */
export function useWorkspace(request: RequestContext, core: AgentCore, name: string): string {
  const { speaker, texts } = request;
  const { workspaces, sessions, clock } = core;
  const { names } = workspaces;
  // A path would grant a folder that the owner never configured.
  if (!names.includes(name)) {
    const say = ({ workspaceUnknown }: Texts["refusals"]) => workspaceUnknown(name, names);
    throw new Refusal("ERR_WORKSPACE_UNKNOWN", say);
  }
  const workspace = workspaces.get(name).name;
  sessions.update(speaker.sessionId, speaker.userId, { workspace }, clock.now());
  setPlan(request, core, null);
  return texts.workspaces.chosen(workspace);
}

/** `/status`: how the daemon is, and what models took today. */
export function showStatus({ speaker, texts: all }: RequestContext, deps: CommandDeps): string {
  const { status: texts } = all;
  const render = ({ tokens, cost }: Amount) =>
    cost > 0 ? texts.tokensAndCost(tokens, Number(cost.toPrecision(3))) : texts.tokens(tokens);
  const spent = texts.spent(render(deps.spent()), render(deps.spent(speaker.sessionId)));
  return `${deps.daemon?.status() ?? texts.noDaemon}\n${spent}`;
}

/** Memories that /memory shows, and how much of each. */
const MAX_MEMORIES = 20;
const MAX_MEMORY_CHARS = 200;

/** `/memory [forget KEY]`: what is remembered of the speaker here, or forgets one of it. */
export function showMemory(
  request: RequestContext,
  { core, memories }: CommandDeps,
  argument: string,
): string {
  const { speaker, texts } = request;
  const owner = { userId: speaker.userId, workspaceRoot: selectedWorkspace(request, core).root };
  const key = /^forget\s+(.+)$/isu.exec(argument)?.[1];
  if (key !== undefined) {
    const { forgotten, unknown } = texts.memory;
    return memories.remove(owner, key) > 0 ? forgotten(key) : unknown(shorten(key, 100));
  }
  const found = memories.find(owner, { words: "", limit: MAX_MEMORIES });
  if (found.total === 0) return texts.memory.none;
  const lines = found.lines(
    (memory) => renderMemory(memory, texts),
    (left, all) => texts.memory.newest(all - left, all),
  );
  return [...lines, texts.memory.how].join("\n");
}

function renderMemory(
  { key, category, text, isEverywhere }: StoredMemory,
  { memory: { everywhere }, status: { marks } }: Texts,
): string {
  const line = toVisibleText(text).replaceAll(/\s+/gu, " ");
  const where = isEverywhere ? marks.and(category, everywhere) : category;
  const what = toVisibleText(marks.because(key, where));
  return marks.named(what, shorten(line, MAX_MEMORY_CHARS));
}

/** Applies that a report is of. */
const REPORTED = 100;

/** `/report`: how the newest applies went, in a few words and as the whole table. */
export async function reportApplies(
  request: RequestContext,
  { core }: CommandDeps,
): Promise<string> {
  const [{ readTraces }, { buildReport }, { renderReport }] = await Promise.all([
    import("../../trace/read-traces.ts"),
    import("../../trace/report/report.ts"),
    import("../../trace/report/render-report.ts"),
  ]);
  const workspace = selectedWorkspace(request, core);
  const traces = readTraces(workspace, { now: core.clock.now(), signal: request.signal });
  const report = await buildReport(traces, { kind: "last", count: REPORTED });
  const { report: texts } = request.texts;
  const { apply_count: count, from, to, tokens, cost, graduation } = report;
  if (from === null || to === null) return texts.none(workspace.name);
  const lines = [
    texts.applies(count, workspace.name, from.slice(0, 10), to.slice(0, 10)),
    texts.failed(report.failed_count, report.fallback_count),
    texts.tokens(tokens.input.toLocaleString("en"), tokens.output.toLocaleString("en")),
    ...(cost === null ? [] : [texts.cost(cost.toFixed(4))]),
    graduation.ready ? texts.ready : texts.notReady,
  ];
  const table = renderReport(report, workspace.name).replaceAll("```", "'''");
  return `${lines.join("\n")}\n\n\`\`\`\n${table}\n\`\`\`\n`;
}

/** `/web`: how the web console is opened; with a button where Telegram can open it. */
export async function showConsole(
  { speaker, texts, emit }: RequestContext,
  { daemon }: CommandDeps,
): Promise<string | void> {
  const { how, own, alone, open: label } = texts.console;
  const app = daemon?.webApp(speaker);
  if (app === undefined) return how;
  if (app === "in private") return `${how}\n\n${alone}`;
  const text = app.isOwner ? how : own;
  await emit({ kind: "choice", text, options: [], opens: { label, url: app.url } });
}
