import { type Guard, type Guarded, isOneOf, parseJsonAs } from "../../core/guards.ts";
import {
  type Codec,
  isAllowed,
  isAsked,
  isAttempt,
  isAwaitedRevision,
  isBegunPass,
  isBrowser,
  isChange,
  isDraft,
  isEarlier,
  isFailedCheck,
  isHeartbeat,
  isIdentity,
  isMovedChat,
  isRetentionPass,
  isSeenFile,
  isSidePlan,
  isToolList,
  isUnreported,
  text,
} from "./values.ts";

/**
 * Where a key or its value names the session it is of: nowhere, as all of the key behind the
 * prefix, quoted at its beginning, or as `sessionId` of the value. What names one moves with its
 * chat.
 */
export type SessionPlace = "none" | "key" | "quoted" | "value";

/**
 * Where a key names the work it is of: as all of it behind the prefix, or quoted at its beginning.
 * Such a row stays as long as the message, call or run waits that would do the work once more.
 */
export type WorkPlace = "none" | "key" | "quoted";

/** What is known of the keys that begin alike. */
export interface Family<T> extends Codec<T> {
  /** From the newest write on; then nobody asks for it any more. */
  readonly keptMs: number | "for good";
  readonly session: SessionPlace;
  readonly work: WorkPlace;
  /** How keys begin that got a clearer name later: rows on disk keep the word they are found by. */
  readonly storedAs?: string;
}

/** What each family holds. */
interface Values {
  "daemon.life": Guarded<typeof isHeartbeat>;
  "home.identity": Guarded<typeof isIdentity>;
  "retention.pass": Guarded<typeof isRetentionPass>;
  "retention.begun": Guarded<typeof isBegunPass>;
  /** What Telegram made of a chat, and of which it made it, by the chat's number. */
  "moved_chat.": Guarded<typeof isMovedChat>;
  /** Who may undo a transaction by the button below it. */
  "undo.": string;
  /** Which plan a transaction came from whose check failed. */
  "failed.": Guarded<typeof isFailedCheck>;
  /** What a message or a press was about when it came first. */
  "subject.": string;
  /** The request that a client gave a name to. */
  "asked.": Guarded<typeof isAsked>;
  /** The change that a work makes. */
  "change.": Guarded<typeof isChange>;
  /** The calls of a turn that made one. */
  "made.": string;
  /** Changes whose outcome was never reported. */
  "untold.": Guarded<typeof isUnreported>;
  /** The research that /use means. */
  "research.": string;
  /** The plan that the next message changes. */
  "revision.": Guarded<typeof isAwaitedRevision>;
  /** What the newest attempt at the changes of a plan is, by its id. */
  "attempt.": Guarded<typeof isAttempt>;
  /** A plan with buttons of its own. */
  "side_plan.": Guarded<typeof isSidePlan>;
  /** Approvals that a command asked for. */
  "command.": string;
  /** When a stranger's words were read. */
  "tainted:": number;
  /** When a workspace's words were read. */
  "read:": number;
  "allowed:": Guarded<typeof isAllowed>;
  /** Parts of a request that a server refuses. */
  "capabilities.": string;
  /** What an MCP server listed. */
  "mcp.tools.": Guarded<typeof isToolList>;
  /** The host label of the web console. */
  "console.label": string;
  /** Browsers that were let in there. */
  "console.browser.": Guarded<typeof isBrowser>;
  /** When what Telegram gave to a page was used, by a hash of it. */
  "console.init_data.": number;
  /** What a person is about to say of a change set and to leave out of it, by the id of its approval. */
  "draft.": Guarded<typeof isDraft>;
  /** A file of a workspace that a person has looked at in a review, by a hash of its name. */
  "seen.": Guarded<typeof isSeenFile>;
  /** Who ticked a file of a change set, by the id of its approval and a hash of the file's name. */
  "looked.": string;
  /** The question before another one about the same goal, by the id of the newer approval. */
  "earlier.": Guarded<typeof isEarlier>;
  /** Whether research may go into a plan of a folder unasked. */
  "online_research.auto_use:": "on" | "off";
  /** What a routine's workspace was when it last ran well. */
  "routine.fingerprint.": string;
  /** When the failed run was due that a person has put away, by the name of its routine. */
  "routine.set_aside.": number;
}

/** The name of a family: how its keys begin, unless it says `storedAs`. */
export type FamilyName = keyof Values;

/** What the settings of a family hold. */
export type ValueOf<F extends FamilyName> = Values[F];

const DAY_MS = 24 * 3_600_000;

/** So long the words of others may live on in what a model said, though they are gone. */
export const READING_KEPT_MS = DAY_MS;

/** As long as before-images are kept by default: buttons below older answers lead nowhere. */
const ANSWER_KEPT_MS = 90 * DAY_MS;

const nowhere = { session: "none", work: "none" } as const;

/** All keys of the table `settings`, by how they begin. */
export const FAMILIES: { readonly [F in FamilyName]: Family<Values[F]> } = {
  "daemon.life": { ...json(isHeartbeat), keptMs: "for good", ...nowhere },
  "home.identity": { ...json(isIdentity), keptMs: "for good", ...nowhere },
  // It says how far the clock went since, whatever that may be.
  "retention.pass": { ...json(isRetentionPass), keptMs: "for good", ...nowhere },
  "retention.begun": { ...json(isBegunPass), keptMs: "for good", ...nowhere },
  // A group becomes a supergroup once, and what was said there may be pressed years later.
  "moved_chat.": { ...json(isMovedChat), keptMs: "for good", ...nowhere },
  "undo.": { ...text, keptMs: ANSWER_KEPT_MS, ...nowhere },
  "failed.": { ...json(isFailedCheck), keptMs: ANSWER_KEPT_MS, ...nowhere },
  "subject.": {
    ...text,
    keptMs: ANSWER_KEPT_MS,
    session: "none",
    work: "key",
    storedAs: "meant.",
  },
  "asked.": { ...json(isAsked), keptMs: ANSWER_KEPT_MS, session: "value", work: "key" },
  "change.": { ...change(), keptMs: ANSWER_KEPT_MS, session: "none", work: "key" },
  "made.": { ...text, keptMs: ANSWER_KEPT_MS, session: "none", work: "quoted" },
  "untold.": { ...json(isUnreported), keptMs: ANSWER_KEPT_MS, session: "quoted", work: "none" },
  "research.": { ...text, keptMs: ANSWER_KEPT_MS, session: "key", work: "none" },
  "revision.": {
    ...json(isAwaitedRevision),
    keptMs: DAY_MS,
    session: "key",
    work: "none",
    storedAs: "wish.",
  },
  "attempt.": { ...json(isAttempt), keptMs: ANSWER_KEPT_MS, ...nowhere },
  "side_plan.": {
    ...json(isSidePlan),
    keptMs: ANSWER_KEPT_MS,
    session: "value",
    work: "none",
    storedAs: "beside.",
  },
  "command.": { ...text, keptMs: ANSWER_KEPT_MS, ...nowhere },
  "tainted:": { ...instant(), keptMs: READING_KEPT_MS, session: "key", work: "none" },
  "read:": { ...instant(), keptMs: READING_KEPT_MS, session: "key", work: "none" },
  "allowed:": { ...json(isAllowed), keptMs: READING_KEPT_MS, session: "key", work: "none" },
  "capabilities.": { ...text, keptMs: DAY_MS, ...nowhere },
  "mcp.tools.": { ...json(isToolList), keptMs: ANSWER_KEPT_MS, ...nowhere },
  "console.label": { ...text, keptMs: "for good", ...nowhere },
  // As long as a browser stays let in.
  "console.browser.": { ...json(isBrowser), keptMs: 30 * DAY_MS, ...nowhere },
  "console.init_data.": { ...instant(), keptMs: DAY_MS, ...nowhere },
  "draft.": { ...json(isDraft), keptMs: ANSWER_KEPT_MS, ...nowhere },
  "seen.": { ...json(isSeenFile), keptMs: ANSWER_KEPT_MS, ...nowhere },
  "looked.": { ...text, keptMs: ANSWER_KEPT_MS, ...nowhere },
  "earlier.": { ...json(isEarlier), keptMs: ANSWER_KEPT_MS, ...nowhere },
  "online_research.auto_use:": { ...word("on", "off"), keptMs: "for good", ...nowhere },
  // A routine that runs once a year still knows the workspace it saw.
  "routine.fingerprint.": { ...text, keptMs: 400 * DAY_MS, ...nowhere },
  // As long as the run itself is kept, or it would come back.
  "routine.set_aside.": { ...instant(), keptMs: 400 * DAY_MS, ...nowhere },
};

/** How the keys of a family begin in the database. */
export function prefixOf(family: FamilyName): string {
  return FAMILIES[family].storedAs ?? family;
}

/** The family of a key. */
export function familyOf(key: string): FamilyName | undefined {
  return FAMILY_NAMES.find((name) => key.startsWith(prefixOf(name)));
}

/** All of them. */
export const FAMILY_NAMES = Object.keys(FAMILIES).filter(
  (name): name is FamilyName => name in FAMILIES,
);

function json<T>(guard: Guard<T>): Codec<T> {
  return {
    parse: (stored) => parseJsonAs(stored, guard),
    render: (value) => JSON.stringify(value),
  };
}

/** That there is a row says that a change was begun, whatever it holds: the journals know more. */
function change(): Codec<Values["change."]> {
  const { parse, render } = json(isChange);
  return { parse: (stored) => parse(stored) ?? {}, render };
}

function instant(): Codec<number> {
  const parse = (stored: string) => (/^\d{1,16}$/u.test(stored) ? Number(stored) : undefined);
  return { parse, render: String };
}

function word<const W extends string>(...words: readonly W[]): Codec<W> {
  const isWord = isOneOf(...words);
  return { parse: (stored) => (isWord(stored) ? stored : undefined), render: (value) => value };
}
