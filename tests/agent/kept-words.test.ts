import { expect, test } from "bun:test";
import type { Author } from "../../src/planner/author.ts";
import { ANNA, collectReply, openScene, type Scene, WRITER } from "./scene.ts";

const wordsOf = ({ app }: Scene): readonly string[] =>
  app.current.agent.core.sessions
    .messages(ANNA.sessionId, Number.MAX_SAFE_INTEGER, 9)
    .flatMap(({ shown }) => (shown?.kind === "said" ? [shown.text] : []));

test("the words for which a plan is made are kept before it is, once", async () => {
  const kept: (readonly string[])[] = [];
  const author: Author = {
    ...WRITER,
    async answer(request) {
      kept.push(wordsOf(scene));
      return WRITER.answer(request);
    },
  };
  using scene = await openScene({ author });
  await scene.say("plan: b.txt: new");
  expect(kept[0]).toEqual(["plan: b.txt: new"]);
  expect(wordsOf(scene)).toEqual(["plan: b.txt: new"]);
});

test.each([
  ["by the phone", { messageId: "update_1", receivedAt: Date.now() + 60_000 }],
  ["by a program with its key", { workId: "http:k1", digest: "d" }],
])("words that are brought again %s are kept once", async (_, origin) => {
  using scene = await openScene({ author: WRITER });
  for (let time = 0; time < 2; time++) {
    await collectReply((emit) =>
      scene.conversation.message(ANNA, "plan: b.txt: new", emit, origin),
    );
  }
  expect(wordsOf(scene)).toEqual(["plan: b.txt: new"]);
  await scene.say("plan: b.txt: new");
  expect(wordsOf(scene)).toHaveLength(2);
});
