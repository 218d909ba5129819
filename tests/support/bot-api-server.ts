import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createUpdateQueue } from "./bot-api-updates.ts";
import {
  type Answer,
  type Payload,
  type Refusal,
  readButtons,
  readDocument,
  readPayload,
  sendAnswer,
  textOf,
} from "./bot-api-wire.ts";
import { createPause, PATIENCE_MS } from "./patience.ts";
import { checkText, MAX_CAPTION, readHtml } from "./telegram-html.ts";

/** One call the bot made, in order of arrival. */
export interface Call {
  readonly method: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** When it had come in, by the clock the server was given. */
  readonly at: number;
}

/** A message of the bot as a chat shows it now. */
export interface SentMessage {
  readonly messageId: number;
  readonly chatId: number;
  readonly threadId: number | undefined;
  /** The text or caption as read, without markup. */
  text: string;
  /** The text as it was sent. */
  html: string;
  readonly document: { readonly filename: string; readonly content: string } | undefined;
  buttons: readonly { readonly label: string; readonly data: string }[];
}

/**
 * What goes wrong with a call; `reset` and `hang` strike after the call had its effect. `silent`
 * answers with the head of an answer that never ends, `rubbish` with what is no JSON, `empty` at
 * once with nothing.
 */
export type Fault =
  | { readonly kind: "silent" }
  | { readonly kind: "empty" }
  /** Answers with blanks for ever. */
  | { readonly kind: "endless" }
  /** Succeeds with this in place of what was asked for. */
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "rubbish"; readonly status: number }
  | ({ readonly kind: "status" } & Refusal)
  | { readonly kind: "reset" }
  /** Answers when that is over. */
  | { readonly kind: "late"; readonly until: Promise<unknown> }
  | { readonly kind: "hang" };

/** A Bot API server on loopback, with the people who write to the bot. */
export interface BotApiServer {
  readonly url: string;
  readonly token: string;
  readonly botId: number;
  readonly username: string;
  /** Every call, polls included. */
  readonly calls: readonly Call[];
  /** The bot's messages, in order; of one chat or of all. */
  sent(chatId?: number): SentMessage[];
  /** The texts of these messages. */
  texts(chatId?: number): string[];
  /** The last word a press got, by callback query. */
  readonly popUps: readonly { readonly queryId: string; readonly text: string }[];
  /** What getFile and the download after it give, by file id; `path` is what getFile names. */
  readonly files: Map<string, { readonly path: string; readonly content: Uint8Array }>;
  /** The address that updates are to be brought to; empty: they are fetched. */
  readonly webhook: { readonly url: string; readonly secret: string };
  /** A user writes in private; `more` is laid over Telegram's message. Returns the update id. */
  say(userId: number, text: string, more?: Readonly<Record<string, unknown>>): number;
  /** A user presses a button of a message. Returns the update id. */
  press(userId: number, messageId: number, data: string): number;
  /** Telegram makes another chat of one, which takes nothing any more; nobody is told. */
  migrate(from: number, to: number): void;
  /** Waits for the newest message with this button in the user's chat and presses it. */
  tap(userId: number, label: string): Promise<number>;
  /** Any update; `update_id` is added. Returns it. */
  push(update: Readonly<Record<string, unknown>>): number;
  /** Delivers an update again, as after a lost confirmation. */
  redeliver(updateId: number): void;
  /** The next calls of a method fail; "*": of any method; `strikes`: those with such arguments. */
  fail(method: string, fault: Fault, times?: number, strikes?: (payload: Payload) => boolean): void;
  /** No more faults. */
  heal(): void;
  /** Waits until `probe` gives something, with the patience of every test when absent. */
  waitFor<T>(probe: () => T | undefined | false, patienceMs?: number): Promise<T>;
  /** Waits for a message whose text contains or matches `text`. */
  waitForText(text: string | RegExp): Promise<SentMessage>;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Where a chat goes on that a bot knows already: the ids that come next. */
export interface GoesOn {
  readonly updateId?: number;
  readonly messageId?: number;
}

/**
 * Starts a server that behaves like Telegram's as far as a bot can tell: long polls, offsets,
 * 409 for the second poller, refused markup, message ids, keyboards. Any port, loopback only.
 */
export async function startBotApi(
  token = "4242:test-token",
  now = () => performance.now(),
  goesOn: GoesOn = {},
): Promise<BotApiServer> {
  const botId = Number.parseInt(token, 10);
  const username = "papayu_test_bot";
  const bot = { id: botId, is_bot: true, first_name: "Papa Yu", username };
  const calls: Call[] = [];
  const messages: SentMessage[] = [];
  const popUps: { queryId: string; text: string }[] = [];
  const faults: {
    method: string;
    fault: Fault;
    left: number;
    strikes: (payload: Payload) => boolean;
  }[] = [];
  const openQueries = new Set<string>();
  const files = new Map<string, { path: string; content: Uint8Array }>();
  const webhook = { url: "", secret: "" };
  const migrated = new Map<number, number>();
  const updates = createUpdateQueue(goesOn.updateId);
  let nextMessageId = goesOn.messageId ?? 1;
  let nextQuery = 1;

  const server = createServer((request, response) => void serve(request, response));
  // A connection that is ended for its silence may meet the next call, which is lost then.
  server.keepAliveTimeout = PATIENCE_MS;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = /^\/file\/bot([^/]+)\/(.*)$/.exec(request.url ?? "");
    if (file) return sendFile(file[1] === token ? file[2] : undefined, response);
    const payload = await readPayload(request).catch((error: unknown) => {
      if (request.complete) throw error;
    });
    if (payload === undefined) return; // whoever called left in the middle of the call
    const [, given, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? [];
    calls.push({ method, payload, at: now() });
    const fault = takeFault(method, payload);
    if (fault?.kind === "status") return sendAnswer(response, fault);
    if (fault?.kind === "empty") return sendAnswer(response, { result: [] });
    if (fault?.kind === "result") return sendAnswer(response, { result: fault.result });
    if (fault?.kind === "endless") return sendEndless(response);
    if (fault?.kind === "silent") return void response.writeHead(200).write('{"ok":');
    if (fault?.kind === "rubbish") {
      return void response.writeHead(fault.status).end("<html>Bad Gateway</html>");
    }
    const answer: Answer =
      given === token
        ? await answerCall(method, payload, response)
        : { status: 401, description: "Unauthorized" };
    if (fault?.kind === "hang") return;
    if (fault?.kind === "late") await fault.until;
    if (fault?.kind === "reset") response.socket?.destroy();
    else sendAnswer(response, answer);
  }

  function sendEndless(response: ServerResponse): void {
    const piece = Buffer.alloc(256 * 1024, " ");
    const send = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.writeHead(200, { "content-type": "application/json" });
    response.on("drain", send);
    send();
  }

  function sendFile(path: string | undefined, response: ServerResponse): void {
    const fault = takeFault("file", {});
    const found = [...files.values()].find((each) => each.path === path);
    if (fault?.kind === "reset") response.socket?.destroy();
    else if (fault?.kind === "status") response.writeHead(fault.status).end();
    else if (fault?.kind === "hang") response.writeHead(200).write("the beginning");
    else if (found) response.writeHead(200).end(found.content);
    else response.writeHead(404).end();
  }

  function takeFault(method: string, payload: Payload): Fault | undefined {
    const found = faults.find(
      (each) => (each.method === method || each.method === "*") && each.strikes(payload),
    );
    if (found && --found.left <= 0) faults.splice(faults.indexOf(found), 1);
    return found?.fault;
  }

  async function answerCall(method: string, payload: Payload, response: ServerResponse) {
    const migratedTo = migrated.get(Number(payload["chat_id"]));
    if (migratedTo !== undefined) {
      const description = "Bad Request: group chat was upgraded to a supergroup chat";
      return { status: 400, description, migratedTo };
    }
    switch (method) {
      case "getMe":
        return { result: bot };
      case "getUpdates":
        return updates.poll(payload, response);
      case "sendMessage":
      case "sendDocument":
      case "sendPhoto":
        return addMessage(payload);
      case "editMessageText":
      case "editMessageReplyMarkup":
        return editMessage(method, payload);
      case "deleteMessage":
        return deleteMessage(payload);
      case "answerCallbackQuery":
        return answerQuery(payload);
      case "getFile": {
        const found = files.get(String(payload["file_id"]));
        if (!found) return { status: 400, description: "Bad Request: invalid file_id" };
        return { result: { file_id: payload["file_id"], file_path: found.path } };
      }
      case "setWebhook":
        webhook.url = String(payload["url"]);
        webhook.secret = String(payload["secret_token"]);
        return { result: true };
      case "getWebhookInfo":
        return { result: { url: webhook.url, pending_update_count: 0 } };
      case "deleteWebhook":
        webhook.url = "";
        return { result: true };
      case "setMyCommands":
      case "sendChatAction":
        return { result: true };
      default:
        return { status: 404, description: "Not Found: method not found" };
    }
  }

  function addMessage(payload: Payload): Answer {
    const html = textOf(payload, "text") ?? textOf(payload, "caption") ?? "";
    const refusal = checkPayload(payload);
    if (refusal !== "") return { status: 400, description: `Bad Request: ${refusal}` };
    const buttons = readButtons(payload);
    if (buttons.some(({ data }) => Buffer.byteLength(data) > 64)) {
      return { status: 400, description: "Bad Request: BUTTON_DATA_INVALID" };
    }
    const threadId = payload["message_thread_id"];
    messages.push({
      messageId: nextMessageId++,
      chatId: Number(payload["chat_id"]),
      threadId: threadId === undefined ? undefined : Number(threadId),
      text: payload["parse_mode"] === "HTML" ? readHtml(html) : html,
      html,
      document: readDocument(payload),
      buttons,
    });
    return { result: { message_id: nextMessageId - 1, date: 1, chat: { id: payload["chat_id"] } } };
  }

  function findMessage(payload: Payload): SentMessage | undefined {
    return messages.find(
      ({ messageId, chatId }) =>
        messageId === payload["message_id"] && chatId === Number(payload["chat_id"]),
    );
  }

  function editMessage(method: string, payload: Payload): Answer {
    const message = findMessage(payload);
    if (!message) return { status: 400, description: "Bad Request: message to edit not found" };
    if (method === "editMessageText") {
      const html = textOf(payload, "text") ?? "";
      const refusal =
        checkPayload(payload) || (html === message.html ? "message is not modified" : "");
      if (refusal !== "") return { status: 400, description: `Bad Request: ${refusal}` };
      message.html = html;
      message.text = payload["parse_mode"] === "HTML" ? readHtml(html) : html;
    }
    message.buttons = readButtons(payload);
    return { result: { message_id: message.messageId, date: 1, chat: { id: message.chatId } } };
  }

  function deleteMessage(payload: Payload): Answer {
    const message = findMessage(payload);
    if (!message) return { status: 400, description: "Bad Request: message to delete not found" };
    messages.splice(messages.indexOf(message), 1);
    return { result: true };
  }

  function answerQuery(payload: Payload): Answer {
    const queryId = String(payload["callback_query_id"]);
    if (!openQueries.delete(queryId)) {
      return { status: 400, description: "Bad Request: query is too old or query ID is invalid" };
    }
    popUps.push({ queryId, text: textOf(payload, "text") ?? "" });
    return { result: true };
  }

  function say(userId: number, text: string, more: Readonly<Payload> = {}): number {
    const message_id = nextMessageId++;
    const chat = { id: userId, type: "private", first_name: "User" };
    return updates.push({
      message: { message_id, date: 1, chat, from: toUser(userId), text, ...more },
    });
  }

  function press(userId: number, messageId: number, data: string): number {
    const chatId = messages.find((each) => each.messageId === messageId)?.chatId ?? userId;
    const chat = { id: chatId, type: chatId < 0 ? "group" : "private" };
    const id = `query-${nextQuery++}`;
    openQueries.add(id);
    const message = { message_id: messageId, date: 1, chat, from: bot };
    return updates.push({
      callback_query: { id, from: toUser(userId), message, data, chat_instance: "1" },
    });
  }

  const api: BotApiServer = {
    url: `http://127.0.0.1:${address.port}`,
    token,
    botId,
    username,
    calls,
    popUps,
    files,
    webhook,
    sent: (chatId) => messages.filter((each) => chatId === undefined || each.chatId === chatId),
    texts: (chatId) => api.sent(chatId).map(({ text }) => text),
    say,
    press,
    migrate: (from, to) => void migrated.set(from, to),
    async tap(userId, label) {
      const find = () => {
        const message = messages.findLast(
          (each) => each.chatId === userId && each.buttons.some((one) => one.label === label),
        );
        const button = message?.buttons.find((one) => one.label === label);
        return message && button && { messageId: message.messageId, data: button.data };
      };
      const { messageId, data } = await api.waitFor(find);
      return press(userId, messageId, data);
    },
    push: (update) => updates.push(update),
    redeliver: (updateId) => updates.redeliver(updateId),
    fail(method, fault, times = 1, strikes = () => true) {
      faults.push({ method, fault, left: times, strikes });
    },
    heal() {
      faults.length = 0;
    },
    async waitFor(probe, patienceMs = PATIENCE_MS) {
      const end = performance.now() + patienceMs;
      for (const pause = createPause(); ; await pause()) {
        const found = probe();
        if (found !== undefined && found !== false) return found;
        if (performance.now() > end) {
          throw new Error(`Waited in vain; sent: ${api.texts().join(" | ")}`);
        }
      }
    },
    waitForText: (text) =>
      api.waitFor(() =>
        messages.find((each) =>
          typeof text === "string" ? each.text.includes(text) : text.test(each.text),
        ),
      ),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    [Symbol.asyncDispose]: () => api.stop(),
  };
  return api;
}

/** Why Telegram would not take a text or a caption; empty: it would. */
function checkPayload(payload: Payload): string {
  const isHtml = payload["parse_mode"] === "HTML";
  if ("text" in payload) return checkText(textOf(payload, "text") ?? "", isHtml);
  const { length } = textOf(payload, "caption") ?? "";
  return length > MAX_CAPTION ? "message caption is too long" : "";
}

function toUser(id: number) {
  return { id, is_bot: false, first_name: `User ${id}` };
}
