import { userInfo } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../../core/app-error.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { sha256 } from "../../core/sha256.ts";
import { type LockResult, takeMachineName } from "../../system/locks/locks.ts";

/** What came due since the last look that failed runs in whoever takes over, and may have run before. */
const PAUSE_MS = 1_000;

/** Who runs the routines of a home instead. */
export interface Holder {
  readonly pid: number | null;
  readonly home: string | null;
}

/** A home, and what its daemon starts once no copy of it runs. */
export interface HomeToHold {
  readonly home: string;
  /** A copy of the home has the same; undefined where the home has none. */
  readonly homeId: string | undefined;
  /** `heldUntil`: up to when, in milliseconds, another daemon is known to have run them. */
  readonly start: (heldUntil?: number) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** The one daemon of this machine that runs the routines of a home and of all its copies. */
export interface OneHome {
  /** Undefined: this one. */
  readonly heldBy: () => Holder | undefined;
  /** Starts them at once, or as soon as no other daemon runs them. */
  begin(): Promise<void>;
  stop(): void;
}

/**
 * Two daemons of a home and its copy, made with `cp -a` or out of a backup, would each run
 * everything: the one that comes second waits.
 */
export function createOneHome({ home, homeId, start, clock, log }: HomeToHold): OneHome {
  const halt = new AbortController();
  let holder: Holder | undefined;
  let release = () => {};
  let heldUntil: number | undefined;

  async function attempt(): Promise<boolean> {
    const taken = await take(home, homeId, log);
    if (halt.signal.aborted) {
      if (taken.ok) taken.release();
      return true;
    }
    if (taken.ok) {
      release = taken.release;
      holder = undefined;
      start(heldUntil);
      return true;
    }
    heldUntil = clock.now();
    if (!holder) log("ROUTINES_HELD", { pid: taken.holder?.pid, home: taken.holder?.what });
    holder = { pid: taken.holder?.pid ?? null, home: taken.holder?.what ?? null };
    return false;
  }

  async function wait(): Promise<void> {
    do await clock.sleep(PAUSE_MS, halt.signal);
    while (!(await attempt()));
  }

  return {
    heldBy: () => holder,
    async begin() {
      if (await attempt()) return;
      wait().catch((error: unknown) => {
        if (!halt.signal.aborted) log("ROUTINE_ERROR", { routine: "", error: errorMessage(error) });
      });
    },
    stop() {
      halt.abort();
      release();
    },
  };
}

/** A name that cannot be used at all must not keep routines from running. */
async function take(home: string, homeId: string | undefined, log: Log): Promise<LockResult> {
  const free = { ok: true, release: () => {} } as const;
  if (homeId === undefined) return free;
  const name = `papayu-home-${sha256(homeId).slice(0, 32)}`;
  try {
    const file = join(userInfo().homedir, `.${name}.lock`);
    return await takeMachineName(name, { what: home, file });
  } catch (error) {
    log("ROUTINE_ERROR", { routine: "", error: errorMessage(error) });
    return free;
  }
}
