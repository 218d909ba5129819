import { describeDiskError, errorMessage, systemErrorCode } from "../../core/app-error.ts";
import type { Log } from "../../core/log.ts";
import { isLocked, isOfStore } from "../../store/writer/writer.ts";
import type { Texts } from "../../texts/texts.ts";

/** Tells the owner of a database that cannot be written, by what still works. */
interface TroubleNotice {
  /** Tells once what the database refused; what is not its own is no trouble of it. */
  tell(error: unknown): void;
  /** Something was written again: the next trouble is reported again. */
  isOver(): void;
}

/** `send` goes to the owner without the database. */
export function createTroubleNotice(options: {
  readonly send: (text: string) => Promise<void>;
  readonly texts: () => Texts;
  readonly log: Log;
}): TroubleNotice {
  const { send, texts, log } = options;
  let isReported = false;
  return {
    tell(error) {
      if (isReported || !isOfStore(error) || isLocked(error)) return;
      isReported = true;
      const { diskFull, storeRefuses } = texts().telegram;
      const isFull = /^SQLITE_(?:FULL|IOERR_WRITE)/.test(systemErrorCode(error) ?? "");
      send(isFull ? diskFull : storeRefuses(describeDiskError(error))).catch((failure: unknown) => {
        isReported = false;
        log("NOTICE_FAILED", { channel: "telegram", error: errorMessage(failure) });
      });
    },
    isOver() {
      isReported = false;
    },
  };
}
