import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connectDaemon } from "../../src/cli/daemon-client.ts";
import type { Language } from "../../src/core/language.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { type Answer, CHECK, modelLines, playWays } from "../agent/ways-scene.ts";
import { type BotApiServer, startBotApi } from "../support/bot-api-server.ts";
import { hasOverlay } from "../support/overlay.ts";
import { findForeign, openPhone } from "../support/phone.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

const OWNER = 501;
const FRIEND = 502;

/** The second model's way is the smaller one. */
const TWO: Answer = ({ model }) => (model === "one-1" ? ["1", "2", "good"] : ["good"]);

/** What differs from a home without a phone, in English. */
interface Differing {
  readonly language?: Language;
  readonly bot?: BotApiServer;
  readonly check?: string;
  readonly more?: string;
}

function prepare(dir: string, url: string, differing: Differing = {}) {
  const { language = "en", bot, check = CHECK, more = "" } = differing;
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  const telegram = bot
    ? `[telegram]
bot_token = "env:TELEGRAM_BOT_TOKEN"
api_root = "${bot.url}"
allowed_user_ids = [${OWNER}, ${FRIEND}]
`
    : "";
  const lines = modelLines(url, ["one", "two"], `[http]\nport = 0\n${telegram}${more}`);
  const config = `${lines.replace("[default]", `[default]\nlanguage = "${language}"`)}
[[workspaces]]
name = "notes"
path = "./notes"
check = ${JSON.stringify([["sh", "-c", check]])}
`;
  return createSandbox(dir, config, bot && { TELEGRAM_BOT_TOKEN: bot.token });
}

const wordIn = (dir: string) => readFileSync(join(dir, "notes/word.txt"), "utf8");

describe.if(hasOverlay)("another way", () => {
  test.each(["en", "ru", "zh"] as const)("on the phone, in %s", async (language) => {
    using dir = tempDir();
    await using bot = await startBotApi();
    await using model = playWays(TWO);
    const sandbox = prepare(dir.path, model.url, { language, bot });
    await using _daemon = await sandbox.host();
    const phone = openPhone(bot, OWNER);
    const { buttons, approval, tries, refusals, outcome } = textsIn(language);
    await phone.say("plan: word.txt", "one-1");
    const head = approval.head("notes");
    const first = await phone.tap(buttons.apply, head);
    expect(first.buttons.map(({ label }) => label)).toEqual([
      buttons.approve,
      buttons.reject,
      buttons.tryAnother,
    ]);
    expect(await phone.pressAgain(first, 2, FRIEND)).toBe(refusals.notAsked);
    const list = await phone.tap(buttons.tryAnother, tries.smallest(2, 2));
    expect(list.text).toContain(tries.left(2));
    expect(list.text).toMatch(/^1\. plan_\w+ .* \(two two-1 0\.2\)$/mu);
    expect(list.buttons.map(({ label }) => label)).toEqual([buttons.showWay("2")]);
    const small = await phone.waitForText(head);
    expect(small.text).not.toContain("+2\n");
    expect(await phone.pressAgain(first, 2)).toBe(refusals.changeReplaced);
    expect(await phone.pressAgain(first, 0)).toBe(refusals.changeReplaced);
    expect(await phone.pressAgain(list, 0, FRIEND)).toBe(refusals.wayGone);
    const large = await phone.tap(buttons.showWay("2"), head);
    expect(large.text).toContain("+2\n");
    expect(existsSync(join(dir.path, "notes/word.txt"))).toBe(false);
    await phone.tap(buttons.approve, outcome.committed("notes", 1));
    expect(wordIn(dir.path)).toBe("1\n2\ngood\n");
    expect(await phone.pressAgain(list, 0)).toBe(refusals.wayGone);
    expect(await phone.pressAgain(large, 2)).toBe(refusals.changeApproved);
    const names = "papa-yu notes word txt bwrap As one- two- does one two plan".split(" ");
    if (language !== "en") expect(findForeign(phone.shown(), names)).toEqual([]);
  });

  test.each(["start", "chat"] as const)("by a key in papayu %s, on a terminal", async (command) => {
    using dir = tempDir();
    await using model = playWays(TWO);
    const sandbox = prepare(dir.path, model.url);
    await using _daemon = command === "chat" ? await sandbox.host() : undefined;
    await using terminal = sandbox.terminal(command);
    await terminal.waitFor(/› /);
    terminal.type("plan: word.txt\r");
    await terminal.waitFor(/one-1[\s\S]*› /);
    terminal.type("ok\r");
    await terminal.waitFor(/Apply\? \[y\/N, t: try another way\] /);
    terminal.type("t\r");
    const again = await terminal.waitFor(/1\. plan_[\s\S]*Apply\? \[y\/N, t: try another way\] /);
    expect(again).toContain("planning in another way (two two-1)");
    expect(again).toMatch(/1\. plan_\w+ {2}passed · 1 line {2}\(two two-1 0\.2\)\r?\n/);
    expect(existsSync(join(dir.path, "notes/word.txt"))).toBe(false);
    terminal.type("y\r");
    await terminal.waitFor(/Applied in notes[\s\S]*› /);
    expect(wordIn(dir.path)).toBe("good\n");
  });

  test("by a key where papayu apply asks", async () => {
    using dir = tempDir();
    await using model = playWays(TWO);
    const sandbox = prepare(dir.path, model.url);
    await using terminal = sandbox.terminal("apply", "--goal", "word.txt", "-w", "notes", "--json");
    await terminal.waitFor(/\[y\/N, t: try another way\] /);
    terminal.type("t\r");
    await terminal.waitFor(/1\. plan_[\s\S]*\[y\/N, t: try another way\] /);
    terminal.type("y\r");
    await terminal.waitFor(/"status":"committed"[\s\S]*\}\r\n$/); // it may be read behind the exit
    expect(await terminal.exited).toBe(0);
    expect(wordIn(dir.path)).toBe("good\n");
    const [, applied] = /"plan_id":"(plan_\w+)"/.exec(terminal.screen()) ?? [];
    const [, listed] = /1\. (plan_\w+)/.exec(terminal.screen()) ?? [];
    expect(applied).toBe(listed);
  });

  test("by a press on the socket, which knows no other acts than people press", async () => {
    using dir = tempDir();
    await using model = playWays(TWO);
    const sandbox = prepare(dir.path, model.url);
    await using _daemon = await sandbox.host();
    using client = await connectDaemon(join(sandbox.home, "daemon.sock"));
    if (!client) throw new Error("no daemon");
    const lines = client.lines[Symbol.asyncIterator]();
    const talk = async (line: Parameters<typeof client.send>[0]) => {
      client.send(line);
      const said = [];
      for (;;) {
        const { value } = await lines.next();
        said.push(value);
        if (value?.type === "done" || value?.type === "error") return said;
      }
    };
    const say = (content: string) => talk({ type: "message", session_id: "s", content });
    const press = (act: string, ref: string, session_id = "s") =>
      talk({ type: "press", session_id, act, ref });
    await say("plan: word.txt");
    const confirm = (await say("ok")).find((line) => line?.type === "confirm");
    expect(confirm).toMatchObject({ args: { tries_left: 3 } });
    const ref = confirm?.type === "confirm" ? confirm.request_id : "";
    expect((await press("withdraw", ref)).at(-1)).toMatchObject({
      message: expect.stringContaining("ERR_SOCKET_PROTOCOL"),
    });
    expect((await press("try_another", ref, "other")).at(-1)).toMatchObject({ type: "error" });
    const tried = await press("try_another", ref);
    const next = tried.find((line) => line?.type === "confirm");
    expect(next).toMatchObject({ args: { tries_left: 2, paths: ["word.txt"] } });
    expect((await press("try_another", ref)).at(-1)).toMatchObject({ type: "error" });
    const answer = { type: "confirm_response", approved: true } as const;
    await talk({ ...answer, request_id: next?.type === "confirm" ? next.request_id : "" });
    expect(wordIn(dir.path)).toBe("good\n");
  });

  test("by a press over HTTP, and the other one as well", async () => {
    using dir = tempDir();
    await using model = playWays(TWO);
    const sandbox = prepare(dir.path, model.url);
    await using _daemon = await sandbox.host();
    const { stdout } = await sandbox.run("status");
    const [, port] = /http: listening, port (\d+)/.exec(stdout) ?? [];
    const token = readFileSync(join(sandbox.home, "http.token"), "utf8").trim();
    const post = async (path: string, body: object) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ session_id: "s", ...body }),
      });
      return response.text();
    };
    await post("/api/chat", { message: "plan: word.txt" });
    const asked = await post("/api/chat", { message: "ok" });
    expect(asked).toContain('"tries_left":3');
    const [, ref = ""] = /"approval_id":"(ap_\w+)"/.exec(asked) ?? [];
    const [, plan = ""] = /"plan_id":"(plan_\w+)"/.exec(asked) ?? [];
    const tried = await post("/api/press", { act: "try_another", ref });
    expect(tried).toContain('"tries_left":2');
    expect(tried).toContain("passed · 3 lines");
    const large = await post("/api/press", { act: "show_way", ref: plan });
    const [, last = ""] = /"approval_id":"(ap_\w+)"/.exec(large) ?? [];
    await post("/api/press", { act: "approve", ref: last });
    expect(wordIn(dir.path)).toBe("1\n2\ngood\n");
    expect(await post("/api/press", { act: "show_way", ref: plan })).toContain("APPROVAL_INVALID");
  });
});
