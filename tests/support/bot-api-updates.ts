import type { ServerResponse } from "node:http";
import type { Answer, Payload } from "./bot-api-wire.ts";

/** The updates of one bot, handed out by long polls. */
export interface UpdateQueue {
  /** Adds an update under the next id and returns the id. */
  push(update: Readonly<Payload>): number;
  /** Hands an update out once more, confirmed or not. */
  redeliver(updateId: number): void;
  /** Answers getUpdates: an offset forgets what is older, a second poller ends the first. */
  poll(payload: Payload, response: ServerResponse): Promise<Answer>;
}

/** An empty queue, with the id of its first update. */
export function createUpdateQueue(firstId = 1000): UpdateQueue {
  const known = new Map<number, Payload>();
  const again: Payload[] = [];
  let queue: Payload[] = [];
  let nextId = firstId;
  let waiting: ((answer?: Answer) => void) | undefined;

  function take(offset: number): Payload[] {
    queue = queue.filter((update) => idOf(update) >= offset);
    // In order: a bot confirms everything older than the newest it got.
    const ready = new Set([...again.splice(0), ...queue]);
    return [...ready].toSorted((a, b) => idOf(a) - idOf(b)).slice(0, 100);
  }

  function wait(timeoutS: number, response: ServerResponse): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      const wake = (answer?: Answer) => {
        clearTimeout(timer);
        if (waiting === wake) waiting = undefined;
        resolve(answer);
      };
      const timer = setTimeout(wake, timeoutS * 1000);
      response.once("close", () => wake());
      waiting = wake;
    });
  }

  return {
    push(update) {
      const whole = { update_id: nextId++, ...update };
      known.set(whole.update_id, whole);
      queue.push(whole);
      waiting?.();
      return whole.update_id;
    },
    redeliver(updateId) {
      const update = known.get(updateId);
      if (update) again.push(update);
      waiting?.();
    },
    async poll(payload, response) {
      waiting?.({ status: 409, description: "Conflict: terminated by other getUpdates request" });
      const offset = Number(payload["offset"] ?? 0);
      const ready = take(offset);
      if (ready.length > 0) return { result: ready };
      const refusal = await wait(Number(payload["timeout"] ?? 0), response);
      return refusal ?? { result: take(offset) };
    },
  };
}

function idOf(update: Payload): number {
  return Number(update["update_id"]);
}
