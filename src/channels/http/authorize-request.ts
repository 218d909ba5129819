import { createHash, timingSafeEqual } from "node:crypto";

/** What decides whether a request is let in. */
export interface RequestHead {
  readonly path: string;
  readonly host: string | null;
  readonly origin: string | null;
  readonly authorization: string | null;
}

/** Where the channel listens, and the token that lets a request in. */
export interface HttpAccess {
  /** Address that is listened on; names of this machine are known as well. */
  readonly host: string;
  readonly port: number;
  readonly token: string;
}

/** Why a request goes no further. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

const LOOPBACK: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];
/** Tells nothing but that somebody is there. */
const OPEN_PATH = "/healthz";
/** A routine's webhook, which has a secret of its own. */
const TRIGGER_PATH = /^\/api\/routines\/([^/]+)\/trigger$/;

/** The routine that a path triggers. */
export function toTriggered(path: string): string | undefined {
  const name = TRIGGER_PATH.exec(path)?.[1];
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/**
 * Why a request is turned away, if it is. A page of the web that reaches the port by a name of
 * its own (DNS rebinding) or from its own origin is, whatever token it may have got hold of.
 */
export function authorizeRequest(head: RequestHead, access: HttpAccess): Refusal | undefined {
  const names = [...LOOPBACK, bracketed(access.host)];
  const authorities = new Set(names.map((name) => `${name}:${access.port}`));
  if (!authorities.has(head.host?.toLowerCase() ?? "")) {
    const allowed = [...authorities].join(", ");
    return { status: 403, message: `the Host "${head.host ?? ""}" is not known; use ${allowed}` };
  }
  if (head.origin !== null && !authorities.has(head.origin.replace(/^https?:\/\//, ""))) {
    return { status: 403, message: "requests from pages of other origins are not answered" };
  }
  if (
    head.path === OPEN_PATH ||
    toTriggered(head.path) !== undefined ||
    isToken(head.authorization, access.token)
  )
    return undefined;
  return { status: 401, message: 'send the header "Authorization: Bearer TOKEN" (http.token)' };
}

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host.toLowerCase();
}

/** Compared in a time that tells nothing about how much of it was right. */
function isToken(authorization: string | null, token: string): boolean {
  const [, given = ""] = /^bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  return timingSafeEqual(digest(given), digest(token)) && token !== "";
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
