import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  createListeners,
  MOST_LISTENING,
} from "../../../../src/channels/http/console/listeners.ts";

type Session = Parameters<ReturnType<typeof createListeners>["enter"]>[0];

const owners: readonly Session[] = [undefined, { id: "a" }, { id: "b" }, { id: "c" }];
const others: readonly Session[] = Array.from({ length: 12 }, (_, at) => ({
  id: `app${at}`,
  other: `telegram:${at % 6}`,
}));

const isOwners = (session: Session) => session?.other === undefined;

test("whatever others do, the owner listens as if they were alone, and each has a share", () => {
  const step = fc.record({
    session: fc.constantFrom(...owners, ...others, ...others),
    leaves: fc.boolean(),
    times: fc.integer({ min: 1, max: 12 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [all, alone] = [createListeners(), createListeners()];
      const there: { readonly session: Session; readonly places: Disposable[] }[] = [];
      const countOf = (is: (session: Session) => boolean) =>
        there.filter(({ session }) => is(session)).length;
      for (const { session, leaves, times } of steps) {
        for (let time = 0; time < times; time++) {
          if (leaves) {
            const at = there.findIndex((each) => each.session === session);
            const [gone] = at < 0 ? [] : there.splice(at, 1);
            // Once more does nothing.
            for (const place of [gone, gone].flatMap((each) => each?.places ?? [])) {
              place[Symbol.dispose]();
            }
            continue;
          }
          const place = all.enter(session);
          const same = isOwners(session) ? alone.enter(session) : undefined;
          if (same !== undefined) expect(typeof place).toBe(typeof same);
          const places = [place, same].filter((each) => typeof each === "object");
          if (places.length > 0) there.push({ session, places });
        }
        for (const each of [...owners, ...others]) {
          expect(countOf((one) => one === each)).toBeLessThanOrEqual(MOST_LISTENING.session);
          const { other } = each ?? {};
          if (other === undefined) continue;
          const own = countOf((one) => one?.other === other);
          expect(own).toBeLessThanOrEqual(MOST_LISTENING.other);
        }
        expect(countOf(isOwners)).toBeLessThanOrEqual(MOST_LISTENING.owner);
        expect(countOf((one) => !isOwners(one))).toBeLessThanOrEqual(MOST_LISTENING.others);
      }
    }),
  );
});

test("a share that is full says how many it holds, and takes one more for each that leaves", () => {
  const listeners = createListeners();
  const guest = { id: "app", other: "telegram:1" };
  const places = Array.from({ length: MOST_LISTENING.other }, () => listeners.enter(guest));
  expect(places.map((place) => typeof place)).not.toContain("number");
  expect(listeners.enter(guest)).toBe(MOST_LISTENING.other);
  expect(listeners.enter({ id: "app2", other: "telegram:1" })).toBe(MOST_LISTENING.other);
  expect(listeners.enter({ id: "app3", other: "telegram:2" })).toBeObject();
  const [first] = places;
  if (typeof first === "object") first[Symbol.dispose]();
  expect(listeners.enter(guest)).toBeObject();
  expect(listeners.enter(guest)).toBe(MOST_LISTENING.other);
});
