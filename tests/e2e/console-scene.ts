import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { InboxItem } from "../../src/channels/http/http-channel.ts";
import { type BotApiServer, startBotApi } from "../support/bot-api-server.ts";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { openPhone, type Phone } from "../support/phone.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import type { HostedDaemon } from "./host-daemon.ts";
import { createSandbox, phoneConfig, type Sandbox } from "./papayu.ts";

/** The owner's id on the phone. */
export const OWNER = 501;
const GUEST = 502;
/** A secret in a file: no answer may have it. */
export const PLANTED = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";

/** A daemon with a phone, a scripted model, and the HTTP API. */
export interface ConsoleScene extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly daemon: HostedDaemon;
  readonly bot: BotApiServer;
  readonly phone: Phone;
  readonly guest: Phone;
  readonly folder: string;
  readonly port: number;
  readonly root: string;
  readonly bearer: Readonly<Record<string, string>>;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  readonly post: (
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ) => Promise<Response>;
  readonly inbox: () => Promise<Inbox>;
  readonly review: (ref: string) => Promise<ReviewDocument>;
}

/** The inbox as a page reads it. */
export interface Inbox {
  readonly ok: true;
  readonly boot_id: string;
  readonly seq: number;
  readonly items: readonly InboxItem[];
}

/** What tests read of a review. */
export interface ReviewDocument {
  readonly ok: true;
  readonly state: string;
  readonly digest: string;
  readonly outcome?: {
    readonly status: string;
    readonly tx_id: string;
    readonly undo_ref?: string;
  };
}

/** Plans two files, of which one has a secret and a line that hides something. */
function playModel({ body }: ModelRequest): Reply {
  const said = body.messages.map(({ content }) => String(content)).join("\n");
  const content = `# Why\n\nkey ${PLANTED}\nabc\u202e\n`;
  const actions = [{ kind: "CREATE_FILE", path: "docs/why.md", content }];
  const isApply = said.includes("Now APPLY");
  const text = JSON.stringify({ actions: isApply ? actions : [], summary: "1. Write docs/why.md" });
  return { kind: "text", text };
}

/** Starts all of it; `more` goes behind the configuration. */
export async function openConsoleScene(
  more = "",
  model: (request: ModelRequest) => Reply = playModel,
  httpPort = 0,
  publicUrl = "",
  check = "false",
): Promise<ConsoleScene> {
  await using cleanup = new AsyncDisposableStack();
  const dir = cleanup.use(tempDir());
  const folder = join(dir.path, "notes");
  writeTree(folder, { "a.txt": "one\ntwo\nthree\n" });
  const bot = cleanup.use(await startBotApi());
  const server = cleanup.use(startModelServer(model));
  const config = `${phoneConfig(server.url, bot.url, OWNER, GUEST)}[http]
port = ${httpPort}
public_url = "${publicUrl}"
[[workspaces]]
name = "notes"
path = "./notes"
check = ${check}
${more}`;
  const sandbox = createSandbox(dir.path, config, { TELEGRAM_BOT_TOKEN: bot.token });
  const daemon = cleanup.use(await sandbox.host());
  const [, said = ""] =
    /http: listening, port (\d+)/.exec((await sandbox.run("status")).stdout) ?? [];
  const port = Number(said);
  const root = `http://127.0.0.1:${port}`;
  const token = readFileSync(join(sandbox.home, "http.token"), "utf8").trim();
  const bearer = { authorization: `Bearer ${token}` };
  const get: ConsoleScene["get"] = (path, headers = bearer) =>
    fetch(root + path, { headers, redirect: "manual" });
  const read = async (path: string) => JSON.parse(await (await get(path)).text());
  const resources = cleanup.move();
  return {
    sandbox,
    daemon,
    bot,
    phone: openPhone(bot, OWNER),
    guest: openPhone(bot, GUEST),
    folder,
    port,
    root,
    bearer,
    get,
    inbox: () => read("/api/inbox"),
    review: (ref) => read(`/api/change-sets/${ref}`),
    post: (path, body, headers = bearer) =>
      fetch(root + path, { method: "POST", headers, body: JSON.stringify(body) }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** What nobody may ask who shows nothing, or comes from elsewhere. */
export async function isClosed({ get, bearer }: ConsoleScene, path: string): Promise<void> {
  expect((await get(path, {})).status).toBe(401);
  expect((await get(path, { "x-papayu-session": "0.0" })).status).toBe(401);
  expect((await get(path, { ...bearer, origin: "https://evil.example" })).status).toBe(403);
}

/** One event of the inbox. */
export interface StreamedEvent {
  readonly seq: number;
  readonly kind: "inbox" | "reload";
  readonly item?: InboxItem;
  readonly gone?: string;
}

/** The data of an event stream, one after another. */
export async function* eventsOf(response: Response): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true });
    const parts = rest.split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const line = part.split("\n").find((each) => each.startsWith("data: "));
      if (line) yield JSON.parse(line.slice("data: ".length));
    }
  }
}
