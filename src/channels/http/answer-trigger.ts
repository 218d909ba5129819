import { misuse } from "./refuse.ts";

/** Runs a routine for who knows its secret; the body is untrusted, and read after that. */
export type Trigger = (
  name: string,
  secret: string,
  readBody: () => Promise<string>,
) => Promise<{ readonly status: number; readonly message: string }>;

/** Answers who wants a routine to run now, with a secret of the routine's own. */
export async function answerTrigger(
  trigger: Trigger | undefined,
  path: string,
  request: Request,
  read: () => Promise<string | Response>,
): Promise<Response> {
  const name = toTriggered(path);
  if (name === undefined || !trigger) return misuse(404, "routines are not run here");
  const secret = request.headers.get("x-trigger-secret") ?? "";
  let unread: Response | undefined;
  const readOnce = async () => {
    const body = await read();
    if (typeof body === "string") return body;
    unread = body;
    throw UNREAD;
  };
  const done = await trigger(name, secret, readOnce).catch((error: unknown) => {
    if (error !== UNREAD) throw error;
  });
  if (unread || !done) return unread ?? misuse(404, "routines are not run here");
  const { status, message } = done;
  return status < 300 ? Response.json({ ok: true, message }, { status }) : misuse(status, message);
}

/** Nobody sees it. */
const UNREAD = new Error("the body was not taken");

/** The routine that a path triggers. */
function toTriggered(path: string): string | undefined {
  const name = /^\/api\/routines\/([^/]+)\/trigger$/u.exec(path)?.[1];
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
