import { nearestKey } from "../config/nearest-key.ts";
import type { Command } from "./context.ts";

const NOT_APPLIED = { status: "rejected", changes: [] };

/** Every command of `papayu`, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  init: {
    usage: "init [DIR] | init --service [systemd|launchd] [--json]",
    summary: "writes a commented config.toml, or a service file; never overwrites",
    load: async () => (await import("./setup/init.ts")).init,
  },
  demo: {
    usage: "demo [--json]",
    summary: "a tour on a scratch copy of the sample project: no key, no network",
    blank: { steps: [] },
    isPainted: true,
    load: async () => (await import("./setup/demo.ts")).demo,
  },
  start: {
    usage: "start [--detach] [--json]",
    summary: "starts the daemon; in a terminal it is also a chat",
    isTalk: true,
    load: async () => (await import("./daemon/start.ts")).start,
  },
  stop: {
    usage: "stop [--json]",
    summary: "stops the daemon and waits until it is gone",
    load: async () => (await import("./daemon/stop.ts")).stop,
  },
  restart: {
    usage: "restart [--json]",
    summary: "stops the daemon and starts it again, in the background",
    load: async () => (await import("./daemon/restart.ts")).restart,
  },
  status: {
    usage: "status [--json]",
    summary: "what the daemon is doing",
    blank: { running: false },
    load: async () => (await import("./daemon/status.ts")).status,
  },
  logs: {
    usage: "logs [-f] [--lines N] [--json]",
    summary: "the end of the daemon's log; with -f what comes, too",
    blank: { lines: [] },
    load: async () => (await import("./daemon/logs.ts")).logs,
  },
  open: {
    usage: "open [--print] [--plain] | open --list | open --revoke ID [--json]",
    summary: "the web console: opens it in your browser; lists who was let in",
    load: async () => (await import("./daemon/open-console.ts")).openConsole,
  },
  chat: {
    usage: "chat [-w WS] [--session ID]",
    summary: "talks to the running daemon",
    isTalk: true,
    load: async () => (await import("./chat/chat.ts")).chat,
  },
  ask: {
    usage: "ask TEXT [-w WS] [--json]",
    summary: "one answer, without the daemon",
    blank: { text: "", tool_calls: [], model_calls: 0 },
    isPainted: true,
    load: async () => (await import("./agent/ask.ts")).ask,
  },
  plan: {
    usage: "plan GOAL [-w WS] [--tries N | --research] [--protocol 1|2|3] [--json]",
    summary: "makes and stores a plan; with --tries several, and shows the best",
    blank: { actions: [] },
    isPainted: true,
    load: async () => (await import("./changes/plan.ts")).plan,
  },
  preview: {
    usage: "preview PLAN_ID [--keep PATH]… [--reach HOST]… [--json]",
    summary: "shows a plan's change set and diff",
    blank: { change_set_id: null, changes: [], diff: "", blocked: [] },
    isPainted: true,
    load: async () => (await import("./changes/preview.ts")).preview,
  },
  apply: {
    usage:
      "apply PLAN_ID|--goal GOAL|--patch FILE [-w WS] [--protocol N] [--keep PATH]… [--reach HOST]… [--yes|--approve ID] [--json]",
    summary: "applies a change set or a patch whose checks pass, or goes back",
    blank: NOT_APPLIED,
    isPainted: true,
    load: async () => (await import("./changes/apply.ts")).apply,
  },
  check: {
    usage: "check [-w WS] [--json]",
    summary: "runs a workspace's checks on it as it is, without writing to it",
    load: async () => (await import("./changes/check.ts")).check,
  },
  undo: {
    usage: "undo [-w WS] [--series | --check [--yes]] [--json]",
    summary: "takes the newest change back",
    blank: NOT_APPLIED,
    isPainted: true,
    load: async () => (await import("./changes/undo.ts")).undo,
  },
  redo: {
    usage: "redo [-w WS] [--json]",
    summary: "brings back what was undone",
    blank: NOT_APPLIED,
    load: async () => (await import("./changes/undo.ts")).redo,
  },
  history: {
    usage: "history [-w WS] [--json]",
    summary: "lists the changes of a workspace",
    blank: { entries: [] },
    load: async () => (await import("./changes/history.ts")).history,
  },
  recover: {
    usage: "recover [--adopt TX [--yes]] [--close TX] [-w WS] [--json]",
    summary: "rolls back what a crash left half done",
    blank: { recovered: [], adopted: [], closed: [], left_alone: [] },
    load: async () => (await import("./changes/recover.ts")).recover,
  },
  validate: {
    usage: "validate FILE|- [--protocol 1|2|3] [--mode plan|apply] [--json]",
    summary: "checks a model's answer as the planner would",
    blank: { errors: [], problems: [] },
    load: async () => (await import("./changes/validate.ts")).validate,
  },
  trace: {
    usage: "trace list [--last N]|show TRACE_ID|golden TRACE_ID [--name NAME] [-w WS] [--json]",
    summary: "what models were asked and answered",
    load: async () => (await import("./inspect/trace.ts")).trace,
  },
  report: {
    usage: "report [-w WS] [--last N|--from D --to D] [--json]",
    summary: "how applies went, and whether they need the fallback to v1",
    load: async () => (await import("./inspect/report.ts")).report,
  },
  tool: {
    usage: "tool NAME [JSON] [-w WS] [--json]",
    summary: "runs one tool of the chat; JSON holds its arguments",
    blank: { content: "" },
    isPainted: true,
    load: async () => (await import("./agent/tool.ts")).tool,
  },
  tools: {
    usage: "tools [-w WS] [--json]",
    summary: "lists the tools of the chat, with their schemas",
    blank: { tools: [] },
    load: async () => (await import("./agent/tools.ts")).tools,
  },
  routine: {
    usage:
      "routine list|add|remove JOB|enable JOB|disable JOB|run JOB [--dry]|logs [JOB] [--last N] [--json]",
    summary: "scheduled work; add takes --name N --schedule S --task T and more",
    load: async () => (await import("./routine/routine-command.ts")).routine,
  },
  pair: {
    usage: "pair [CODE|--refuse ID|--remove ID] [--json]",
    summary: "lists who asks to be let in on Telegram, lets one in",
    load: async () => (await import("./setup/pair.ts")).pair,
  },
  config: {
    usage: "config check|path|trust|get [KEY]|set KEY VALUE|unset KEY [--yes] [--json]",
    summary: "checks, shows and changes the configuration",
    load: async () => (await import("./setup/config-command.ts")).config,
  },
  doctor: {
    usage: "doctor [-w WS] [--probe] [--repair|--adopt [--yes]] [--json]",
    summary: "what is wrong on this machine; repairs state.db; tries the sandbox",
    blank: { findings: [] },
    load: async () => (await import("./inspect/doctor.ts")).doctor,
  },
  completion: {
    usage: "completion bash|zsh|fish [--json]",
    summary: "the script with which a shell completes a line",
    load: async () => (await import("./setup/completion/completion.ts")).completionOf(COMMANDS),
  },
  version: {
    usage: "version [--json]",
    summary: "which version this is, how it was made, and the Bun that it runs on",
    load: async () => (await import("./setup/version.ts")).version,
  },
};

/** What holds for every command. */
export const GENERAL = `Every command takes --config PATH and --help, every one but chat --json. WS is the name of
a configured workspace or a folder.`;

/** What scripts may rely on: `EXIT` in words. */
export const EXIT_CODES = `0 done, 1 failed or rolled back,
2 bad usage or configuration, 3 approval needed, 4 the daemon is not running.`;

/** The help of `papayu`. */
export function renderHelp(): string {
  const rows = Object.values(COMMANDS).map(({ usage, summary }) => {
    const short = wrap(usage.replace(" [--json]", ""));
    const gap = short.length > WIDTH ? `\n${" ".repeat(WIDTH + 4)}` : "  ";
    return `  ${short.padEnd(WIDTH)}${gap}${summary}`;
  });
  return `papayu: plans changes to your folders, applies them after one approval, can undo

${rows.join("\n")}

${GENERAL} Exit codes: ${EXIT_CODES}
`;
}

const WIDTH = 28;

/** Goes on in another line before an option that would end behind column 100. */
function wrap(usage: string): string {
  return usage.replaceAll(/(.{1,96})(?: (?=\[)|$)/gu, "$1\n      ").trimEnd();
}

/** What other programs call a command: by its letters "setup" is nearest to "stop". */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["setup", "init"],
  ["install", "init"],
  ["serve", "start"],
  ["daemon", "start"],
  ["kill", "stop"],
]);

/** The command most like a mistyped one. */
export function nearestCommand(name: string): string | undefined {
  return ELSEWHERE.get(name.toLowerCase()) ?? nearestKey(name, Object.keys(COMMANDS));
}
