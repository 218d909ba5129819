/** Whose page it is, and so what is on it. */
export interface Viewer {
  /** What they looked at is kept under this name. */
  readonly reader: string;
  /** Whether they see what somebody else was asked. */
  readonly seesAll: boolean;
  /** Whether what somebody was asked is theirs to answer. */
  readonly isOwn: (userId: string) => boolean;
  /** How conversations begin of which some are theirs. */
  readonly starts: () => readonly string[];
  readonly isOwnSession: (sessionId: string) => boolean;
  /** How sessions of the API begin in which they speak, as the one under whose name they look. */
  readonly prefix: string;
  /** As whom they speak in another of their sessions; undefined: they only read it. */
  readonly speaksIn: (sessionId: string) => string | undefined;
  /** What conversations of the API are called by who asks. */
  readonly toShown: (sessionId: string) => string;
  readonly toStored: (id: string) => string;
  /** Where they press what was asked in no conversation. */
  readonly console: string;
}

/** Who has come in by the local API or by the console. */
const OWNER = "owner";
const HTTP = "http:";
const TERMINAL = "terminal:";

/** Who is the owner of this machine; on the phone they are `phone`. */
export function ownerViewer(phone: () => string | undefined): Viewer {
  return {
    reader: OWNER,
    seesAll: true,
    isOwn: (userId) => userId === OWNER || userId === phone(),
    starts: () => [HTTP, TERMINAL, ...(phone() === undefined ? [] : ["telegram:"])],
    isOwnSession: (id) => id.startsWith(HTTP) || id.startsWith(TERMINAL) || isPrivate(id, phone()),
    prefix: HTTP,
    // In a topic of the phone nobody would be told what is said here.
    speaksIn: (id) => (id === phone() ? id : id.startsWith(TERMINAL) ? OWNER : undefined),
    toShown: (id) => id,
    toStored: (id) => id,
    console: `${HTTP}console`,
  };
}

/** Somebody else: what is theirs by their private chat with the bot, or by the API under `prefix`. */
export function otherViewer(userId: string, prefix: string): Viewer {
  return {
    reader: userId,
    seesAll: false,
    isOwn: (id) => id === userId,
    starts: () => ["telegram:", prefix],
    isOwnSession: (id) => id.startsWith(prefix) || isPrivate(id, userId),
    prefix,
    speaksIn: () => undefined,
    toShown: (id) => (id.startsWith(prefix) ? HTTP + id.slice(prefix.length) : id),
    toStored: (id) => (id.startsWith(HTTP) ? prefix + id.slice(HTTP.length) : id),
    console: `${prefix}console`,
  };
}

/** A private chat with the bot has the name of its person, and topics below that. */
function isPrivate(sessionId: string, person: string | undefined): boolean {
  return person !== undefined && (sessionId === person || sessionId.startsWith(`${person}:`));
}
