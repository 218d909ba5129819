import { join } from "node:path";
import { createConversation } from "../../src/agent/conversation.ts";
import type { Agent, DaemonCommands } from "../../src/agent/deps.ts";
import type { AgentEvent, Emit, Press, Speaker } from "../../src/channels/channel.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import { systemClock } from "../../src/core/clock.ts";
import { type App, createApp } from "../../src/daemon/app/app.ts";
import type { Author } from "../../src/planner/author.ts";
import type { Provider } from "../../src/providers/provider.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { layState } from "../support/fresh-store.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

/** A goal for which the built-in rules always find something to do in {@link FILES}. */
export const GOAL = "plan: add what a newcomer would miss";

const FILES = { "a.txt": "one\ntwo\n" };

/** Two people in one chat, and one of them elsewhere. */
export const ANNA: Speaker = { sessionId: "telegram:-100", userId: "telegram:1" };
export const BORIS: Speaker = { sessionId: "telegram:-100", userId: "telegram:2" };
export const ANNA_ELSEWHERE: Speaker = { sessionId: "telegram:1", userId: "telegram:1" };

/** What came back for one message or press. */
export interface AgentReply {
  readonly events: readonly AgentEvent[];
  readonly kinds: readonly string[];
  /** All content, joined. */
  readonly text: string;
  last<K extends AgentEvent["kind"]>(kind: K): Extract<AgentEvent, { kind: K }>;
}

/** The agent with a real home, database, folder and planner. */
export interface Scene extends Disposable, AsyncDisposable {
  readonly dir: string;
  readonly folder: string;
  readonly app: App;
  readonly conversation: ReturnType<typeof createConversation>;
  readonly logged: readonly string[];
  say(text: string, who?: Speaker): Promise<AgentReply>;
  press(
    act: Press["act"],
    ref: string,
    who?: Speaker,
    revision?: Press["revision"],
  ): Promise<AgentReply>;
  /** Approves; `running` resolves when the first check has begun. */
  approve(ref: string): { readonly reply: Promise<AgentReply>; readonly running: Promise<void> };
  tree(): Record<string, string>;
  /** Puts these workspaces in the place of "notes", as a configuration that is saved meanwhile. */
  reload(workspaces: string): Promise<Agent>;
  /** Lets time pass on the agent's clock. */
  wait(ms: number): void;
}

/** Writes what the goal says, `NAME: TEXT`: a new file, or a.txt's first line. */
export const WRITER: Author = {
  name: "writer",
  model: "none",
  strictJson: false,
  tokenBudget: 0,
  async answer({ mode, goal, messages }) {
    const [path = "", text = ""] = goal.split(": ");
    const shown = messages.map(({ content }) => content).join("\n");
    const base_sha256 = new RegExp(`FILE\\[${path}\\] \\(sha256=(\\w+)`).exec(shown)?.[1];
    const patch = `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n-one\n+${text}\n two\n`;
    const action = base_sha256
      ? { kind: "PATCH_FILE", path, patch, base_sha256 }
      : { kind: "CREATE_FILE", path, content: `${text}\n` };
    const answer = { actions: mode === "apply" ? [action] : [], summary: `Write ${path}` };
    const usage = { inputTokens: 0, outputTokens: 0 };
    return { ok: true, text: JSON.stringify(answer), usage };
  },
};

/** Opens the scene; `config` is added to a configuration with the workspace "notes". */
export async function openScene(
  options: {
    readonly files?: Readonly<Record<string, string | Uint8Array>>;
    readonly config?: string;
    readonly check?: string;
    readonly env?: Readonly<Record<string, string>>;
    /** Writes the plans instead of the built-in rules. */
    readonly author?: Author;
    /** Answers the chat. */
    readonly provider?: Provider;
    /** What a chat may call, besides the built-in tools. */
    readonly tools?: readonly Tool[];
    /** Turns wait until the tools of servers are there, however busy the machine is. */
    readonly isOnlyTurn?: boolean;
  } = {},
): Promise<Scene> {
  const {
    files = FILES,
    config = "",
    check = "false",
    env = {},
    author,
    provider,
    tools = [],
    isOnlyTurn = false,
  } = options;
  const temp = tempDir();
  const folder = join(temp.path, "notes");
  writeTree(folder, files);
  const workspace = `[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = ${check}\n`;
  writeTree(temp.path, { "config.toml": `${config}\n${workspace}` });
  const logged: string[] = [];
  let waitedMs = 0;
  const clock = { ...systemClock, now: () => Date.now() + waitedMs };
  const world = { ...env, PAPAYU_HOME: join(temp.path, "home/.papa-yu") };
  const load = () =>
    loadConfig({
      path: join(temp.path, "config.toml"),
      cwd: temp.path,
      home: join(temp.path, "home"),
      env: world,
    });
  const loaded = await load();
  const writeLog = (line: string) => void logged.push(line);
  const given = {
    env: world,
    cwd: temp.path,
    writeLog,
    clock,
    isOnlyTurn,
    ...(author && { author }),
  };
  layState(loaded.home);
  const plain = createApp(loaded, { ...given, ...(provider && { provider }) });
  const armed = ({ turns, ...rest }: Agent): Agent => ({
    ...rest,
    turns: {
      ...turns,
      toolsFor: async (...asked) => [...(await turns.toolsFor(...asked)), ...tools],
    },
  });
  let agent = armed(plain.current.agent);
  const app = { ...plain, current: { ...plain.current, agent } };
  const conversation = createConversation(() => agent);
  return {
    dir: temp.path,
    folder,
    app,
    conversation,
    logged,
    say: (text, who = ANNA) => collectReply((emit) => conversation.message(who, text, emit)),
    press: (act, ref, who = ANNA, revision) =>
      collectReply((emit) =>
        conversation.press(who, { act, ref, ...(revision && { revision }) }, emit),
      ),
    approve(ref) {
      const begun = Promise.withResolvers<void>();
      const press = { act: "approve", ref } as const;
      const reply = collectReply(
        (emit) => conversation.press(ANNA, press, emit),
        ({ kind }) => kind === "progress" && begun.resolve(),
      );
      return { reply, running: begun.promise };
    },
    tree: () => readTree(folder),
    async reload(workspaces) {
      writeTree(temp.path, { "config.toml": `${config}\n${workspaces}` });
      plain.reloading.use(await load());
      agent = armed(plain.current.agent);
      return agent;
    },
    wait(ms) {
      waitedMs += ms;
    },
    [Symbol.dispose]() {
      app[Symbol.dispose]();
      temp[Symbol.dispose]();
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      temp[Symbol.dispose]();
    },
  };
}

/** The agent as in a daemon, of which a test has `given`. */
export function withDaemon(agent: Agent, given: Partial<DaemonCommands>): Agent {
  const absent = (name: keyof DaemonCommands) => () => {
    throw new Error(`no ${name} in this test`);
  };
  const daemon: DaemonCommands = {
    status: absent("status"),
    endBrowser: absent("endBrowser"),
    webApp: absent("webApp"),
    isOwner: () => true,
    get routines() {
      return absent("routines")();
    },
    ...given,
  };
  return { ...agent, commands: { ...agent.commands, daemon } };
}

/** An agent whose chat may call these tools and no other. */
export function withTools(agent: Agent, tools: readonly Tool[]): Agent {
  return { ...agent, turns: { ...agent.turns, toolsFor: async () => tools } };
}

/** Gathers the events of one call. */
export async function collectReply(
  call: (emit: Emit) => Promise<void>,
  onEvent: (event: AgentEvent) => void = () => {},
): Promise<AgentReply> {
  const events: AgentEvent[] = [];
  await call((event) => {
    events.push(event);
    onEvent(event);
  });
  return {
    events,
    kinds: events.map(({ kind }) => kind),
    text: events.map((event) => (event.kind === "content" ? event.text : "")).join(""),
    last(kind) {
      const found = events.findLast(isOf(kind));
      if (found) return found;
      throw new Error(`no ${kind} in ${JSON.stringify(events)}`);
    },
  };
}

function isOf<K extends AgentEvent["kind"]>(kind: K) {
  return (event: AgentEvent): event is Extract<AgentEvent, { kind: K }> => event.kind === kind;
}
