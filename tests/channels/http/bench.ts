import type { Channel } from "../../../src/channels/channel.ts";
import { createHttpChannel, type HttpOptions } from "../../../src/channels/http/http-channel.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { type Behaviour, createScript, type Script } from "../script.ts";

/** What lets the owner in. */
export const TOKEN = "t".repeat(64);
/** What the daemon says of itself. */
export const STATUS = {
  uptime_s: 5,
  rss_bytes: 1000,
  sessions: 2,
  pending_approvals: 0,
  channels: { terminal: { state: "listening", clients: 3 } },
};

/** A channel over a conversation of the test, and a client. */
export interface Bench extends Script, AsyncDisposable {
  readonly channel: Channel;
  readonly root: string;
  call(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
}

/** Starts a channel; by default its conversation echoes what it receives. */
export async function openBench(
  say: Behaviour["say"] = (text, emit) => emit({ kind: "content", text }),
  {
    bodyMs = PATIENCE_MS,
    trigger,
    log = () => {},
  }: Pick<Partial<HttpOptions>, "bodyMs" | "trigger" | "log"> = {},
): Promise<Bench> {
  const script = createScript({ say });
  const channel = createHttpChannel({
    access: { host: "127.0.0.1", port: 0, token: TOKEN },
    conversation: script,
    describeStatus: () => STATUS,
    texts: () => textsIn("en"),
    language: () => "en",
    log,
    bodyMs,
    ...(trigger && { trigger }),
  });
  await channel.start();
  const rootOf = () => `http://127.0.0.1:${String(channel.status()["port"])}`;
  const call: Bench["call"] = (path, init = {}) => {
    const own = Object.fromEntries(new Headers(init.headers));
    const headers = { authorization: `Bearer ${TOKEN}`, ...own };
    return fetch(rootOf() + path, { ...init, headers });
  };
  return {
    ...script,
    channel,
    get root() {
      return rootOf();
    },
    call,
    post(path, content, init = {}) {
      const body = typeof content === "string" ? content : JSON.stringify(content);
      return call(path, { method: "POST", body, ...init });
    },
    [Symbol.asyncDispose]: () => channel.stop(AbortSignal.timeout(0)),
  };
}

/** The documents of an event stream. */
export async function dataOf(response: Response): Promise<readonly string[]> {
  const parts = (await response.text()).split("\n\n").filter((part) => part.startsWith("data: "));
  return parts.map((part) => part.slice("data: ".length));
}
