import { errorMessage } from "../../core/app-error.ts";
import type { Log } from "../../core/log.ts";
import type { BegunPass, RetentionPass, Settings } from "../../store/settings/settings.ts";

/** What is known of passes over all that grows. */
export interface KnownPasses {
  /** The newest that came to its end. */
  readonly last?: RetentionPass;
  /** One after it that did not, or not yet. */
  readonly open?: BegunPass & { readonly isRunning: boolean };
}

/**
 * What passes come to, as they go: in memory, which a full disk leaves alone, and in the database,
 * which a kill leaves alone.
 */
export interface PassNotes {
  read(): KnownPasses;
  /** Tells in the log of one that was cut off. */
  begin(at: number): void;
  /** More things went. */
  went(count: number): void;
  /** The pass that was begun is over. */
  end(pass: Omit<RetentionPass, "at" | "removed" | "cutOff">): void;
  /** Nothing may go since then, for the clock may be wrong; undefined: it may again. */
  hold(since: number | undefined): void;
}

/** Notes of a daemon, which no other writes meanwhile. */
export function createPassNotes(settings: Settings, log: Log): PassNotes {
  let { last, open } = findPasses(settings);
  const keep = (write: () => void) => {
    try {
      write();
    } catch (error) {
      log("RETENTION_NOTE_FAILED", { error: errorMessage(error) }); // memory has it
    }
  };
  const keepLast = () =>
    keep(() => {
      if (last) settings.of("retention.pass").set("", last);
    });
  const keepOpen = () =>
    keep(() => {
      if (open) settings.of("retention.begun").set("", { at: open.at, removed: open.removed });
      else settings.of("retention.begun").remove("");
    });
  let cutOff: BegunPass | undefined;

  return {
    read: () => ({ ...(last && { last }), ...(open && { open }) }),
    begin(at) {
      cutOff = undefined;
      if (open) {
        cutOff = { at: open.at, removed: open.removed };
        log("RETENTION_CUT_OFF", {
          begun_at: new Date(open.at).toISOString(),
          removed: open.removed,
        });
      }
      // What went by the one that was cut off is told with what goes now.
      open = { at, removed: cutOff?.removed ?? 0, isRunning: true };
      keepOpen();
    },
    went(count) {
      if (count === 0 || !open) return;
      open = { ...open, removed: open.removed + count };
      keepOpen();
    },
    end(pass) {
      const { at = Date.now(), removed = 0 } = open ?? {};
      last = { at, removed, ...pass, ...(cutOff && { cutOff }) };
      open = undefined;
      keepLast();
      keepOpen();
    },
    hold(since) {
      if (!last || last.heldSince === since) return;
      const { heldSince: _, ...rest } = last;
      last = { ...rest, ...(since !== undefined && { heldSince: since }) };
      keepLast();
    },
  };
}

/** The same from outside the daemon, or of the daemon before; what was begun there does not run. */
export function findPasses(settings: Settings): KnownPasses {
  const last = settings.of("retention.pass").get("");
  const begun = settings.of("retention.begun").get("");
  // A kill between the two notes of an end.
  const isOpen = begun !== undefined && begun.at !== last?.at;
  return { ...(last && { last }), ...(isOpen && { open: { ...begun, isRunning: false } }) };
}
