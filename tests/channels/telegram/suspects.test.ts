import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Company, createSuspects } from "../../../src/channels/telegram/work/work.ts";
import { createInbox, type InboxRow } from "../../../src/store/chats/chats.ts";
import { memoryStore } from "../../support/fresh-store.ts";
import { runs } from "../../support/long.ts";
import { OWNER, openBench } from "./bench.ts";

const BOT = 1;
const FRIEND = OWNER + 1;
const never = () => new Promise<void>(() => {});

/** A message of a chat of its own: when it comes, how long it takes, and whether it ends the daemon. */
interface Message {
  readonly comesAt: number;
  readonly takes: number;
  readonly isDeadly: boolean;
}

/** Work of a terminal, a program or a routine: nobody brings it again when a death cut it off. */
type Other = Message;

/**
 * Lives one daemon after another until nothing waits; a tick is the time in which all can begin.
 * What others ask for comes before the messages of a tick, or after them.
 */
async function liveOn(messages: readonly Message[], others: readonly Other[] = [], isFirst = true) {
  using store = memoryStore();
  const inbox = createInbox(store, BOT);
  let deaths = 0;
  for (let tick = 0, isOver = false; !isOver; deaths += isOver ? 0 : 1) {
    const company = new Map<Other, number>();
    let join = () => {};
    const isThere = () => company.size > 0;
    const beside: Company = { isThere, onJoin: (joined) => void (join = joined) };
    const suspects = createSuspects(inbox, beside, () => {});
    const joinOthers = () => {
      for (const other of others) {
        if (other.comesAt !== tick) continue;
        join();
        company.set(other, tick + other.takes);
      }
    };
    const ends = new Map<number, { at: number; leave: () => void }>();
    const begin = (row: InboxRow) => {
      if (suspects.isGuilty(row.blame)) return inbox.finish(row.updateId, "poison");
      const { promise, resolve } = Promise.withResolvers<void>();
      void suspects.watch(row, () => promise);
      suspects.begin(row.updateId);
      ends.set(row.updateId, { at: tick + (messages[row.updateId]?.takes ?? 0), leave: resolve });
    };
    for (let isDead = false; !isDead && !isOver; tick++) {
      if (isFirst) joinOthers();
      for (const [updateId, { comesAt }] of messages.entries()) {
        if (comesAt > tick || inbox.isKnown(updateId)) continue;
        const update = {
          updateId,
          sessionId: `${updateId}`,
          lane: "turn",
          state: "waiting",
        } as const;
        inbox.add({ ...update, updateJson: "{}" }, tick);
      }
      for (const row of inbox.heads("turn")) {
        if (suspects.mayBegin(row) && !ends.has(row.updateId)) begin(row);
      }
      if (!isFirst) joinOthers();
      for (const [other, at] of company) {
        if (at > tick) continue;
        isDead ||= other.isDeadly;
        company.delete(other);
      }
      for (const [updateId, { at, leave }] of ends) {
        if (at > tick || isDead) continue;
        isDead ||= messages[updateId]?.isDeadly === true;
        if (isDead) break;
        inbox.finish(updateId, "done");
        suspects.done(updateId);
        ends.delete(updateId);
        leave();
      }
      await Promise.resolve();
      await Promise.resolve();
      isOver =
        !isDead && inbox.waitingCount() === 0 && messages.every((_, id) => inbox.isKnown(id));
    }
  }
  const rows = store.query<{ id: number; state: string }, []>(
    "SELECT update_id AS id, state FROM inbox ORDER BY update_id",
  );
  return { deaths, aside: rows.all().flatMap(({ id, state }) => (state === "poison" ? [id] : [])) };
}

describe("createSuspects()", () => {
  const message = fc.record({
    comesAt: fc.nat({ max: 12 }),
    takes: fc.nat({ max: 9 }),
    isDeadly: fc.constant<boolean>(false),
  });

  test("finds the messages that crash the daemon, in six crashes each, and no other", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 12 }),
        fc.array(fc.tuple(fc.nat(), message), { minLength: 1, maxLength: 2 }),
        async (innocent, deadly) => {
          const messages = [...innocent];
          for (const [place, one] of deadly) {
            messages.splice(place % (messages.length + 1), 0, { ...one, isDeadly: true });
          }
          const { deaths, aside } = await liveOn(messages);
          const guilty = messages.flatMap(({ isDeadly }, id) => (isDeadly ? [id] : []));
          expect(aside).toEqual(guilty);
          expect(deaths).toBeLessThanOrEqual(6 * guilty.length);
        },
      ),
      { numRuns: runs(25, 5000) },
    );
  });

  const other = fc.record({
    comesAt: fc.nat({ max: 20 }),
    takes: fc.nat({ max: 9 }),
    isDeadly: fc.constant<boolean>(false),
  });

  test("finds whoever ends the daemon beside the work of others, and blames no message for theirs", async () => {
    const deadly = fc.record({ message, place: fc.nat() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 8 }),
        fc.option(deadly, { nil: undefined }),
        fc.array(other, { maxLength: 12 }),
        fc.array(other, { maxLength: 5 }),
        fc.boolean(),
        async (innocent, guilty, others, killers, isFirst) => {
          const messages = [...innocent];
          const place = (guilty?.place ?? 0) % (messages.length + 1);
          if (guilty) messages.splice(place, 0, { ...guilty.message, isDeadly: true });
          // Two deaths by a message may count against others; with six of theirs nobody can tell.
          const deadlyOthers = killers.slice(0, guilty ? 3 : 5);
          const works = [...others, ...deadlyOthers.map((one) => ({ ...one, isDeadly: true }))];
          const { deaths, aside } = await liveOn(messages, works, isFirst);
          expect(aside).toEqual(guilty ? [place] : []);
          expect(deaths).toBeLessThanOrEqual((guilty ? 6 : 0) + deadlyOthers.length);
        },
      ),
      { numRuns: runs(35, 5000) },
    );
  });

  test("finds a message that is never alone in six deaths", async () => {
    const lone = { comesAt: 0, takes: 1, isDeadly: true };
    const always = Array.from({ length: 20 }, (_, comesAt) => {
      return { comesAt, takes: 1, isDeadly: false };
    });
    for (const isFirst of [true, false]) {
      expect(await liveOn([lone], always, isFirst)).toEqual({ deaths: 6, aside: [0] });
    }
  });

  test("needs three deaths for a message that is alone", async () => {
    const lone = { comesAt: 0, takes: 1, isDeadly: true };
    expect(await liveOn([lone])).toEqual({ deaths: 3, aside: [0] });
  });
});

describe("createTelegramChannel()", () => {
  test("sets aside what ends the daemon, and goes on with everybody else meanwhile", async () => {
    let life = 1;
    const settings = { allowedUserIds: () => [OWNER, FRIEND, FRIEND + 1] };
    await using bench = await openBench({
      options: settings,
      say: (text, emit) =>
        text === "deadly" || (text === "slow" && life < 3)
          ? never()
          : emit({ kind: "content", text: `done: ${text}` }),
    });
    bench.api.say(OWNER, "deadly");
    bench.api.say(FRIEND, "slow");
    for (const count of [2, 2, 1, 1, 1]) {
      await bench.api.waitFor(() => bench.script.received.length === count);
      if (life === 3) {
        // Who is not suspected waits for nobody, and makes this death say less.
        bench.api.say(FRIEND + 1, "quick");
        await bench.api.waitForText("done: quick");
      }
      bench.script.received.length = 0;
      await bench.die();
      life++;
      await bench.restart();
    }
    await bench.api.waitForText("set it aside");
    await bench.api.waitForText("done: slow");
    expect(bench.api.texts().filter((text) => text.includes("aside"))).toHaveLength(1);
    expect(bench.api.texts(OWNER)[0]).toStartWith("I tried 5 times to work on this, in vain");
  });

  test("blames nothing for an orderly stop, however often it is cut short", async () => {
    await using bench = await openBench({ say: never });
    bench.api.say(OWNER, "slow");
    for (let stop = 1; stop <= 8; stop++) {
      await bench.api.waitFor(() => bench.script.received.length === stop);
      await bench.stop(0);
      await bench.restart();
    }
    await bench.api.waitFor(() => bench.script.received.length === 9);
    expect(bench.store.query("SELECT state FROM inbox").values()).toEqual([["waiting"]]);
    expect(bench.api.texts()).toEqual([]);
  });

  test("lets nobody wait for what fails again and again", async () => {
    let fails = 0;
    await using bench = await openBench({
      options: { allowedUserIds: () => [OWNER, FRIEND] },
      say(text, emit) {
        if (text !== "broken") return emit({ kind: "content", text: `done: ${text}` });
        if (++fails < 3) throw new Error("boom");
        return never();
      },
    });
    bench.api.say(OWNER, "broken");
    await bench.api.waitFor(() => fails === 3);
    bench.api.say(FRIEND, "hello");
    await bench.api.waitForText("done: hello");
  });
});
