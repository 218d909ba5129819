import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "../../src/channels/channel.ts";
import { startModelServer } from "../support/model-server.ts";
import { PATIENCE_MS, until } from "../support/patience.ts";
import { writeTree } from "../support/tree.ts";
import { ANNA, ANNA_ELSEWHERE, BORIS, GOAL, openScene, type Scene, WRITER } from "./scene.ts";

/** Two sleepers, one of them in a session of its own; their pids go to `pids`. */
const SLOW = `echo $$ > "$1"
sleep 600 & echo $! >> "$1"
setsid sleep 600 & echo $! >> "$1"
echo ready >> "$1"
wait
`;

async function openSlowScene(config = ""): Promise<Scene & { readonly pids: () => number[] }> {
  const check = '[["sh", "../slow.sh", "../pids"]]';
  const scene = await openScene({ author: WRITER, check, config });
  writeTree(scene.dir, { "slow.sh": SLOW });
  const read = () => readFileSync(join(scene.dir, "pids"), "utf8").split("\n");
  return { ...scene, pids: () => read().map(Number).filter(Boolean) };
}

/** Resolves when the check has started everything it starts. */
async function untilReady({ dir }: Scene): Promise<void> {
  const path = join(dir, "pids");
  while (!existsSync(path) || !readFileSync(path, "utf8").includes("ready")) await Bun.sleep(5);
}

function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

const HANGING = (url: string) => `
[default]
provider = "local"
[providers.local]
base_url = "${url}"
model = "m"`;

describe("createConversation(): one after another", () => {
  test("works off 21 of 25 messages in order, tells four that the line is full", async () => {
    using scene = await openScene();
    const order: string[] = [];
    const replies = await Promise.all(
      Array.from({ length: 25 }, async (_, i) => {
        const answer = await scene.say(`/zzzz${i}`);
        order.push(answer.text);
        return answer;
      }),
    );
    const refused = replies.filter(({ kinds }) => kinds.includes("error"));
    expect(refused).toEqual(replies.slice(21));
    expect(refused.every((each) => each.last("error").code === "too_large")).toBe(true);
    expect(order.filter((text) => text !== "").map((text) => /zzzz(\d+)/.exec(text)?.[1])).toEqual(
      Array.from({ length: 21 }, (_, i) => String(i)),
    );
    expect(replies[1]?.kinds).toEqual(["progress", "content", "done"]);
    expect(replies.every(({ kinds }) => kinds.indexOf("done") === kinds.length - 1)).toBe(true);
    expect((await scene.say("/ws")).kinds).toEqual(["content", "done"]);
  });

  test("sessions run side by side, and buttons overtake what runs", async () => {
    await using model = startModelServer([{ kind: "hang" }]);
    using scene = await openScene({ config: HANGING(model.url), author: WRITER });
    const { planId } = (await scene.say("plan: b.txt: new")).last("plan");
    const hanging = scene.say("hello");
    expect((await scene.say("/ws", ANNA_ELSEWHERE)).text).toContain("notes");
    const { approvalId } = (await scene.press("apply", planId)).last("approval");
    expect((await scene.press("approve", approvalId)).last("outcome").outcome.ok).toBe(true);
    scene.conversation.cancel(ANNA.sessionId);
    expect((await hanging).last("error").code).toBe("ERR_CANCELLED");
  });
});

describe("createConversation().cancel()", () => {
  test("ends a check with its whole process tree and takes the change back", async () => {
    using scene = await openSlowScene();
    await scene.say("plan: b.txt: new");
    const { approvalId } = (await scene.say("ok")).last("approval");
    const before = scene.tree();
    const { reply } = scene.approve(approvalId);
    await untilReady(scene);
    expect(scene.tree()).not.toEqual(before);
    expect(scene.pids().every(isAlive)).toBe(true);
    expect((await scene.say("/cancel")).text).toBe("Cancelling.");
    const { outcome } = (await reply).last("outcome");
    expect(outcome).toMatchObject({ status: "rolled_back", errorCode: "ERR_CANCELLED" });
    expect(scene.pids()).toHaveLength(3);
    await until(() => !scene.pids().some(isAlive)); // the kernel may need a moment
    expect(scene.tree()).toEqual(before);
  });

  test.each(["hello", GOAL])("ends %p while the model hangs; what waits goes on", async (text) => {
    await using model = startModelServer([{ kind: "hang" }]);
    using scene = await openScene({ config: HANGING(model.url) });
    const hanging = scene.say(text);
    const next = scene.say("/ws");
    await until(() => model.requests.length > 0);
    expect(scene.conversation.cancel(ANNA.sessionId)).toBe(true);
    expect((await hanging).kinds).toEqual(["error", "done"]);
    expect((await hanging).last("error").code).toBe("ERR_CANCELLED");
    expect((await next).text).toContain("notes");
  });

  test("says when nothing runs", async () => {
    using scene = await openScene();
    expect(scene.conversation.cancel(ANNA.sessionId)).toBe(false);
    expect((await scene.say(" /cancel now")).text).toBe("Nothing is running.");
  });
});

describe("createConversation(): a message or press with a signal of its own", () => {
  const origin = (messageId: string, ending?: AbortSignal) => ({
    messageId,
    receivedAt: Number.MAX_SAFE_INTEGER,
    ...(ending && { ending }),
  });

  test("is ended alone, and what others do in its session goes on", async () => {
    await using model = startModelServer([{ kind: "hang" }]);
    using scene = await openSlowScene(HANGING(model.url));
    await scene.say("plan: b.txt: new");
    const { approvalId } = (await scene.say("ok")).last("approval");
    const before = scene.tree();
    const hanging = scene.say("hello", BORIS);
    await until(() => model.requests.length > 0);
    const over = new AbortController();
    const events: AgentEvent[] = [];
    const press = { act: "approve", ref: approvalId } as const;
    const applied = scene.conversation.press(
      ANNA,
      press,
      (event) => void events.push(event),
      origin("m1", over.signal),
    );
    await untilReady(scene);
    over.abort();
    await applied;
    const outcome = { status: "rolled_back", errorCode: "ERR_CANCELLED" };
    expect(events.find(({ kind }) => kind === "outcome")).toMatchObject({ outcome });
    expect(scene.tree()).toEqual(before);
    expect(scene.conversation.isBusy(ANNA.sessionId)).toBe(true);
    expect(scene.conversation.cancel(ANNA.sessionId)).toBe(true);
    expect((await hanging).last("error").code).toBe("ERR_CANCELLED");
  });

  test("never begins when that ended while it waited, and what is behind it does", async () => {
    await using model = startModelServer([{ kind: "hang" }]);
    using scene = await openScene({ config: HANGING(model.url), author: WRITER });
    const hanging = scene.say("hello");
    await until(() => model.requests.length > 0);
    const over = new AbortController();
    const said: AgentEvent[] = [];
    const waiting = scene.conversation.message(
      BORIS,
      "plan: b.txt: new",
      (event) => void said.push(event),
      origin("m2", over.signal),
    );
    const next = scene.say("/ws");
    over.abort();
    expect(scene.conversation.isBusy(ANNA.sessionId)).toBe(true);
    scene.conversation.cancel(ANNA.sessionId);
    await Promise.all([hanging, waiting]);
    expect(said.map(({ kind }) => kind)).toEqual(["progress", "error", "done"]);
    expect(said.find(({ kind }) => kind === "error")).toMatchObject({ code: "ERR_CANCELLED" });
    expect((await next).text).toContain("notes");
  });
});

describe("createConversation().close()", () => {
  test("rolls back what runs and lets nothing new begin", async () => {
    using scene = await openSlowScene();
    await scene.say("plan: b.txt: new");
    const before = scene.tree();
    const { approvalId } = (await scene.say("ok")).last("approval");
    const { reply } = scene.approve(approvalId);
    await untilReady(scene);
    await scene.conversation.close(AbortSignal.timeout(PATIENCE_MS));
    expect(scene.tree()).toEqual(before);
    await until(() => !scene.pids().some(isAlive)); // the kernel may need a moment
    const reported = await reply;
    expect(reported.last("error").code).toBe("ERR_INTERRUPTED");
    expect(reported.last("error").message).toContain("no plan was applied");
    expect((await scene.say("plan: c.txt: new")).last("error").code).toBe("ERR_INTERRUPTED");
  });
});

describe("createConversation(): a channel that fails", () => {
  /** Everything that was handed to an emit that always throws, and what the call came to. */
  async function sayInto(scene: Scene, text: string) {
    const kinds: string[] = [];
    const emit = (event: AgentEvent) => {
      kinds.push(event.kind);
      throw new Error(`no ${event.kind}`);
    };
    const outcome = await scene.conversation.message(ANNA, text, emit).catch(String);
    return { kinds, outcome };
  }

  test.each([
    ["/ws", ["content", "done"]],
    ["/nope", ["content", "done"]],
    ["/apply", ["error", "done"]],
    ["/cancel", ["content", "done"]],
    ["hello", ["content", "content", "done"]],
    [GOAL, ["plan", "done"]],
  ])("%p ends with one done and tells the channel's own failure", async (text, kinds) => {
    using scene = await openScene();
    expect(await sayInto(scene, text)).toEqual({ kinds, outcome: `Error: no ${kinds[0]}` });
    expect((await scene.say("/ws")).kinds).toEqual(["content", "done"]);
  });

  test("is no reason for an apply to fail", async () => {
    using scene = await openScene({ author: WRITER, check: '[["true"]]' });
    await scene.say("plan: b.txt: new");
    await scene.say("ok");
    const { kinds, outcome } = await sayInto(scene, "ok");
    expect(kinds).toEqual(["progress", "outcome", "done"]);
    expect(outcome).toBe("Error: no progress");
    expect(Object.keys(scene.tree())).toContain("b.txt");
  });

  test("gets events in order although it is slow", async () => {
    using scene = await openScene({ author: WRITER, check: '[["true"], ["true"]]' });
    await scene.say("plan: b.txt: new");
    await scene.say("ok");
    const order: string[] = [];
    await scene.conversation.message(ANNA, "ok", async ({ kind }) => {
      await Bun.sleep(kind === "progress" ? 20 : 0);
      order.push(kind);
    });
    expect(order).toEqual(["progress", "progress", "outcome", "done"]);
  });
});
