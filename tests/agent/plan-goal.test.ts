import { describe, expect, test } from "bun:test";
import { type OnlineWorld, startOnlineWorld, type WorldOptions } from "../support/online-world.ts";
import { until } from "../support/patience.ts";
import { BORIS, openScene, type Scene } from "./scene.ts";

interface Web extends AsyncDisposable {
  readonly world: OnlineWorld;
  readonly scene: Scene;
}

/** The agent with a model and a web. */
async function open(options: WorldOptions = {}, language = "en"): Promise<Web> {
  const world = startOnlineWorld(options);
  const config = world.config.replace("[default]", `[default]\nlanguage = "${language}"`);
  const scene = await openScene({ config });
  return {
    world,
    scene,
    async [Symbol.asyncDispose]() {
      scene[Symbol.dispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

describe("a plan that fails for want of facts", () => {
  test("shows what was found; a press plans with it, once, for who asked", async () => {
    await using web = await open();
    const { scene, world } = web;
    const failed = await scene.say("plan: learn it");
    expect(failed.kinds).toEqual(["progress", "content", "research", "done"]);
    expect(failed.text).toStartWith("No plan yet: ");
    const shown = failed.last("research");
    expect(shown).toMatchObject({
      workspace: "notes",
      query: "learn it",
      notes: "One page gave orders.",
      sources: [{ url: `${world.web.url}/fast` }, { url: `${world.web.url}/evil` }],
      autoUsed: false,
    });
    expect(world.web.searches.map(({ query }) => query)).toEqual(["learn it"]);

    const foreign = await scene.press("use_research", shown.researchId, BORIS);
    expect(foreign.last("error").message).toContain("Only the person who asked");
    const used = await scene.press("use_research", shown.researchId);
    expect(used.last("plan")).toMatchObject({
      workspace: "notes",
      summary: "1. Plan for learn it",
    });
    const again = await scene.press("use_research", shown.researchId);
    expect(again.last("error")).toMatchObject({ code: "APPROVAL_INVALID" });
    const stale = await scene.press("use_research", "res_unknown");
    expect(stale.last("error").message).toContain("These findings are gone");
    expect([world.count("plan"), world.count("summary")]).toEqual([3, 1]);

    const { preview } = (await scene.say("ok")).last("approval");
    expect(preview.changes.map(({ path }) => path)).toEqual(["docs", "docs/learn-it.md"]);
    expect(world.model.requests.at(-1)?.text).toContain("The flag is --fast.");
  });

  test("/use does the same, once", async () => {
    await using web = await open();
    expect((await web.scene.say("/use")).last("error").code).toBe("APPROVAL_INVALID");
    await web.scene.say("apply: learn it");
    expect((await web.scene.say("/use", BORIS)).last("error").message).toContain("Only the person");
    expect((await web.scene.say("/use")).last("plan").summary).toBe("1. Plan for learn it");
    expect((await web.scene.say("/use")).last("error").message).toContain("used already");
  });

  test("tells the second failure as it is, with no third try", async () => {
    await using web = await open();
    const { researchId } = (await web.scene.say("plan: hopeless")).last("research");
    const used = await web.scene.press("use_research", researchId);
    expect(used.kinds).toEqual(["error", "done"]);
    expect(used.last("error").code).toBe("ERR_JSON_EXTRACT");
    expect(web.world.count("plan")).toBe(4);
  });

  test("is reported to a model that proposed it", async () => {
    await using web = await open();
    const reply = await web.scene.say("please learn it");
    expect(reply.kinds).toContain("research");
    const reported = web.world.model.requests.at(-1)?.body.messages.at(-1);
    expect(reported).toMatchObject({ role: "tool" });
    expect(reported?.content).toContain("There is no plan yet");
  });
});

describe("with auto-use", () => {
  test("the findings are shown as used, with the new plan", async () => {
    await using web = await open({ autoUse: true });
    const reply = await web.scene.say("plan: learn it");
    expect(reply.kinds).toEqual(["research", "plan", "done"]);
    expect(reply.last("research")).toMatchObject({ autoUsed: true, query: "learn it" });
    expect((await web.scene.say("/use")).last("error").message).toContain("used already");
    expect(web.scene.logged.join("")).toMatch(/ONLINE_RESEARCH query="learn it" results=3 pages=2/);
  });

  test("and a plan that fails still, the findings and its error", async () => {
    await using web = await open({ autoUse: true });
    const reply = await web.scene.say("plan: hopeless");
    expect(reply.kinds).toEqual(["research", "error", "done"]);
    const again = await web.scene.say("plan: hopeless");
    // It is used up: from here on a person decides.
    expect(again.kinds).toEqual(["progress", "content", "research", "done"]);
    expect(again.last("research").autoUsed).toBe(false);
    expect(web.world.web.searches).toHaveLength(1);
  });

  test("a press switches it off for the workspace, for who asked", async () => {
    await using web = await open({ autoUse: true }, "ru");
    const { researchId } = (await web.scene.say("plan: learn it")).last("research");
    const foreign = await web.scene.press("stop_auto_use", researchId, BORIS);
    expect(foreign.last("error").code).toBe("APPROVAL_INVALID");
    const stopped = await web.scene.press("stop_auto_use", researchId);
    expect(stopped.text).toBe("Auto-use отключён для этой папки.");
    expect((await web.scene.say("plan: another")).last("research").autoUsed).toBe(false);
  });

  test("/autouse shows and sets it, and says what the configuration forbids", async () => {
    await using web = await open({ autoUse: true });
    const say = async (text: string) => (await web.scene.say(text)).text;
    expect(await say("/autouse")).toBe("Auto-use is on for this workspace.");
    expect(await say("/autouse off")).toBe("Auto-use is off for this workspace.");
    expect((await web.scene.say("plan: learn it")).last("research").autoUsed).toBe(false);
    expect(await say("/autouse on")).toBe("Auto-use is on for this workspace.");
    await using never = await open();
    expect((await never.scene.say("/autouse on")).text).toContain("auto_use_as_context");
    using offline = await openScene();
    expect((await offline.say("/autouse")).text).toContain("there is no model");
  });
});

const hang = () => new Promise<Response>(() => {});
const HIT = [{ url: "/fast" }];

describe("research that comes to nothing", () => {
  test.each([
    ["a dead service", { web: { answer: () => new Response("", { status: 503 }) } }, "status 503"],
    ["no hits", { web: { results: [] } }, "Cannot find anything on the web"],
    ["pages that are gone", { web: { results: [{ url: "/gone" }] } }, "status 404"],
    [
      "binary pages",
      { web: { results: HIT, pages: { "/fast": () => new Response(new Uint8Array(900)) } } },
      "Cannot read any page",
    ],
    ["a summary that is none", { summary: { kind: "text", text: "no" } }, "Cannot summarise"],
  ] as const)("leaves the plan's own error and one sentence: %s", async (_, options, reason) => {
    for (const autoUse of [false, true]) {
      await using web = await open({ ...options, autoUse });
      const { code, message } = (await web.scene.say("plan: learn it")).last("error");
      expect(code).toBe("ERR_JSON_EXTRACT");
      const [own, more, ...rest] = message.split("\n");
      expect(own).not.toContain(reason);
      expect(more).toContain(reason);
      expect(rest).toEqual([]);
      expect(web.world.count("plan")).toBe(2);
    }
  });

  test.each([
    ['search = "tavily"\napi_key = "env:NO_SUCH_KEY"', "env:NO_SUCH_KEY"],
    ['search = "tavily"\napi_key = ""', "needs online_research.api_key"],
    ['search = "tavily"\napi_key = "wrong-key"', "status 401; check online_research.api_key"],
    ['search = "searxng"\nbase_url = ""', "needs online_research.base_url"],
  ])("names the setting that is wrong: %s", async (settings, reason) => {
    const world = startOnlineWorld();
    await using _ = world;
    const lines = settings.split("\n").map((line) => line.split(" = ")[0]);
    const kept = world.config
      .split("\n")
      .filter((line, at, all) => {
        const isOurs = at > all.indexOf("[online_research]");
        return !isOurs || !lines.some((key) => line.startsWith(`${key} = `));
      })
      .join("\n");
    using scene = await openScene({ config: `${kept}\n${settings}` });
    const { code, message } = (await scene.say("plan: learn it")).last("error");
    expect(code).toBe("ERR_JSON_EXTRACT");
    expect(message).toContain(reason);
    expect(message).not.toContain("wrong-key");
    expect(world.count("summary")).toBe(0);
  });

  test.each([
    ["search", { web: { answer: hang } }],
    ["fetch", { web: { results: HIT, pages: { "/fast": hang } } }],
    ["summary", { summary: { kind: "hang" } }],
  ] as const)("/cancel ends the %s", async (stage, options) => {
    for (const autoUse of [false, true]) {
      await using web = await open({ ...options, autoUse });
      const { scene, world } = web;
      const reached = () =>
        ({
          search: world.web.searches.length,
          fetch: world.web.visits.length,
          summary: world.count("summary"),
        })[stage];
      const planning = scene.say("plan: learn it");
      await until(() => reached() > 0);
      expect((await scene.say("/cancel")).text).toBe("Cancelling.");
      expect((await planning).last("error").code).toBe("ERR_CANCELLED");
    }
  });
});
