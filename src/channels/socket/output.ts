/** More waiting than this, and writers wait too. */
const MAX_WAITING_CHARS = 1024 * 1024;

/** The output to one client. */
export interface Output {
  /** Writes in order; what the kernel does not take waits here. */
  write(text: string): void;
  /** Resolves when there is room for more, or nobody reads any longer. */
  room(): Promise<void>;
  /** To be called when the kernel takes more. */
  flush(): void;
  /** To be called when the connection is gone. */
  close(): void;
}

/**
 * Bounds what waits for a slow reader: writers wait for it, and one that takes nothing for
 * `stallMs` while a writer waits is given up.
 */
export function createOutput(options: {
  /** Bytes taken; negative: the connection is gone. */
  readonly send: (bytes: Uint8Array) => number;
  readonly giveUp: () => void;
  readonly stallMs: number;
}): Output {
  let sending: Uint8Array = new Uint8Array();
  let rest = "";
  let isOpen = true;
  let moved = Promise.withResolvers<void>();

  function isFull(): boolean {
    return isOpen && sending.length + rest.length > MAX_WAITING_CHARS;
  }

  function flush(): void {
    while (isOpen && sending.length + rest.length > 0) {
      if (sending.length === 0) {
        sending = Buffer.from(rest);
        rest = "";
      }
      const taken = options.send(sending);
      if (taken < 0) return close();
      if (taken === 0) return;
      sending = sending.subarray(taken);
      moved.resolve();
      moved = Promise.withResolvers();
    }
  }

  function close(): void {
    isOpen = false;
    sending = new Uint8Array();
    rest = "";
    moved.resolve();
  }

  return {
    write(text) {
      if (!isOpen) return;
      rest += text;
      if (sending.length === 0) flush();
    },
    async room() {
      while (isFull()) {
        const stalled = setTimeout(options.giveUp, options.stallMs);
        await moved.promise;
        clearTimeout(stalled);
      }
    },
    flush,
    close,
  };
}
