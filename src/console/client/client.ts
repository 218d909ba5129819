import { follow, type Live } from "./follow.ts";
import { type Pressed, type PressReport, press, readAnswer } from "./press.ts";
import { RefusedError } from "./refused.ts";
import {
  type ChangeSet,
  type Comment,
  type FileContent,
  type Inbox,
  readChangeSet,
  readContent,
  readInbox,
  readSignedIn,
  readWork,
  type SignedIn,
  type WorkReport,
} from "./wire.ts";

export type { LinkState } from "./follow.ts";
export { countWaiting } from "./item.ts";
export { takeInitData, takeLoginCode } from "./login-code.ts";
export { createNewest, type Taking } from "./newest.ts";
export { failureIn, type Pressed, type PressReport } from "./press.ts";
export { json } from "./read-json.ts";
export { messageOf, RefusedError } from "./refused.ts";
export {
  createUnkept,
  type Drafted,
  type LastWords,
  type Tick,
  type Unkept,
  type Unsent,
  type Unticked,
  whyNotKept,
} from "./unkept/unkept.ts";
export type {
  Act,
  ChangeSet,
  CheckReport,
  Comment,
  FileContent,
  FileEntry,
  Inbox,
  Item,
  LeftPart,
  Look,
  SignedIn,
  WorkReport,
} from "./wire.ts";
export { readAct, readChangeSet, readContent } from "./wire.ts";

/** Where the second secret of a session is kept: the storage of the page's origin. */
export interface Secrets {
  get(): string | null;
  set(secret: string): void;
  clear(): void;
}

/** The world that the client needs; tests hand in another one. */
export interface ClientWorld {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  readonly secrets: Secrets;
  /** Telegram opened the page: its secret is a bearer, which comes for what Telegram gave. */
  readonly isApp?: boolean;
  /** Resolves after so long, or as soon as the machine is back on the net. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** No session, or one that ended. */
  readonly onSignedOut: () => void;
}

/** The page's way to the API; every request carries the secret. */
export interface Client {
  /** What pages read that are not always there. */
  get(path: string): Promise<unknown>;
  /** The same for what says more than an address can, or changes something. */
  post(
    path: string,
    body: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<unknown>;
  /** Bytes, for a picture. */
  blob(path: string): Promise<Blob>;
  login(code: string): Promise<void>;
  session(): Promise<SignedIn>;
  inbox(): Promise<Inbox>;
  changeSet(id: string): Promise<ChangeSet>;
  /** `isRenamed`: with what it was under its other name. */
  file(id: string, n: number, isRenamed?: boolean): Promise<FileContent>;
  /** A side of it, where it is a picture. */
  image(id: string, n: number, side: "before" | "after"): Promise<Blob>;
  /** Keeps what is about to be said of one place. */
  draft(id: string, comment: Comment, signal: AbortSignal): Promise<void>;
  press(pressed: Pressed, report: PressReport): Promise<void>;
  /** Says something in a conversation; whoever aborts it cancels what it began. */
  say(
    body: Readonly<Record<string, unknown>>,
    key: string,
    signal: AbortSignal,
    onDocument: (document: unknown) => void,
  ): Promise<void>;
  /** Sends a file as it is. */
  upload(path: string, file: Blob, signal?: AbortSignal): Promise<unknown>;
  /** Reads what comes on a path until the signal; throws when it ends before. */
  stream(path: string, signal: AbortSignal, onDocument: (document: unknown) => void): Promise<void>;
  /** What became of a press, by its key. */
  work(key: string): Promise<WorkReport>;
  /** Tells what happens from `seq` on, until the signal aborts. */
  follow(live: Live, signal: AbortSignal): Promise<void>;
}

/** The header of the second secret. */
export const SECRET_HEADER = "x-papayu-session";

const LOGIN = "/api/console/login";
const APP_LOGIN = "/api/app/login";

/** Makes the client of one page. */
export function createClient(world: ClientWorld): Client {
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const secret = world.secrets.get();
    if (secret !== null && world.isApp) headers.set("authorization", `Bearer ${secret}`);
    else if (secret !== null) headers.set(SECRET_HEADER, secret);
    const response = await world.fetch(path, { ...init, headers, redirect: "error" });
    if (response.ok) return response;
    const message = await response.json().then(
      (body: unknown) => toMessage(body) ?? response.statusText,
      () => response.statusText,
    );
    // A wrong code says nothing of a session that is there: any page may bring one.
    if (response.status === 401 && path !== LOGIN && path !== APP_LOGIN) {
      // Another page of this browser has signed in meanwhile, which ended the session of before.
      if (world.secrets.get() !== secret) return ask(path, init);
      world.secrets.clear();
      world.onSignedOut();
    }
    throw new RefusedError(response.status, message);
  }
  const get = async (path: string): Promise<unknown> => (await ask(path)).json();
  const blob = async (path: string): Promise<Blob> => (await ask(path)).blob();
  const send = (path: string, body: unknown, init: RequestInit = {}) =>
    ask(path, {
      ...init,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  return {
    get,
    post: async (path, body, signal) =>
      (await send(path, body, { ...(signal && { signal }) })).json(),
    blob,
    image: (id, n, side) => blob(`/api/change-sets/${encodeURIComponent(id)}/files/${n}/${side}`),
    async login(code) {
      const response = world.isApp
        ? await send(APP_LOGIN, { init_data: code })
        : await send(LOGIN, { code });
      const body: unknown = await response.json();
      const { secret: own, bearer } = { secret: undefined, bearer: undefined, ...toRecord(body) };
      const secret = world.isApp ? bearer : own;
      if (typeof secret === "string") world.secrets.set(secret);
    },
    session: async () => readSignedIn(await get("/api/console/session")),
    inbox: async () => readInbox(await get("/api/inbox")),
    changeSet: async (id) => readChangeSet(await get(`/api/change-sets/${encodeURIComponent(id)}`)),
    async file(id, n, isRenamed = false) {
      const path = `/api/change-sets/${encodeURIComponent(id)}/files/${n}`;
      return readContent(await get(isRenamed ? `${path}?renamed=true` : path));
    },
    work: async (key) => readWork(await get(`/api/work/${encodeURIComponent(key)}`)),
    async draft(id, comment, signal) {
      await send(`/api/change-sets/${encodeURIComponent(id)}/draft`, comment, { signal });
    },
    async say(body, key, signal, onDocument) {
      const response = await ask("/api/chat", {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify(body),
        signal,
      });
      await readAnswer(response, onDocument);
    },
    async upload(path, file, signal) {
      const init = { method: "POST", body: file, ...(signal && { signal }) };
      return (await ask(path, init)).json();
    },
    stream: async (path, signal, onDocument) => readAnswer(await ask(path, { signal }), onDocument),
    press: (pressed, report) => press(ask, pressed, report),
    follow: (live, signal) => follow(ask, world.pause, live, signal),
  };
}

function toMessage(body: unknown): string | undefined {
  const { error } = { error: undefined, ...toRecord(body) };
  return typeof error === "string" ? error : undefined;
}

function toRecord(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === "object" && body !== null ? { ...body } : {};
}
