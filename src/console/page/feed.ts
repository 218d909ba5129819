import { batch, type Signal, signal } from "@preact/signals";
import {
  type Client,
  createNewest,
  type Inbox,
  type LinkState,
  messageOf,
} from "../client/client.ts";

/** What papa-yu tells of itself while the page is open. */
export interface Feed {
  readonly link: Signal<LinkState>;
  readonly inbox: Signal<Inbox | undefined>;
  /** Why the inbox could not be read. */
  readonly failure: Signal<string | undefined>;
  readonly news: News;
  /** The time, as of when it was told last: how long ago something was is told anew with it. */
  readonly ticks: Signal<number>;
  /** Reads the inbox; a look that was overtaken by a later one counts for nothing. */
  refresh(): Promise<void>;
}

/** Grows with what happens, kind by kind: whoever shows something asks for it anew. */
export interface News {
  /** With everything that happens. */
  readonly changes: Signal<number>;
  /** What happened to a change set beside what its line in the inbox says, by its id; so often. */
  readonly setChanges: Signal<ReadonlyMap<string, number>>;
  /** With everything that happens in a workspace. */
  readonly workspaceChanges: Signal<number>;
  /** The same of routines. */
  readonly routineChanges: Signal<number>;
  /** The conversation in which something was last said or shown; undefined: in any. */
  readonly heard: Signal<{ readonly id: string | undefined }>;
}

/** A feed of which nothing has come. */
export function createFeed(client: Pick<Client, "inbox">): Feed {
  const inbox = signal<Inbox | undefined>(undefined);
  const failure = signal<string | undefined>(undefined);
  const news = createNews();
  const show = createNewest<Inbox>({
    take: (fresh) =>
      batch(() => {
        inbox.value = fresh;
        failure.value = undefined;
        news.changes.value += 1;
      }),
    failed: (error) => (failure.value = messageOf(error)),
  });
  return {
    link: signal<LinkState>("connecting"),
    inbox,
    failure,
    news,
    ticks: signal(Date.now()),
    refresh: () => show(() => client.inbox()),
  };
}

function createNews(): News {
  return {
    changes: signal(0),
    setChanges: signal(new Map()),
    workspaceChanges: signal(0),
    routineChanges: signal(0),
    heard: signal({ id: undefined }),
  };
}
