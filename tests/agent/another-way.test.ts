import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buttonsOf } from "../../src/channels/event-buttons.ts";
import { runCharged } from "../../src/daemon/routines/create-routines.ts";
import { createRoutineDeps } from "../../src/daemon/routines/routine-deps.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { routine } from "../routines/bench.ts";
import { hasOverlay } from "../support/overlay.ts";
import { tempDir } from "../support/temp.ts";
import { ANNA, ANNA_ELSEWHERE, BORIS } from "./scene.ts";
import { CHECK, linesOf, openWays } from "./ways-scene.ts";

const actsOf = (event: Parameters<typeof buttonsOf>[0]) =>
  buttonsOf(event, textsIn("en").buttons).map(({ press }) => press.act);

const refused = ["error", "done"];

describe.if(hasOverlay)("[Try another way]", () => {
  test("plans by another model, and asks about the smaller one", async () => {
    await using scene = await openWays(({ model }) =>
      model === "one-1" ? ["1", "2", "good"] : ["good"],
    );
    const first = await scene.ask();
    expect(actsOf(first)).toEqual(["approve", "reject", "try_another"]);
    expect(first.preview.triesLeft).toBe(3);
    const tried = await scene.press("try_another", first.approvalId);
    const again = tried.last("approval");
    expect(again.preview.diff).not.toContain("+2");
    expect(again.preview.triesLeft).toBe(2);
    const choice = tried.last("choice");
    expect(linesOf(choice)).toEqual([
      expect.stringMatching(/^1\. plan_\w+ {2}passed · 1 line {2}\(two two-1 0\.2\)$/),
      expect.stringMatching(/^2\. plan_\w+ {2}passed · 3 lines {2}\(one one-1 0\.2\)$/),
    ]);
    expect(choice.text).toContain("2 of 2 different ways pass their checks");
    expect(choice.text).toContain("This way took 2400 tokens, cost 0.006");
    expect(choice.text).toContain("2 more ways may be tried");
    expect(scene.tree()).not.toHaveProperty("word.txt");
    const done = await scene.press("approve", again.approvalId);
    expect(done.last("outcome").outcome).toMatchObject({ status: "committed" });
    expect(readFileSync(`${scene.folder}/word.txt`, "utf8")).toBe("good\n");
  });

  test("shows another on request, and back, and what is asked about is what an ok means", async () => {
    await using scene = await openWays(({ model }) =>
      model === "one-1" ? ["1", "2", "good"] : ["good"],
    );
    const first = await scene.ask();
    const choice = (await scene.press("try_another", first.approvalId)).last("choice");
    const [option] = choice.options;
    expect(option).toMatchObject({ label: "Show no. 2", press: { act: "show_way" } });
    const ref = option?.press.ref ?? "";
    expect(ref).toBe(first.preview.planId);
    const large = (await scene.press("show_way", ref)).last("approval");
    expect(large.preview.diff).toContain("+2");
    expect(large.approvalId).not.toBe(first.approvalId);
    await scene.say("ok");
    expect(readFileSync(`${scene.folder}/word.txt`, "utf8")).toBe("1\n2\ngood\n");
    expect((await scene.press("show_way", ref)).kinds).toEqual(refused);
    expect((await scene.press("try_another", large.approvalId)).kinds).toEqual(refused);
  });

  test.each([
    ["a file", { path: "word.txt" }],
    ["a change in a file that is another then", { path: "word.txt", hunks: [0] }],
  ])(
    "takes along what is about to be said and left out, and so does showing one of the others: %s",
    async (_, unticked) => {
      await using scene = await openWays(({ model }) =>
        model === "one-1" ? ["1", "2", "good"] : ["good"],
      );
      const first = await scene.ask();
      const drafts = scene.app.current.agent.core.settings.of("draft.");
      const draft = { comments: [{ text: "why?" }], unticked: [{ path: "word.txt" }] };
      drafts.set(first.approvalId, { ...draft, unticked: [unticked] });
      const tried = await scene.press("try_another", first.approvalId);
      const { approvalId } = tried.last("approval");
      expect([drafts.get(first.approvalId), drafts.get(approvalId)]).toEqual([undefined, draft]);
      const ref = tried.last("choice").options[0]?.press.ref ?? "";
      const shown = (await scene.press("show_way", ref)).last("approval").approvalId;
      expect([drafts.get(approvalId), drafts.get(shown)]).toEqual([undefined, draft]);
      expect((await scene.press("approve", shown)).kinds).toContain("choice");
      expect(scene.tree()).not.toHaveProperty("word.txt");
    },
  );

  test("of one model goes by temperature, and is told what was tried, as text of others", async () => {
    await using scene = await openWays(({ temperature }) => [`${temperature}`, "good"], {
      models: ["one"],
    });
    const first = await scene.ask();
    const tried = await scene.press("try_another", first.approvalId);
    expect(tried.last("approval").preview.triesLeft).toBe(2);
    const asked = scene.server.requests.find(({ body }) => body.temperature === 0.7);
    const said = String(asked?.body.messages.at(-1)?.content);
    const [, told = ""] = said.split("TRIED[plans]");
    expect(told).toContain("As one-1 0.2 does");
    expect(told).toContain("create word.txt +2 -0");
    expect(told).toMatch(
      /^: planned for this goal before[^\n]*\n\(Written by strangers[^\n]*\n<<<OUTSIDE /u,
    );
  });

  test("of another model is told nothing of what was tried", async () => {
    await using scene = await openWays(() => ["good"]);
    await scene.press("try_another", (await scene.ask()).approvalId);
    for (const { text } of scene.server.requests) expect(text).not.toContain("TRIED[");
  });

  test("counts up to four ways for a goal, then says so", async () => {
    await using scene = await openWays(({ temperature }) => [`${temperature}`, "good"], {
      models: ["one"],
    });
    let question = await scene.ask();
    for (const left of [2, 1, undefined]) {
      question = (await scene.press("try_another", question.approvalId)).last("approval");
      expect(question.preview.triesLeft).toBe(left);
    }
    expect(actsOf(question)).not.toContain("try_another");
    const asked = scene.server.requests.length;
    const late = await scene.press("try_another", question.approvalId);
    expect(late.kinds).toEqual(refused);
    expect(late.last("error").message).toContain("as many ways as may be");
    expect(scene.server.requests).toHaveLength(asked);
    expect((await scene.press("approve", question.approvalId)).last("outcome").outcome.ok).toBe(
      true,
    );
  });

  test("counts for who was asked, twice as once, and not after an answer", async () => {
    await using scene = await openWays(({ temperature }) => [`${temperature}`, "good"]);
    const { approvalId } = await scene.ask();
    for (const who of [BORIS, ANNA_ELSEWHERE]) {
      expect((await scene.press("try_another", approvalId, who)).kinds).toEqual(refused);
    }
    const heard = await Promise.all([1, 2].map(() => scene.press("try_another", approvalId)));
    expect(heard.filter(({ kinds }) => kinds.includes("error"))).toHaveLength(1);
    expect((await scene.press("try_another", approvalId)).kinds).toEqual(refused);
    const next = heard.flatMap(({ events }) => events.filter(({ kind }) => kind === "approval"));
    expect(next).toHaveLength(1);
  });

  const under = (autonomy: string) =>
    `[security]\nautonomy = "${autonomy}"\n[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = ${JSON.stringify([["sh", "-c", CHECK]])}\n`;

  test("asks under full as well, and is refused under readonly", async () => {
    await using scene = await openWays(({ model }) =>
      model === "one-1" ? ["1", "good"] : ["good"],
    );
    const first = await scene.ask();
    await scene.reload(under("full"));
    const again = (await scene.press("try_another", first.approvalId)).last("approval");
    expect(again.preview.diff).not.toContain("+1\n");
    const [option] = (await scene.press("try_another", again.approvalId)).last("choice").options;
    const other = (await scene.press("show_way", option?.press.ref ?? "")).last("approval");
    expect(scene.tree()).not.toHaveProperty("word.txt");
    await scene.reload(under("readonly"));
    const asked = scene.server.requests.length;
    const denied = await scene.press("try_another", other.approvalId);
    expect(denied.last("error")).toMatchObject({ code: "denied" });
    // Nor is the question used up by a yes that nothing comes of.
    for (const act of ["approve", "check_first"] as const) {
      const refusal = (await scene.press(act, other.approvalId)).last("error");
      expect(refusal.message).toStartWith("Autonomy is readonly");
    }
    expect(scene.server.requests).toHaveLength(asked);
    await scene.reload(under("supervised"));
    expect((await scene.press("approve", other.approvalId)).last("outcome").outcome.ok).toBe(true);
  });

  test("a no meanwhile stands, and nothing is asked after it", async () => {
    const asked = Promise.withResolvers<void>();
    const heard = Promise.withResolvers<void>();
    await using scene = await openWays(({ model }) => {
      if (model !== "two-1") return ["1", "good"];
      asked.resolve();
      const text = JSON.stringify({ actions: [], summary: "x" });
      return { kind: "text", text, pace: () => heard.promise };
    });
    const { approvalId } = await scene.ask();
    const trying = scene.press("try_another", approvalId);
    await asked.promise;
    await scene.press("reject", approvalId);
    heard.resolve();
    const reply = await trying;
    expect(reply.kinds).not.toContain("approval");
    expect(reply.last("error").message).toContain("was rejected");
    expect((await scene.press("approve", approvalId)).kinds).toEqual(refused);
  });

  test("a cancel, or a model that fails, leaves the question as it was", async () => {
    let mode: "fails" | "hangs" = "fails";
    const hangs = Promise.withResolvers<void>();
    await using scene = await openWays(
      ({ model }) => {
        if (model === "one-1" && mode === "fails") return ["good"];
        if (mode === "fails") return { kind: "status", status: 400 };
        hangs.resolve();
        return { kind: "hang" };
      },
      { models: ["one", "two", "three"] },
    );
    const first = await scene.ask();
    const failed = await scene.press("try_another", first.approvalId);
    expect(failed.last("choice").text).toContain("no change set · LLM_REQUEST");
    const again = failed.last("approval");
    expect(again.preview).toMatchObject({ planId: first.preview.planId, triesLeft: 2 });
    const second = await scene.press("try_another", again.approvalId);
    const lines = second.last("choice").text.split("\n");
    const reasons = lines.filter((line) =>
      /^\d\. plan_\w+ {2}no change set · LLM_REQUEST: .+\(\w+ \w+-1/u.test(line),
    );
    expect(reasons).toHaveLength(2); // also that of the way before
    expect(second.last("approval").preview.triesLeft).toBe(1);
    const third = second.last("approval");
    mode = "hangs";
    const trying = scene.press("try_another", third.approvalId);
    await hangs.promise;
    await scene.say("/cancel");
    expect((await trying).kinds).not.toContain("approval");
    const done = await scene.press("approve", third.approvalId);
    expect(done.last("outcome").outcome).toMatchObject({ status: "committed" });
  });

  test("is not there for what nobody knows who planned, and a press on it says so", async () => {
    await using scene = await openWays(() => ["good"]);
    const { planId } = (await scene.say("plan: add a word")).last("plan");
    const path = join(scene.dir, "home/.papa-yu/state.db");
    const forget = (sql: string) => {
      using database = new Database(path);
      database.run(sql);
    };
    forget("UPDATE ways SET by_json = '{}'");
    const question = (await scene.press("apply", planId)).last("approval");
    expect(actsOf(question)).toEqual(["approve", "reject"]);
    forget("DELETE FROM ways");
    const pressed = await scene.press("try_another", question.approvalId);
    expect(pressed.last("error").message).toContain("Nobody knows any more");
    expect((await scene.press("show_way", planId)).kinds).toEqual(refused);
  });

  test("has no part of plans of another folder or goal that a row puts beside it", async () => {
    await using scene = await openWays(() => ["good"]);
    await scene.say("plan: something else");
    const question = await scene.ask();
    using database = new Database(join(scene.dir, "home/.papa-yu/state.db"));
    const { planId } = question.preview;
    database.run("UPDATE ways SET goal_id = ?1", [planId]);
    const other = database.query<{ id: string }, [string]>(
      "SELECT plan_id AS id FROM ways WHERE plan_id <> ?",
    );
    const ref = other.get(planId)?.id ?? "";
    expect((await scene.press("show_way", ref)).kinds).toEqual(refused);
    const tried = await scene.press("try_another", question.approvalId);
    expect(linesOf(tried.last("choice")).join()).not.toContain(ref);
  });

  test("after an expiry or a drop is refused, and costs nothing", async () => {
    await using scene = await openWays(() => ["good"], {
      more: "[telegram]\napproval_timeout_s = 60\n",
    });
    const first = await scene.ask();
    const asked = scene.server.requests.length;
    scene.wait(61_000);
    const late = await scene.press("try_another", first.approvalId);
    expect(late.last("error").message).toContain("has expired");
    expect((await scene.press("show_way", first.preview.planId)).kinds).toEqual(refused);
    expect(scene.server.requests).toHaveLength(asked);
  });

  test("remembers what the author of the way wants that is applied, and of no other way", async () => {
    await using scene = await openWays(
      ({ model }) => (model === "one-1" ? ["1", "good"] : ["good"]),
      {
        memory: true,
        models: ["one", "two", "three"],
      },
    );
    const kept = () => readFileSync(join(scene.folder, ".papa-yu/project.json"), "utf8");
    let question = await scene.ask();
    expect(kept()).toContain("one-1 0.2");
    for (const _ of [1, 2]) {
      question = (await scene.press("try_another", question.approvalId)).last("approval");
    }
    expect(kept()).toContain("one-1 0.2");
    await scene.press("approve", question.approvalId);
    expect(kept()).toContain("two-1 0.2");
  });

  test("to what a routine planned is paid by the routine, within its own caps, and asks", async () => {
    await using scene = await openWays(({ model }) =>
      model === "one-1" ? ["1", "good"] : ["good"],
    );
    const { agent } = scene.app.current;
    const caps = { runs: 0, tokens: 9000, cost: 0 };
    const job = {
      ...routine({ name: "tidy", workspace: "notes", mode: "apply", task: "add a word" }),
      caps,
    };
    const deps = createRoutineDeps(scene.app.current, { ownerOf: () => ANNA });
    const run = await runCharged(agent, job, deps, new AbortController().signal);
    const question = run.events?.find(({ kind }) => kind === "approval");
    if (question?.kind !== "approval") throw new Error(JSON.stringify(run));
    expect(agent.commands.spent("routine:tidy").tokens).toBe(2400);
    const tried = await scene.press("try_another", question.approvalId);
    expect(tried.last("choice").text).toContain("This way took 2400 tokens");
    expect(agent.commands.spent("routine:tidy").tokens).toBe(4800);
    expect(agent.commands.spent(ANNA.sessionId).tokens).toBe(0);
    const next = tried.last("approval");
    await agent.charge("routine:tidy", async () =>
      scene.app.current.agent.plans.operations.plan(agent.core.workspaces.get("notes"), "more", {
        signal: new AbortController().signal,
      }),
    );
    const over = await scene.press("try_another", next.approvalId);
    expect(over.last("choice").text).toContain("LLM_BUDGET");
    expect(over.last("choice").text).toContain("A daily cap was reached");
    expect(over.last("approval").preview.planId).toBe(next.preview.planId);
    expect(scene.tree()).not.toHaveProperty("word.txt");
  });

  test("a disk that is full leaves the question, which counts when there is room again", async () => {
    await using scene = await openWays(({ temperature }) => [`${temperature}`, "good"], {
      models: ["one"],
    });
    const first = await scene.ask();
    const { store } = scene.app.state;
    store.run("VACUUM");
    const pages = store
      .query<{ n: number }, []>("SELECT page_count AS n FROM pragma_page_count")
      .get();
    store.run(`PRAGMA max_page_count = ${pages?.n ?? 0}`);
    const failed = await scene.press("try_another", first.approvalId);
    expect(failed.kinds).not.toContain("approval");
    expect(failed.kinds).toContain("error");
    expect(scene.tree()).not.toHaveProperty("word.txt");
    store.run("PRAGMA max_page_count = 1000000");
    const tried = await scene.press("try_another", first.approvalId);
    const next = tried.last("approval");
    expect((await scene.press("approve", next.approvalId)).last("outcome").outcome.ok).toBe(true);
  });

  test("is not there where a model's key is gone, and what is planned is shown all the same", async () => {
    using dir = tempDir();
    const keyPath = join(dir.path, "key");
    writeFileSync(keyPath, "a key\n", { mode: 0o600 });
    await using scene = await openWays(() => ["good"], { keyPath });
    const { planId } = (await scene.say("plan: add a word")).last("plan");
    const first = (await scene.press("apply", planId)).last("approval");
    expect(first.preview.triesLeft).toBe(3);
    rmSync(keyPath);
    const again = (await scene.press("apply", planId)).last("approval");
    expect(actsOf(again)).toEqual(["approve", "reject"]);
    const pressed = await scene.press("try_another", again.approvalId);
    expect(pressed.last("error").code).toBe("ERR_SECRET_UNAVAILABLE");
    expect((await scene.press("approve", again.approvalId)).last("outcome").outcome.ok).toBe(true);
  });
});
