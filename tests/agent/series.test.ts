import { expect, test } from "bun:test";
import { renderEvent } from "../../src/channels/render-event.ts";
import type { Author } from "../../src/planner/author.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { GOAL, projectOf, RENAME, renames } from "../planner/series/series-scene.ts";
import { BORIS, openScene } from "./scene.ts";

const rename = renames("fetchUser", "loadUser");

/** Plans the rename, and does it in the files of each part. */
const RENAMER: Author = {
  name: "renamer",
  model: "none",
  strictJson: false,
  tokenBudget: 0,
  async answer(request) {
    const made = typeof rename === "function" ? await rename(request) : rename;
    const said = request.mode === "plan" ? RENAME : made;
    const usage = { inputTokens: 0, outputTokens: 0 };
    return { ok: true, text: JSON.stringify(said), usage };
  },
};

test("a plan in parts is one question in a chat, told before, and each part can be undone", async () => {
  await using scene = await openScene({
    author: RENAMER,
    files: { ...projectOf(30), "a.txt": "one\ntwo\n" },
    check: "false\nmax_actions = 10",
  });
  const before = scene.tree();
  const planned = (await scene.say(`plan: ${GOAL}`)).last("plan");
  expect(planned.row).toEqual({ files: 31, parts: 4, mostRequests: 16 });
  const asked = await scene.press("apply", planned.planId);
  const question = asked.last("approval");
  expect(question.preview.row?.parts).toHaveLength(4);
  const told = asked.events.flatMap((event) => (event.kind === "progress" ? [event.text] : []));
  const { asking } = textsIn("en").tries.series;
  expect(told).toEqual([1, 2, 3, 4].map((part) => asking(part, 4)));
  for (const language of ["en", "ru", "zh"] as const) {
    const texts = textsIn(language);
    expect(renderEvent(planned, texts).text).toContain(texts.tries.series.planned(31, 4, 16));
    const shown = renderEvent(question, texts).text;
    expect(shown).toContain(texts.tries.series.head(4));
    expect(shown).toContain("renames fetchUser in 10 files");
  }
  expect((await scene.press("approve", question.approvalId, BORIS)).kinds).toEqual([
    "error",
    "done",
  ]);
  expect(scene.tree()).toEqual(before);
  const made = (await scene.press("approve", question.approvalId)).last("outcome");
  expect(made.outcome).toMatchObject({ ok: true, status: "committed" });
  const [undo] = renderEvent(made, textsIn("en")).buttons;
  expect(undo?.press.act).toBe("undo");
  const newest = made.outcome.row?.parts.at(-1)?.txId;
  expect(undo?.press.ref).toBe(newest ?? "");
  const single = (await scene.say("/undo")).last("outcome");
  expect(single.outcome).toMatchObject({ status: "undone", changes: [{}] });
  const undone = (await scene.press("undo", newest ?? "")).last("outcome");
  expect(undone.outcome).toMatchObject({ status: "undone" });
  expect(undone.outcome.changes).toHaveLength(30);
  expect(scene.tree()).toEqual(before);
  expect((await scene.press("undo", newest ?? "")).kinds).toEqual(["error", "done"]);
});
