import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BotApiServer } from "../support/bot-api-server.ts";
import { oneOf } from "../support/long.ts";
import type { ModelRequest, Reply } from "../support/model-server.ts";
import { areGone, findProcesses } from "../support/processes.ts";
import { tempDir } from "../support/temp.ts";
import { ACTS, type Act, OWNER, openTruth, playModel } from "./scene.ts";

/** A stop has patience for three seconds: all of these take longer, and are cut off. */

/** Told from what other tests may run. */
const LONG = { supervised: `600.1${process.pid}`, full: `600.2${process.pid}` } as const;

/** A model that never answers the `nth` request, and all others. */
function silentAt(nth: number) {
  return (request: ModelRequest, n: number): Reply =>
    n === nth ? { kind: "hang" } : playModel(request);
}

test.concurrent("a stop while the model thinks: nothing is said, and the next start answers", async () => {
  await using scene = await openTruth(ACTS["a proposal of a chat"], silentAt(0));
  const { bot, model } = scene;
  await scene.stopWhen(() => model.requests.length === 1);
  expect(bot.texts(OWNER)).toEqual([]);
  await scene.expectTruth();
  expect(bot.texts(OWNER).filter((text) => text.includes("all done"))).toHaveLength(1);
});

test.concurrent("a stop while the planner thinks of what was approved at once: it is planned and applied", async () => {
  await using scene = await openTruth(ACTS["an apply in one message"], silentAt(1));
  await scene.stopWhen(() => scene.model.requests.length === 2);
  await scene.expectTruth();
});

test.concurrent("a stop behind a call of a chat: its result is known, and it is not made twice", async () => {
  const behind = silentAt(3); // plan, actions, and what the model says to them
  await using scene = await openTruth(ACTS["a proposal of a chat"], behind);
  await scene.stopWhen(() => scene.model.requests.length === 4);
  await scene.expectTruth();
});

test.concurrent.each(
  oneOf(3, [
    "an approval by its button",
    "an approval by a yes",
    "an apply by its button",
  ] as const),
)("a stop in a long check of %s: put back, and applied by the next start", async (name) => {
  using temp = tempDir();
  const mark = join(temp.path, "began");
  const slowOnce = `test -e ${mark} || { touch ${mark}; sleep 600; }`;
  const act: Act = { ...ACTS[name], check: JSON.stringify([["sh", "-c", slowOnce]]) };
  await using scene = await openTruth(act);
  await scene.stopWhen(() => existsSync(mark));
  expect(scene.files()).toEqual([]);
  await scene.expectTruth();
});

test.concurrent.each(oneOf(2, ["supervised", "full"] as const))(
  "a stop in a long call under %s: the model is informed that its end is not known, and answers",
  async (autonomy) => {
    const sleep = { name: "run_command", arguments: { argv: ["sleep", LONG[autonomy]] } };
    const isGiven = ({ body }: ModelRequest, words: string) =>
      body.messages.some(({ role, content }) => role === "tool" && content?.includes(words));
    const play = (request: ModelRequest): Reply => {
      if (isGiven(request, "is not known")) return { kind: "text", text: "I have looked" };
      if (isGiven(request, "")) return { kind: "text", text: "I wait" };
      return { kind: "tools", calls: [sleep] };
    };
    const { said: _, committed, files, ...asked } = ACTS["an approved call"];
    const unasked = { autonomy, act: (bot: BotApiServer) => bot.say(OWNER, "please run") };
    const isAsked = autonomy === "supervised";
    await using scene = await openTruth(
      { said: /I have looked/u, committed, files, ...(isAsked ? asked : unasked) },
      play,
    );
    await scene.stopWhen(() => findProcesses(`sleep\0${LONG[autonomy]}`).length === 1);
    expect(await areGone(`sleep\0${LONG[autonomy]}`)).toBe(true);
    await scene.expectTruth();
  },
);
