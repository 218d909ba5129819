import { isFields, toForeignJson } from "../../core/guards.ts";

/** Thoughts in the form in which their sender reads them again: a list, with signatures in it. */
export interface ThoughtDetails {
  /** Takes what one chunk has of it; what is no list of objects is skipped. */
  add(entries: unknown): void;
  /** The list as JSON; undefined: nothing came, or more than goes back. */
  toJson(): string | undefined;
}

/** What is signed is whole or nothing. */
const MAX_CHARS = 32 * 1024;

type Entry = Readonly<Record<string, unknown>>;

/**
 * Gathers the `reasoning_details` of a router. A stream brings an entry in pieces: the first of a
 * chunk goes on with the last of the chunk before, where it is of the same kind at the same place.
 */
export function createThoughtDetails(): ThoughtDetails {
  const entries: Entry[] = [];
  let chars = 0;
  const put = (entry: Entry) => {
    chars += sizeOf(entry);
    if (chars <= MAX_CHARS) entries.push(entry);
  };
  return {
    add(value) {
      const [first, ...rest] = Array.isArray(value) ? value.filter(isFields) : [];
      if (first === undefined || chars > MAX_CHARS) return;
      const last = entries.at(-1);
      if (last === undefined || !goesOn(last, first)) {
        put(first);
      } else {
        const more = Object.entries(first).filter(([name, each]) => each !== last[name]);
        const nameOf = (name: string) => (name in last ? 0 : name.length);
        chars += more.reduce((sum, [name, each]) => sum + nameOf(name) + sizeOf(each), 0);
        entries[entries.length - 1] = join(last, first);
      }
      for (const entry of rest) put(entry);
    },
    toJson: () => (entries.length === 0 || chars > MAX_CHARS ? undefined : JSON.stringify(entries)),
  };
}

/** Without the quotes of a text, which many pieces have but once. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return JSON.stringify(value).length - 2;
  return toForeignJson(value)?.length ?? Number.POSITIVE_INFINITY;
}

/** Where an entry has its words, by its type; what is encrypted comes in one piece. */
const WORDS: ReadonlyMap<unknown, string> = new Map([
  ["reasoning.text", "text"],
  ["reasoning.summary", "summary"],
]);

/** A signature ends an entry. */
function goesOn(last: Entry, next: Entry): boolean {
  const isOpen = last["signature"] === undefined || last["signature"] === null;
  return (
    isOpen &&
    WORDS.has(next["type"]) &&
    last["type"] === next["type"] &&
    last["index"] === next["index"]
  );
}

function join(last: Entry, next: Entry): Entry {
  const name = WORDS.get(next["type"]) ?? "";
  const said = Object.entries(next).filter(([, value]) => value !== null);
  const toText = (each: unknown) => (typeof each === "string" ? each : "");
  const words = toText(last[name]) + toText(next[name]);
  return { ...last, ...Object.fromEntries(said), [name]: words };
}
