import { expect, test } from "bun:test";
import { createSessionEnds } from "../../../../../src/channels/http/console/sessions/session-ends.ts";

/** Resolves when it is looked at once more. */
function openEnds() {
  const live = new Set(["a", "b"]);
  let looks = 0;
  let looked = Promise.withResolvers<void>();
  const isLive = (id: string) => {
    looks += 1;
    looked.resolve();
    looked = Promise.withResolvers();
    return live.has(id);
  };
  return {
    live,
    ends: createSessionEnds(isLive, 1),
    looks: () => looks,
    next: () => looked.promise,
  };
}

const ended = ({ end }: { readonly end: AbortSignal }) =>
  new Promise<void>((done) => end.addEventListener("abort", () => done(), { once: true }));

test("everybody who listens for a session hears of its end, and nobody else", async () => {
  const { live, ends } = openEnds();
  const [one, two, other] = [ends.watch("a"), ends.watch("a"), ends.watch("b")];
  const both = Promise.all([ended(one), ended(two)]);
  live.delete("a");
  await both;
  expect(other.end.aborted).toBe(false);
  const late = ends.watch("a");
  await ended(late);
});

test("a session is looked after as long as anybody listens, and no longer", async () => {
  const { live, ends, looks, next } = openEnds();
  const [one, two] = [ends.watch("a"), ends.watch("a")];
  await next();
  one[Symbol.dispose]();
  one[Symbol.dispose](); // counts once
  await next();
  two[Symbol.dispose]();
  const before = looks();
  const other = ends.watch("b");
  const end = ended(other);
  live.clear();
  await end;
  expect(looks()).toBe(before + 1);
  expect(two.end.aborted).toBe(false);
});
