import { describeDiskError, errorMessage, systemErrorCode } from "../../core/app-error.ts";
import type { Log } from "../../core/log.ts";
import { isLocked, isOfStore } from "../../store/when-writable.ts";
import type { Texts } from "../../texts/texts.ts";

/** Tells the owner of a database that cannot be written, by what still works. */
export interface TroubleNotice {
  /** Tells once what the database refused; what is not its own is no trouble of it. */
  tell(error: unknown): void;
  /** Something was written again: the next trouble is told anew. */
  isOver(): void;
}

/** `send` goes to the owner without the database. */
export function createTroubleNotice(options: {
  readonly send: (text: string) => Promise<void>;
  readonly texts: () => Texts;
  readonly log: Log;
}): TroubleNotice {
  const { send, texts, log } = options;
  let isTold = false;
  return {
    tell(error) {
      if (isTold || !isOfStore(error) || isLocked(error)) return;
      isTold = true;
      const { diskFull, storeRefuses } = texts().telegram;
      const isFull = /^SQLITE_(?:FULL|IOERR_WRITE)/.test(systemErrorCode(error) ?? "");
      send(isFull ? diskFull : storeRefuses(describeDiskError(error))).catch((failure: unknown) => {
        isTold = false;
        log("NOTICE_FAILED", { channel: "telegram", error: errorMessage(failure) });
      });
    },
    isOver() {
      isTold = false;
    },
  };
}
