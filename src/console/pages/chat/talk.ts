import { type Signal, signal } from "@preact/signals";
import { RefusedError } from "../../client/client.ts";
import { messageOf, type Page } from "../../page.ts";
import { beginTurn, type Turn, takeDocument } from "./turn.ts";

/** A conversation as this page has gone on with it; it goes on while another page is shown. */
export interface Talk {
  readonly turns: Signal<readonly Turn[]>;
  /** A message whose answer the page was left in, and what became of it. */
  readonly left: Signal<"" | "running" | "over">;
  /** Grows when what is kept is to be read again. */
  readonly changes: Signal<number>;
  readonly draft: Signal<string>;
  send(text: string): Promise<void>;
  /** Ends what runs: whoever leaves an answer cancels it. */
  stop(): void;
}

/** Where it is kept which answers are under way, across reloads. */
export type Keeper = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const LOOK_AGAIN_MS = 1000;

/** A conversation under the name that sends to it. */
export function createTalk(page: Page, sendAs: string, keeper: Keeper): Talk {
  const turns = signal<readonly Turn[]>([]);
  const left = signal<"" | "running" | "over">("");
  const changes = signal(0);
  const place = `papayu.chat.${sendAs}`;
  let running: AbortController | undefined;

  function set(key: string, change: (turn: Turn) => Turn): void {
    turns.value = turns.value.map((turn) => (turn.key === key ? change(turn) : turn));
  }

  /** Until it is known what became of a message whose answer was cut off. */
  async function settle(key: string): Promise<void> {
    for (;;) {
      try {
        const { state } = await page.client.work(key);
        if (state !== "running") break;
      } catch (error) {
        if (error instanceof RefusedError && error.status < 500) break;
      }
      await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
    }
  }

  const before = keeper.getItem(place);
  if (before !== null) {
    left.value = "running";
    void settle(before).then(() => {
      left.value = "over";
      changes.value += 1;
      keeper.removeItem(place);
    });
  }

  return {
    turns,
    left,
    changes,
    draft: signal(""),
    async send(said) {
      const key = crypto.randomUUID();
      const leaving = new AbortController();
      running = leaving;
      left.value = "";
      keeper.setItem(place, key);
      turns.value = [...turns.value, beginTurn(key, said)];
      const body = { message: said, session_id: sendAs, rendered: true };
      try {
        await page.client.say(body, key, leaving.signal, (document) =>
          set(key, (turn) =>
            takeDocument(
              { ...turn, state: turn.state === "sent" ? "running" : turn.state },
              document,
            ),
          ),
        );
        set(key, (turn) =>
          turn.state === "failed" ? turn : { ...turn, state: "ended", progress: "", output: "" },
        );
      } catch (error) {
        const quiet = { progress: "", output: "" };
        if (leaving.signal.aborted) set(key, (turn) => ({ ...turn, ...quiet, state: "stopped" }));
        else if (error instanceof RefusedError) {
          set(key, (turn) => ({ ...turn, ...quiet, state: "failed", failure: messageOf(error) }));
        } else {
          set(key, (turn) => ({ ...turn, ...quiet, state: "lost" }));
          await settle(key);
          turns.value = [];
          left.value = "over";
          changes.value += 1;
        }
      } finally {
        keeper.removeItem(place);
        if (running === leaving) running = undefined;
      }
      await page.refresh();
    },
    stop: () => running?.abort(),
  };
}

/** Whether its answer is still to come. */
export function isUnderWay({ state }: Turn): boolean {
  return state === "sent" || state === "running";
}
