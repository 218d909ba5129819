import { type Signal, signal } from "@preact/signals";
import type { Client } from "../../client/client.ts";
import { messageOf } from "../../page/page.ts";
import { type LogLine, readLine, readLog } from "./wire.ts";

/** What of the log is wanted. */
export interface Wanted {
  readonly level: string;
  readonly text: string;
}

/** A line with a number of its own. */
export interface ShownLine extends LogLine {
  readonly id: number;
}

/** The log as it is shown. */
export interface Log {
  readonly lines: Signal<readonly ShownLine[] | undefined>;
  /** There are older ones. */
  readonly older: Signal<string | undefined>;
  readonly failure: Signal<string | undefined>;
  /** Lines came that are not shown, for who looks at older ones. */
  readonly unseen: Signal<number>;
  /** Shows the newest, and what comes, until the next call or the signal. */
  open(wanted: Wanted, end: AbortSignal): Promise<void>;
  readOlder(): Promise<void>;
}

/** So many lines that came are shown behind one another; then the newest page is read anew. */
const MOST_LINES = 1000;
const PAUSE_MS = 2000;

/** The log of nobody yet; `isAtEnd` says whether the person follows what comes. */
export function createLog(
  client: Pick<Client, "get" | "stream">,
  isAtEnd: () => boolean,
  pause: (ms: number) => Promise<void> = (ms) => new Promise((go) => setTimeout(go, ms)),
): Log {
  const lines: Log["lines"] = signal(undefined);
  const older: Log["older"] = signal(undefined);
  const failure: Log["failure"] = signal(undefined);
  const unseen = signal(0);
  let query = "";
  let lastId = 0;
  const number = (line: LogLine): ShownLine => ({ ...line, id: ++lastId });
  let current = new AbortController();

  function add(line: LogLine): void {
    const shown = lines.value ?? [];
    if (!isAtEnd()) unseen.value += 1;
    else if (shown.length < MOST_LINES) lines.value = [...shown, number(line)];
    else current.abort(); // the newest page takes their place
  }

  /** One page and what comes behind it, until something breaks. */
  async function follow(end: AbortSignal): Promise<void> {
    const page = readLog(await client.get(`/api/log?${query}`));
    if (end.aborted) return;
    lines.value = page.lines.map(number);
    older.value = page.older;
    unseen.value = 0;
    failure.value = undefined;
    await client.stream(`/api/log/follow?${query}&after=${page.end}`, end, (document) =>
      add(readLine(document)),
    );
  }

  return {
    lines,
    older,
    failure,
    unseen,
    async open({ level, text }, end) {
      query = new URLSearchParams({ level, text, limit: "200" }).toString();
      const asked = query;
      const isWanted = () => !end.aborted && asked === query;
      while (isWanted()) {
        current.abort();
        current = new AbortController();
        const { signal: mine } = current;
        try {
          await follow(AbortSignal.any([end, mine]));
        } catch (error) {
          if (end.aborted || mine.aborted) continue;
          if (lines.value === undefined) failure.value = messageOf(error);
          await pause(PAUSE_MS);
        }
      }
    },
    async readOlder() {
      const [before, asked] = [older.value, query];
      if (before === undefined) return;
      try {
        const page = readLog(await client.get(`/api/log?${query}&before=${before}`));
        if (asked !== query || before !== older.value) return;
        lines.value = [...page.lines.map(number), ...(lines.value ?? [])];
        older.value = page.older;
      } catch (error) {
        failure.value = messageOf(error);
      }
    },
  };
}
