import type { Inbox, InboxRow } from "../../../store/chats/chats.ts";

/**
 * A crash of the daemon with others in progress, from whatever channel or routine, says less against
 * a message than one without.
 */
const BESIDE_OTHERS = 1;
const ALONE = 2;
/** It failed for itself. */
const FAILURE = 2;
/** From this blame on a message is processed with no other suspect in progress. */
const SUSPECT = 2;
/**
 * Three failures, three crashes alone, or two with others and two alone: whatever else ends the
 * daemon hits those that come first after its start, so that one crash alone may be chance.
 */
const GUILTY = 6;

/**
 * Finds out which message brings the daemon down while nobody has to wait for it but those that
 * are suspected with it. Each try is charged on disk before it begins and acquitted when it ends in
 * whatever way the process survives; what a crash leaves charged is the blame.
 */
export interface Suspects {
  /** Whether a row that could begin may: one suspect at a time, everybody else. */
  mayBegin(row: Pick<InboxRow, "blame">): boolean;
  isGuilty(blame: number): boolean;
  /** Keeps other suspects out as long as `work` on this row goes on. */
  watch<T>(row: InboxRow, work: () => Promise<T>): Promise<T>;
  /** Charges a try; gives what is to be worked on now, undefined when it waits no more. */
  begin(updateId: number): string | undefined;
  /** The row is ended. */
  done(updateId: number): void;
  /** The try failed for itself; gives the blame that this adds. */
  failed(updateId: number): number;
  /** The try ended in a way that says nothing against it. */
  acquit(updateId: number): void;
  /** An orderly end is no crash, whatever is still in progress. */
  acquitAll(): void;
}

/** What the daemon works on that did not come by this bot. */
export interface Company {
  readonly isThere: () => boolean;
  /** Calls back, until another is given, before any of it begins. */
  readonly onJoin: (joined: () => void) => void;
}

/** Nobody is suspected but by what the inbox says; `wake` is called when a suspect is done with. */
export function createSuspects(inbox: Inbox, company: Company, wake: () => void): Suspects {
  const charges = new Map<number, number>();
  let current: number | undefined;

  /** The only try under way, while it is charged as that. */
  function findLone(): number | undefined {
    const [lone, ...others] = charges.keys();
    const isAlone = others.length === 0 && lone !== undefined && charges.get(lone) === ALONE;
    return isAlone ? lone : undefined;
  }

  /** Ends a try with a charge that stays. */
  function settle(updateId: number, charge: number): void {
    recharge(updateId, charge);
    charges.delete(updateId);
  }

  /** Puts another charge in the place of that of a try; false: it could not be written. */
  function recharge(updateId: number, charge: number): boolean {
    const charged = charges.get(updateId);
    if (charged === undefined || charged === charge) return true;
    try {
      inbox.charge(updateId, charge - charged);
      return true;
    } catch {
      // It only counts: a disk that is full costs a message one of its chances.
      return false;
    }
  }

  company.onJoin(() => {
    const lone = findLone();
    if (lone !== undefined && recharge(lone, BESIDE_OTHERS)) charges.set(lone, BESIDE_OTHERS);
  });

  return {
    mayBegin: ({ blame }) => blame < SUSPECT || current === undefined,
    isGuilty: (blame) => blame >= GUILTY,
    async watch({ updateId, blame }, work) {
      if (blame < SUSPECT) return work();
      current ??= updateId;
      try {
        return await work();
      } finally {
        if (current === updateId) {
          current = undefined;
          wake();
        }
      }
    },
    begin(updateId) {
      const charge = charges.size === 0 && !company.isThere() ? ALONE : BESIDE_OTHERS;
      const joined = findLone();
      const updateJson = inbox.beginTry(updateId, charge, joined);
      if (updateJson === undefined) return undefined;
      if (joined !== undefined) charges.set(joined, BESIDE_OTHERS);
      charges.set(updateId, charge);
      return updateJson;
    },
    done: (updateId) => void charges.delete(updateId),
    failed(updateId) {
      settle(updateId, FAILURE);
      return FAILURE;
    },
    acquit: (updateId) => settle(updateId, 0),
    acquitAll() {
      for (const updateId of charges.keys()) settle(updateId, 0);
    },
  };
}
