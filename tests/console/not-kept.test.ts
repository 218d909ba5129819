import { describe, expect, test } from "bun:test";
import { signal } from "@preact/signals";
import { createUnkept, type LinkState, RefusedError } from "../../src/console/client/client.ts";
import { createComments } from "../../src/console/pages/review/person/comments.ts";
import { createPicking } from "../../src/console/pages/review/person/picks.ts";
import { createSeen } from "../../src/console/pages/review/person/seen.ts";

/** What a person says of a change set, and a daemon that takes it, is silent, or fails. */
function open(mostMs?: number) {
  const kept: string[] = [];
  let answer: "kept" | "silent" | Error = "kept";
  const keep = async (what: string, given: AbortSignal) => {
    if (answer instanceof Error) throw answer;
    if (answer === "kept") return void kept.push(what);
    const { promise, reject } = Promise.withResolvers<never>();
    given.addEventListener("abort", () => reject(given.reason));
    return promise;
  };
  const client = {
    draft: (_id: string, _comment: unknown, given: AbortSignal) => keep("draft", given),
    post: (path: string, _body: unknown, given: AbortSignal) =>
      keep(path.split("/").at(-1) ?? "", given),
  };
  const unkept = createUnkept(client, signal<LinkState>("live"), mostMs);
  const parts = {
    draft: createComments(unkept.drafts, "ap"),
    unticked: createPicking(unkept.unticked, "ap"),
    seen: createSeen(unkept.ticks, "ap"),
  };
  const says = {
    draft: () => parts.draft.write({ text: "why?" }),
    unticked: () => parts.unticked.set(new Map([["a", "file"]])),
    seen: () => void parts.seen.mark("a", true),
  };
  const flush = {
    draft: () => unkept.drafts.flush(),
    unticked: () => unkept.unticked.flush(),
    seen: () => unkept.ticks.flush(),
  };
  return { kept, parts, says, flush, setAnswer: (next: typeof answer) => (answer = next) };
}

describe.each(["draft", "unticked", "seen"] as const)("what a person says: %s", (what) => {
  test("is waited for no longer than so long, says that it is not kept, and is kept later", async () => {
    const { kept, parts, says, flush, setAnswer } = open(20);
    setAnswer("silent");
    says[what]();
    await flush[what]();
    expect(parts[what].failure.value).toContain("timed out");
    setAnswer("kept");
    await flush[what]();
    expect([kept, parts[what].failure.value]).toEqual([[what], undefined]);
  });

  test("says that it is not kept where the daemon fails, until it is", async () => {
    const { kept, parts, says, flush, setAnswer } = open();
    setAnswer(new RefusedError(503, "full"));
    says[what]();
    await flush[what]();
    expect(parts[what].failure.value).toBe("full");
    setAnswer("kept");
    await flush[what]();
    expect([kept, parts[what].failure.value]).toEqual([[what], undefined]);
  });
});
