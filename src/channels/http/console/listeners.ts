import type { BrowserSession } from "./sessions/sessions.ts";

/** Streams at once, in numbers of streams: each is a page that listens, and a person has a few. */
export const MOST_LISTENING = {
  /** Of one browser, and of all programs with the token together. */
  session: 16,
  /** Of the owner, however they come: nobody else can use one of these. */
  owner: 32,
  /** Of one other person, and of all of them together. */
  other: 8,
  others: 32,
} as const;

/** Who listens; each has a share of their own. */
export interface Listeners {
  /** Takes a place until it is disposed of; how many listen already where no place is left. */
  enter(session: Pick<BrowserSession, "id" | "other"> | undefined): Disposable | number;
}

/** Nobody listens yet. */
export function createListeners(): Listeners {
  const listening = new Map<string, number>();

  function count(share: string, by: 1 | -1): void {
    const now = (listening.get(share) ?? 0) + by;
    if (now === 0) listening.delete(share);
    else listening.set(share, now);
  }

  return {
    enter(session) {
      const shares = sharesOf(session);
      const full = shares.find(([share, most]) => (listening.get(share) ?? 0) >= most);
      if (full) return full[1];
      for (const [share] of shares) count(share, 1);
      let isThere = true;
      return {
        [Symbol.dispose]() {
          if (isThere) for (const [share] of shares) count(share, -1);
          isThere = false;
        },
      };
    },
  };
}

/** What a stream is counted in. */
function sharesOf(
  session: Pick<BrowserSession, "id" | "other"> | undefined,
): readonly (readonly [share: string, most: number])[] {
  const { session: own, owner, other, others } = MOST_LISTENING;
  const shares = [[`session ${session?.id ?? ""}`, own]] as const;
  if (session?.other === undefined) return [...shares, ["owner", owner]];
  return [...shares, [`person ${session.other}`, other], ["others", others]];
}
