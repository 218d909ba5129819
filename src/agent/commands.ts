import { nearestKey } from "../config/nearest-key.ts";
import { AppError } from "../core/app-error.ts";
import type { Amount } from "../providers/budget.ts";
import { type HistoryEntry, readHistory } from "../transaction/history.ts";
import { switchAutoUse } from "./auto-use.ts";
import type { Exchange } from "./deps.ts";
import { applyPlan, askApproval, proposePlan } from "./flows.ts";
import { planWithResearch } from "./plan-goal.ts";
import { renderRules } from "./rules.ts";
import { selectedWorkspace, setPlan, storedPlan, storedResearch } from "./session-state.ts";

interface Command {
  /** What /help says of it. */
  readonly help: string;
  /** A returned text is the answer. */
  readonly run: (exchange: Exchange, argument: string) => Promise<string | void> | string;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    plan: {
      help: "GOAL: plan a change in the workspace",
      run: async (exchange, goal) =>
        goal === "" ? "Say what to plan: /plan add a README" : proposePlan(exchange, goal),
    },
    apply: {
      help: "turn the last plan into a change set and ask for approval",
      async run(exchange) {
        await applyPlan(exchange, storedPlan(exchange));
      },
    },
    diff: { help: "show the last plan's change set again", run: showDiff },
    use: {
      help: "plan again with what was found on the web, once",
      run: (exchange) => planWithResearch(exchange, storedResearch(exchange)),
    },
    autouse: {
      help: "[on|off]: whether findings from the web go into plans unasked",
      run: switchAutoUse,
    },
    undo: {
      help: "take the newest change back",
      async run(exchange) {
        const { deps, emit, signal } = exchange;
        const outcome = await deps.operations.undo(selectedWorkspace(exchange), signal);
        await emit({ kind: "outcome", outcome });
      },
    },
    redo: {
      help: "bring back what was undone",
      async run(exchange) {
        const { deps, emit, signal } = exchange;
        const outcome = await deps.operations.redo(selectedWorkspace(exchange), signal);
        await emit({ kind: "outcome", outcome });
      },
    },
    history: { help: "list the changes of the workspace", run: listHistory },
    ws: { help: "[NAME]: show or choose the workspace", run: chooseWorkspace },
    status: {
      help: "state of the daemon, and what models took today",
      run: (exchange) =>
        `${exchange.deps.describe?.status() ?? "No daemon runs here."}\n${describeSpending(exchange)}`,
    },
    rules: {
      help: "what I may do, what asks you, and what never happens",
      run: (exchange) => renderRules(exchange.deps.security, selectedWorkspace(exchange)),
    },
    routines: {
      help: "routines and their next runs",
      run: ({ deps }) => deps.describe?.routines() ?? "No daemon runs here.",
    },
    help: { help: "this list", run: listCommands },
  } satisfies Record<string, Command>),
);

/** Words that are commands when they stand alone. */
const PLAIN_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    undo: "undo",
    отмени: "undo",
    отменить: "undo",
    撤销: "undo",
    redo: "redo",
    верни: "redo",
    вернуть: "redo",
    重做: "redo",
    help: "help",
    помощь: "help",
    帮助: "help",
  }),
);

/** Whether a message must not wait for the work that it is to end. */
export function isCancel(text: string): boolean {
  return /^\s*\/cancel(?!\S)/iu.test(text);
}

/** A message as a slash command, or undefined when it is none. */
export function toCommand(text: string): string | undefined {
  const message = text.trim();
  if (message.startsWith("/")) return message;
  const word = PLAIN_WORDS.get(message.toLowerCase());
  return word && `/${word}`;
}

/** Runs a message that starts with "/"; an unknown command is told the nearest one. */
export async function runSlashCommand(exchange: Exchange, text: string): Promise<void> {
  const [, name = "", argument = ""] = /^\/(\S*)\s*([\s\S]*)$/u.exec(text) ?? [];
  const command = COMMANDS.get(name.toLowerCase() || "help");
  const reply = command ? await command.run(exchange, argument) : unknownCommand(name);
  if (typeof reply === "string") await exchange.emit({ kind: "content", text: reply });
}

async function showDiff(exchange: Exchange): Promise<void> {
  const { deps, signal } = exchange;
  const shown = await deps.operations.preview(storedPlan(exchange), signal);
  if (!shown.ok) throw new AppError(shown.code, shown.message);
  await askApproval(exchange, shown.preview);
}

function listHistory(exchange: Exchange): string {
  const entries = readHistory(selectedWorkspace(exchange));
  if (entries.length === 0) return "No changes yet.";
  return entries.slice(-MAX_HISTORY).map(renderEntry).join("\n");
}

/** Changes that /history shows. */
const MAX_HISTORY = 10;

function renderEntry(entry: HistoryEntry): string {
  const time = new Date(entry.at).toISOString().slice(0, 16).replace("T", " ");
  return `${time} ${entry.kind} ${entry.status} (${entry.changes.length} changes) ${entry.summary}`;
}

function chooseWorkspace(exchange: Exchange, name: string): string {
  const { deps, speaker } = exchange;
  const { names } = deps.workspaces;
  if (name === "") return listWorkspaces(names, selectedWorkspace(exchange).name);
  // A path would grant a folder that the owner never configured.
  if (!names.includes(name)) {
    const message = `There is no workspace "${name}"; there are: ${names.join(", ")}`;
    throw new AppError("ERR_WORKSPACE_UNKNOWN", message);
  }
  const workspace = deps.workspaces.get(name).name;
  deps.sessions.update(speaker.sessionId, speaker.userId, { workspace }, deps.clock.now());
  setPlan(exchange, null);
  return `Workspace: ${workspace}`;
}

function listWorkspaces(names: readonly string[], selected: string): string {
  const lines = names.map((name) => `${name === selected ? "▸" : " "} ${name}`);
  return ["Workspaces:", ...lines, "/ws NAME chooses one"].join("\n");
}

function describeSpending({ deps, speaker }: Exchange): string {
  const render = ({ tokens, cost }: Amount) =>
    cost > 0 ? `${tokens} tokens, cost ${Number(cost.toPrecision(3))}` : `${tokens} tokens`;
  const here = deps.spent(speaker.sessionId);
  return `Models today (UTC): ${render(deps.spent())}; here: ${render(here)}`;
}

function listCommands(): string {
  return [
    "plan: GOAL — plan a change; ok — apply the plan; anything else — chat",
    ...[...COMMANDS].map(([name, { help }]) => `/${name} ${help}`),
    "/cancel end what is running",
  ].join("\n");
}

function unknownCommand(name: string): string {
  const near = nearestKey(name, [...COMMANDS.keys()]);
  return `Unknown command /${name.slice(0, 40)}.${near ? ` Did you mean /${near}?` : ""} /help lists all.`;
}
