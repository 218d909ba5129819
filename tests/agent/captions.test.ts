import { expect, test } from "bun:test";
import type { Author } from "../../src/planner/author.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { ANNA, collectReply, openScene, type Scene, WRITER } from "./scene.ts";

/** The name of the file speaks of making one; that is no request of the sender. */
const ATTACHED = 'Sent with this message:\n<<<FILES 0a1b2c3d\n"inbox/create.md"\nFILES 0a1b2c3d>>>';

function sayWith({ conversation }: Scene, words: string) {
  return collectReply((emit) => conversation.message(ANNA, { words, attached: ATTACHED }, emit));
}

/** A scene whose author and model note what they are asked. */
async function openNoted() {
  const goals: string[] = [];
  const chats: string[] = [];
  const author: Author = {
    ...WRITER,
    answer(request) {
      goals.push(request.goal);
      return WRITER.answer(request);
    },
  };
  const provider: Provider = {
    name: "noting",
    model: "none",
    async *stream({ messages }) {
      chats.push(messages.findLast(({ role }) => role === "user")?.content ?? "");
      yield { kind: "content", text: "heard" };
      yield { kind: "end", reason: "stop", usage: { inputTokens: 0, outputTokens: 0 } };
    },
  };
  return { goals, chats, scene: await openScene({ author, provider }) };
}

test.each([
  ["/ws notes", "Workspace: notes"],
  ["/memory forget tea", '"tea"'],
  ["help", "/cancel"],
])("createConversation() takes the words alone of the caption %j", async (words, answer) => {
  using scene = await openScene();
  const { text } = await sayWith(scene, words);
  expect(text).toContain(answer);
  expect(text).not.toContain("FILES");
});

test("createConversation() takes a yes with a file for a yes", async () => {
  const { scene } = await openNoted();
  using _ = scene;
  await scene.say("plan: b.md: text");
  const { approvalId } = (await sayWith(scene, "ok")).last("approval");
  expect((await sayWith(scene, "да")).last("outcome").outcome).toMatchObject({ ok: true });
  expect(approvalId).not.toBe("");
});

test("createConversation() tells of the files in a plan and in a chat, and reads no request in them", async () => {
  const { scene, goals, chats } = await openNoted();
  using _ = scene;
  await sayWith(scene, "plan: b.md: text");
  expect(goals[0]).toBe(`b.md: text\n\n${ATTACHED}`);
  expect((await sayWith(scene, "what is in it?")).kinds).not.toContain("approval");
  expect(chats).toEqual([`what is in it?\n\n${ATTACHED}`]);
});
