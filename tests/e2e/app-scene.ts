import { createHmac } from "node:crypto";
import { type ConsoleScene, openConsoleScene } from "./console-scene.ts";

/** The host of the user's own proxy, and its address. */
export const HOST = "papayu.example.org";
export const PUBLIC = `https://${HOST}`;

/** A daemon that is asked by a public host, too. */
export const openAppScene = (more = "", model?: Parameters<typeof openConsoleScene>[1]) =>
  openConsoleScene(more, model, 0, PUBLIC);

/** What Telegram gives to a page that this person opens. */
export function sign(
  token: string,
  userId: number,
  at = Date.now(),
  more: Readonly<Record<string, string>> = {},
): string {
  const fields = {
    auth_date: String(Math.floor(at / 1000)),
    query_id: crypto.randomUUID(),
    signature: "of-somebody-else",
    user: JSON.stringify({ id: userId, first_name: "Anna" }),
    ...more,
  };
  const lines = Object.entries(fields).map(([key, value]) => `${key}=${value}`);
  const key = createHmac("sha256", "WebAppData").update(token).digest();
  const hash = createHmac("sha256", key).update(lines.toSorted().join("\n")).digest("hex");
  return new URLSearchParams({ ...fields, hash }).toString();
}

/** As a proxy passes a request on that came to the public host. */
export function passOn(
  { root }: Pick<ConsoleScene, "root">,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("host", HOST);
  headers.set("x-forwarded-for", "203.0.113.7");
  headers.set("x-forwarded-proto", "https");
  return fetch(root + path, { ...init, headers, redirect: "manual" });
}

/** Brings what Telegram gave. */
export const enter = (scene: Pick<ConsoleScene, "root">, initData: string) =>
  passOn(scene, "/api/app/login", {
    method: "POST",
    headers: { origin: PUBLIC },
    body: JSON.stringify({ init_data: initData }),
  });

/** A page of the Mini App that was let in. */
export interface AppPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly sessionId: string;
  get(path: string): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
  ask(path: string, init: RequestInit): Promise<Response>;
}

/** Comes in as Telegram brings this person. */
export async function openApp(scene: ConsoleScene, userId: number): Promise<AppPage> {
  const response = await enter(scene, sign(scene.bot.token, userId));
  const answer: { readonly bearer: string; readonly session_id: string } = JSON.parse(
    await response.text(),
  );
  if (!response.ok) throw new Error(`${userId} was not let in: ${response.status}`);
  const headers = { authorization: `Bearer ${answer.bearer}`, origin: PUBLIC };
  return {
    headers,
    sessionId: answer.session_id,
    get: (path) => passOn(scene, path, { headers }),
    post: (path, body) =>
      passOn(scene, path, { method: "POST", headers, body: JSON.stringify(body) }),
    ask: (path, init) => passOn(scene, path, { headers, ...init }),
  };
}
