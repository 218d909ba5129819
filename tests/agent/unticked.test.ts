import { describe, expect, test } from "bun:test";
import type { Author } from "../../src/planner/author.ts";
import { EN } from "../../src/texts/en.ts";
import { hasOverlay } from "../support/overlay.ts";
import { ANNA, BORIS, openScene } from "./scene.ts";

const FILES = { "one.txt": "1\n" };
const UNTICKED = [{ path: "b.txt" }, { path: "one.txt", hunks: [0] }];

/** Writes two new files, and a line of one that is there. */
const AUTHOR: Author = {
  name: "writer",
  model: "none",
  strictJson: false,
  tokenBudget: 0,
  async answer({ mode, messages }) {
    const shown = messages.map(({ content }) => content).join("\n");
    const sha = /FILE\[one\.txt\] \(sha256=(\w+)/.exec(shown)?.[1] ?? "";
    const patch = "--- a/one.txt\n+++ b/one.txt\n@@ -1 +1 @@\n-1\n+one\n";
    const actions = [
      { kind: "CREATE_FILE", path: "a.txt", content: "a\n" },
      { kind: "CREATE_FILE", path: "b.txt", content: "b\n" },
      { kind: "PATCH_FILE", path: "one.txt", base_sha256: sha, patch },
    ];
    const text = JSON.stringify({ actions: mode === "apply" ? actions : [], summary: "Write" });
    return { ok: true, text, usage: { inputTokens: 0, outputTokens: 0 } };
  },
};

/** A change set that waits, of which something is unticked. */
async function open({ unticked = UNTICKED, check = "[]" } = {}) {
  const env = { PATH: process.env["PATH"] ?? "" };
  const scene = await openScene({ files: FILES, author: AUTHOR, check, env });
  const { planId } = (await scene.say("plan: change one.txt")).last("plan");
  const { approvalId } = (await scene.press("apply", planId)).last("approval");
  const { core } = scene.app.current.agent;
  const drafts = core.settings.of("draft.");
  drafts.set(approvalId, { comments: [], unticked });
  return { ...scene, approvalId, drafts, core };
}

const ACTS = ["leave_out", "approve_whole", "reject"];

describe("a yes to a whole of which something is unticked on the page", () => {
  test.each(["press", "yes", "ok"])("applies nothing, and asks: %s", async (way) => {
    using scene = await open();
    const { approvalId } = scene;
    const before = scene.tree();
    const heard = way === "press" ? scene.press("approve", approvalId) : scene.say(way);
    const { text, options } = (await heard).last("choice");
    expect(text).toBe(
      "On the web page this is unticked: `b.txt`, 1 change in `one.txt`. Nothing is applied yet; there it can be left out, or ticked again.",
    );
    expect(options.map(({ press }) => press)).toEqual(
      ACTS.map((act) => expect.objectContaining({ act, ref: approvalId })),
    );
    expect([scene.tree(), scene.core.approvals.load(approvalId)?.state]).toEqual([
      before,
      "waiting",
    ]);
  });

  test("goes on without it: what is left is asked about, and the yes is for that", async () => {
    using scene = await open();
    const rest = (await scene.press("leave_out", scene.approvalId)).last("approval");
    expect(rest.preview.changes.map(({ path }) => path)).toEqual(["a.txt"]);
    expect((await scene.press("approve", rest.approvalId)).kinds).toContain("outcome");
    expect(Object.keys(scene.tree())).toEqual(["a.txt", "one.txt"]);
  });

  test("goes on with all of it, if that is what is said", async () => {
    using scene = await open();
    const done = (await scene.press("approve_whole", scene.approvalId)).last("outcome");
    expect(done.outcome).toMatchObject({ status: "committed" });
    expect(Object.keys(scene.tree())).toEqual(["a.txt", "b.txt", "one.txt"]);
    const late = await scene.press("approve_whole", scene.approvalId);
    expect(late.last("error").message).toBe(EN.refusals.changeApproved);
  });

  test("counts as before once all is ticked again, and for nobody else", async () => {
    using scene = await open();
    const { approvalId, drafts } = scene;
    for (const act of ["approve_whole", "leave_out"] as const) {
      expect((await scene.press(act, approvalId, BORIS)).kinds).toEqual(["error", "done"]);
    }
    drafts.remove(approvalId);
    const nothing = await scene.press("leave_out", approvalId, ANNA);
    expect(nothing.last("error").message).toBe(EN.refusals.leave.nothing);
    expect((await scene.press("approve", approvalId)).kinds).toContain("outcome");
  });

  test("names five at most, and says how many more there are", async () => {
    using scene = await open({
      unticked: Array.from({ length: 7 }, (_, at) => ({ path: `\u202e${at}` })),
    });
    const { text } = (await scene.press("approve", scene.approvalId)).last("choice");
    expect(text).toEndWith(
      "4`, and 2 more. Nothing is applied yet; there it can be left out, or ticked again.",
    );
    expect(text).not.toContain("\u202e");
  });
});

describe.if(hasOverlay)("a question about the same plan that is asked anew", () => {
  test("keeps what is about to be said and left out, and says what it took the place of", async () => {
    await using scene = await open({ check: '[["sh", "-c", "echo 1 >made.gen"]]' });
    const { approvalId, drafts } = scene;
    const comments = [{ path: "a.txt", side: "after", line: 1, text: "why?" } as const];
    drafts.set(approvalId, { comments, unticked: UNTICKED });
    const { approvalId: next, preview } = (await scene.press("keep", approvalId)).last("approval");
    expect(preview.changes.map(({ path }) => path)).toContain("made.gen");
    expect(drafts.get(approvalId)).toBeUndefined();
    expect(drafts.get(next)).toEqual({ comments, unticked: UNTICKED });
    expect(scene.core.settings.of("earlier.").get(next)).toEqual({ approvalId });
    expect((await scene.press("approve", next)).kinds).toContain("choice");
  });
});
