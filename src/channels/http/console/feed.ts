import type { InboxItem, PersonFacts, Sign } from "./facts.ts";

/** What happened, in the order of its numbers. */
export type FeedEvent = { readonly seq: number } & Happened;

/** Something of the inbox, or something that is another now and can be read anew by its name. */
type Happened =
  | { readonly kind: "inbox"; readonly item: InboxItem }
  | { readonly kind: "inbox"; readonly gone: string }
  | { readonly kind: Sign["kind"]; readonly name: string };

/** Told to who has to read everything anew. */
export interface Reload {
  readonly seq: number;
  readonly kind: "reload";
}

/** The inbox at one moment, by the number of the newest event in it. */
export interface Snapshot {
  readonly seq: number;
  readonly items: readonly InboxItem[];
}

/** The inbox as a snapshot and what follows it. */
export interface Feed {
  snapshot(): Promise<Snapshot>;
  /** Tells what came after the event `after`, and whatever comes, until the signal. */
  follow(
    after: number | undefined,
    tell: (event: FeedEvent | Reload) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Looks at once, for something that was just done here. */
  look(): Promise<void>;
  /** Something is another now, as it happens; of what changes many times in a moment a few are told. */
  note(noted: Pick<Sign, "kind" | "name">): void;
}

function isSignKind(kind: string): kind is Sign["kind"] {
  return ["workspace", "routine", "change_set", "chat", "settings"].includes(kind);
}

/** So many events are kept for who was away for a moment. */
const KEPT = 256;
/** How often it is looked whether anything was stored, while somebody listens. */
const LOOK_MS = 250;

/**
 * A feed over `facts`. Numbers begin where no earlier start of the daemon has come, so that one of
 * another start is unknown here. Nothing is looked at while nobody follows.
 */
export function createFeed(
  facts: Pick<PersonFacts, "inbox" | "mark" | "signs">,
  { now, lookMs = LOOK_MS }: { readonly now: () => number; readonly lookMs?: number },
): Feed {
  const first = now();
  let seq = first;
  let items: readonly InboxItem[] = [];
  let shown: ReadonlyMap<string, string> = new Map();
  let signs: ReadonlyMap<string, string> | undefined;
  let mark: string | undefined;
  let nextEnd = Infinity;
  let looking: Promise<void> = Promise.resolve();
  const events: FeedEvent[] = [];
  /** The newest event that is not kept any more. */
  let forgotten = first;
  const noted = new Map<string, { isAgain: boolean }>();
  const followers = new Set<(event: FeedEvent) => void>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function add(happened: Happened): void {
    seq += 1;
    const event: FeedEvent = { seq, ...happened };
    events.push(event);
    if (events.length > KEPT) forgotten = events.shift()?.seq ?? forgotten; // who missed it reads everything anew
    for (const tell of followers) tell(event);
  }

  async function read(): Promise<void> {
    const found = facts.mark(); // before: what is stored while it is read is looked at again
    if (found === mark && now() < nextEnd) return;
    items = await facts.inbox();
    mark = found;
    const ends = items.flatMap(({ expires_at: end }) =>
      end === undefined ? [] : [Date.parse(end)],
    );
    nextEnd = Math.min(...ends);
    const known = signs;
    const current = facts.signs();
    signs = new Map(current.map((each) => [`${each.kind} ${each.name}`, each.sign]));
    const before = shown;
    shown = new Map(items.map((item) => [item.id, JSON.stringify(item)]));
    for (const id of before.keys()) if (!shown.has(id)) add({ kind: "inbox", gone: id });
    for (const item of items.toReversed()) {
      if (before.get(item.id) !== shown.get(item.id)) add({ kind: "inbox", item });
    }
    if (!known) return;
    for (const key of known.keys()) {
      const [kind = "", ...words] = key.split(" ");
      if (!signs.has(key) && isSignKind(kind)) add({ kind, name: words.join(" ") });
    }
    for (const { kind, name, sign } of current) {
      if (known.get(`${kind} ${name}`) !== sign) add({ kind, name });
    }
  }

  /** One after another; a failure is of who looked. */
  function look(): Promise<void> {
    const next = looking.then(read);
    looking = next.catch(() => {});
    return next;
  }

  function watch(): void {
    if (followers.size === 0) {
      clearInterval(timer);
      timer = undefined;
    } else timer ??= setInterval(() => void look().catch(() => {}), lookMs);
  }

  /** The one before says nothing more than this one. */
  function addNoted({ kind, name }: Pick<Sign, "kind" | "name">): void {
    const before = events.findIndex(
      (event) => event.kind === kind && "name" in event && event.name === name,
    );
    if (before >= 0) events.splice(before, 1);
    add({ kind, name });
  }

  return {
    look,
    note(sign) {
      const key = `${sign.kind} ${sign.name}`;
      const waiting = noted.get(key);
      if (waiting) {
        waiting.isAgain = true;
        return;
      }
      addNoted(sign);
      const own = { isAgain: false };
      noted.set(key, own);
      const pausing = setTimeout(() => {
        noted.delete(key);
        if (own.isAgain) this.note(sign);
      }, lookMs);
      pausing.unref();
    },
    async snapshot() {
      await look();
      return { seq, items };
    },
    async follow(after, tell, signal) {
      await look();
      if (signal.aborted) return;
      const isKnown = after !== undefined && after >= forgotten && after <= seq;
      if (isKnown) for (const event of events) if (event.seq > after) tell(event);
      if (!isKnown) tell({ seq, kind: "reload" });
      followers.add(tell);
      watch();
      signal.addEventListener("abort", () => {
        followers.delete(tell);
        watch();
      });
    },
  };
}
