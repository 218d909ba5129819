import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { buttonsOf } from "../../src/channels/event-buttons.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { hasOverlay } from "../support/overlay.ts";
import { ANNA_ELSEWHERE, BORIS } from "./scene.ts";
import { linesOf, openWays } from "./ways-scene.ts";

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
});
