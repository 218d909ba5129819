import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Press } from "../../src/channels/channel.ts";
import type { Author } from "../../src/planner/author.ts";
import type { Action } from "../../src/protocol/response.ts";
import { hasOverlay } from "../support/overlay.ts";
import { type AgentReply, ANNA, BORIS, openScene } from "./scene.ts";

const LINES = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
const FILES = { "a.txt": `${LINES.join("\n")}\n`, "b.txt": "one\n", "crlf.txt": "1\r\n2\r\n3\r\n" };

/** Plans the same each time; keeps what it was asked. */
function scripted(toActions: (shaOf: (path: string) => string) => readonly Action[]) {
  const goals: string[] = [];
  const author: Author = {
    name: "writer",
    model: "none",
    strictJson: false,
    tokenBudget: 0,
    async answer({ mode, goal, messages }) {
      if (mode === "plan") goals.push(goal);
      const shown = messages.map(({ content }) => content).join("\n");
      const shaOf = (path: string) =>
        new RegExp(`FILE\\[${path}\\] \\(sha256=(\\w+)`).exec(shown)?.[1] ?? "";
      const actions = mode === "apply" ? toActions(shaOf) : [];
      const text = JSON.stringify({ actions, summary: "Write it" });
      return { ok: true, text, usage: { inputTokens: 0, outputTokens: 0 } };
    },
  };
  return { author, goals };
}

/** Two hunks in a.txt, two new files in a new folder, one that goes. */
const ACTIONS = (shaOf: (path: string) => string): readonly Action[] => [
  {
    kind: "PATCH_FILE",
    path: "a.txt",
    base_sha256: shaOf("a.txt"),
    patch:
      "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-line 1\n+first\n line 2\n@@ -39,2 +39,3 @@\n line 39\n line 40\n+last\n",
  },
  { kind: "CREATE_FILE", path: "docs/why.md", content: "# Why\n" },
  { kind: "CREATE_FILE", path: "docs/how.md", content: "# How\n" },
  { kind: "DELETE_FILE", path: "b.txt" },
];
const GOAL = "plan: change a.txt b.txt crlf.txt";

async function open(actions = ACTIONS, check = "false") {
  const { author, goals } = scripted(actions);
  const env = { PATH: process.env["PATH"] ?? "" };
  const scene = await openScene({ files: FILES, author, check, env });
  const ask = async () => {
    const { planId } = (await scene.say(GOAL)).last("plan");
    return (await scene.press("apply", planId)).last("approval");
  };
  const leave = (ref: string, leftOut: NonNullable<Press["revision"]>["leftOut"] = []) =>
    scene.press("leave_out", ref, ANNA, { leftOut });
  const read = (path: string) => readFileSync(join(scene.folder, path), "utf8");
  return { ...scene, ask, leave, goals, read };
}

const said = (reply: AgentReply) => reply.last("error").message;

describe("[leave_out]", () => {
  test("asks about a new change set with an id of its own, and the yes is for exactly that", async () => {
    using scene = await open();
    const before = scene.tree();
    const whole = await scene.ask();
    const reply = await scene.leave(whole.approvalId, [
      { path: "a.txt", hunks: [0] },
      { path: "docs/how.md" },
    ]);
    const rest = reply.last("approval");
    expect(rest.approvalId).not.toBe(whole.approvalId);
    expect(rest.preview.changeSetId).not.toBe(whole.preview.changeSetId);
    expect(rest.preview.changes.map(({ path }) => path)).toEqual([
      "docs",
      "docs/why.md",
      "a.txt",
      "b.txt",
    ]);
    expect(rest.preview.diff).not.toContain("+first");
    expect(rest.preview.diff).toContain("+last");
    const old = await scene.press("approve", whole.approvalId);
    expect(said(old)).toContain("newer");
    expect(scene.tree()).toEqual(before);
    const done = await scene.press("approve", rest.approvalId);
    expect(done.last("outcome").outcome).toMatchObject({ status: "committed" });
    expect(scene.read("a.txt")).toBe(`${LINES.join("\n")}\nlast\n`);
    expect(Object.keys(scene.tree())).not.toContain("docs/how.md");
    const { txId = "" } = done.last("outcome").outcome;
    await scene.press("undo", txId);
    expect(scene.tree()).toEqual(before);
  });

  test("is done again on what stays, and an ok means what is asked about", async () => {
    using scene = await open();
    const first = await scene.leave((await scene.ask()).approvalId, [{ path: "docs/how.md" }]);
    const second = await scene.leave(first.last("approval").approvalId, [
      { path: "a.txt", hunks: [1] },
      { path: "docs/why.md" },
    ]);
    const { changes } = second.last("approval").preview;
    expect(changes.map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
    await scene.say("ok");
    expect(scene.read("a.txt")).toBe(FILES["a.txt"].replace("line 1\n", "first\n"));
  });

  test("keeps bytes as they are: ends of lines, a missing last one, what a range cannot say", async () => {
    using scene = await open((shaOf) => [
      {
        kind: "PATCH_FILE",
        path: "crlf.txt",
        base_sha256: shaOf("crlf.txt"),
        patch: "--- a/crlf.txt\n+++ b/crlf.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n",
      },
      {
        kind: "PATCH_FILE",
        path: "a.txt",
        base_sha256: shaOf("a.txt"),
        patch:
          "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-line 1\n+first\n line 2\n@@ -40 +40 @@\n-line 40\n+line 40\n\\ No newline at end of file\n",
      },
    ]);
    const whole = await scene.ask();
    const rest = await scene.leave(whole.approvalId, [{ path: "a.txt", hunks: [0] }]);
    await scene.press("approve", rest.last("approval").approvalId);
    expect(scene.read("crlf.txt")).toBe("1\r\ntwo\r\n3\r\n");
    expect(scene.read("a.txt")).toBe(LINES.join("\n"));
  });

  test("refuses what was not shown, all, nothing, and what the rest needs; the question stays", async () => {
    using scene = await open();
    const { approvalId } = await scene.ask();
    const cases = [
      [[], "Name the files or hunks"],
      [[{ path: "c.txt" }], 'Cannot leave out "c.txt"'],
      [[{ path: "../c.txt" }], 'Cannot leave out "../c.txt"'],
      [[{ path: "a.txt", hunks: [7] }], 'Cannot leave out "a.txt" #7'],
      [[{ path: "docs" }], '"docs/how.md" needs "docs"'],
      [
        ["docs", "docs/why.md", "docs/how.md", "a.txt", "b.txt"].map((path) => ({ path })),
        "reject it instead",
      ],
    ] as const;
    for (const [parts, sentence] of cases) {
      expect(said(await scene.leave(approvalId, parts))).toContain(sentence);
    }
    expect((await scene.press("leave_out", approvalId)).kinds).toContain("error");
    const others = await scene.press("leave_out", approvalId, BORIS, {
      leftOut: [{ path: "b.txt" }],
    });
    expect(others.kinds).toContain("error");
    await scene.press("approve", approvalId);
    expect(Object.keys(scene.tree())).toContain("docs/how.md");
  });

  test("of two windows at once has one winner, and of a yes at the same moment, too", async () => {
    using scene = await open();
    const { approvalId } = await scene.ask();
    const parts = ["docs/how.md", "b.txt", "docs/why.md"].map((path) => ({ path }));
    const replies = await Promise.all(parts.map((part) => scene.leave(approvalId, [part])));
    expect(replies.filter(({ kinds }) => kinds.includes("approval"))).toHaveLength(1);
    const again = replies.find(({ kinds }) => kinds.includes("approval"))?.last("approval");
    const ref = again?.approvalId ?? "";
    const [rest, yes] = await Promise.all([
      scene.leave(ref, [{ path: "a.txt" }]),
      scene.press("approve", ref),
    ]);
    expect(rest.kinds.includes("approval")).not.toBe(yes.kinds.includes("outcome"));
  });

  test("takes what is about to be said along to what takes its place", async () => {
    using scene = await open();
    const whole = await scene.ask();
    const drafts = scene.app.current.agent.core.settings.of("draft.");
    const draft = { comments: [{ path: "a.txt", side: "after", line: 41, text: "why?" } as const] };
    drafts.set(whole.approvalId, draft);
    const rest = await scene.leave(whole.approvalId, [{ path: "b.txt" }]);
    const { approvalId } = rest.last("approval");
    expect([drafts.get(whole.approvalId), drafts.get(approvalId)]).toEqual([undefined, draft]);
    const { comments } = draft;
    const revised = await scene.press("revise", approvalId, ANNA, { comments });
    expect(drafts.get(approvalId)).toBeUndefined();
    expect(drafts.get(revised.last("approval").approvalId)).toBeUndefined();
  });

  test("takes along what is unticked where that is still there, and a hunk where its file is the same", async () => {
    using scene = await open();
    const whole = await scene.ask();
    const drafts = scene.app.current.agent.core.settings.of("draft.");
    const unticked = [
      { path: "a.txt", hunks: [0] },
      { path: "docs/how.md" },
      { path: "docs/why.md", hunks: [0] },
      { path: "b.txt" },
    ];
    drafts.set(whole.approvalId, { comments: [], unticked });
    const leftOut = [{ path: "a.txt", hunks: [0] }, { path: "docs/how.md" }];
    const rest = (await scene.leave(whole.approvalId, leftOut)).last("approval");
    expect(drafts.get(whole.approvalId)).toBeUndefined();
    expect(drafts.get(rest.approvalId)).toEqual({
      comments: [],
      unticked: [{ path: "docs/why.md", hunks: [0] }, { path: "b.txt" }],
    });
  });

  test("keeps why with what was left out, for whoever plans the goal again", async () => {
    using scene = await open();
    const whole = await scene.ask();
    const drafts = scene.app.current.agent.core.settings.of("draft.");
    const why = { path: "docs/how.md", side: "after", line: 1, text: "nobody reads it" } as const;
    const mine = { path: "docs/why.md", side: "after", line: 1, text: "louder" } as const;
    const aside = { path: "b.txt", text: "  " };
    drafts.set(whole.approvalId, { comments: [why, mine, aside] });
    const leftOut = [{ path: "docs/how.md" }, { path: "b.txt" }, { path: "a.txt", hunks: [0] }];
    const rest = (await scene.leave(whole.approvalId, leftOut)).last("approval");
    const earlier = scene.app.current.agent.core.settings.of("earlier.").get(rest.approvalId);
    expect(earlier?.comments).toEqual([why]);
    expect(drafts.get(rest.approvalId)?.comments[0]).toEqual(mine);
    await scene.press("revise", rest.approvalId, ANNA, { comments: [mine] });
    const goal = scene.goals.at(-1) ?? "";
    expect(goal).toContain("The user says why:\n1. nobody reads it\n");
    expect(goal).toContain('1 is about "docs/how.md", line 1 with the change');
    expect(goal.match(/nobody reads it/gu)).toHaveLength(1);
  });

  test("refuses files that are others by now", async () => {
    using scene = await open();
    const { approvalId } = await scene.ask();
    writeFileSync(join(scene.folder, "a.txt"), "mine\n");
    expect(said(await scene.leave(approvalId, [{ path: "b.txt" }]))).toContain("others by now");
  });

  test("is kept with the goal: whoever plans it again is told, lines of files as what they are", async () => {
    using scene = await open();
    const whole = await scene.ask();
    const rest = await scene.leave(whole.approvalId, [
      { path: "a.txt", hunks: [1] },
      { path: "docs/how.md" },
    ]);
    const { approvalId } = rest.last("approval");
    const comments = [{ path: "a.txt", side: "after", line: 1, text: "call it 1st" }] as const;
    const revised = await scene.press("revise", approvalId, ANNA, { comments });
    expect(revised.last("approval").approvalId).not.toBe(approvalId);
    const goal = scene.goals.at(-1) ?? "";
    expect(goal).toContain("The user left these parts out");
    expect(goal).toContain('- the new file "docs/how.md"');
    expect(goal).toMatch(
      /<<<FILES \w+\n- some changes of "a\.txt"\n- the new file "docs\/how\.md"\n[^]*<<<FILES \w+\nIn "a\.txt":\n[^]*\+last\n/u,
    );
    expect(goal).toContain("1. call it 1st\n");
    expect(goal).toMatch(
      /<<<FILES \w+\nWhat was planned: [^]*1 is about "a\.txt", line 1 with the change\n[^]*> 1: first\n {2}2: line 2\n/u,
    );
  });
});

describe("a long review", () => {
  test("goes on however much was said: the goal stays the person's, and what is told has a bound", async () => {
    using scene = await open();
    let { approvalId } = await scene.ask();
    const [first = ""] = scene.goals;
    for (let round = 1; round <= 6; round++) {
      const text = `round ${round} ${"x".repeat(9000)}`;
      const again = await scene.press("revise", approvalId, ANNA, { comments: [{ text }] });
      ({ approvalId } = again.last("approval"));
      const told = scene.goals.at(-1) ?? "";
      expect(told).toStartWith(`${first}\n\n`);
      expect(told).toContain(`1. ${text}\n`);
      expect(told.length).toBeLessThan(first.length + 41_000);
    }
    const told = scene.goals.at(-1) ?? "";
    expect(told).toContain("round 3 ");
    expect(told).not.toContain("round 2 ");
    expect(told).toContain("What was said earlier is not shown any more: 2 of 6 notes.");
  });
});

describe.if(hasOverlay)("[leave_out] where checks run before the question", () => {
  const CHECK = '[["sh", "-c", "test ! -f docs/why.md || test -f docs/how.md"]]';

  test("has what stays checked anew; what fails is not asked about, and the question stays", async () => {
    await using scene = await open(ACTIONS, CHECK);
    const whole = await scene.ask();
    expect(whole.preview.checked?.check.ok).toBe(true);
    const failed = await scene.leave(whole.approvalId, [{ path: "docs/how.md" }]);
    expect(failed.kinds).not.toContain("approval");
    expect(failed.last("outcome").outcome).toMatchObject({ ok: false, touched: false });
    expect(scene.goals).toHaveLength(1); // nobody corrects what a person chose
    const both = [{ path: "docs/how.md" }, { path: "docs/why.md" }];
    const rest = (await scene.leave(whole.approvalId, both)).last("approval");
    expect(rest.preview.checked?.check.ok).toBe(true);
    await scene.press("approve", rest.approvalId);
    expect(Object.keys(scene.tree()).toSorted()).toEqual(["a.txt", "crlf.txt"]);
  });
});

describe("[revise]", () => {
  test("plans again with what was said, and asks about that instead", async () => {
    using scene = await open();
    const whole = await scene.ask();
    const comments = [
      { text: "shorter, please" },
      { path: "docs/why.md", text: "no such file" },
      { path: "a.txt", side: "before", line: 39, to: 40, text: "leave these" },
    ] as const;
    const again = await scene.press("revise", whole.approvalId, ANNA, { comments });
    const { approvalId, preview } = again.last("approval");
    expect(approvalId).not.toBe(whole.approvalId);
    expect(preview.planId).not.toBe(whole.preview.planId);
    expect(said(await scene.press("approve", whole.approvalId))).toContain("newer");
    const [, words = "", places = ""] =
      /to be different:\n([^]*)\n\nThe places [^]*(<<<FILES [^]*)$/u.exec(
        scene.goals.at(-1) ?? "",
      ) ?? [];
    expect(words).toBe("1. shorter, please\n2. no such file\n3. leave these");
    expect(places).toContain('1 is about the whole\n2 is about "docs/why.md"\n');
    expect(places).toContain('3 is about "a.txt", lines 39-40 before the change\n');
    const kept = scene.app.current.agent.core.settings.of("earlier.").get(approvalId);
    expect(kept).toEqual({ approvalId: whole.approvalId, comments: [...comments] });
    await scene.say("ok");
    expect(Object.keys(scene.tree())).toContain("docs/why.md");
  });

  test("takes no comment on what was not shown, and nothing that says nothing", async () => {
    using scene = await open();
    const { approvalId } = await scene.ask();
    const line = (path: string, number: number) =>
      ({ path, side: "after", line: number, text: "x" }) as const;
    for (const comment of [line("c.txt", 1), line("a.txt", 99), line("b.txt", 1), { text: " " }]) {
      const reply = await scene.press("revise", approvalId, ANNA, { comments: [comment] });
      expect(reply.kinds).toEqual(["error", "done"]);
    }
    expect(scene.goals).toHaveLength(1);
    expect((await scene.press("approve", approvalId)).kinds).toContain("outcome");
  });
});

describe("[revise] with what lines are to be", () => {
  const SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";
  const write = (path: string, line: number, text: string, to = line) =>
    ({ path, side: "after", line, to, text, instead: true }) as const;

  async function openWith(more: readonly Action[] = []) {
    const scene = await open((shaOf) => [...ACTIONS(shaOf), ...more]);
    const { approvalId } = await scene.ask();
    const revise = (comments: NonNullable<Press["revision"]>["comments"] = [], ref = approvalId) =>
      scene.press("revise", ref, ANNA, { comments });
    return { ...scene, approvalId, revise };
  }

  test("asks about exactly these, without an author, and the yes is for them", async () => {
    const { approvalId, revise, ...scene } = await openWith();
    using _ = scene;
    const before = scene.tree();
    const again = await revise([
      write("a.txt", 1, "eerste"),
      write("a.txt", 41, "almost\nlast"),
      write("docs/why.md", 1, "# Because"),
    ]);
    const next = again.last("approval");
    expect(scene.goals).toHaveLength(1);
    expect(next.preview.diff).toContain("+eerste");
    expect(next.preview.diff).not.toContain("+first");
    expect(said(await scene.press("approve", approvalId))).toContain("newer");
    expect(scene.tree()).toEqual(before);
    await scene.press("approve", next.approvalId);
    const expected = FILES["a.txt"].replace("line 1\n", "eerste\n");
    expect(scene.read("a.txt")).toBe(`${expected}almost\nlast\n`);
    expect(scene.read("docs/why.md")).toBe("# Because\n");
    expect(scene.read("docs/how.md")).toBe("# How\n");
  });

  test("may also be of lines that the plan left as they are", async () => {
    const { revise, ...scene } = await openWith();
    using _ = scene;
    const { preview } = (await revise([write("a.txt", 20, "twenty")])).last("approval");
    expect(preview.diff).toContain("-line 20\n+twenty");
    await scene.say("ok");
    expect(scene.read("a.txt")).toContain("line 19\ntwenty\nline 21");
  });

  test("is told to an author where something else is said as well", async () => {
    const { approvalId, revise, ...scene } = await openWith();
    using _ = scene;
    const again = await revise([write("a.txt", 1, "eerste"), { text: "and shorter" }]);
    expect(again.last("approval").approvalId).not.toBe(approvalId);
    expect(scene.goals).toHaveLength(2);
    expect(scene.goals.at(-1)).toContain(
      "1. These lines are to be, as they stand here:\neerste\n2. and shorter",
    );
  });

  test("is kept with the goal, for whoever plans it again", async () => {
    const { revise, ...scene } = await openWith();
    using _ = scene;
    const { approvalId } = (await revise([write("a.txt", 1, "eerste")])).last("approval");
    await revise([{ text: "shorter" }], approvalId);
    expect(scene.goals.at(-1)).toContain("The user wrote some lines of what was planned");
    expect(scene.goals.at(-1)).toMatch(/<<<FILES \w+\n"a\.txt"[^\n]*:\neerste\n/u);
  });

  test("refuses what was not shown, what is so already, and the place of a secret; the question stays", async () => {
    const key = { kind: "CREATE_FILE", path: "key.md", content: `a\nkey ${SECRET}\nb\n` } as const;
    const { approvalId, revise, ...scene } = await openWith([key]);
    using _ = scene;
    const cases = [
      [[write("c.txt", 1, "x")], "no such line or file"],
      [[write("a.txt", 42, "x")], "no such line or file"],
      [[write("b.txt", 1, "x")], "no such line or file"],
      [[write("a.txt", 1, "x"), write("a.txt", 1, "y")], "for they overlap"],
      [
        [write("a.txt", 4, "y", 5), write("a.txt", 1, "x", 4)],
        'they overlap: "a.txt", lines 1-4 with the change; "a.txt", lines 4-5 with the change. Nothing',
      ],
      [[write("a.txt", 1, "x"), write("a.txt", 1, "y"), { text: "shorter" }], "for they overlap"],
      [[write("a.txt", 1, "x"), write("a.txt", 1, "y"), write("a.txt", 42, "z")], "no such line"],
      [[write("a.txt", 41, "x", 42)], "no such line or file"],
      [[{ path: "a.txt", side: "after", line: 41, to: 43, text: "x" }], "no such line or file"],
      [[{ path: "a.txt", side: "before", line: 2, to: 99, text: "x" }], "no such line or file"],
      [[write("a.txt", 1, "first")], "as you wrote them"],
      [[write("key.md", 2, "key [secret]")], "a secret stands there"],
      [[write("key.md", 1, "x", 3)], "a secret stands there"],
    ] as const;
    for (const [comments, sentence] of cases) {
      expect({ sentence, said: said(await revise(comments)) }).toEqual({
        sentence,
        said: expect.stringContaining(sentence),
      });
    }
    const beside = await revise([write("key.md", 1, "A"), write("key.md", 3, "B")]);
    await scene.press("approve", beside.last("approval").approvalId);
    expect(scene.read("key.md")).toBe(`A\nkey ${SECRET}\nB\n`);
    expect(said(await scene.press("approve", approvalId))).toContain("newer");
  });
});
