import { expect, test } from "bun:test";
import type { ModelRequest, Reply } from "../support/model-server.ts";
import { type ConsoleScene, openConsoleScene, PLANTED } from "./console-scene.ts";

/** Writes files of these names. */
const writes =
  (...paths: readonly string[]) =>
  ({ body }: ModelRequest): Reply => {
    const isApply = body.messages.some(({ content }) => String(content).includes("Now APPLY"));
    const actions = paths.map((path) => ({ kind: "CREATE_FILE", path, content: "x\n" }));
    const text = JSON.stringify({ actions: isApply ? actions : [], summary: "1. Write docs" });
    return { kind: "text", text };
  };

/** A change set that waits, and what is posted of it. */
async function ask(scene: ConsoleScene) {
  await scene.phone.say("plan: write docs", "Write docs");
  await scene.phone.tap("Apply", "Changes for notes");
  const ref = (await scene.inbox()).items[0]?.ref ?? "";
  const post = async (what: string, body: object) => {
    const answer = await scene.post(`/api/change-sets/${ref}/${what}`, body);
    return `${answer.status} ${await answer.text()}`;
  };
  return { ref, post, read: () => scene.review(ref) };
}

const path = "notes-[secret].md";
const comment = { path, side: "after", line: 1, text: "why?" };
const SAYS = { unticked: { unticked: [{ path }] }, seen: { path, seen: true }, draft: comment };

test("a file whose name is masked is unticked, seen, spoken of and left out under the name it is shown with", async () => {
  await using scene = await openConsoleScene("", writes(`notes-${PLANTED}.md`, "ok.md"));
  const { ref, post, read } = await ask(scene);
  for (const [what, body] of Object.entries(SAYS)) {
    expect([what, await post(what, body)]).toEqual([what, expect.stringContaining("200")]);
  }
  expect(await read()).toMatchObject({
    unticked: [{ path }],
    drafts: [comment],
    files: [{ path, seen: "same" }, { path: "ok.md" }],
  });
  const taken = { unticked: [{ path, hunks: [] }] };
  expect(await post("unticked", taken)).toStartWith("200");
  expect(await read()).toMatchObject({ unticked: [] });
  const { digest } = await read();
  const pressed = { act: "leave_out", ref, digest, leave_out: [{ path }] };
  const session = { session_id: "telegram:501" };
  await (await scene.post("/api/press", { ...pressed, ...session })).text();
  const next = (await scene.inbox()).items[0]?.ref ?? "";
  expect(next).not.toBe(ref);
  const rest = await scene.review(next);
  expect(rest).toMatchObject({ files: [{ path: "ok.md" }], left_out: [{ path }] });
  expect(JSON.stringify(rest)).not.toContain(PLANTED);
});

test("a name that two files are shown under is refused, by a sentence without an id", async () => {
  const other = PLANTED.replace("abc", "xyz");
  await using scene = await openConsoleScene(
    "",
    writes(`notes-${PLANTED}.md`, `notes-${other}.md`),
  );
  const { ref, post, read } = await ask(scene);
  for (const [what, body] of Object.entries(SAYS)) {
    const said = await post(what, body);
    expect(said).toStartWith("409");
    expect(said).toContain("several files of the change set are shown as");
    expect(said).not.toContain("ap_");
  }
  const { digest } = await read();
  const pressed = { act: "leave_out", ref, digest, leave_out: [{ path }] };
  const at = { session_id: "telegram:501" };
  const answer = await (await scene.post("/api/press", { ...pressed, ...at })).text();
  expect(answer).toContain("Several files of the change set are shown as");
  expect((await scene.inbox()).items[0]?.ref).toBe(ref);
  const unknown = await post("seen", { path: "none.md", seen: true });
  expect(unknown).toStartWith("409");
  expect(unknown).not.toContain("ap_");
});
