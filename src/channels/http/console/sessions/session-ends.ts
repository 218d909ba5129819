/** How long a session that ended is not noticed, whatever ended it. */
const LOOK_MS = 250;

/** Tells whoever answers for long that the session which asked is over. */
export interface SessionEnds {
  /** To be disposed of by whoever is done first. */
  watch(id: string): Watched;
}

/** A session that somebody listens for. */
export interface Watched extends Disposable {
  /** Aborted soon after the session ended. */
  readonly end: AbortSignal;
}

/**
 * Looks after the sessions that are watched, while any is: people are removed by other programs and
 * by the configuration, which tell nobody here.
 */
export function createSessionEnds(
  isLive: (id: string) => boolean,
  lookMs: number = LOOK_MS,
): SessionEnds {
  const watched = new Map<string, { readonly end: AbortController; count: number }>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function look(): void {
    for (const [id, { end }] of watched) {
      if (isLive(id)) continue;
      watched.delete(id);
      end.abort();
    }
    rest();
  }

  function rest(): void {
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(id) {
      const one = watched.get(id) ?? { end: new AbortController(), count: 0 };
      watched.set(id, one);
      one.count += 1;
      timer ??= setInterval(look, lookMs);
      let isDone = false;
      return {
        end: one.end.signal,
        [Symbol.dispose]() {
          if (isDone) return;
          isDone = true;
          one.count -= 1;
          if (one.count === 0 && watched.get(id) === one) watched.delete(id);
          rest();
        },
      };
    },
  };
}
