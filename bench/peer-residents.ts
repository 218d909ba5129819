import type { BotApiServer } from "../tests/support/bot-api-server.ts";
import { until } from "../tests/support/patience.ts";

/** A program that stays and answers one prompt after another. */
export interface Resident extends AsyncDisposable {
  readonly pid: number;
  /** Asks something, and resolves when the answer is there. */
  prompt(): Promise<void>;
}

/** How a program is started. */
export interface Start {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Who may write to the bots of a measurement. */
export const OWNER = 501;

/** A bot: it is asked and answers on Telegram. */
export async function startBot(start: Start, bot: BotApiServer): Promise<Resident> {
  const talk = open(start);
  await talk.hear(/DAEMON_READY/u);
  return {
    ...talk,
    async prompt() {
      const before = bot.sent().length;
      bot.say(OWNER, "hi");
      await until(() => bot.sent().length > before);
    },
  };
}

/** `codex app-server`: JSON-RPC in lines, with a thread that is begun. */
export async function startAppServer(start: Start): Promise<Resident> {
  const talk = open(start);
  const clientInfo = { name: "bench", title: "bench", version: "1" };
  talk.say({ id: 1, method: "initialize", params: { clientInfo } });
  await talk.hear(/"id":1,"result"/u);
  talk.say({ method: "initialized" });
  talk.say({ id: 2, method: "thread/start", params: {} });
  const threadId = (await talk.hear(/"result":\{"thread":\{"id":"([^"]+)"/u))[1];
  return {
    ...talk,
    async prompt() {
      const input = [{ type: "text", text: "hi" }];
      talk.say({ id: 3, method: "turn/start", params: { threadId, input } });
      await talk.hear(/"method":"turn\/completed"/u);
    },
  };
}

/** `pi --mode rpc`: commands and events in lines. */
export async function startRpc(start: Start): Promise<Resident> {
  const talk = open(start);
  talk.say({ id: "1", type: "get_state" });
  await talk.hear(/"command":"get_state","success":true/u);
  return {
    ...talk,
    async prompt() {
      talk.say({ id: "2", type: "prompt", message: "hi" });
      await talk.hear(/"type":"agent_settled"/u);
    },
  };
}

/** A process that is told things in lines of JSON, and heard on both outputs. */
function open({ command, cwd, env }: Start) {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  let heard = "";
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) heard += decoder.decode(chunk, { stream: true });
  };
  void read(child.stdout);
  void read(child.stderr);
  return {
    pid: child.pid,
    say: (record: object) => void child.stdin.write(`${JSON.stringify(record)}\n`),
    async hear(pattern: RegExp): Promise<RegExpExecArray> {
      let found: RegExpExecArray | null = null;
      const isHeard = () => (found = pattern.exec(heard)) !== null || child.exitCode !== null;
      await until(isHeard, () => `${command.join(" ")} did not say ${pattern}:\n${heard}`);
      if (found === null) throw new Error(`${command.join(" ")} has ended:\n${heard}`);
      return found;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
