import type { ReadonlySignal } from "@preact/signals";
import type { LinkState } from "../follow.ts";
import type { Comment, LeftPart } from "../wire.ts";
import { createLastWords, type LastWords } from "./last-words.ts";

export type { LastWords } from "./last-words.ts";

/** The way to the daemon, as far as it keeps what a person says. */
interface Keeper {
  draft(id: string, comment: Comment): Promise<void>;
  post(path: string, body: Readonly<Record<string, unknown>>): Promise<unknown>;
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

/** What a person typed and ticked that the daemon may not have yet, whatever place is shown. */
export interface Unkept {
  readonly drafts: LastWords<Drafted>;
  readonly ticks: LastWords<Tick>;
  readonly unticked: LastWords<Unticked>;
  /** Has somebody say whether words are left that this window alone has. */
  watch(isLeft: () => boolean): void;
  /** Whether they are lost with this window. */
  readonly isLeft: () => boolean;
}

/** What is sent by this client, as long as the link is live. */
export function createUnkept(client: Keeper, link: ReadonlySignal<LinkState>): Unkept {
  const drafts = createLastWords<Drafted>(
    link,
    ({ id, comment }) => client.draft(id, comment),
    ({ comment }) => comment.text === "",
  );
  const keep = (id: string, what: string, body: Readonly<Record<string, unknown>>) =>
    client.post(`/api/change-sets/${encodeURIComponent(id)}/${what}`, body);
  const ticks = createLastWords<Tick>(link, ({ id, path, isSeen }) =>
    keep(id, "seen", { path, seen: isSeen }),
  );
  const unticked = createLastWords<Unticked>(link, ({ id, parts }) =>
    keep(id, "unticked", { unticked: parts }),
  );
  // Words that are refused are words all the same; a tick is none then.
  const watched = [
    () => drafts.left().length > 0,
    () => [...ticks.left(), ...unticked.left()].some(({ isRefused }) => !isRefused),
  ];
  return {
    drafts,
    ticks,
    unticked,
    watch: (isLeft) => void watched.push(isLeft),
    isLeft: () => watched.some((each) => each()),
  };
}
