import type { Emit, Speaker } from "../channels/channel.ts";
import { AppError } from "../core/app-error.ts";
import type { HistoryEntry } from "../transaction/history.ts";
import type { AgentDeps } from "./deps.ts";
import { applyPlan, askApproval, emitOutcome, proposePlan, selectedWorkspace } from "./flows.ts";

type Command = (call: {
  readonly deps: AgentDeps;
  readonly speaker: Speaker;
  readonly argument: string;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}) => Promise<string | undefined>;

/** Every slash command with what /help says of it; a returned text is the answer. */
const COMMANDS: Readonly<Record<string, { readonly help: string; readonly run: Command }>> = {
  plan: {
    help: "GOAL: plan a change in the workspace",
    async run({ deps, speaker, argument, emit, signal }) {
      if (argument === "") return "Say what to plan: /plan add a README";
      await proposePlan(deps, speaker, argument, emit, signal);
      return undefined;
    },
  },
  apply: {
    help: "turn the last plan into a change set and ask for approval",
    async run({ deps, speaker, emit, signal }) {
      await applyPlan(deps, speaker, storedPlan(deps, speaker), emit, signal);
      return undefined;
    },
  },
  diff: {
    help: "show the last plan's change set again",
    async run({ deps, speaker, emit, signal }) {
      const shown = await deps.operations.preview(storedPlan(deps, speaker), signal);
      if (!shown.ok) throw new AppError(shown.code, shown.message);
      await askApproval(deps, speaker, shown.preview, emit);
      return undefined;
    },
  },
  undo: {
    help: "take the newest change back",
    async run({ deps, speaker, emit, signal }) {
      await emitOutcome(emit, await deps.operations.undo(selectedWorkspace(deps, speaker), signal));
      return undefined;
    },
  },
  redo: {
    help: "bring back what was undone",
    async run({ deps, speaker, emit, signal }) {
      await emitOutcome(emit, await deps.operations.redo(selectedWorkspace(deps, speaker), signal));
      return undefined;
    },
  },
  history: {
    help: "list the changes of the workspace",
    async run({ deps, speaker }) {
      const entries = deps.workspaces.history(selectedWorkspace(deps, speaker));
      return entries.length === 0
        ? "No changes yet."
        : entries.slice(-10).map(renderEntry).join("\n");
    },
  },
  ws: {
    help: "[NAME]: show or choose the workspace",
    async run({ deps, speaker, argument }) {
      if (argument === "") return listWorkspaces(deps, selectedWorkspace(deps, speaker).name);
      // A path would grant a folder that the owner never configured.
      if (!deps.workspaces.names.includes(argument)) {
        const known = deps.workspaces.names.join(", ");
        throw new AppError(
          "ERR_WORKSPACE_UNKNOWN",
          `There is no workspace "${argument}"; there are: ${known}`,
        );
      }
      const { name } = deps.workspaces.get(argument);
      const change = { workspace: name, planId: null };
      deps.sessions.update(speaker.sessionId, speaker.userId, change, deps.clock.now());
      return `Workspace: ${name}`;
    },
  },
  status: {
    help: "state of the daemon",
    run: async ({ deps }) => deps.describe?.status() ?? "No daemon runs here.",
  },
  routines: {
    help: "routines and their next runs",
    run: async ({ deps }) => deps.describe?.routines() ?? "No daemon runs here.",
  },
  help: { help: "this list", run: async () => HELP },
};

const HELP = [
  "plan: GOAL — plan a change; ok — apply the plan; anything else — chat",
  ...Object.entries(COMMANDS).map(([name, { help }]) => `/${name} ${help}`),
  "/cancel end what is running",
].join("\n");

/** Words that are commands when they stand alone. */
const PLAIN_WORDS: Readonly<Record<string, string>> = {
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
};

/** A message as a slash command, or undefined when it is none. */
export function toCommand(text: string): string | undefined {
  if (text.startsWith("/")) return text;
  const word = text.trim().toLowerCase();
  return Object.hasOwn(PLAIN_WORDS, word) ? `/${PLAIN_WORDS[word]}` : undefined;
}

/** Runs a message that starts with "/"; an unknown command is told the nearest one. */
export async function runSlashCommand(
  deps: AgentDeps,
  speaker: Speaker,
  text: string,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  const [, name = "", argument = ""] = /^\/(\S*)\s*([\s\S]*)$/u.exec(text) ?? [];
  const command = COMMANDS[name.toLowerCase()];
  if (!command) return emit({ kind: "content", text: unknownCommand(name) });
  const reply = await command.run({ deps, speaker, argument: argument.trim(), emit, signal });
  if (reply !== undefined) await emit({ kind: "content", text: reply });
}

function storedPlan(deps: AgentDeps, speaker: Speaker): string {
  const { planId } = deps.sessions.state(speaker.sessionId);
  if (planId === undefined)
    throw new AppError("ERR_PLAN_UNKNOWN", "No plan is stored here; make one with /plan GOAL");
  return planId;
}

function renderEntry(entry: HistoryEntry): string {
  const time = new Date(entry.at).toISOString().slice(0, 16).replace("T", " ");
  return `${time} ${entry.kind} ${entry.status} (${entry.changes.length} changes) ${entry.summary}`;
}

function listWorkspaces(deps: AgentDeps, selected: string): string {
  const lines = deps.workspaces.names.map((name) => `${name === selected ? "▸" : " "} ${name}`);
  return ["Workspaces:", ...lines, "/ws NAME chooses one"].join("\n");
}

function unknownCommand(name: string): string {
  const near = Object.keys(COMMANDS).find((known) => known.startsWith(name.slice(0, 2)));
  return `Unknown command /${name}.${near ? ` Did you mean /${near}?` : ""} /help lists all.`;
}
