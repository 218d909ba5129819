import { cutText } from "../../../core/cut-text.ts";
import { toPrintableText } from "../../../core/visible-text.ts";
import { type Client, RefusedError } from "../../client/client.ts";
import type { Message } from "./wire.ts";

/** Where it is kept which message is on its way, across reloads. */
export type Keeper = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** A message on its way, as long as nobody knows whether it arrives. */
export interface Unsent {
  readonly key: string;
  readonly said: string;
  /** The id of the newest message that was known before it. */
  readonly after: number;
}

/** What a reload needs to know of the newest one. */
export interface UnsentPlace {
  keep(unsent: Unsent): void;
  read(): Unsent | undefined;
  /** It is known what became of that one. */
  forget(key: string): void;
}

const LOOK_AGAIN_MS = 1000;
/** So much of a text says which one it is: what is kept is shortened, and has its files below it. */
const MOST_COMPARED_CHARS = 1000;

/** Keeps it at a place of the browser: the key, the number and the words, a line each. */
export function openUnsent(keeper: Keeper, place: string): UnsentPlace {
  function read(): Unsent | undefined {
    const [key = "", after = "", ...said] = (keeper.getItem(place) ?? "").split("\n");
    if (key === "") return undefined;
    return { key, after: Number(after) || 0, said: said.join("\n") };
  }
  return {
    read,
    keep({ key, said, after }) {
      try {
        keeper.setItem(place, `${key}\n${after}\n${said}`);
      } catch {
        keeper.removeItem(place); // there is no room for it: it is sent nevertheless
      }
    },
    forget(key) {
      if (read()?.key === key) keeper.removeItem(place);
    },
  };
}

/** Whether a message is among those that are kept: behind what was known, with the same words. */
export function isKept({ said, after }: Unsent, messages: readonly Message[]): boolean {
  const words = cutText(toPrintableText(said.trim()), MOST_COMPARED_CHARS);
  return messages.some(
    ({ id, role, text }) => id > after && role === "user" && text.trim().startsWith(words),
  );
}

/** Once it is known what became of a message whose answer was cut off: whether it is known to have arrived. */
export async function settle(client: Pick<Client, "work">, key: string): Promise<boolean> {
  for (;;) {
    try {
      const { state, mayHaveRun } = await client.work(key);
      if (state !== "running") return state === "ended" || mayHaveRun;
    } catch (error) {
      if (error instanceof RefusedError && error.status < 500) return false;
    }
    await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
  }
}
