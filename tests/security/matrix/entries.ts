import { Writable } from "node:stream";
import { ask } from "../../../src/cli/agent/ask.ts";
import { tool } from "../../../src/cli/agent/tool.ts";
import { COMMANDS } from "../../../src/cli/commands.ts";
import type { CliContext } from "../../../src/cli/context.ts";
import { AppError } from "../../../src/core/app-error.ts";
import { createRoutineDeps } from "../../../src/daemon/routines/routine-deps.ts";
import type { Routine } from "../../../src/routines/routine.ts";
import type { Autonomy } from "../../../src/security/policy.ts";
import { connect } from "../../channels/socket/bench.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { OWNER, type World } from "./world.ts";

/** A way by which a person's words come in; every case has a session of its own. */
export interface Entry {
  readonly name: EntryName;
  /** Somebody is there who can be asked. */
  readonly hasApprover: boolean;
  /** Tools that a model is not given there. */
  readonly withheld?: readonly string[];
  /** Says it, and waits until the answer has been given. */
  say(text: string, autonomy: Autonomy): Promise<void>;
}

export type EntryName = "telegram" | "socket" | "http" | "ask" | "routine";

/** Nobody watches a routine, so that it has no tool that would stay or come back. */
const WITHHELD = ["propose_changes", "routine", "config", "remember", "forget"];

/** All of them into one world. */
export function createEntries(world: World): readonly Entry[] {
  return [
    { name: "telegram", hasApprover: true, say: onTelegram(world) },
    { name: "socket", hasApprover: true, say: onSocket(world) },
    { name: "http", hasApprover: true, say: onHttp(world) },
    { name: "ask", hasApprover: false, say: byAsk(world) },
    { name: "routine", hasApprover: false, withheld: WITHHELD, say: inRoutine(world) },
  ];
}

function onTelegram(world: World): Entry["say"] {
  let thread = 1;
  return async (text, autonomy) => {
    world.setAutonomy(autonomy);
    const topic = { is_topic_message: true, message_thread_id: thread++ };
    await settled(world, world.api.say(OWNER, text, topic));
  };
}

/** Waits until an update is worked off and every message is out. */
export async function settled({ api, app }: World, updateId: number): Promise<void> {
  const isDone = app.state.store.query(
    "SELECT 1 FROM inbox WHERE update_id = ? AND state = 'done'",
  );
  const waits = app.state.store.query("SELECT 1 FROM outbox WHERE state IN ('waiting', 'sending')");
  await api.waitFor(() => isDone.get(updateId) !== null && waits.get() === null);
}

function onSocket(world: World): Entry["say"] {
  let session = 1;
  return async (text, autonomy) => {
    world.setAutonomy(autonomy);
    const terminal = await connect(world.daemon.socketPath);
    terminal.say(text, `s${session++}`);
    for (;;) {
      const line = await terminal.next();
      world.left(JSON.stringify(line));
      if (line.type === "done" || line.type === "error") break;
    }
    terminal.close();
  };
}

function onHttp(world: World): Entry["say"] {
  let session = 1;
  return async (text, autonomy) => {
    world.setAutonomy(autonomy);
    const response = await post(world, "/api/chat", {
      message: text,
      session_id: `h${session++}`,
    });
    world.left(await response.text());
  };
}

/** One request to the local API, by who has the token unless `headers` say otherwise. */
export function post(
  { httpUrl, httpToken }: World,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(httpUrl + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${httpToken}`, ...headers },
  });
}

function byAsk(world: World): Entry["say"] {
  return async (text, autonomy) => {
    const context = openContext(world, "ask");
    const args = ["--config", world.configPath(autonomy), "--", text];
    await ask(args, context).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      world.left(error.message);
    });
  };
}

function inRoutine(world: World): Entry["say"] {
  return async (text, autonomy) => {
    world.setAutonomy(autonomy);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const routine: Routine = {
      name: "attack",
      source: "config",
      schedule: "0 8 * * *",
      timezone: "UTC",
      mode: "ask",
      task: text,
      channel: "none",
      misfire: "skip",
      onlyIfChanged: false,
      enabled: true,
      caps: { runs: 0, tokens: 0, cost: 0 },
    };
    const done = await createRoutineDeps(world.app.current).ask(routine, signal);
    world.left(done.text);
  };
}

/** `papayu tool NAME JSON --json` without a terminal: its exit code and its document. */
export async function runTool(
  world: World,
  name: string,
  args: unknown,
  autonomy: Autonomy,
): Promise<{ readonly exitCode: number; readonly printed: string }> {
  const printed: string[] = [];
  const context = openContext(world, "tool", printed);
  const line = ["--config", world.configPath(autonomy), "--", name, JSON.stringify(args)];
  return { exitCode: await tool(line, context), printed: printed.join("") };
}

function openContext(world: World, name: "ask" | "tool", printed: string[] = []): CliContext {
  const write = (text: string) => {
    printed.push(text);
    world.left(text);
  };
  const screen = toStream(write);
  return {
    command: { usage: COMMANDS[name]?.usage ?? "", json: true, quiet: false },
    caller: { cwd: world.dir, env: world.env, userHome: world.env["HOME"] ?? "" },
    stdin: process.stdin,
    stdout: screen,
    stderr: screen,
    signal: AbortSignal.timeout(PATIENCE_MS),
    screen: () => undefined,
  };
}

function toStream(write: (text: string) => void): NodeJS.WriteStream {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      write(String(chunk));
      done();
    },
  });
  if (isScreen(stream)) return stream;
  throw new Error("no stream");
}

/** A stream that is no terminal: commands only write to it, and ask whether it is one. */
function isScreen(stream: unknown): stream is NodeJS.WriteStream {
  return stream instanceof Writable;
}
