import {
  type Guard,
  isAny,
  isFields,
  isFlag,
  isListOf,
  isNumber,
  isObject,
  isOneOf,
  isText,
} from "../../core/guards.ts";

/** What the settings of one family hold, between the table and the program. */
export interface Codec<T> {
  /** Undefined for what is no such value. */
  readonly parse: (text: string) => T | undefined;
  readonly render: (value: T) => string;
}

/** Values that are texts themselves. */
export const text: Codec<string> = { parse: (stored) => stored, render: (value) => value };

/** How a daemon was started, so that it can be started like this again. */
export interface Launch {
  /** The file that `--config` named. */
  readonly configPath: string | undefined;
  readonly cwd: string;
  /** systemd started it, and has to start it again. */
  readonly isService?: boolean;
}

/** What the last daemon wrote of its own life. */
export interface Heartbeat {
  readonly pid: number;
  /** What marks the commands that it runs. */
  readonly runner?: string;
  /** When it certainly still ran. */
  readonly aliveAt: number;
  /** It ended in order, at `aliveAt`. */
  readonly isOver: boolean;
  /** When the last one that did not end in order was certainly still alive. */
  readonly crashedAt?: number;
  readonly launch: Launch;
}

const isThing: Guard<object> = isFields;
const isNothing: Guard<undefined> = (value) => value === undefined;

/** Of the last daemon on this database. */
export const isHeartbeat: Guard<Heartbeat> = isObject(
  {
    pid: isNumber,
    aliveAt: isNumber,
    isOver: isFlag,
    launch: isObject({ configPath: isAny(isText, isNothing), cwd: isText }, { isService: isFlag }),
  },
  { runner: isText, crashedAt: isNumber },
);

/** A pass over all that grows that has no end yet. */
export interface BegunPass {
  readonly at: number;
  /** What went so far, by those that were cut off before it, too. */
  readonly removed: number;
}

/** What the last pass over all that grows came to. */
export interface RetentionPass {
  /** When it began. */
  readonly at: number;
  readonly endedAt?: number;
  /** Rows, files and transactions that went since the last that came to its end. */
  readonly removed: number;
  /** What stays, all together. */
  readonly bytes: number;
  /** Days of it that fit into the megabytes, where not all do. */
  readonly fits?: number;
  /** The first that could not be gone over, and why. */
  readonly failed?: string;
  /** How many could not. */
  readonly failedParts?: number;
  /** The one before it did not come to its end. */
  readonly cutOff?: BegunPass;
  /** Since then the clock may be wrong, and no later pass was made. */
  readonly heldSince?: number;
}

/** Of a pass without an end. */
export const isBegunPass: Guard<BegunPass> = isObject({ at: isNumber, removed: isNumber });

/** Of the last pass. */
export const isRetentionPass: Guard<RetentionPass> = isObject(
  { at: isNumber, removed: isNumber, bytes: isNumber },
  {
    endedAt: isNumber,
    fits: isNumber,
    failed: isText,
    failedParts: isNumber,
    cutOff: isBegunPass,
    heldSince: isNumber,
  },
);

/** Which home a database belongs to; without a seal as long as that has no key. */
export const isIdentity = isObject({ id: isText }, { seal: isText });

/** The chat that a chat became, and the first one that it was. */
export const isMovedChat = isAny(
  isObject({ to: isNumber }, { from: isNumber }),
  isObject({ from: isNumber }, { to: isNumber }),
);

/** Which plan a check failed of, and who applied it. */
export const isFailedCheck = isObject(
  { planId: isText, userId: isText },
  // The work that planned a fix; where it was, if no transaction says so.
  { fixedBy: isText, workspace: isText },
);

/** A change as its work wrote it down; how it ended is read by who knows ends. */
export const isChange = isObject({}, { planId: isText, outcome: isThing });

/**
 * Which request a work is of: where it was asked for, a hash of what was asked, and the newest
 * question that came of it.
 */
export const isAsked = isObject({ sessionId: isText, digest: isText }, { approvalId: isText });

/** A change whose outcome was never reported, and the process that makes it. */
export const isUnreported = isObject({ workId: isText, runner: isText }, { isReported: isFlag });

/** The plan that somebody's next message changes, if it comes in time. */
export const isAwaitedRevision = isObject({ planId: isText, userId: isText, until: isNumber });

/**
 * What the newest attempt at the changes of a plan is: it runs in a process, by its name, or it
 * failed, with what was said of that.
 */
export const isAttempt = isObject(
  { at: isNumber },
  { runner: isText, code: isText, message: isText, said: isText },
);

/** Whose plan it is; a stranger's words may be behind one that must be asked about. */
export const isSidePlan = isObject({ sessionId: isText, userId: isText, mustAsk: isFlag });

/** Requests that a person said yes to. */
export const isAllowed = isObject({ at: isNumber, origins: isListOf(isText) });

/** What a server listed; each tool is read by who knows tools. */
export const isToolList = isObject({
  fingerprint: isText,
  at: isNumber,
  tools: isListOf(isThing),
});

/**
 * Something that a person says of a change set, or is about to say: with its place, if it has one; or,
 * `instead`, what the lines there are to be.
 */
export const isComment = isObject(
  { text: isText },
  {
    path: isText,
    side: isOneOf("before", "after"),
    line: isNumber,
    to: isNumber,
    instead: isFlag,
  },
);

/** A file, or some of its hunks by their numbers. */
const isPart = isObject({ path: isText }, { hunks: isListOf(isNumber) });

/** What a person is about to say of a change set, and what they have unticked in it. */
export const isDraft = isObject({ comments: isListOf(isComment) }, { unticked: isListOf(isPart) });

/**
 * What a file was and became when somebody looked at it, the newest first, and in which question; and
 * in which one `before` that.
 */
export const isSeenFile = isObject(
  { sides: isListOf(isText), approvalId: isText },
  { before: isText },
);

/** The question that another one took the place of, what was said of that, and what was left out of it. */
export const isEarlier = isObject(
  { approvalId: isText },
  { comments: isListOf(isComment), leftOut: isListOf(isPart) },
);

/** A browser that was let into the console; of its secrets hashes, and no cookie where it has none. */
export const isBrowser = isObject(
  { browser: isText, signedInAt: isNumber, secretSha256: isText },
  { cookieSha256: isText },
);
