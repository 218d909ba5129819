import { effect, type ReadonlySignal } from "@preact/signals";
import { type Client, type LinkState, RefusedError } from "../../client/client.ts";

/** Where it is kept which message is on its way, across reloads. */
export type Keeper = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** A message on its way, as long as nobody knows whether it arrives. */
export interface Unsent {
  readonly key: string;
  readonly said: string;
}

/** What a reload needs to know of the newest one. */
export interface UnsentPlace {
  keep(unsent: Unsent): void;
  read(): Unsent | undefined;
  /** It is known what became of that one. */
  forget(key: string): void;
}

/** Nobody knows what became of a message then. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 401;
}

const LOOK_AGAIN_MS = 1000;

type Link = ReadonlySignal<LinkState>;

/** Keeps it at a place of the browser: the key, and below it the words. */
export function openUnsent(keeper: Keeper, place: string): UnsentPlace {
  function read(): Unsent | undefined {
    const [key = "", ...said] = (keeper.getItem(place) ?? "").split("\n");
    return key === "" ? undefined : { key, said: said.join("\n") };
  }
  return {
    read,
    keep({ key, said }) {
      try {
        keeper.setItem(place, `${key}\n${said}`);
      } catch {
        keeper.removeItem(place); // there is no room for it: it is sent nevertheless
      }
    },
    forget(key) {
      if (read()?.key === key) keeper.removeItem(place);
    },
  };
}

/**
 * Once it is known what became of a message whose answer was cut off: whether it arrived. Undefined:
 * the page may not ask.
 */
export async function settle(
  { client, feed }: { client: Pick<Client, "work">; feed: { link: Link } },
  key: string,
): Promise<boolean | undefined> {
  for (;;) {
    try {
      const { state, isReceived } = await client.work(key);
      if (state !== "running") return state === "ended" || isReceived;
    } catch (error) {
      // Who signs in again is told; until then nobody answers.
      if (isSignedOut(error)) await becomesLive(feed.link);
      else if (error instanceof RefusedError && error.status < 500) return undefined;
    }
    await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
  }
}

async function becomesLive(link: Link): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = effect(() => {
    if (link.value === "live") resolve();
  });
  await promise;
  stop();
}
