import type { ReadonlySignal } from "@preact/signals";
import type { LinkState } from "../follow.ts";
import type { Comment, LeftPart } from "../wire.ts";
import { createLastWords, type LastWords } from "./last-words.ts";

export { type LastWords, whyNotKept } from "./last-words.ts";

/** The way to the daemon, as far as it keeps what a person says. */
interface Keeper {
  draft(id: string, comment: Comment, signal: AbortSignal): Promise<void>;
  post(
    path: string,
    body: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<unknown>;
}

/** What is about to be said of a change set. */
export interface Drafted {
  readonly id: string;
  readonly comment: Comment;
}

/** Whether a file of a change set was looked at. */
export interface Tick {
  readonly id: string;
  readonly path: string;
  readonly isSeen: boolean;
}

/** What is about to be left out of a change set, file by file; of no hunk there is none. */
export interface Unticked {
  readonly id: string;
  readonly parts: readonly LeftPart[];
}

/** What a person drafted of a change set that no press has sent. */
export interface Unsent {
  /** How many. */
  readonly comments: number;
  readonly unticked: readonly LeftPart[];
  /** Files that are unticked as a whole, as they are counted where they are shown. */
  readonly files: number;
}

/** What a person typed and ticked that the daemon may not have yet, whatever place is shown. */
export interface Unkept {
  readonly drafts: LastWords<Drafted>;
  readonly ticks: LastWords<Tick>;
  readonly unticked: LastWords<Unticked>;
  /** Has the daemon take all of it that it takes now. */
  flush(): Promise<void>;
  /** Has somebody say whether words are left that this window alone has. */
  watch(isLeft: () => boolean): void;
  /** Whether they are lost with this window. */
  readonly isLeft: () => boolean;
}

/** What is sent by this client, as long as the link is live; `mostMs`: nothing is waited for longer. */
export function createUnkept(
  client: Keeper,
  link: ReadonlySignal<LinkState>,
  mostMs?: number,
): Unkept {
  const within = { ...(mostMs !== undefined && { mostMs }) };
  const drafts = createLastWords<Drafted>(link, {
    send: ({ id, comment }, signal) => client.draft(id, comment, signal),
    isNothing: ({ comment }) => comment.text === "",
    ...within,
  });
  const toPath = (id: string, what: string) => `/api/change-sets/${encodeURIComponent(id)}/${what}`;
  const ticks = createLastWords<Tick>(link, {
    send: ({ id, path, isSeen }, signal) =>
      client.post(toPath(id, "seen"), { path, seen: isSeen }, signal),
    ...within,
  });
  const unticked = createLastWords<Unticked>(link, {
    send: ({ id, parts }, signal) =>
      client.post(toPath(id, "unticked"), { unticked: parts }, signal),
    ...within,
  });
  // Words that are refused are words all the same; a tick is none then.
  const watched = [
    () => drafts.left().length > 0,
    () => [...ticks.left(), ...unticked.left()].some(({ isRefused }) => !isRefused),
  ];
  return {
    drafts,
    ticks,
    unticked,
    async flush() {
      await Promise.all([drafts, ticks, unticked].map((each) => each.flush()));
    },
    watch: (isLeft) => void watched.push(isLeft),
    isLeft: () => watched.some((each) => each()),
  };
}
