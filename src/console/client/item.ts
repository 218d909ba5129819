import { list, maybe, number, object, text, time } from "./read-json.ts";
import type { Revision } from "./revision.ts";

/** Something that can be pressed, as the other channels offer it. */
export interface Act {
  readonly act: string;
  readonly ref: string;
  /** In the person's language. */
  readonly label: string;
  /** A yes although something failed. */
  readonly isAnyway?: boolean;
  /** An answer that leaves so many comments unsent, or words about a plan. */
  readonly passesOver?: number;
  /** What is to be different, where it says that something is. */
  readonly revision?: Revision;
  /** What a routine is to be, or what should be different about a plan. */
  readonly words?: string;
  /** Where it was offered, if nothing else says that. */
  readonly conversation?: string;
}

/** What waits for a person. */
export interface Item {
  readonly id: string;
  /** Of the conversation in which it was asked. */
  readonly session_id: string | undefined;
  readonly kind: string;
  readonly workspace: string | undefined;
  readonly title: string;
  /** What would run, in full. */
  readonly shown: string | undefined;
  /** What a press has to carry so that it counts for exactly this. */
  readonly digest: string | undefined;
  readonly files: number | undefined;
  readonly added: number | undefined;
  readonly removed: number | undefined;
  readonly check: string | undefined;
  readonly at: number;
  readonly expires_at: number | undefined;
  readonly actions: readonly Act[];
  readonly ref: string;
  /** A plan whose changes somebody said no to. */
  readonly isRejected: boolean;
  /** What writes is not offered: papa-yu may only read. */
  readonly locked: boolean;
  /** papa-yu is at it, whoever pressed and wherever. */
  readonly isWorking: boolean;
  /** How the newest attempt failed. */
  readonly failed:
    | { readonly code: string; readonly text: string; readonly at: number }
    | undefined;
}

/** Everything that waits, newest first, as of the event `seq`. */
export interface Inbox {
  readonly boot_id: string;
  readonly seq: number;
  readonly items: readonly Item[];
}

/** How much of it waits for the person: papa-yu is at the rest. */
export function countWaiting(items: readonly Pick<Item, "isWorking">[] = []): number {
  return items.filter(({ isWorking }) => !isWorking).length;
}

/** Reads what `GET /api/inbox` gives. */
export function readInbox(value: unknown): Inbox {
  const { boot_id, seq, items } = object(value);
  return { boot_id: text(boot_id), seq: number(seq), items: list(items).map(readItem) };
}

/** Reads one item of it. */
function readItem(value: unknown): Item {
  const it = object(value);
  return {
    id: text(it["id"]),
    session_id: maybe(it["session_id"], text),
    kind: text(it["kind"]),
    title: text(it["title"]),
    at: time(it["at"]) ?? 0,
    ref: text(it["ref"]),
    isRejected: it["rejected"] === true,
    locked: it["locked"] !== undefined,
    isWorking: it["working"] === true,
    failed: maybe(it["failed"], readFailed),
    actions: list(it["actions"]).map(readAct),
    workspace: maybe(it["workspace"], text),
    shown: maybe(it["shown"], text),
    digest: maybe(it["digest"], text),
    files: maybe(it["files"], number),
    added: maybe(it["added"], number),
    removed: maybe(it["removed"], number),
    check: maybe(it["check"], text),
    expires_at: maybe(it["expires_at"], time),
  };
}

function readFailed(value: unknown): NonNullable<Item["failed"]> {
  const { code, text: words, at } = object(value);
  return { code: text(code), text: text(words), at: time(at) ?? 0 };
}

/** Reads something that can be pressed. */
export function readAct(value: unknown): Act {
  const { act, ref, label, anyway } = object(value);
  const read = { act: text(act), ref: text(ref), label: text(label) };
  return anyway === true ? { ...read, isAnyway: true } : read;
}
