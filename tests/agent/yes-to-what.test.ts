import { describe, expect, test } from "bun:test";
import type { Speaker } from "../../src/channels/channel.ts";
import { EN } from "../../src/texts/en.ts";
import { ANNA, BORIS, collectReply, openScene, type Scene, WRITER } from "./scene.ts";

const TERMINAL: Speaker = { sessionId: "terminal:t1", userId: "owner" };
const YES = ["ok", "/apply", "/APPLY"];

/** As a page says it in the conversation of the terminal. */
const sayOnPage = ({ conversation }: Scene, text: string) =>
  collectReply((emit) =>
    conversation.message(TERMINAL, text, emit, { workId: `work_${text}`, digest: "d" }),
  );

describe.each(YES)("%j", (word) => {
  test("that was sent before the plan was there is none to it", async () => {
    await using scene = await openScene({ author: WRITER });
    const [planned, early] = await Promise.all([scene.say("plan: b.txt: new"), scene.say(word)]);
    expect(planned.kinds).toContain("plan");
    expect(early.text).toBe(EN.agent.cameLater);
    expect((await scene.say(word)).kinds).toContain("approval");
  });

  test("in a terminal is none to a plan that a page showed, until the terminal shows it", async () => {
    await using scene = await openScene({
      author: WRITER,
      config: '[security]\nautonomy = "full"',
    });
    const { planId } = (await sayOnPage(scene, "plan: b.txt: new")).last("plan");
    expect((await scene.say(word, TERMINAL)).text).toBe(EN.console.askedElsewhere);
    expect(Object.keys(scene.tree())).toEqual(["a.txt"]);
    expect((await scene.press("apply", planId, TERMINAL)).kinds).toContain("outcome");
  });
});

test("what a terminal has shown is answered there, though a page showed it again", async () => {
  await using scene = await openScene({ author: WRITER });
  const { approvalId } = (await scene.say("apply: b.txt: new", TERMINAL)).last("approval");
  expect((await sayOnPage(scene, "/diff")).last("approval").approvalId).toBe(approvalId);
  expect((await scene.say("yes", TERMINAL)).kinds).toContain("outcome");
});

test("what only a page asked is answered in the terminal once it was shown there, too", async () => {
  await using scene = await openScene({ author: WRITER });
  await scene.say("plan: b.txt: new", TERMINAL);
  await sayOnPage(scene, "/diff");
  expect((await scene.say("yes", TERMINAL)).text).toBe(EN.console.askedElsewhere);
  await scene.say("/diff", TERMINAL);
  expect((await scene.say("yes", TERMINAL)).kinds).toContain("outcome");
});

describe.each(["supervised", "full"])("in a group, under %s autonomy", (autonomy) => {
  test.each([...YES, "да"])("%j is no word about another's plan", async (word) => {
    const config = `[security]\nautonomy = "${autonomy}"`;
    await using scene = await openScene({ author: WRITER, config });
    await scene.say("plan: b.txt: new", ANNA);
    const { code, message } = (await scene.say(word, BORIS)).last("error");
    expect([code, message]).toEqual(["APPROVAL_INVALID", EN.refusals.notYourPlan]);
    expect(Object.keys(scene.tree())).toEqual(["a.txt"]);
    const kind = autonomy === "full" ? "outcome" : "approval";
    expect((await scene.say("ok", ANNA)).kinds).toContain(kind);
  });
});

describe("/diff about another's plan in a group", () => {
  test("shows what was asked, to read, and asks nothing", async () => {
    await using scene = await openScene({ author: WRITER });
    await scene.say("apply: b.txt: new ``` fence", ANNA);
    const waiting = () => {
      return scene.app.current.agent.core.approvals.waiting(ANNA.sessionId, Date.now());
    };
    const before = waiting();
    const read = await scene.say("/diff", BORIS);
    expect(read.kinds).toEqual(["content", "done"]);
    expect(read.text).toStartWith(`${EN.refusals.notYourPlan}.\n\n\`\`\`\`diff\n`);
    expect(read.text).toContain("+new ``` fence");
    expect(waiting()).toEqual(before);
    expect((await scene.say("yes", BORIS)).last("error").code).toBe("APPROVAL_INVALID");
    expect((await scene.say("yes", ANNA)).kinds).toContain("outcome");
  });

  test("makes no change set of what is only planned, which may cost something", async () => {
    await using scene = await openScene({ author: WRITER });
    await scene.say("plan: b.txt: new", ANNA);
    expect((await scene.say("/diff", BORIS)).last("error").message).toBe(EN.refusals.notYourPlan);
    expect((await scene.say("/diff", ANNA)).kinds).toContain("approval");
  });
});
